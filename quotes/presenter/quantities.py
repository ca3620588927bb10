"""Numbers with units as a person reads them, in the language in force: 1,234.5 GiB or 1 234,5 ГиБ."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

GIB = 2**30
GB = 10**9
SECONDS_OF = {"s": 1, "min": 60, "h": 3600, "d": 86400}
NO_BREAK = "\u00a0"
NARROW = "\u202f"
MINUS = "\u2212"
DASH = "\u2013"
NOTHING = "\u2013"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number and its unit, both ready to show, e.g. ``57.1`` and ``GiB``."""

    text: str
    unit: str = ""

    def __str__(self) -> str:
        return f"{self.text}{NO_BREAK}{self.unit}" if self.unit else self.text

    def markup(self) -> SafeString:
        """Give the number with its unit as an element of its own."""
        if not self.unit:
            return format_html("{}", self.text)
        return format_html('{}{}<span class="unit">{}</span>', self.text, NO_BREAK, self.unit)


EMPTY = Quantity(NOTHING)


def is_russian() -> bool:
    """Say whether the reader's language is Russian."""
    return (get_language() or "en").startswith("ru")


def is_number(value: Any) -> bool:
    """Say whether a value of an answer is a number; a name that a template does not find is an empty text."""
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def number(value: Decimal | float | None, digits: int = 0) -> str:
    """Write a number [–] with a fixed count of digits after the separator; a dash where there is none."""
    if value is None:
        return NOTHING
    text = f"{Decimal(str(value)):,.{digits}f}"
    if not any(one in "123456789" for one in text):
        text = text.removeprefix("-")
    if is_russian():
        text = text.replace(",", NARROW).replace(".", ",")
    return text.replace("-", MINUS)


def significant(value: Decimal | float | None, digits: int = 3) -> str:
    """Write a number [–] with so many significant digits, zeros at the end dropped: 0.42, 12.5, 1,250."""
    if value is None:
        return NOTHING
    size = abs(Decimal(str(value)))
    if size >= 10 ** (digits - 1) or size == 0:
        return number(value)
    places = max(0, digits - 1 - size.adjusted())
    rounded = round(Decimal(str(value)), places).normalize()
    exponent = rounded.as_tuple().exponent
    return number(rounded, max(0, -exponent) if isinstance(exponent, int) else 0)


def gib(size_bytes: float | None, digits: int = 1) -> Quantity:
    """Write device memory [B] in GiB; a dash where there is none."""
    if size_bytes is None or not is_number(size_bytes):
        return EMPTY
    return Quantity(number(Decimal(str(size_bytes)) / GIB, digits), _("GiB"))


def gigabytes(size_bytes: float | None) -> Quantity:
    """Write sold capacity, drives and files [B] in MB, GB, TB or PB of powers of ten."""
    if size_bytes is None:
        return EMPTY
    units = ((10**15, _("PB")), (10**12, _("TB")), (10**9, _("GB")), (10**6, _("MB")), (10**3, _("kB")))
    for step, unit in units:
        if abs(size_bytes) >= step:
            return Quantity(significant(Decimal(str(size_bytes)) / step), unit)
    return Quantity(number(size_bytes), pgettext("bytes", "B"))


def bytes_per_second(rate: float | None) -> Quantity:
    """Write a rate of bytes [B/s]."""
    if rate is None:
        return EMPTY
    size = gigabytes(rate)
    return Quantity(size.text, _("%(unit)s/s") % {"unit": size.unit})


def duration_unit(seconds: Any) -> str:
    """Choose the unit in which a time [s] is read most easily: s, min, h or d; seconds where there is none."""
    size = abs(seconds) if is_number(seconds) else 0
    if size < 2 * SECONDS_OF["min"]:
        return "s"
    if size < 2 * SECONDS_OF["h"]:
        return "min"
    return "h" if size <= 10 * SECONDS_OF["d"] else "d"


