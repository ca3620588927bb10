"""Pictures are pure geometry: parts add up, bands end where they should, coordinates never follow the language."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from django.template import Context, Template
from django.utils import translation

from quotes.charts import amount, curves, labels, memory, scale
from quotes.presenter import pictures
from sizing import contract
from tests.quotes import papers

GIB = 2**30
MEMORY: dict[str, Any] = {
    "per_gpu": {"weights": 40 * GIB, "adapters": GIB // 2, "activations": 10 * GIB, "kv_cache": 0},
    "device": {"expected": 60 * GIB, "low": 55 * GIB, "high": 70 * GIB},
    "capacity": 80 * GIB,
    "fits": True,
}


def share(text: str) -> float:
    """The number of a percentage."""
    return float(text.removesuffix("%"))


def test_the_parts_fill_the_bar_up_to_the_expected_amount() -> None:
    drawn = memory.gauge(MEMORY)

    assert drawn is not None
    assert [part.key for part in drawn.parts] == ["weights", "adapters", "activations", "rest"]
    assert sum(part.size_bytes for part in drawn.parts) == pytest.approx(60 * GIB)
    assert share(drawn.parts[-1].end) == pytest.approx(share(drawn.expected_at), abs=0.02)


def test_the_limit_stands_right_of_a_band_that_fits_and_left_of_one_that_does_not() -> None:
    fits = memory.gauge(MEMORY)
    over = memory.gauge(MEMORY | {"capacity": 65 * GIB, "fits": False})

    assert fits is not None and over is not None
    assert share(fits.limit_at) > share(fits.high_at)
    assert share(over.limit_at) < share(over.high_at)
    assert (fits.verdict, over.verdict) == ("fits", "over")
    assert over.short_bytes == 5 * GIB


@pytest.mark.parametrize("nothing", [None, {}, {"device": {}}])
def test_without_memory_nothing_is_drawn(nothing: Any) -> None:
    assert memory.gauge(nothing) is None
    assert Template("{% load figures %}{% gauge m %}{% gauge_cell m %}").render(Context({"m": nothing})).strip() == ""


def test_gauges_side_by_side_share_a_scale() -> None:
    small, large = (memory.gauge(MEMORY, end_bytes=160 * GIB), memory.gauge(MEMORY, end_bytes=320 * GIB))

    assert small is not None and large is not None
    assert share(small.expected_at) == pytest.approx(2 * share(large.expected_at), abs=0.02)


def test_an_amount_over_its_limit_shows_the_excess() -> None:
    drawn = amount.amount(200, low=150, high=260, limit=168)

    assert not drawn.fits
    assert share(drawn.bar) == pytest.approx(share(drawn.limit_at), abs=0.02)
    assert share(drawn.over) > 0


def test_ticks_are_round_and_start_at_zero() -> None:
    marks = scale.ticks(149)

    assert [one.value for one in marks] == [0, 25, 50, 75, 100, 125]
    assert (marks[0].at, marks[0].anchor) == ("0.00%", "start")


def test_labels_never_run_into_each_other_nor_off_the_picture() -> None:
    stretches = [(0.0, 5.0, "Model weights 5.0"), (5.0, 10.0, "Gradients 5.0"), (10.0, 90.0, "Saved activations"),
                 (90.0, 93.0, "Temporary buffers 3.0"), (93.0, 95.0, "Slack and context 2.0")]  # fmt: skip
    placed = labels.staircase(stretches, end=100, width=640, size=10)

    spans: dict[int, list[tuple[float, float]]] = {}
    for one in placed:
        x, long = share(one.at) * 6.4, labels.breadth(one.text, 10)
        spans.setdefault(one.level, []).append((x - long, x) if one.anchor == "end" else (x, x + long))
    for level in spans.values():
        ordered = sorted(level)
        assert all(left[1] <= right[0] for left, right in pairwise(ordered))
        assert all(start >= 0 and stop <= 640 for start, stop in ordered)


@pytest.mark.parametrize(
    ("low", "high", "limit", "anchor", "y"),
    [
        ("70%", "80%", "90%", "end", "60.0"),
        ("10%", "20%", "90%", "start", "60.0"),
        ("10%", "60%", "70%", "start", "12"),
        ("10%", "95%", "97%", "start", "12"),
    ],
)
def test_the_words_of_a_band_never_cross_the_limit(low: str, high: str, limit: str, anchor: str, y: str) -> None:
    placed = pictures.beside("90% band 177-1519 ms", low_at=low, high_at=high, limit_at=limit, width=520, y=60)

    assert (placed["band_anchor"], placed["band_y"]) == (anchor, y)


def test_break_even_is_marked_where_the_lines_cross() -> None:
    points = [{"month": 0, "own": 100_000, "rent": 0}, {"month": 12, "own": 112_000, "rent": 224_000}]

    drawn = curves.break_even(points, month=5.7)

    assert drawn.mark_value == pytest.approx(100 / (100 + 112) * 12)


def test_without_a_crossing_nothing_is_marked() -> None:
    points = [{"month": 0, "own": 100_000, "rent": 0}, {"month": 12, "own": 112_000, "rent": 1_000}]

    assert curves.break_even(points, month=None).mark is None


@pytest.mark.parametrize(
    "tag", ["gauge m 'H200 NVL'", "gauge_cell m", "gauge_paper m 'H200 NVL'", "time_gauge s 604800"]
)
def test_coordinates_are_the_same_in_every_language(tag: str) -> None:
    estimate = papers.snapshot()["candidate"]["estimate"]
    context = {"m": estimate["memory"], "s": estimate["speed"]}
    drawn = []
    for language in ("en", "ru"):
        with translation.override(language):
            drawn.append(Template("{% load figures %}{% " + tag + " %}").render(Context(context)))

    attributes = [
        re.findall(r' (?:x|y|x1|x2|y1|y2|width|height|font-size|stroke-width)="([^"]*)"', one) for one in drawn
    ]
    assert attributes[0]
    assert all("," not in one for one in attributes[1])
    if tag != "gauge_paper m 'H200 NVL'":
        assert attributes[0] == attributes[1]


def test_curves_are_drawn_from_the_engines_own_answer() -> None:
    chosen = papers.snapshot(papers.FULL_TUNING)["candidate"]
    template = Template("{% load figures %}{% scaling_curve one.scaling %}{% break_even one.economics %}")
    priced = contract.recommend(papers.requests()[papers.TRAINING] | {"economics": {"price": 120_000}})["candidates"][0]

    drawn = template.render(Context({"one": priced}))

    assert drawn.count("<svg") == 2
    assert template.render(Context({"one": {}})).strip() == ""
    assert "scaling" in chosen


@pytest.mark.parametrize("tag", ["gauge m g", "gauge_paper m g"])
def test_a_hostile_name_stays_text(tag: str) -> None:
    context = {"m": MEMORY, "g": '<script>alert(1)</script>"'}

    drawn = Template("{% load figures %}{% " + tag + " %}").render(Context(context))

    assert "<script>" not in drawn
    assert 'role="img"' in drawn and "<title>" in drawn
