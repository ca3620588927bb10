"""Behaviours of serving engines that move memory and time; each is a named assumption, none is fitted to a source.

An engine is what its documentation says it does (memory share, scheduling, largest batch) plus three times that its
host and kernels take, which are shared by every model and GPU.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Engine:
    """How one serving engine works.

    Parameters
    ----------
    memory_share : float
        Share of device memory that it takes at start and keeps [–].
    of_free : bool
        The share is taken of what weights and workspace leave, and not of the whole device.
    beside_work : bool
        The share holds weights and cache alone; workspace and libraries come on top.
    most_sequences : int
        Largest number of requests in one step [–].
    step_tokens : int
        Most tokens of one step, which is also the largest chunk of a long prompt [tokens].
    block_tokens : int
        Tokens of one block of the paged cache [tokens].
    equal_pages : bool
        All layers have pages of the largest layer's size: vLLM reports 983,040 bytes a token for Gemma 4 31B.
    mixes : bool
        Prompts and answers are worked on in the same step; otherwise a prompt interrupts the answers.
    reserves_answer : bool
        A request starts only when the cache has room for its whole answer.
    step_seconds, sequence_seconds : float
        Host work of one step, and of one request in it [s].
    first_seconds : float
        From the request's arrival to its place in the schedule, and from the token to the client [s].
    prefill : float
        Rate of large matrix products against the best of the chip [–].
    preallocates : bool
        The share is taken at start; otherwise memory grows with the load.
    launch_seconds : float
        Host time to launch one layer's kernels, where nothing is captured: a step is never shorter than all of them
        [s]. Transformers on A100: 24 to 25 ms for 28 to 32 layers (Qwen documentation, speed benchmarks, 2024).
    logit_rows : int
        Requests whose logits get room at start [–]; TensorRT-LLM lays out its largest batch.
    small_logit_rows, small_step_tokens : int
        The same and the largest step where the device is small (`space.is_large`); 0 where the engine does not look
        at it.
    micro_step_tokens : int
        Tokens that pass the layers at once where all their logits get room, in 32 bit; 0 where only last tokens' do
        [tokens].
    expert_multiple : int
        Multiple to which its kernels fill up the hidden side of MXFP4 experts [–]: vLLM's logs of both gpt-oss.
    table_on_host : bool
        The token table stays in host memory; a tied one is copied to the device as the head.
    """

    key: str
    title: str
    memory_share: float
    most_sequences: int
    mixes: bool
    source: str
    of_free: bool = False
    beside_work: bool = False
    step_tokens: int = 8192
    block_tokens: int = 16
    equal_pages: bool = False
    reserves_answer: bool = False
    step_seconds: float = 1.5e-3
    sequence_seconds: float = 1.0e-5
    first_seconds: float = 0.03
    prefill: float = 0.8
    preallocates: bool = True
    launch_seconds: float = 0.0
    logit_rows: int = 256
    small_logit_rows: int = 0
    small_step_tokens: int = 0
    micro_step_tokens: int = 0
    counts_graphs: bool = False
    leaves_by_size: bool = False
    expert_multiple: int = 1
    table_on_host: bool = False


ENGINES: Final[dict[str, Engine]] = {
    engine.key: engine
    for engine in (
        Engine("vllm", "vLLM", 0.92, 1024, True, "vLLM documentation, engine arguments (2025-2026)",
               logit_rows=1024, small_logit_rows=256, small_step_tokens=2048, expert_multiple=256, counts_graphs=True,
               equal_pages=True, step_seconds=1.0e-3, sequence_seconds=12e-6, first_seconds=0.042, prefill=0.65),
        Engine("sglang", "SGLang", 0.88, 1024, False, "SGLang documentation, server arguments (2025-2026)",
               beside_work=True, block_tokens=1, leaves_by_size=True,
               step_seconds=1.3e-3, sequence_seconds=9e-6, first_seconds=0.24, prefill=0.62),
        Engine("trtllm", "TensorRT-LLM", 0.90, 2048, True, "TensorRT-LLM documentation, trtllm-bench (2025-2026)",
               of_free=True, logit_rows=2048, block_tokens=32, reserves_answer=True,
               step_seconds=1.2e-3, sequence_seconds=10e-6, first_seconds=0.045, prefill=1.05),
        Engine("nim", "NVIDIA NIM", 0.90, 2048, True, "NIM for LLMs documentation (2025); TensorRT-LLM inside",
               of_free=True, logit_rows=2048, block_tokens=64, reserves_answer=True,
               step_seconds=1.2e-3, sequence_seconds=10e-6, first_seconds=0.045, prefill=1.05),
        Engine("tgi", "Text Generation Inference", 0.95, 1024, False, "TGI documentation, launcher arguments (2025)",
               block_tokens=1, reserves_answer=True, step_seconds=3e-3, prefill=0.6),
        Engine("llama.cpp", "llama.cpp server", 1.0, 64, True, "llama.cpp server documentation (2025)",
               step_tokens=2048, block_tokens=1, reserves_answer=True, step_seconds=2e-3, prefill=0.5,
               preallocates=False, micro_step_tokens=512, table_on_host=True),
        Engine("other", "another engine", 0.90, 1024, True, "what engines with continuous batching have in common",
               step_seconds=1.5e-3, sequence_seconds=12e-6, first_seconds=0.06, prefill=0.7),
        Engine("generate", "a library's own loop", 1.0, 1 << 20, False, "transformers, generate() without a graph",
               block_tokens=1, reserves_answer=True, first_seconds=0.0, step_tokens=1 << 20, prefill=0.6,
               preallocates=False, launch_seconds=0.8e-3),
    )
}  # fmt: skip
"""Engines by the contract's name."""


OTHER: Final = "other"
LOOP: Final = "generate"
ALSO_CALLED: Final = {
    "tensorrt-llm": "trtllm",
    "tensorrt_llm": "trtllm",
    "trt-llm": "trtllm",
    "text-generation-inference": "tgi",
    "llama-cpp": "llama.cpp",
    "llama_cpp": "llama.cpp",
    "llamacpp": "llama.cpp",
    "llama-server": "llama.cpp",
    "ollama": "llama.cpp",
    "transformers": LOOP,
    "huggingface": LOOP,
    "hf": LOOP,
}
"""Other names of the engines, in small letters."""


def known(name: str) -> str | None:
    """The contract's name of an engine, however it is written; None for one that is not named one by one."""
    small = name.strip().lower()
    found = ALSO_CALLED.get(small, small)
    return found if found in ENGINES else None


def engine(name: str, scenario: str = "") -> Engine:
    """The engine of a name.

    An engine that is not named one by one works like the others, except that a static batch is what a library's own
    loop runs: nothing is preallocated, and each layer is launched from the host.
    """
    found = known(name) or OTHER
    return ENGINES[LOOP if found == OTHER and scenario == "static" else found]
