"""Documents, pages, dialogues and gigabytes become tokens at a stated rate for each language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from quotes.forms import numbers

BYTES_PER_GB = 1e9
DIRECT = {"tokens": 1.0, "million_tokens": 1e6, "billion_tokens": 1e9}

DEFAULT_PAGES_PER_DOCUMENT = 10.0
DEFAULT_LANGUAGE = "en"


@dataclass(frozen=True, slots=True)
class Rate:
    """How text of one language turns into tokens.

    Parameters
    ----------
    bytes_per_token : float
        UTF-8 bytes of plain text one token covers [byte/token].
    tokens_per_page : float
        A printed page of 1,800 characters, spaces counted [token].
    tokens_per_dialogue : float
        A support dialogue of about ten turns [token].
    tokens_per_row : float
        A question with its answer [token].
    low, high : float
        The band of the rate over tokenizers of vocabulary 100,000 and more, as factors [–].
    """

    bytes_per_token: float
    tokens_per_page: float
    tokens_per_dialogue: float
    tokens_per_row: float
    low: float
    high: float


# Characters a token: 4.0-4.7 in English, 2.4-3.3 in Russian with vocabularies above 100,000 (tokenizers of Llama 3,
# Qwen2.5 and GPT-4o on plain prose); Cyrillic takes two bytes a character, code about 3.3 bytes a token.
RATES = {
    "en": Rate(4.3, 420.0, 900.0, 300.0, 0.85, 1.25),
    "ru": Rate(5.4, 640.0, 1400.0, 460.0, 0.8, 1.35),
    "mixed": Rate(4.9, 530.0, 1150.0, 380.0, 0.75, 1.35),
    "code": Rate(3.3, 600.0, 1200.0, 400.0, 0.75, 1.4),
}


@dataclass(frozen=True, slots=True)
class Tokens:
    """An amount of data in tokens, with the sentence that says how it was got; `assumed` marks a converted one."""

    value: float
    low: float
    high: float
    sentence: str
    assumed: bool
    rate: float
    rate_unit: str


def tokens(amount: float, unit: str, *, language: str = "", pages_per_document: float | None = None) -> Tokens:
    """Convert an amount of data to tokens and say how.

    Parameters
    ----------
    amount : float
        As the customer counts it [`unit`].
    unit : str
        One of the form's units: tokens, gigabytes, documents, pages, dialogues, rows.
    language : str
        ``"ru"``, ``"en"``, ``"mixed"`` or ``"code"``; English where it was not said.
    pages_per_document : float or None
        Mean length of a document [page]; ten where it was not said.
    """
    if unit in DIRECT:
        value = amount * DIRECT[unit]
        return Tokens(value, value, value, "", False, 1.0, "token")
    rate = RATES.get(language or DEFAULT_LANGUAGE, RATES[DEFAULT_LANGUAGE])
    pages = pages_per_document or DEFAULT_PAGES_PER_DOCUMENT
    per_unit, sentence = _per_unit(unit, rate, pages)
    value = amount * per_unit
    words = sentence % {
        "amount": numbers.say(round(amount, 3)),
        "rate": numbers.say(round(rate.bytes_per_token if unit == "gigabytes" else per_unit / _scale(unit, pages), 1)),
        "pages": numbers.say(round(pages, 1)),
        "tokens": numbers.say(round(value)),
    }
    return Tokens(value, value * rate.low, value * rate.high, words, True, per_unit, f"token/{unit}")


def _scale(unit: str, pages: float) -> float:
    return pages if unit == "documents" else 1.0


def _per_unit(unit: str, rate: Rate, pages: float) -> tuple[float, str]:
    table: dict[str, tuple[float, Any]] = {
        "gigabytes": (
            BYTES_PER_GB / rate.bytes_per_token,
            _("%(amount)s GB at %(rate)s bytes a token: %(tokens)s tokens"),
        ),
        "documents": (
            rate.tokens_per_page * pages,
            _("%(amount)s documents of %(pages)s pages at %(rate)s tokens a page: %(tokens)s tokens"),
        ),
        "pages": (rate.tokens_per_page, _("%(amount)s pages at %(rate)s tokens a page: %(tokens)s tokens")),
        "dialogues": (
            rate.tokens_per_dialogue,
            _("%(amount)s dialogues at %(rate)s tokens each: %(tokens)s tokens"),
        ),
        "rows": (rate.tokens_per_row, _("%(amount)s rows at %(rate)s tokens each: %(tokens)s tokens")),
    }
    return table[unit]
