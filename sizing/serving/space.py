"""Device memory beside weights and cache: workspace of a step, context, libraries, links, captured graphs."""

from __future__ import annotations

from typing import Final

from sizing.serving.case import ServingCase
from sizing.units import GIB, MIB

ELEMENT_BYTES: Final = 2.0
WIDE_BYTES: Final = 4.0
HIDDEN_COPIES: Final = 4.3
"""Tensors of hidden width that live at once in a layer [–]: what is left of the peaks that the Qwen2.5 documentation
prints for prompts of 6,144 to 30,720 tokens (4.1 to 5.2), and of a 7B model's start-up of vLLM 0.19 (4.3)."""

WIDE_COPIES: Final = 3.0
"""Tensors of the feed-forward block's width that live at once [–]: gate, up and their product."""

HEAD_COPIES: Final = 2.0
LOGIT_BYTES: Final = 14.0
"""Logits of one request, for each word of the vocabulary [B]: once in 16 bit, three times in 32 bit. Nine models of one
sweep of vLLM 0.19 ask for 14 to 16; versions before 0.17 took 39."""

LAST_LOGIT_BYTES: Final = 6.0
"""Logits of a prompt's last token in 16 and 32 bit, in a library's own loop, for each word of the vocabulary [B]."""

LARGE_CARD_BYTES: Final = 70 * GIB
FIRST_OF_LARGE: Final = 9.0
"""From this memory and, on NVIDIA's chips, this compute capability on vLLM makes room for its largest step (defaults by
device, its test of engine arguments, 2026)."""

MIDDLE_CARD_BYTES: Final = 60 * GIB
LEAST_LEFT_BYTES: Final = 10 * GIB
MANY: Final = 4
STEPS_BY_SIZE: Final = (
    (150 * GIB, 16_384, 512, 512),
    (58 * GIB, 8192, 256, 512),
    (34 * GIB, 4096, 32, 160),
    (0, 2048, 24, 80),
)
"""SGLang's largest step [tokens] and largest captured graph, in a group of few GPUs and of many [requests], by the
memory of the card [B]."""

CONTEXT_BYTES: Final = 0.5 * GIB
"""Driver context of a process [B]: 0.51 to 0.61 GiB on H100, 0.45 in reports of optimum-benchmark."""

LIBRARIES_BYTES: Final = 0.25 * GIB
"""Matrix libraries and kernels that a step loads [B]: 0.24 to 0.27 GiB in a sweep of vLLM 0.19."""

SWITCHED_LINKS_BYTES: Final = 1.8 * GIB
"""Buffers of collectives on each GPU of a group on a switch, which reduces inside it [B]: 1.79 to 2.1 less the
libraries in vLLM's logs on H100."""

SWITCHED: Final = ("nvswitch", "infinity_fabric")
"""Interconnects that get the larger buffers; nobody printed those of AMD's nodes."""

LINKS_BYTES: Final = 0.15 * GIB
"""The same without a switch [B]: 0.20 to 0.33 GiB with the libraries in vLLM's logs on L40S and RTX cards."""

GRAPHS_BYTES: Final = 0.8 * GIB
"""Captured graphs [B]: 0.1 to 2 GiB in vLLM's start-up logs."""


def taken_share(case: ServingCase) -> float:
    """Share of the device that an engine takes [–]: as stated, else what it takes by itself.

    Notes
    -----
    SGLang leaves 0.5 GiB, 1.5 MiB for each token of its largest step, 2 MiB for each request of its largest captured
    graph and 128 MiB for each GPU of the group, at least 10 GiB on a card of 60 (its server arguments, 2025 and 2026;
    0.828 was read off an H100, 0.911 off an MI355X).
    """
    used, stated = case.engine, case.workload.memory_fraction
    if stated is not None:
        return stated
    memory = case.system.memory_bytes
    if not used.leaves_by_size or not memory:
        return used.memory_share
    tokens, few, many = next(sizes for least, *sizes in STEPS_BY_SIZE if memory >= least)
    group = case.plan.tensor * case.plan.pipeline
    left = (512 + 1.5 * tokens + 2 * (few if group < MANY else many) + 128 * group) * MIB
    return 1.0 - max(left, LEAST_LEFT_BYTES if memory > MIDDLE_CARD_BYTES else 0.0) / memory


def is_large(case: ServingCase) -> bool:
    """Whether an engine that looks at the device makes room for its largest step."""
    capability = case.system.gpu.compute_capability
    return case.system.memory_bytes >= LARGE_CARD_BYTES and (capability is None or capability >= FIRST_OF_LARGE)


