"""How the figures of a service came about."""

from __future__ import annotations

from sizing.architecture import kv
from sizing.case import Step
from sizing.serving import assembly, cache, levers, memory, space, speed
from sizing.serving.case import ServingCase

RATES = "rates of the training room, constants shared by all engines and models, the engine's own host times"


def explain(case: ServingCase) -> tuple[Step, ...]:
    """Memory of one GPU, one step of the engine, and the service's times, with their formulas."""
    steps = (_weights(case), _cache(case), _buffers(case), _outside(case), _room(case))
    return steps + (_times(case) if case.system.gpu.dense_flops_per_s else ())


def _weights(case: ServingCase) -> Step:
    job, plan = case.workload, case.plan
    held = memory.weights_per_gpu(case)
    return Step(
        "memory.weights",
        "Weights",
        "(dense + head + table) / (tensor × pipeline) + experts / (tensor × pipeline × attention copies)",
        (("format", job.weights, ""), ("parameters", case.architecture.parameters, ""), ("tensor", plan.tensor, ""),
         ("pipeline", plan.pipeline, ""), ("attention copies", plan.attention_data, "")),
        held,
        "B",
        "block layouts of the weight formats, checked to the byte",
        levers.levers(case, "weights"),
    )  # fmt: skip


def _cache(case: ServingCase) -> Step:
    job = case.workload
    requests, (held, _) = max(1.0, case.in_flight / case.copies), memory.busiest(case)
    full = memory.cache_per_gpu(case, job.input_tokens + job.output_tokens)
    tokens = job.input_tokens if held < full else job.input_tokens + job.output_tokens
    return Step(
        "memory.kv_cache",
        "Key and value cache",
        "requests on one copy × blocks(tokens) × bytes per token / (tensor, whole heads)",
        (("requests", requests, ""), ("tokens", tokens, "tokens"), ("block", case.engine.block_tokens, "tokens"),
         ("bytes per token", kv.bytes_per_token(case.architecture, job.kv_cache_dtype), "B")),
        held,
        "B",
        "cache layout by attention kind: all tokens, the last of a window, a latent, or a constant state",
        levers.levers(case, "kv_cache"),
    )  # fmt: skip


def _buffers(case: ServingCase) -> Step:
    used, shape = case.engine, case.architecture
    inputs: tuple[tuple[str, float, str], ...]
    if used.micro_step_tokens:
        formula = "tokens at once × (vocabulary + hidden) × 4 B + other models on the GPU"
        inputs = (("tokens of a step", used.micro_step_tokens, "tokens"), ("vocabulary", shape.vocab_size, ""),
                  ("hidden", shape.hidden_size, ""), ("other models", case.beside_bytes, "B"))  # fmt: skip
    elif used.preallocates:
        formula = (
            "buffers of the experts + the larger of a layer's activations and of sampling + other models on the GPU"
        )
        inputs = (("buffers of the experts", space.experts_bytes(case), "B"), ("layer", space.layer_bytes(case), "B"),
                  ("sampling", space.sampling_bytes(case), "B"), ("other models", case.beside_bytes, "B"))  # fmt: skip
    else:
        formula = "a layer's activations over the prompts while they are read + logits of the last tokens"
        inputs = (("tokens of a step", space.step_tokens(case), "tokens"), ("layer", space.layer_bytes(case), "B"),
                  ("hidden", shape.hidden_size, ""), ("other models", case.beside_bytes, "B"))  # fmt: skip
    return Step(
        "memory.buffers",
        "Workspace",
        formula,
        inputs,
        memory.busiest(case)[1],
        "B",
        "peaks that vLLM and llama.cpp print at start and that the Qwen2.5 documentation prints by prompt length",
    )


def _outside(case: ServingCase) -> Step:
    return Step(
        "memory.outside",
        "Outside the engine's count",
        "driver context + libraries + buffers of collectives + captured graphs",
        (("GPUs of a replica", case.plan.tensor * case.plan.pipeline * case.plan.attention_data, ""),),
        space.CONTEXT_BYTES + space.outside_bytes(case) + space.graphs_bytes(case),
        "B",
        "vLLM start-up logs on H100, L40S and RTX cards",
    )


def _room(case: ServingCase) -> Step:
    return Step(
        "serving.max_concurrency",
        "Requests that fit at once",
        "(share × memory − weights − workspace − outside) / cache of a whole request × copies",
        (("share", space.taken_share(case), ""),
         ("memory", case.system.memory_bytes, "B"), ("pool", cache.pool_bytes(case), "B"), ("copies", case.copies, "")),
        float(cache.most_concurrent(case)),
        "requests",
        case.engine.source,
    )  # fmt: skip


def _times(case: ServingCase) -> tuple[Step, ...]:
    job, found = case.workload, speed.estimate(case)
    return (
        _step(case),
        Step(
            "serving.prompt",
            "Reading one prompt",
            "chunks of at most a step's tokens, beside the answers where the engine mixes them",
            (("prompt", job.input_tokens, "tokens"), ("step", case.engine.step_tokens, "tokens"),
             ("mixes", str(case.engine.mixes), "")),
            found.prefill_seconds,
            "s",
            RATES,
        ),
        Step(
            "serving.ttft",
            "Time to first token",
            "engine + half a step + reading the prompt + waiting for prompts before it and for room in the cache",
            (("reading", found.prefill_seconds, "s"), ("scenario", job.scenario, "")),
            found.ttft_seconds,
            "s",
            "waiting by Pollaczek and Khinchine; load generators start all users at once",
        ),
        _token(case, found.tpot_seconds),
        Step(
            "serving.rate",
            "Throughput",
            "requests in flight / (time to first token + (answer − 1) × time per token)",
            (("answer", job.output_tokens, "tokens"), ("copies", case.copies, "")),
            found.output_tokens_per_s,
            "tokens/s",
            RATES,
        ),
    )  # fmt: skip


def _answers(case: ServingCase) -> float:
    return max(1.0, min(case.in_flight / case.copies, cache.room(case)))


def _step(case: ServingCase) -> Step:
    work, batch = assembly.work(case), _answers(case)
    return Step(
        "serving.step",
        "One step of answers",
        "matrices (reading and computing) + attention over the cache + links + kernels + host",
        (("answers", batch, "requests"), ("weights read", work.dense.read_bytes, "B"),
         ("bandwidth", work.read_bytes_per_s, "B/s"), ("rate", work.dense.flops_per_s, "FLOP/s"),
         ("attention of one answer", work.answer_seconds, "s"), ("kernels", work.kernel_seconds, "s"),
         ("host", work.engine.step_seconds + work.engine.sequence_seconds * batch, "s")),
        work.step_seconds(batch),
        "s",
        RATES,
    )  # fmt: skip


def _token(case: ServingCase, seconds: float) -> Step:
    step = assembly.work(case).step_seconds(_answers(case))
    return Step(
        "serving.tpot",
        "Time per output token",
        "(1 − share of steps with a prompt) × step of answers + share × step with a prompt",
        (("step of answers", step, "s"),),
        seconds,
        "s",
        RATES,
    )
