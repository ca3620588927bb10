"""Estimates against every published measurement that the engine carries."""

import pytest

from sizing import contract
from sizing.evidence import memory, scoring


@pytest.fixture(scope="module")
def compared():
    return memory.compared(contract.estimate)


def test_every_case_is_answered(compared):
    points, outcomes = compared

    assert len(memory.cases()) == 575
    assert len(points) == 389
    assert sum(outcome.verdict is None for outcome in outcomes) == sum(
        "gpu" not in case["hardware"] and "memory_gib" not in case["hardware"]
        for case in memory.cases()
        if "outcome" in case["expected"]
    )


def test_half_of_the_peaks_lie_within_eight_percent(compared):
    of_all = scoring.accuracy(compared[0])

    assert of_all.median <= 0.08
    assert of_all.ninth_decile <= 0.25
    assert abs(of_all.bias) <= 0.03


@pytest.mark.parametrize("method", ["full", "lora", "qlora", "pretraining"])
def test_each_method_lies_within_twelve_percent(compared, method):
    assert scoring.by("method", compared[0])[method].median <= 0.12


def test_bands_hold_what_they_promise(compared):
    of_all = scoring.accuracy(compared[0])
    under = [point for point in compared[0] if point.high < 0.9 * point.published_low]

    assert 0.85 <= of_all.coverage <= 0.95
    assert of_all.half_width <= 0.20
    assert len(under) <= 0.02 * len(compared[0])


def test_verdicts_are_mostly_right(compared):
    assert memory.balanced(compared[1]) >= 0.90


def test_no_published_failure_is_called_comfortable():
    failed = [case for case in memory.cases() if case.get("evidence") == "oom_stated"]
    for case in failed:
        found = contract.estimate({name: case[name] for name in ("id", "workload", "hardware", "plan")})["memory"]
        assert found["device"]["high"] >= 0.9 * found["capacity"], case["id"]


def test_thin_groups_are_known_as_such(compared):
    by_gpu = scoring.by("gpu", compared[0])

    assert by_gpu["rtx-4090"].is_thin
    assert not by_gpu["a100-sxm-80"].is_thin


def test_error_is_zero_within_the_published_range():
    inside = memory.Point("a", "s", "lora", "", "none", "device", 10, 12, 11, 9, 13)
    above = memory.Point("a", "s", "lora", "", "none", "device", 10, 12, 15, 13, 17)

    assert inside.error == 0
    assert inside.is_in_band
    assert above.error == pytest.approx(0.25)
    assert not above.is_in_band
