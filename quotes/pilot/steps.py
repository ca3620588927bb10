"""How long a pilot runs: the same figures for the script and for the protocol in the document."""

from __future__ import annotations

RUN_SECONDS = 1800
FEWEST_STEPS, MOST_STEPS = 10, 200


def steps_of(step_seconds: float | None) -> tuple[int, int]:
    """Give how many optimizer steps are run before counting and how many are counted: about half an hour in all."""
    total = MOST_STEPS
    if step_seconds:
        total = max(FEWEST_STEPS, min(MOST_STEPS, round(RUN_SECONDS / step_seconds)))
    warmup = max(3, total // 10)
    return warmup, total - warmup
