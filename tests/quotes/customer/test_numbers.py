"""Numbers are read as people of either language type them."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.utils import translation

from quotes.forms import numbers
from quotes.forms.fields import Number


@pytest.mark.parametrize(
    "text, language, whole, expected",
    [
        ("4096", "en", True, 4096),
        ("4,096", "en", True, 4096),
        ("4 096", "ru", True, 4096),
        ("4\u202f096", "ru", True, 4096),
        ("4,096", "ru", True, 4096),
        ("4,096", "ru", False, Decimal("4.096")),
        ("4,096", "en", False, 4096),
        ("1,5", "en", False, Decimal("1.5")),
        ("1 234,5", "ru", False, Decimal("1234.5")),
        ("1,234.5", "en", False, Decimal("1234.5")),
        ("50M", "en", False, 50_000_000),
        ("2 млн", "ru", False, 2_000_000),
        ("150 тыс.", "ru", False, 150_000),
        ("−3", "en", True, -3),
    ],
)
def test_a_number_is_read(text: str, language: str, whole: bool, expected: object) -> None:
    assert numbers.parse(text, whole=whole, language=language) == expected


@pytest.mark.parametrize("text", ["", " ", "abc", "1.2.3", "NaN", "Infinity", "1e5x", "9" * 401, "5 stones", "--1"])
def test_what_is_no_number_is_none(text: str) -> None:
    assert numbers.parse(text, language="en") is None


@pytest.mark.parametrize("value", [0, 7, 4096, 1234.5, 150_000, 1e9])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_what_is_written_is_read_back(value: float, language: str) -> None:
    assert numbers.parse(numbers.say(value, language=language), language=language) == Decimal(str(value))


@pytest.mark.parametrize("typed", ["1" + " 000" * 12, "1e400", "1e999999999"])
def test_a_number_that_is_far_too_large_is_called_too_large(typed: str) -> None:
    with translation.override("en"), pytest.raises(ValidationError) as refused:
        Number(low=1, high=10, whole=True).clean(typed)

    message = refused.value.messages[0]
    assert message.startswith("Allowed is from 1 to 10, given 1")
    assert "Infinity" not in message
