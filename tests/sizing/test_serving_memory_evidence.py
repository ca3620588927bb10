"""Memory of servers against everything published that the project carries, part by part."""

from __future__ import annotations

from functools import cache

import pytest

from sizing.evidence import scoring, serving_memory


@cache
def of(part):
    return [point for point in serving_memory.points() if point.part == part]


@pytest.mark.parametrize(
    ("part", "median", "ninth_decile"),
    [
        ("weights", 0.01, 0.03),
        ("file", 0.005, 0.01),
        ("held", 0.01, 0.10),
        ("cache_token_bytes", 0.005, 0.02),
        ("pool", 0.03, 0.10),
        ("workspace", 0.05, 0.10),
        ("allocated", 0.02, 0.05),
        ("device", 0.08, 0.10),
        ("allocated_before", 0.03, 0.10),
        ("device_before", 0.05, 0.10),
    ],
)
def test_each_part_stays_within_its_goal(part, median, ninth_decile):
    found = scoring.accuracy(of(part))

    assert found.median <= median
    assert found.ninth_decile <= ninth_decile


def test_every_reading_has_its_source_and_a_part_that_is_known():
    for case in serving_memory.cases():
        assert case["source"]["location"].startswith("https://")
        assert set(case["expected"]["parts"]) <= set(serving_memory.PARTS)


def test_several_engines_and_chips_are_measured():
    points = serving_memory.points()

    assert {"vllm", "sglang", "tgi", "llama.cpp", "other"} <= {point.engine for point in points}
    assert {"h100-sxm", "a100-sxm-80", "l40s", "mi300x", "mi355x"} <= {point.gpu for point in points}
