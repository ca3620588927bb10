"""One comparison of owning with renting, in closed form: money in one currency, without tax."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import expm1, log1p

DAYS_PER_MONTH = 365.25 / 12
HOURS_PER_DAY = 24.0
MONTHS_PER_YEAR = 12
NEVER_MONTHS = 120.0
WATTS_PER_KW = 1000
MOST_PRICE = 1e15
"""No server costs more [currency]: the end of the scale where any price pays."""


@dataclass(frozen=True, slots=True)
class Case:
    """One comparison.

    Parameters
    ----------
    price : float
        Of the whole server, once, without tax [currency].
    power_w : float
        At the wall at full load [W].
    rent_per_gpu_hour : float
        Of one GPU [currency/h]; `is_reserved` is paid around the clock, used or not.
    years : float
        Years of use; the price is written off, and a loan repaid, over them.
    yearly_share, staff_share : float
        Support with spare parts, and the time of staff [share of the price a year].
    space_per_kw_month : float
        Of the room, by the power that is reserved [currency/kW/month].
    interest_rate : float
        Of a loan or lease that is repaid in equal monthly sums over the years [share a year]; 0 is own money.
    cloud_storage_gb, egress_gb_per_month : float
        Kept in the cloud, and read out of it every month [GB].
    """

    price: float
    gpus: float
    power_w: float
    rent_per_gpu_hour: float
    hours_per_day: float
    years: float
    tariff: float
    pue: float
    yearly_share: float
    residual_share: float
    idle_power_share: float
    staff_share: float = 0.0
    space_per_kw_month: float = 0.0
    interest_rate: float = 0.0
    cloud_storage_gb: float = 0.0
    cloud_storage_per_gb_month: float = 0.0
    egress_gb_per_month: float = 0.0
    egress_per_gb: float = 0.0
    is_reserved: bool = False

    @property
    def months(self) -> float:
        """Months of use [–]."""
        return self.years * MONTHS_PER_YEAR

    @property
    def written_off(self) -> float:
        """What the server loses over the years: the price without the resale value [currency]."""
        return self.price * (1 - self.residual_share)

    @property
    def paid_hours_per_day(self) -> float:
        """Hours a day that the provider bills [h]."""
        return HOURS_PER_DAY if self.is_reserved else self.hours_per_day


def own_parts(case: Case) -> dict[str, float]:
    """What an owned server costs a month, by part; `depreciation` and `financing` over the years [currency/month].

    Notes
    -----
    depreciation  price (1 - residual share) / months
    financing     (n a - price) / n, with a = price i / (1 - (1 + i)^-n) and i = interest rate / 12
    power         kW (busy + (1 - busy) idle share) x hours x PUE x tariff, busy = hours a day / 24
    space         kW x price of a kW
    support, staff  price x share / 12
    """
    busy = case.hours_per_day / HOURS_PER_DAY
    full_kw = case.power_w / WATTS_PER_KW
    mean_kw = full_kw * (busy + (1 - busy) * case.idle_power_share)
    return {
        "depreciation": case.written_off / case.months,
        "financing": interest(case) / case.months,
        "power": mean_kw * HOURS_PER_DAY * DAYS_PER_MONTH * case.pue * case.tariff,
        "space": full_kw * case.space_per_kw_month,
        "support": case.price * case.yearly_share / MONTHS_PER_YEAR,
        "staff": case.price * case.staff_share / MONTHS_PER_YEAR,
    }


def interest(case: Case) -> float:
    """What a loan for the price costs beside the price, over all years [currency]."""
    monthly = case.interest_rate / MONTHS_PER_YEAR
    if monthly <= 0:
        return 0.0
    paid = case.price * monthly / -expm1(-case.months * log1p(monthly))
    return paid * case.months - case.price


def cloud_parts(case: Case) -> dict[str, float]:
    """What the cloud costs a month, by part [currency/month]."""
    return {
        "gpus": case.gpus * case.paid_hours_per_day * DAYS_PER_MONTH * case.rent_per_gpu_hour,
        "storage": case.cloud_storage_gb * case.cloud_storage_per_gb_month,
        "egress": case.egress_gb_per_month * case.egress_per_gb,
    }


def running_per_month(case: Case) -> float:
    """What an owned server costs a month beside its price and its financing [currency/month]."""
    parts = own_parts(case)
    return parts["power"] + parts["space"] + parts["support"] + parts["staff"]


def rent_per_month(case: Case) -> float:
    """Renting the same GPUs, with what is stored in the cloud and read out of it [currency/month]."""
    return sum(cloud_parts(case).values())


def own_spent(case: Case, months: float) -> float:
    """What owning has cost after some months, the resale value not taken off [currency]."""
    financed = interest(case) * min(months / case.months, 1.0)
    return case.price + financed + running_per_month(case) * months


def months_to_pay(case: Case) -> float | None:
    """Months until owning has cost less than renting, the resale value counted; None where it never does.

    Interest is spread evenly over the years of use and ends with them.
    """
    saved = rent_per_month(case) - running_per_month(case)
    financed = interest(case)
    months = _quotient(case.written_off, saved - financed / case.months)
    if months is None or months > case.months:
        months = _quotient(case.written_off + financed, saved)
    return months if months is not None and months <= NEVER_MONTHS else None


def _quotient(amount: float, a_month: float) -> float | None:
    return amount / a_month if a_month > 0 else None


def hours_to_pay(case: Case) -> float | None:
    """Hours a day at which owning and renting cost the same over the years; None above 24."""
    low, high = 0.0, HOURS_PER_DAY
    if not pays(replace(case, hours_per_day=high)):
        return None
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if pays(replace(case, hours_per_day=middle)) else (middle, high)
    return high


def pays(case: Case) -> bool:
    """Whether owning costs no more than renting over the years of use."""
    return own_spent(case, case.months) - case.price * case.residual_share <= rent_per_month(case) * case.months


def rent_needed(case: Case, months: float) -> float:
    """The rent of a GPU at which owning has paid for itself after exactly so many months [currency/h].

    Parameters
    ----------
    months : float
        No more than the months of use.

    Notes
    -----
    ((price (1 - residual share) + interest share) / months + running - storage - egress) / (GPUs x hours x days)
    """
    a_month = case.written_off / months + interest(case) / case.months + running_per_month(case)
    beside = sum(cost for name, cost in cloud_parts(case).items() if name != "gpus")
    return (a_month - beside) / (case.gpus * case.paid_hours_per_day * DAYS_PER_MONTH)


def price_to_pay(case: Case, months: float) -> float | None:
    """The price up to which a server has paid for itself after so many months [currency]; None where none does.

    Parameters
    ----------
    case : Case
        Its own price is not used.
    months : float
        No more than the months of use.

    Notes
    -----
    months (cloud - power - space) / (1 - residual share + interest share + (support + staff share) months / 12)
    """
    free, unit = replace(case, price=0.0), replace(case, price=1.0)
    left = rent_per_month(case) - running_per_month(free)
    if left <= 0:
        return None
    each = unit.written_off + interest(unit) * months / case.months
    each += (running_per_month(unit) - running_per_month(free)) * months
    return min(left * months / each, MOST_PRICE) if each > 0 else MOST_PRICE


def curve(case: Case) -> list[dict[str, float]]:
    """Cost so far of both ways, every quarter over the years [currency]."""
    quarters = range(0, round(case.months) + 1, 3)
    rent = rent_per_month(case)
    return [{"month": m, "own": round(own_spent(case, m)), "rent": round(rent * m)} for m in quarters]
