"""Own or rent, by hand-worked values and by what must hold for any case."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sizing import contract, economics
from sizing.economics import Case

EIGHT_H100 = Case(
    price=300_000,
    gpus=8,
    power_w=10_000,
    rent_per_gpu_hour=3.0,
    hours_per_day=12,
    years=3,
    tariff=0.10,
    pue=1.5,
    yearly_share=0.10,
    residual_share=0.0,
    idle_power_share=0.5,
)


def test_running_cost_by_hand():
    # Mean power 10 kW x (0.5 + 0.5 x 0.5) = 7.5 kW; 7.5 x 24 x 30.4375 x 1.5 x 0.10 = 821.81
    # 300,000 x 0.10 / 12 = 2,500
    assert economics.running_per_month(EIGHT_H100) == pytest.approx(821.81 + 2500, abs=0.01)


def test_rent_by_hand():
    # 8 x 12 x 30.4375 x 3.00
    assert economics.rent_per_month(EIGHT_H100) == pytest.approx(8766.0)


def test_months_to_pay_by_hand():
    # 300,000 / (8,766.00 - 3,321.81)
    assert economics.months_to_pay(EIGHT_H100) == pytest.approx(55.10, abs=0.01)


def test_owning_never_pays_where_renting_costs_less_than_running():
    assert economics.months_to_pay(replace(EIGHT_H100, hours_per_day=1)) is None


def test_hours_to_pay_is_where_both_cost_the_same():
    hours = economics.hours_to_pay(EIGHT_H100)

    assert hours is not None
    even = replace(EIGHT_H100, hours_per_day=hours)
    own = even.price + 36 * economics.running_per_month(even)
    assert own == pytest.approx(36 * economics.rent_per_month(even), rel=1e-6)


@pytest.mark.parametrize("hours, months", [(5, 12), (8, 12)])
def test_the_articles_two_statements_hold_under_other_inputs(hours, months):
    """Twelve months at 5 h and at 8 h a day: each needs another rent, so neither is a rule."""
    cheap = replace(EIGHT_H100, hours_per_day=hours, yearly_share=0.05, price=250_000)
    rents = [rent / 10 for rent in range(10, 400)]

    needed = min(
        rent
        for rent in rents
        if (paid := economics.months_to_pay(replace(cheap, rent_per_gpu_hour=rent))) is not None and paid <= months
    )

    assert needed == pytest.approx(250_000 / 12 / (8 * hours * 30.4375), rel=0.25)


@given(st.floats(1, 23), st.floats(0.5, 20))
def test_more_use_never_pays_later(hours, rent):
    case = replace(EIGHT_H100, hours_per_day=hours, rent_per_gpu_hour=rent)
    busier = economics.months_to_pay(replace(case, hours_per_day=hours + 1)) or 1e9

    assert busier <= (economics.months_to_pay(case) or 1e9)


def test_incomplete_price_is_said_to_be_incomplete():
    answer = contract.recommend(
        {
            "workload": {
                "task": "training",
                "method": "lora",
                "model": {"name": "llama-3.3-70b"},
                "tokens": 4e8,
                "utilisation_hours_per_day": 5,
            },
            "limits": {"deadline_hours": 168},
        }
    )

    found = next(one for one in answer["candidates"] if "recommended" in one["labels"])["economics"]
    assert found["hours_per_day"] == 5
    assert found["price_is_complete"] is False
    assert found["reasons_beside_money"]
    assert found["rent"]["sources"]