def fitting_unit(seconds: float, beside: float) -> str:
    """Choose the unit of the figure beside it, unless this one would be smaller than one in it."""
    unit = duration_unit(beside)
    return unit if abs(seconds) >= SECONDS_OF[unit] else duration_unit(seconds)


def duration_word(unit: str) -> str:
    """Name a unit of time shortly."""
    words = {
        "s": pgettext("unit", "s"),
        "min": pgettext("unit", "min"),
        "h": pgettext("unit", "h"),
        "d": pgettext("unit", "d"),
    }
    return words[unit]


def duration(seconds: Any, unit: str = "") -> Quantity:
    """Write a time [s] in its own unit, or in the unit of the figure beside it; a dash where there is none."""
    if not is_number(seconds):
        return EMPTY
    if 0 < abs(seconds) < 1 and not unit:
        return Quantity(significant(float(seconds) * 1000), pgettext("unit", "ms"))
    unit = unit or duration_unit(seconds)
    value = float(seconds) / SECONDS_OF[unit]
    return Quantity(number(value, 0 if abs(value) >= 10 else 1), duration_word(unit))


def power_band(low: float | None, high: float | None) -> Quantity:
    """Write two ends of a power [W] under one unit, that of the upper end."""
    return band(power(low, beside=high), power(high))


def power(watts: float | None, *, beside: float | None = None) -> Quantity:
    """Write power [W]: watts below one kilowatt, else kilowatts; `beside` is the figure whose unit it shares."""
    if watts is None:
        return EMPTY
    if max(abs(watts), abs(beside or 0.0)) < 1000:
        return Quantity(number(watts), pgettext("unit", "W"))
    return Quantity(number(float(watts) / 1000, 1 if abs(watts) < 100_000 else 0), pgettext("unit", "kW"))


def percent(share: Decimal | float | None, digits: int = 0) -> Quantity:
    """Write a share [0–1] in percent."""
    return EMPTY if share is None else Quantity(number(Decimal(str(share)) * 100, digits), "%")


def rate(percent: Decimal | float | str | None) -> Quantity:
    """Write a discount or a tax [percent] with all its digits: 12.5 %, 20 %."""
    if percent is None:
        return EMPTY
    value = Decimal(str(percent)).normalize()
    exponent = value.as_tuple().exponent
    return Quantity(number(value, max(0, -exponent) if isinstance(exponent, int) else 0), "%")


def money(amount: Decimal | str | float | None, currency: str = "", digits: int = 2) -> Quantity:
    """Write an amount in its currency, two digits after the separator; a price that is not known is not zero."""
    if amount is None or amount == "":
        return Quantity(_("no price"))
    return Quantity(number(Decimal(str(amount)), digits), currency)


def large(value: float | None) -> str:
    """Write a big count [–] in words of magnitude: 100 million, 8.03 billion."""
    if value is None:
        return NOTHING
    for step, word in ((10**12, _("trillion")), (10**9, _("billion")), (10**6, _("million"))):
        if abs(value) >= step:
            size = Decimal(str(value)) / step
            digits = 4 if size * 10 == (size * 10).to_integral_value() else 3
            return f"{significant(size, digits)}{NO_BREAK}{word}"
    return number(value)


def band(low: Quantity, high: Quantity) -> Quantity:
    """Join two ends of a range under one unit where they share it: 52.8–64.5 GiB; a dash where an end is missing."""
    if EMPTY in (low, high):
        return EMPTY
    if low == high:
        return low
    if low.unit == high.unit:
        return Quantity(f"{low.text}{DASH}{high.text}", high.unit)
    return Quantity(f"{low}{NO_BREAK}{DASH} {high}")


def figure(value: Any, unit: str = "") -> Quantity:
    """Write any figure of the engine by its unit: bytes, seconds, watts, counts, words."""
    from quotes.presenter.units import by_unit

    return by_unit(value, unit)
