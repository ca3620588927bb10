"""The serving room against everything published that the project carries."""

from __future__ import annotations

from functools import cache

import pytest

from sizing import contract
from sizing.evidence import scoring, serving


@cache
def found():
    return serving.points(contract.estimate)


def of(figure):
    return [point for point in found() if point.figure == figure]


@pytest.mark.parametrize(
    ("figure", "median"),
    [
        ("output_tokens_per_second_per_gpu", 0.20),
        ("requests_per_second", 0.20),
        ("tpot_ms", 0.20),
        ("ttft_ms", 0.30),
        ("weights", 0.01),
    ],
)
def test_median_error_stays_within_its_goal(figure, median):
    assert scoring.accuracy(of(figure)).median <= median


@pytest.mark.parametrize("figure", ["output_tokens_per_second_per_gpu", "requests_per_second", "tpot_ms", "ttft_ms"])
def test_bands_hold_about_nine_of_ten(figure):
    assert 0.85 <= scoring.accuracy(of(figure)).coverage <= 0.95


@pytest.mark.parametrize("group", ["trtllm-docs", "mlperf", "nim-docs", "inferencex"])
def test_no_source_alone_carries_the_throughput(group):
    assert scoring.by("group", of("output_tokens_per_second_per_gpu"))[group].median <= 0.20


def test_systems_that_differ_are_put_in_order():
    assert serving.right_order(found()) >= 0.93


def test_every_published_case_is_answered():
    answered = {point.case for point in found()}

    assert answered == {case["id"] for case in serving.cases()}


def test_no_case_decodes_faster_than_its_active_weights_can_be_read():
    for point in of("tpot_ms"):
        assert point.predicted > 1.0


def test_retrieval_facts_carry_source_and_reliability():
    assert len(serving.facts()) > 170
    assert all(fact.source and fact.reliability in "ABC" for fact in serving.facts())
