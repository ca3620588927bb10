"""Device memory beside weights and cache: workspace of a step, context, libraries, captured graphs."""

from __future__ import annotations

from typing import Final

from sizing.serving.case import ServingCase
from sizing.units import GIB

HIDDEN_COPIES: Final = 6.0
"""Tensors of hidden width that live at once in a step [–]: 1.26 GiB for 8,192 tokens of an 8B model in vLLM's log."""

LOGIT_BYTES: Final = 10.0
"""Logits of one token in 16 and 32 bit and sorted for sampling, for each word of the vocabulary [B]."""

SAMPLED: Final = 256.0
"""Requests whose logits an engine makes room for [–]."""

PLAIN_CONTEXT_BYTES: Final = 0.6 * GIB
"""Driver context and matrix libraries of a process that does nothing else [B]."""

CONTEXT_BYTES: Final = 1.2 * GIB
"""Driver context, matrix libraries and their workspaces [B]: 1.79 GiB in vLLM's start-up log on one H100, less the
parts that later versions count as their own."""

LINKS_BYTES: Final = 1.6 * GIB
"""Buffers of collectives on each GPU of a group [B]: 3.58 less 1.79 GiB in vLLM's start-up log on two H100."""

GRAPHS_BYTES: Final = 0.8 * GIB
"""Captured graphs [B]: 0.3 to 2 GiB in vLLM's start-up logs."""


def step_tokens(case: ServingCase) -> float:
    """Tokens of the largest step [tokens]: the engine's limit, or the whole batch where no engine limits it."""
    used, job = case.engine, case.workload
    if used.preallocates:
        return float(used.step_tokens)
    return max(1.0, case.in_flight * job.input_tokens)


def workspace_bytes(case: ServingCase) -> float:
    """Activations of the largest step, logits of the requests in it, and other models on the GPU [B].

    Notes
    -----
    tokens x (6 x hidden + 2 x widest layer / tensor) x 2 B + requests x vocabulary / tensor x 10 B.
    """
    shape, used = case.architecture, case.engine
    widest = max((group.mlp.width if group.mlp else 0) for group in shape.layers)
    for group in shape.layers:
        if group.moe is not None:
            widest = max(widest, group.moe.top_k * group.moe.expert_width)
    tokens = step_tokens(case)
    rows = SAMPLED if used.preallocates else max(1.0, case.in_flight)
    hidden = HIDDEN_COPIES * shape.hidden_size + 2.0 * widest / case.plan.tensor
    logits = LOGIT_BYTES * rows * shape.vocab_size / case.plan.tensor
    return 2.0 * tokens * hidden + logits + case.beside_bytes


def outside_bytes(case: ServingCase) -> float:
    """What the engine's own count leaves out [B]."""
    shared = case.plan.tensor * case.plan.pipeline * case.plan.attention_data
    context = CONTEXT_BYTES if case.engine.preallocates else PLAIN_CONTEXT_BYTES
    return context + (LINKS_BYTES if shared > 1 else 0.0)


def graphs_bytes(case: ServingCase) -> float:
    """Captured graphs [B], taken after the cache was laid out."""
    return GRAPHS_BYTES if case.engine.preallocates else 0.0
