"""Numbers, units and dates are written as each language writes them, on page and paper alike."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.utils import translation

from quotes.presenter import dates
from quotes.presenter import quantities as q
from quotes.templatetags import figures

GIB = 2**30
NARROW, SPACE = "\u202f", "\u00a0"


@pytest.fixture(params=["en", "ru"])
def language(request: pytest.FixtureRequest) -> Any:
    """Each language in turn."""
    with translation.override(request.param):
        yield request.param


@pytest.mark.parametrize(
    ("value", "digits", "english", "russian"),
    [
        (1234.5, 1, "1,234.5", f"1{NARROW}234,5"),
        (4096, 0, "4,096", f"4{NARROW}096"),
        (-0.004, 2, "0.00", "0,00"),
        (-19.5, 1, "\u221219.5", "\u221219,5"),
        (Decimal("1234567.89"), 2, "1,234,567.89", f"1{NARROW}234{NARROW}567,89"),
        (None, 0, "–", "–"),
    ],
)
def test_numbers_follow_the_language(value: Any, digits: int, english: str, russian: str, language: str) -> None:
    assert q.number(value, digits) == (english if language == "en" else russian)


def test_device_memory_is_in_gib_with_its_unit_after_a_no_break_space(language: str) -> None:
    assert str(q.gib(57.1 * GIB)) == (f"57.1{SPACE}GiB" if language == "en" else f"57,1{SPACE}ГиБ")


@pytest.mark.parametrize(("seconds", "text", "unit"), [
    (0.0023, "2.3", "ms"), (42, "42", "s"), (3600, "60", "min"),
    (7200, "2.0", "h"), (168 * 3600, "168", "h"), (30 * 86400, "30", "d"),
])  # fmt: skip
def test_a_time_is_written_in_the_unit_in_which_it_is_read(seconds: float, text: str, unit: str) -> None:
    with translation.override("en"):
        assert q.duration(seconds) == q.Quantity(text, unit)


def test_a_time_takes_the_unit_of_the_figure_beside_it() -> None:
    with translation.override("en"):
        assert q.duration(3600, "h").text == "1.0"


def test_a_price_that_is_not_known_is_no_zero(language: str) -> None:
    assert "0" not in str(q.money(None, "USD"))
    assert str(q.money("0.00", "USD")).startswith("0")


def test_a_band_of_one_unit_says_the_unit_once() -> None:
    with translation.override("en"):
        assert str(q.band(q.gib(52.8 * GIB), q.gib(64.5 * GIB))) == f"52.8–64.5{SPACE}GiB"
        assert "–" in str(q.band(q.duration(30), q.duration(7200)))


def test_a_unit_never_carries_markup_of_its_own() -> None:
    quantity = q.Quantity("<b>1</b>", "<i>x</i>")

    assert "<b>" not in quantity.markup()
    assert "<i>" not in quantity.markup()


def test_fractions_take_the_plural() -> None:
    with translation.override("en"):
        assert str(q.figure(1, "days")) == f"1{SPACE}day"
        assert str(q.figure(1.8, "days")) == f"1.8{SPACE}days"


@pytest.mark.parametrize("unit", ["B", "B/s", "GB", "GiB", "W", "s", "h", "min", "ms", "FLOP", "FLOP/s", "FLOP/token",
                                  "tokens", "tokens/s", "GPUs", "USD/kWh", "–", "", "days", "parameters"])  # fmt: skip
def test_every_unit_of_the_engine_is_written(unit: str, language: str) -> None:
    text = str(q.figure(12_345.678, unit))

    assert any(one.isdigit() for one in text)
    if language == "ru" and unit not in ("GPUs", "", "–", "FLOP"):
        assert not text.endswith(unit)


def test_a_day_is_in_words_and_short_in_tables(language: str) -> None:
    shown = dates.day("2026-11-30").replace(SPACE, " ")

    assert shown == ("30 November 2026" if language == "en" else "30 ноября 2026 г.")
    assert dates.short_day("2026-11-30") == ("2026-11-30" if language == "en" else "30.11.2026")
    assert dates.day(None) == "–"


def test_a_moment_is_in_the_time_zone_of_the_issuer() -> None:
    with translation.override("en"):
        assert dates.moment("2026-11-30T23:30:00+00:00", "Europe/Moscow") == "2026-12-01 02:30"


@pytest.mark.parametrize("missing", [None, "", "none"])
def test_a_band_of_no_value_is_a_dash(missing: Any) -> None:
    assert figures.duration_band(missing, missing) == "–"
    assert figures.duration_band(3600, missing) == "–"
    assert str(q.band(q.duration(missing), q.duration(60))) == "–"
    assert q.duration_unit(missing) == "s"


def test_a_big_count_keeps_a_half() -> None:
    with translation.override("en"):
        assert q.large(112_500_000) == f"112.5{SPACE}million"
        assert q.large(100_000_000) == f"100{SPACE}million"
