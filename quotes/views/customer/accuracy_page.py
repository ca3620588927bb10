"""What the accuracy page shows of the evidence: figures, the picture, the two worst, a table by method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any

from django.utils.translation import gettext_lazy as _

MEMORY = "memory"
SPEED = "speed"
SERVING = "serving"
MEASURES = (MEMORY, SPEED)
METHODS = {
    "lora": ("LoRA", "circle", 1),
    "qlora": ("QLoRA", "square", 2),
    "full": (_("Full fine-tuning"), "triangle", 3),
    "pretraining": (_("From scratch"), "diamond", 4),
}
LEFT, RIGHT = 9.0, 97.0
TOP_PX, BOTTOM_PX = 24.0, 380.0
MOST_MARKS = 160
NINETY = 0.9
SERVING_FEW = 10
SERVING_FIGURES = (
    ("output_tokens_per_second_per_gpu", _("Answer tokens a second on a GPU")),
    ("requests_per_second", _("Answers a second")),
    ("ttft_ms", _("Time to the first word")),
    ("tpot_ms", _("Time of each further word")),
)
MEMORY_PARTS = {
    "weights": _("Weights on a GPU"),
    "file": _("Model file (GGUF)"),
    "cache_token_bytes": _("Cache of one token"),
    "pool": _("Room left for the cache"),
    "workspace": _("Working memory of a step"),
    "held": _("Weights and cache at the last token"),
    "allocated": _("Peak that the library allocated"),
    "allocated_before": _("The same, Transformers before 4.45"),
    "device": _("Whole device"),
    "device_before": _("Whole device, Transformers before 4.45"),
}
TABLES = (
    ("gpu", _("By GPU"), _("GPU")),
    ("group", _("By source"), _("Source")),
    ("sharding", _("By division over GPUs"), _("Division")),
)
STEPS = (1, 2, 5)
MOST_TICKS = 8
DEFAULT_HALF_WIDTH = 0.2


@dataclass(frozen=True, slots=True)
class Mark:
    """One published run in the picture: places in per cent and pixels, shape and series, letter of the worst."""

    x: float
    y: float
    shape: str
    series: int
    letter: str = ""


@dataclass(frozen=True, slots=True)
class Scale:
    """A logarithmic scale both axes share, from `low` to `high`."""

    low: float
    high: float

    def share(self, value: float) -> float:
        """Place of a value between the ends [0–1]."""
        return (log10(value) - log10(self.low)) / (log10(self.high) - log10(self.low))

    def x(self, value: float) -> float:
        """Place from the left [%]."""
        return round(LEFT + (RIGHT - LEFT) * self.share(value), 2)

    def y(self, value: float) -> float:
        """Place from the top [px]."""
        return round(BOTTOM_PX - (BOTTOM_PX - TOP_PX) * self.share(value), 1)

    def ticks(self) -> list[float]:
        """Values of 1, 2 and 5 times a power of ten between the ends."""
        powers = range(floor(log10(self.low)), ceil(log10(self.high)) + 1)
        values = [step * 10.0**power for power in powers for step in STEPS]
        found = [value for value in values if self.low <= value <= self.high]
        return found if len(found) <= MOST_TICKS else [value for value in found if str(value)[0] == "1"]


def page(summary: Mapping[str, Any], measure: str) -> dict[str, Any]:
    """Gather the page for memory or speed."""
    part = summary[measure]
    points = [_point(one) for one in part["points"]]
    worst = _worst(points)
    return {
        "measure": measure,
        "all": part["all"],
        "groups": len(part["by"]["group"]),
        "outcomes_right": summary[MEMORY]["outcomes_right"],
        "pairs_right": summary[SPEED]["pairs_right"],
        "pairs": summary[SPEED]["pairs"],
        "picture": picture(points, worst, half_width=part["all"].get("half_width") or DEFAULT_HALF_WIDTH),
        "worst": worst,
        "methods": _methods(part["by"]["method"], points),
        "tables": [_table(key, title, head, part["by"][key]) for key, title, head in TABLES],
        "few": summary["few_runs"],
    }


def serving_page(summary: Mapping[str, Any], parts: Mapping[str, Any]) -> dict[str, Any]:
    """Gather the page for services: memory part by part, then a figure for each thing measured by source and by GPU."""
    figures = [
        {"key": key, "label": label, "all": summary["figures"][key]["all"]}
        for key, label in SERVING_FIGURES
        if key in summary["figures"]
    ]
    tables = [
        _table(f"{key}-{by}", f"{label}: {title}", head, summary["figures"][key]["by"][by])
        for key, label in SERVING_FIGURES
        if key in summary["figures"]
        for by, title, head in TABLES[:2]
    ]
    memory = _table("memory", _("Memory, part by part"), _("Part"), {key: parts[key]["all"] for key in MEMORY_PARTS})
    memory["rows"] = [row | {"label": MEMORY_PARTS[row["label"]]} for row in memory["rows"]]
    tables.insert(0, memory)
    named = {"measure": SERVING, "few": SERVING_FEW, "pairs_right": summary["pairs_right"], "pairs": summary["pairs"]}
    return {"figures": figures, "tables": tables, **named}


def _table(key: str, title: Any, head: Any, rows: Mapping[str, Any]) -> dict[str, Any]:
    """Rows of one grouping, those with most runs first; a name that no publication gave is said so."""
    ordered = sorted(rows.items(), key=lambda item: -item[1]["rows"])
    return {
        "key": key,
        "title": title,
        "head": head,
        "rows": [row | {"label": name or _("not named"), "band_percent": round(100 * row["coverage"], 1)}
                 for name, row in ordered],
    }  # fmt: skip


def _point(one: Mapping[str, Any]) -> dict[str, Any]:
    published = one.get("published") or (one["published_low"] + one["published_high"]) / 2
    return dict(one) | {"published": published}


def _worst(points: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give the run we promised too little for and the one we asked too much for, as A and B."""
    ends = (min(points, key=lambda one: one["error"]), max(points, key=lambda one: one["error"]))
    return [one | {"letter": letter, "name": METHODS[one["method"]][0]} for letter, one in zip("AB", ends, strict=True)]


