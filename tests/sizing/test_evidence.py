"""The engine's own report on published measurements."""

import io

import pytest

from sizing import evidence


@pytest.fixture(scope="module")
def summary():
    return evidence.summary()


def test_every_published_figure_is_compared(summary):
    assert summary["memory"]["all"]["rows"] == len(summary["memory"]["points"]) > 350
    assert summary["speed"]["all"]["rows"] == len(summary["speed"]["points"]) > 700


def test_memory_keeps_its_promise(summary):
    every = summary["memory"]["all"]

    assert every["median"] <= 0.08
    assert every["ninth_decile"] <= 0.25
    assert 0.85 <= every["coverage"] <= 0.95
    assert every["half_width"] <= 0.20
    assert summary["memory"]["outcomes_right"] >= 0.90
    assert all(row["median"] <= 0.12 for row in summary["memory"]["by"]["method"].values())


def test_speed_keeps_its_promise(summary):
    every = summary["speed"]["all"]

    assert every["median"] <= 0.15
    assert every["ninth_decile"] <= 0.40
    assert 0.85 <= every["coverage"] <= 0.95
    assert summary["speed"]["pairs_right"] >= 0.95
    assert all(row["median"] <= 0.20 for row in summary["speed"]["by"]["method"].values())


def test_report_prints_a_line_for_each_grouping_and_each_case(summary):
    out = io.StringIO()

    evidence.report(out, cases=True)

    printed = out.getvalue()
    assert "method: qlora" in printed
    assert "few runs: wider band" in printed
    assert summary["memory"]["points"][0]["case"] in printed