def step_tokens(case: ServingCase) -> float:
    """Tokens of the largest step [tokens]: the engine's limit, or the whole batch where no engine limits it."""
    used, job = case.engine, case.workload
    if not used.preallocates:
        return max(1.0, case.in_flight / case.copies * job.input_tokens)
    return float(used.small_step_tokens if used.small_step_tokens and not is_large(case) else used.step_tokens)


def logit_rows(case: ServingCase) -> float:
    """Requests whose logits a preallocating engine makes room for [–]."""
    used = case.engine
    return float(used.small_logit_rows if used.small_logit_rows and not is_large(case) else used.logit_rows)


def workspace_bytes(case: ServingCase) -> float:
    """Activations and logits of the largest step, and other models on the GPU [B].

    Notes
    -----
    A preallocating engine: buffers of the experts, and the larger of a layer's activations and of sampling. llama.cpp:
    a step's logits and hidden states in 32 bit. A library's own loop: a layer's activations over the whole prompt.
    """
    used, shape = case.engine, case.architecture
    if used.micro_step_tokens:
        return WIDE_BYTES * used.micro_step_tokens * (shape.vocab_size + shape.hidden_size) + case.beside_bytes
    if not used.preallocates:
        return layer_bytes(case) + answer_bytes(case)
    return experts_bytes(case) + max(layer_bytes(case), sampling_bytes(case)) + case.beside_bytes


def answer_bytes(case: ServingCase) -> float:
    """What a library's own loop needs for one token of each request, and other models on the GPU [B]."""
    requests = max(1.0, case.in_flight / case.copies)
    return LAST_LOGIT_BYTES * requests * case.architecture.vocab_size + case.beside_bytes


def prompt_logit_bytes(case: ServingCase) -> float:
    """Logits of all tokens of the prompts in 16 and 32 bit, which Transformers kept before 4.45 (2024) [B]."""
    return LAST_LOGIT_BYTES * step_tokens(case) * case.architecture.vocab_size


def angle_bytes(case: ServingCase) -> float:
    """Sines and cosines of every position that a model takes, which Transformers kept in each layer in 2023 [B]."""
    shape = case.architecture
    turned = sum(g.count * g.attention.head_dim for g in shape.layers if g.attention and g.attention.kind != "linear")
    return 2 * ELEMENT_BYTES * turned * (shape.max_positions or 0) / case.plan.pipeline


def layer_bytes(case: ServingCase) -> float:
    """Activations of one layer in the largest step [B].

    Notes
    -----
    tokens x (4.3 hidden + 3 width of the feed-forward block / tensor) x 2 B. A library's loop works through the experts
    one after the other; their share of the tokens counts.
    """
    shape, used = case.architecture, case.engine
    widest = max((group.mlp.width if group.mlp else 0.0) for group in shape.layers)
    if not used.preallocates:
        widest = max([widest] + [g.moe.top_k * g.moe.expert_width / g.moe.experts for g in shape.layers if g.moe])
    width = HIDDEN_COPIES * shape.hidden_size + WIDE_COPIES * widest / case.plan.tensor
    return ELEMENT_BYTES * step_tokens(case) * width


def experts_bytes(case: ServingCase) -> float:
    """Buffers of the experts' products, which an engine keeps [B].

    Notes
    -----
    tokens x choices x (the wider of both gates and hidden + expert width) x 2 B, widths divided among the GPUs.
    """
    shape, plan = case.architecture, case.plan
    split = plan.tensor * plan.attention_data / plan.expert
    each = 0.0
    for group in shape.layers:
        if group.moe is not None:
            width = group.moe.expert_width / split
            each = max(each, group.moe.top_k * (max(2 * width, shape.hidden_size) + width))
    return ELEMENT_BYTES * step_tokens(case) * each


def sampling_bytes(case: ServingCase) -> float:
    """Logits of all requests in a step and the hidden states they come from [B]; each GPU of a group samples alone."""
    shape = case.architecture
    hidden = HEAD_COPIES * ELEMENT_BYTES * step_tokens(case) * shape.hidden_size
    return hidden + LOGIT_BYTES * logit_rows(case) * shape.vocab_size


def outside_bytes(case: ServingCase) -> float:
    """Libraries and links: what an engine counts into its share beside what the framework allocates [B]."""
    if not case.engine.preallocates:
        return 0.0
    plan = case.plan
    if plan.tensor * plan.pipeline * plan.attention_data == 1:
        return LIBRARIES_BYTES
    reduces = plan.tensor * plan.attention_data > 1 and case.system.interconnect in SWITCHED
    return LIBRARIES_BYTES + (SWITCHED_LINKS_BYTES if reduces else LINKS_BYTES)


def graphs_bytes(case: ServingCase) -> float:
    """Captured graphs [B], taken after the cache was laid out."""
    return GRAPHS_BYTES if case.engine.preallocates else 0.0
