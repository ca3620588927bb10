"""The estimates against every published run that is carried: the figures that the product promises."""

from functools import cache

import pytest

from sizing import contract, speed
from sizing.assumptions import Ledger
from sizing.evidence import scoring
from sizing.evidence import speed as evidence


def answer(request):
    case, _ = contract.complete(request, Ledger())
    found = speed.estimate(case).tokens_per_second_per_gpu
    name = "tokens_per_second_per_gpu"
    return {"speed": {name: found.expected, "low": {name: found.low}, "high": {name: found.high}}}


@cache
def points():
    return evidence.points(answer)


def test_every_published_run_is_estimated():
    assert len(points()) == len(evidence.cases()) == 737


def test_half_of_the_estimates_lie_within_fifteen_percent_and_nine_in_ten_within_forty():
    found = scoring.accuracy(points())

    assert found.median <= 0.15
    assert found.ninth_decile <= 0.40
    assert abs(found.bias) <= 0.05


@pytest.mark.parametrize("method", ["pretraining", "full", "lora", "qlora"])
def test_half_of_the_estimates_of_each_method_lie_within_twenty_percent(method):
    assert scoring.by("method", points())[method].median <= 0.20


def test_four_of_five_mlperf_adapter_runs_lie_within_twenty_percent():
    runs = [point for point in points() if point.group == "mlperf" and point.method == "lora"]

    assert sum(abs(point.error) <= 0.20 for point in runs) >= 0.8 * len(runs)


def test_the_band_covers_nine_published_runs_in_ten():
    assert 0.85 <= scoring.accuracy(points()).coverage <= 0.95


def test_the_faster_of_two_systems_is_estimated_to_be_the_faster():
    assert evidence.right_order(points()) >= 0.95


def test_link_rates_are_carried_with_their_sources():
    links = evidence.links()

    assert len(links) > 100
    assert all(link.source and 0 < link.low_bytes_per_s <= link.high_bytes_per_s for link in links)


def test_a_source_weighs_the_same_however_many_rows_it_has():
    run = {"method": "lora", "gpu": "", "sharding": "none", "published": 100}
    many = [evidence.Point(case=f"a{i}", group="a", predicted=110, low=90, high=130, **run) for i in range(90)]
    few = [evidence.Point(case=f"b{i}", group="b", predicted=300, low=200, high=400, **run) for i in range(10)]

    assert scoring.accuracy(many + few).coverage == pytest.approx(0.5)
    assert scoring.accuracy(many).median == pytest.approx(0.10)
