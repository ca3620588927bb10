"""Two statements of guides on when an own server pays, each with the inputs under which it holds and does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from sizing.economics.case import HOURS_PER_DAY, Case, hours_to_pay, months_to_pay, rent_needed
from sizing.economics.inputs import BY_NAME
from sizing.economics.offers import published
from sizing.errors import SizingError
from sizing.hardware import Price
from sizing.hardware_data import HardwareCatalog, packaged

GPU, GPUS = "h100-sxm", 8
PLATFORM = "nvidia-dgx-h100-h200"
"""The eight-GPU server whose maker prints its power."""

EARLY, LATE = (5.0, 12.0, 12.0), (8.0, 12.0, 14.0)
TOLERANCE = 0.01
"""How far above the stated figure a computed one still counts as it [share of it]."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement under one set of inputs.

    Parameters
    ----------
    kind : str
        ``hours``: the use a day from which owning pays; ``months``: the time until it has paid.
    stated : tuple
        What is said: one figure, or the two ends of a span [h/day or months].
    rent_per_gpu_hour, hours_per_day : float
        The inputs that decide [USD/h, h]; all others are those of `basis`.
    comes_out : float or None
        What is computed [h/day or months]; None where owning never pays. No more than was stated makes it hold.
    solved : str
        The input that was chosen so that the statement is just true: ``rent``, ``hours``, or none.
    """

    kind: str
    stated: tuple[float, float]
    rent_per_gpu_hour: float
    hours_per_day: float
    comes_out: float | None
    holds: bool
    solved: str = ""


@cache
def basis() -> Case:
    """An eight-GPU server at the middle of what is printed for it, with the usual inputs.

    Raises
    ------
    SizingError
        Where the packaged lists have no price or rent of it.
    """
    catalog = packaged()
    price, rent, power_w = bought(catalog), published(GPU, catalog.cloud), catalog.platform(PLATFORM).max_power_w
    if rent is None or not power_w:
        raise SizingError("economics", "no dated rent of {value}, or no power of its server, is known", value=GPU)
    usual: dict[str, Any] = {name: one.value or 0.0 for name, one in BY_NAME.items()}
    return Case(price=(price.low + price.high) / 2, gpus=GPUS, power_w=power_w, rent_per_gpu_hour=rent.middle, **usual)


def bought(catalog: HardwareCatalog) -> Price:
    """What is printed for a server of eight.

    Raises
    ------
    SizingError
        Where nothing is.
    """
    for one in catalog.prices:
        if one.subject == ("server", GPU, GPUS) and one.currency == "USD" and one.is_usable:
            return one
    raise SizingError("economics.price", "no price of {value} is known", value=GPU)


@cache
def claims() -> tuple[Claim, ...]:
    """Each statement at the middle rent, and at the rent or the hours that make it just true."""
    case = basis()
    found = []
    for hours, *span in (EARLY, LATE):
        held = replace(case, hours_per_day=hours)
        found += [_hours(held, hours), _hours(_at(held, case.months), hours, solved="rent")]
        found += [_months(held, span), _months(_at(held, span[-1]), span, solved="rent")]
    busy = replace(case, hours_per_day=_hours_for(case, EARLY[1]))
    return (*found, _months(busy, EARLY[1:], solved="hours"))


def _at(case: Case, months: float) -> Case:
    return replace(case, rent_per_gpu_hour=rent_needed(case, months))


def _hours_for(case: Case, months: float) -> float:
    """Hours a day at which owning has paid after so many months [h]."""
    low, high = 0.0, HOURS_PER_DAY
    for _ in range(40):
        middle = (low + high) / 2
        paid = months_to_pay(replace(case, hours_per_day=middle))
        low, high = (low, middle) if paid is not None and paid <= months else (middle, high)
    return high


def _hours(case: Case, hours: float, *, solved: str = "") -> Claim:
    comes_out = hours_to_pay(case)
    return _claim("hours", (hours, hours), case, comes_out, solved)


def _months(case: Case, span: Sequence[float], *, solved: str = "") -> Claim:
    return _claim("months", (span[0], span[-1]), case, months_to_pay(case), solved)


def _claim(kind: str, stated: tuple[float, float], case: Case, comes_out: float | None, solved: str) -> Claim:
    holds = comes_out is not None and comes_out <= stated[1] * (1 + TOLERANCE)
    return Claim(kind, stated, case.rent_per_gpu_hour, case.hours_per_day, comes_out, holds, solved)
