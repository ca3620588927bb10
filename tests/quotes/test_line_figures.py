"""Lines of a quote say the figures that the estimate knows: sizes, speeds, numbers of pieces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from django.utils import translation

from quotes import composing
from quotes.models import Quote
from quotes.presenter.engine_words import say
from sizing.hardware_data import packaged
from tests.quotes import papers

pytestmark = pytest.mark.django_db


def described(quote: Quote, kind: str) -> list[tuple[str, int]]:
    """What the lines of a kind say, and how many of it."""
    return [(line.description, int(line.quantity)) for line in quote.lines.filter(kind=kind)]


def test_a_drive_named_by_the_catalog_keeps_its_size(computed: Quote) -> None:
    assert described(computed, "drive") == [("Samsung PM9A3, 3.84 TB", 2)]


def test_a_figure_that_the_name_has_is_not_said_twice(computed: Quote) -> None:
    assert described(computed, "memory") == [("DDR5-4800 RDIMM 32 GB", 16)]


@pytest.mark.parametrize("text", ["24x3.84TB NVMe", "NVMe drive 3.84 TB"])
def test_a_figure_is_read_as_sellers_and_as_the_engine_write_it(text: str, computed: Quote) -> None:
    candidate: Mapping[str, Any] = {"lines": [{"kind": "drive", "slug": "pm9a3", "text": text, "quantity": 24}]}

    (need,) = composing.needs_of(candidate, currency="USD")

    assert need.description == "Samsung PM9A3, 3.84 TB"


def test_power_cords_are_as_many_as_supplies_and_named_by_what_they_carry() -> None:
    known = {one.slug: one for one in packaged().platforms}
    candidates = [one for name in (papers.TRAINING, papers.FULL_TUNING) for one in papers.answer(name)["candidates"]]
    seen = set()

    for candidate in candidates:
        platform, nodes = known[candidate["platform"]], candidate["nodes"]
        (cord,) = [line for line in candidate["lines"] if line["text"].startswith("Power cord")]
        if not platform.psu_count:
            assert (cord["quantity"], cord["text"]) == (nodes, "Power cords, a set for all supplies of a server")
        else:
            assert cord["quantity"] == platform.psu_count * nodes
            is_large = bool(platform.psu_options_w) and min(platform.psu_options_w) > 2000
            assert ("C19" in cord["text"]) == is_large == (cord["slug"] == "power-cords-c19")
        seen.add(cord["text"])

    assert len(seen) > 1, "else the test proves nothing"


def test_three_years_of_support_are_three_times_the_part_of_a_year(computed: Quote) -> None:
    found = [line for line in computed.lines.filter(kind="service") if line.catalog_ref == "on-site-support-12"]

    assert [(line.description, int(line.quantity)) for line in found] == [
        ("On-site support on the next business day, 12 months", 3)
    ]
    with translation.override("ru"):
        assert found[0].name == "Поддержка на месте на следующий рабочий день, 12 месяцев"


def test_a_fabric_names_its_speed_on_every_line_and_in_russian() -> None:
    fabric = next(one for one in papers.answer(papers.FULL_TUNING)["candidates"] if one["nodes"] > 1)
    texts = [line["text"] for line in fabric["lines"] if line["kind"] in ("switch", "cable")]

    assert len(texts) == 2
    assert all("Gbit/s" in text for text in texts)
    with translation.override("ru"):
        assert all("Гбит/с" in say(text) for text in texts)
