"""Currencies, and the one function that rounds money."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.utils.translation import gettext_lazy as _

UNKNOWN_CURRENCY = "XXX"

CURRENCIES: dict[str, tuple[Any, int]] = {
    "USD": (_("US dollar"), 2),
    "EUR": (_("euro"), 2),
    "RUB": (_("Russian rouble"), 2),
    "CNY": (_("Chinese yuan"), 2),
    "KZT": (_("Kazakh tenge"), 2),
    "GBP": (_("pound sterling"), 2),
    "JPY": (_("Japanese yen"), 0),
    "AED": (_("UAE dirham"), 2),
    UNKNOWN_CURRENCY: (_("currency not stated"), 2),
}

# What price lists write for them, in small letters.
CURRENCY_WORDS = {
    "$": "USD",
    "€": "EUR",
    "₽": "RUB",
    "¥": "CNY",
    "£": "GBP",
    "руб": "RUB",
    "руб.": "RUB",
    "р": "RUB",
    "р.": "RUB",
    "рубль": "RUB",
    "рубля": "RUB",
    "рублей": "RUB",
    "рубли": "RUB",
    "rur": "RUB",
    "us$": "USD",
    "долл": "USD",
    "долл.": "USD",
    "доллар": "USD",
    "доллары": "USD",
    "евро": "EUR",
    "euro": "EUR",
    "тенге": "KZT",
    "юань": "CNY",
    "юани": "CNY",
}


def currency_of_word(word: str) -> str:
    """Code of the currency that a sign or word names; empty where it names none."""
    code = CURRENCY_WORDS.get(word.casefold(), word.upper())
    return code if code in CURRENCIES and code != UNKNOWN_CURRENCY else ""


def currency_choices() -> list[tuple[str, str]]:
    """Choices of a currency field: code and name."""
    return [(code, f"{code}, {name}") for code, (name, _decimals) in CURRENCIES.items()]


def round_money(amount: Decimal, currency: str) -> Decimal:
    """Round an amount half up to the decimals of its currency.

    Parameters
    ----------
    amount : Decimal
        Amount in the currency's main unit.
    currency : str
        ISO 4217 code, one of `CURRENCIES`.
    """
    decimals = CURRENCIES[currency][1]
    return amount.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)
