"""Published measurements the engine carries, and how its estimates compare with them: never from memory, always run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from typing import Any, Final, TextIO

from sizing import contract
from sizing.evidence import memory, scoring, serving, serving_memory, speed

GROUPINGS: Final = ("group", "method", "gpu", "sharding")
SERVING_GROUPINGS: Final = ("group", "gpu")
FEW_RUNS: Final = 10


@cache
def summary() -> dict[str, Any]:
    """Accuracy of memory and speed: over all, by source, method, GPU and sharding, and every point.

    Runs the engine on every published case, about two seconds; the result is kept for the process.
    """
    peaks, outcomes = memory.compared(contract.estimate)
    speeds = speed.points(contract.estimate)
    return {
        "memory": _part(peaks) | {"outcomes_right": memory.balanced(outcomes)},
        "speed": _part(speeds) | {"pairs_right": speed.right_order(speeds), "pairs": len(speed.pairs())},
        "few_runs": FEW_RUNS,
    }


@cache
def serving_summary() -> dict[str, Any]:
    """Accuracy of serving figures: for each figure over all, by source and by GPU; about a second.

    Pairs count the speed that `INFERENCE` pairs mean: more tokens a second, or less time for each.
    """
    points = serving.points(contract.estimate)
    figures = {}
    for name in sorted({point.figure for point in points}):
        own = [point for point in points if point.figure == name]
        figures[name] = {
            "all": asdict(scoring.accuracy(own)),
            "by": {
                key: {value: asdict(row) for value, row in scoring.by(key, own).items()} for key in SERVING_GROUPINGS
            },
        }
    return {"figures": figures, "pairs_right": serving.right_order(points), "pairs": len(serving.pairs())}


@cache
def serving_memory_summary() -> dict[str, Any]:
    """Accuracy of a server's memory part by part: over all and by source, and every point."""
    points = serving_memory.points()
    parts = {}
    for name in serving_memory.PARTS:
        own = [point for point in points if point.part == name]
        parts[name] = {
            "all": asdict(scoring.accuracy(own)),
            "by": {"group": {value: asdict(row) for value, row in scoring.by("group", own).items()}},
            "points": [asdict(point) for point in own],
        }
    return parts


def _part(points: Sequence[memory.Point | speed.Point]) -> dict[str, Any]:
    return {
        "all": asdict(scoring.accuracy(points)),
        "by": {key: {name: asdict(row) for name, row in scoring.by(key, points).items()} for key in GROUPINGS},
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
    _write_serving(out)
    _write_serving_memory(out, cases=cases)
    out.write(f"\nfits or out of memory, balanced: {found['memory']['outcomes_right']:.1%} right\n")
    out.write(
        f"pairs of systems in the right order: {found['speed']['pairs_right']:.1%} of {found['speed']['pairs']}\n"
    )


def _write_serving(out: TextIO) -> None:
    found = serving_summary()
    out.write(f"\n{'serving':40}{'runs':>6}{'median':>9}{'p90':>9}{'bias':>9}{'in band':>9}\n")
    for figure, part in found["figures"].items():
        out.write(_row(figure, part["all"]))
        for key in SERVING_GROUPINGS:
            for value, row in part["by"][key].items():
                out.write(_row(f"  {key}: {value or 'not named'}", row))
    out.write(f"\nserving pairs in the right order: {found['pairs_right']:.1%} of {found['pairs']}\n")


def _write_serving_memory(out: TextIO, *, cases: bool) -> None:
    out.write(f"\n{'memory of servers, part by part':40}{'runs':>6}{'median':>9}{'p90':>9}{'bias':>9}{'in band':>9}\n")
    for name, part in serving_memory_summary().items():
        out.write(_row(name, part["all"]))
        for value, row in part["by"]["group"].items():
            out.write(_row(f"  group: {value}", row))
        for point in part["points"] if cases else ():
            out.write(_case(point))


def _row(name: str, row: Mapping[str, Any]) -> str:
    few = "  few runs: wider band" if row["rows"] < FEW_RUNS else ""
    figures = "".join(f"{row[key]:>9.1%}" for key in ("median", "ninth_decile", "bias", "coverage"))
    return f"{name[:39]:40}{row['rows']:>6}{figures}{few}\n"


def _case(point: Mapping[str, Any]) -> str:
    published = point.get("published", point.get("published_low"))
    figures = "".join(f"{point[key]:>12.2f}" for key in ("predicted", "low", "high"))
    return f"  {point['case'][:34]:34}{published:>14.2f}{figures}\n"
