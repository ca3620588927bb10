"""Lengths of a request: stated, or usual ones listed as assumptions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sizing.architecture.shape import Architecture
from sizing.assumptions import Assumption, Ledger
from sizing.errors import SizingError
from sizing.resolve.reader import NOT_STATED

MIXED_LOAD_TOKENS: Final = (1000.0, 300.0)

BENCHMARK_PROMPTS: Final[dict[str, float]] = {
    "llama-3.1-8b": 778.0,
    "llama-3.1-405b": 9400.0,
    "deepseek-r1": 800.0,
}
"""Mean prompt of the data set that MLPerf Inference runs a model on [tokens]: CNN/DailyMail, LongBench with RULER and
GovReport, and its reasoning mix. From general knowledge: no document that states them was opened."""

LEAST_PROMPT: Final = 300.0
"""A question with its instructions [tokens], where a benchmark's prompts are not published."""

BENCHMARK_SOURCE: Final = "general knowledge of MLPerf Inference v5.0 and v5.1; not read at the source, unconfirmed"
BENCHMARK_SCENARIOS: Final = ("offline", "server")


def read(stated: Mapping[str, Any], shape: Architecture, scenario: str, ledger: Ledger) -> tuple[int, int]:
    """Mean prompt and answer of a request [tokens].

    The scenarios `offline` and `server` are those of a public benchmark; where such a load names no prompt length,
    it is taken to be the benchmark's own, or as long as the answers where the benchmark's is not published.

    Raises
    ------
    SizingError
        Where prompt and answer together are longer than the model takes.
    """
    answer = stated.get("output_tokens")
    prompt = stated.get("input_tokens")
    if prompt is None:
        prompt, why, source = MIXED_LOAD_TOKENS[0], "a usual chat request; measure the real ones", NOT_STATED
        if scenario in BENCHMARK_SCENARIOS and answer is not None:
            prompt = BENCHMARK_PROMPTS.get(shape.name, max(answer, LEAST_PROMPT))
            why, source = "mean prompt of the benchmark that has this scenario, as we remember it", BENCHMARK_SOURCE
        assume(ledger, "input_tokens", prompt, why, source)
    if answer is None:
        answer = MIXED_LOAD_TOKENS[1]
        assume(ledger, "output_tokens", answer, "a usual chat request; measure the real ones", NOT_STATED)
    if shape.max_positions and prompt + answer > shape.max_positions:
        raise SizingError(
            "workload.input_tokens",
            "{field} and output together are {asked} tokens, the model takes {limit}",
            asked=prompt + answer,
            limit=shape.max_positions,
        )
    return max(1, round(prompt)), max(1, round(answer))


def assume(ledger: Ledger, name: str, tokens: float, why: str, source: str) -> None:
    """List a length that was not stated."""
    ledger.assume(
        Assumption(f"workload.{name}", tokens, "tokens", why, source, low=tokens / 4, high=tokens * 8)
    )  # fmt: skip