def picture(points: list[dict[str, Any]], worst: list[dict[str, Any]], *, half_width: float) -> dict[str, Any]:
    """Lay out predicted against published on one logarithmic scale."""
    values = [one[name] for one in points for name in ("published", "predicted") if one[name] > 0]
    scale = Scale(min(values) / 1.2, max(values) * 1.2)
    every = max(1, ceil(len(points) / MOST_MARKS))
    letters = {one["case"]: one["letter"] for one in worst}
    drawn = [one for number, one in enumerate(points) if number % every == 0 or one["case"] in letters]
    edge = half_width * 50 / (log10(scale.high) - log10(scale.low)) / 1.15
    return {
        "marks": [_mark(one, scale, letters.get(one["case"], "")) for one in drawn],
        "ticks": [{"value": value, "x": scale.x(value), "y": scale.y(value)} for value in scale.ticks()],
        "every": every,
        "edge": f"0,{100 - edge:.1f} {100 - edge:.1f},0 100,0 100,{edge:.1f} {edge:.1f},100 0,100",
    }


def _mark(one: Mapping[str, Any], scale: Scale, letter: str) -> Mark:
    _label, shape, series = METHODS[one["method"]]
    return Mark(scale.x(one["published"]), scale.y(one["predicted"]), shape, series, letter)


def _methods(rows: Mapping[str, Any], points: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found = []
    for method, (label, shape, series) in METHODS.items():
        if method not in rows:
            continue
        errors = [one["error"] for one in points if one["method"] == method]
        groups = {one["group"] for one in points if one["method"] == method}
        row = rows[method] | {"label": label, "shape": shape, "series": series}
        found.append(
            row | {"worst_under": min(errors), "groups": len(groups), "band_percent": round(100 * row["coverage"], 1)}
        )
    return found
