"""The order of placements: by total cost where all have one, by size before that."""

from dataclasses import replace

import pytest

from sizing import recommend as room
from sizing.assumptions import Ledger
from sizing.hardware_data import packaged
from sizing.recommend import ranking, search
from sizing.recommend.jobs import TrainingJob
from sizing.recommend.limits import Limits

WORKLOAD = {
    "task": "training",
    "method": "qlora",
    "model": {"name": "llama-3.3-70b"},
    "sequence_length": 4096,
    "tokens": 1e8,
}
WEEK = 168 * 3600.0


@pytest.fixture
def found():
    catalog = packaged()
    job = TrainingJob.read({"workload": WORKLOAD}, WORKLOAD, Ledger())
    placed = []
    for slug, gpu_slug in (("dell-xe7745", "h200-nvl"), ("dell-xe9680", "h200-sxm")):
        platform, gpu = catalog.platform(slug), catalog.gpu(gpu_slug)
        support = platform.support_for(gpu_slug)
        for one in search.placements(platform, support, gpu, job, most_nodes=1, enough_seconds=WEEK):
            room.judge(one, catalog, Limits(), job, WEEK)
            placed.append(one)
    return placed


def with_prices(found, price_of):
    for one in found:
        price = price_of(one)
        lines = tuple(replace(line, low=price, high=price, currency="USD") for line in one.build.lines)
        one.build = replace(one.build, lines=lines, price_low=price, price_high=price)
    return found


def test_the_smallest_is_recommended_while_prices_are_incomplete(found):
    order = ranking.order(found, deadline_seconds=WEEK)

    assert not ranking.is_priced(found)
    assert order[0][0].gpu.slug == "h200-nvl"


def test_the_cheapest_is_recommended_once_every_line_has_a_price(found):
    priced = with_prices(found, lambda one: 1000.0 if one.gpu.slug == "h200-sxm" else 5000.0)

    order = ranking.order(priced, deadline_seconds=WEEK)

    assert ranking.is_priced(priced)
    assert order[0][0].gpu.slug == "h200-sxm"
    assert next(one for one, labels in order if "smallest" in labels).gpu.slug == "h200-nvl"
