"""Published measurements the engine carries, and how its estimates compare with them: never from memory, always run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from functools import cache
from typing import Any, Final, TextIO

from sizing import contract
from sizing.evidence import memory, speed

GROUPINGS: Final = ("group", "method", "gpu", "sharding")
FEW_RUNS: Final = 10


@cache
def summary() -> dict[str, Any]:
    """Accuracy of memory and speed: over all, by source, method, GPU and sharding, and every point.

    Runs the engine on every published case, about two seconds; the result is kept for the process.
    """
    peaks, outcomes = memory.compared(contract.estimate)
    speeds = speed.points(contract.estimate)
    return {
        "memory": _part(peaks, memory.accuracy, memory.by) | {"outcomes_right": memory.balanced(outcomes)},
        "speed": _part(speeds, speed.accuracy, speed.by)
        | {"pairs_right": speed.right_order(speeds), "pairs": len(speed.pairs())},
        "few_runs": FEW_RUNS,
    }


def _part[P: Any, A: Any](
    points: list[P], whole: Callable[[Iterable[P]], A], by: Callable[[str, Iterable[P]], dict[str, A]]
) -> dict[str, Any]:
    return {
        "all": asdict(whole(points)),
        "by": {key: {name: asdict(row) for name, row in by(key, points).items()} for key in GROUPINGS},
        "points": [asdict(point) | {"error": point.error, "is_in_band": point.is_in_band} for point in points],
    }


def report(out: TextIO, *, cases: bool = False) -> None:
    """Print the summary, and with `cases` a line for each published run."""
    found = summary()
    for name, unit in (("memory", "GiB"), ("speed", "tokens/s per GPU")):
        part = found[name]
        out.write(f"\n{name:40}{'runs':>6}{'median':>9}{'p90':>9}{'bias':>9}{'in band':>9}\n")
        out.write(_row("all", part["all"]))
        for key in GROUPINGS:
            for value, row in part["by"][key].items():
                out.write(_row(f"  {key}: {value or 'not named'}", row))
        if cases:
            out.write(f"\n  {'case':34}{'published':>14}{'estimate':>12}{'low':>12}{'high':>12}  {unit}\n")
            for point in part["points"]:
                out.write(_case(point))
    out.write(f"\nfits or out of memory, balanced: {found['memory']['outcomes_right']:.1%} right\n")
    out.write(
        f"pairs of systems in the right order: {found['speed']['pairs_right']:.1%} of {found['speed']['pairs']}\n"
    )


def _row(name: str, row: Mapping[str, Any]) -> str:
    few = "  few runs: wider band" if row["rows"] < FEW_RUNS else ""
    figures = "".join(f"{row[key]:>9.1%}" for key in ("median", "ninth_decile", "bias", "coverage"))
    return f"{name[:39]:40}{row['rows']:>6}{figures}{few}\n"


def _case(point: Mapping[str, Any]) -> str:
    published = point.get("published", point.get("published_low"))
    figures = "".join(f"{point[key]:>12.2f}" for key in ("predicted", "low", "high"))
    return f"  {point['case'][:34]:34}{published:>14.2f}{figures}\n"
