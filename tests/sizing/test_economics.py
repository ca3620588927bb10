"""Own or rent, by hand-worked values and by what must hold for any case."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sizing import contract, economics
from sizing.assumptions import Ledger
from sizing.economics import Case, claims
from sizing.hardware_data import packaged

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
TRAINING = {
    "task": "training",
    "method": "lora",
    "model": {"name": "llama-3.3-70b"},
    "tokens": 4e8,
    "utilisation_hours_per_day": 5,
}


def compared(**given: Any) -> dict[str, Any]:
    """Own against rent for eight H100 of 300,000 USD with the buyer's own figures."""
    asked = economics.read({"workload": {}, "economics": given}, packaged(), Ledger())
    return economics.compare(
        gpu_slug="h100-sxm",
        gpus=8,
        power_w=10_000,
        price={"low": 300_000.0, "high": 300_000.0, "currency": "USD", "is_complete": True},
        cloud=packaged().cloud,
        given=asked,
        ledger=Ledger(),
        storage_bytes=2e12,
    )


def recommended(**request: Any) -> dict[str, Any]:
    """The answer to a training request and its recommended candidate's comparison."""
    answer = contract.recommend({"workload": TRAINING, "limits": {"deadline_hours": 168}, **request})
    found = next(one for one in answer["candidates"] if "recommended" in one["labels"])["economics"]
    return {"answer": answer, "found": found}


def test_running_cost_by_hand():
    # Mean power 10 kW x (0.5 + 0.5 x 0.5) = 7.5 kW; 7.5 x 24 x 30.4375 x 1.5 x 0.10 = 821.81
    # 300,000 x 0.10 / 12 = 2,500
    assert economics.running_per_month(EIGHT_H100) == pytest.approx(821.81 + 2500, abs=0.01)


def test_room_and_staff_by_hand():
    # 10 kW x 200 = 2,000; 300,000 x 0.04 / 12 = 1,000
    case = replace(EIGHT_H100, space_per_kw_month=200, staff_share=0.04)

    assert economics.own_parts(case)["space"] == 2000
    assert economics.own_parts(case)["staff"] == 1000
    assert economics.running_per_month(case) == pytest.approx(821.81 + 2500 + 3000, abs=0.01)


def test_depreciation_by_hand():
    # 300,000 x (1 - 0.2) / 36
    parts = economics.own_parts(replace(EIGHT_H100, residual_share=0.2))

    assert parts["depreciation"] == pytest.approx(6666.67, abs=0.01)


def test_interest_of_a_loan_by_hand():
    # 1 % a month over 36 months: annuity 300,000 x 0.01 / (1 - 1.01^-36) = 9,964.29; x 36 - 300,000 = 58,714.5
    assert economics.interest(replace(EIGHT_H100, interest_rate=0.12)) == pytest.approx(58_714.5, abs=1)


def test_own_money_bears_no_interest():
    assert economics.interest(EIGHT_H100) == 0


def test_interest_ends_with_the_years_of_use():
    case = replace(EIGHT_H100, interest_rate=0.12)
    running = economics.running_per_month(case)

    assert economics.own_spent(case, 48) == pytest.approx(300_000 + 58_714.5 + 48 * running, abs=1)


def test_a_loan_makes_owning_pay_later_by_hand():
    # Rent 15 x 8 x 12 x 30.4375 = 43,830; interest a month 58,714.5 / 36 = 1,630.96
    # 300,000 / (43,830 - 3,321.81 - 1,630.96) = 7.72 months, without the loan 7.41
    case = replace(EIGHT_H100, rent_per_gpu_hour=15.0)

    assert economics.months_to_pay(case) == pytest.approx(7.41, abs=0.01)
    assert economics.months_to_pay(replace(case, interest_rate=0.12)) == pytest.approx(7.72, abs=0.01)


def test_a_loan_repaid_before_the_server_has_paid_counts_whole():
    # (300,000 + 58,714.5) / (8,766 - 3,321.81) = 65.9 months, longer than the 36 of the loan
    case = replace(EIGHT_H100, interest_rate=0.12)

    assert economics.months_to_pay(case) == pytest.approx(65.89, abs=0.01)


def test_rent_by_hand():
    # 8 x 12 x 30.4375 x 3.00
    assert economics.rent_per_month(EIGHT_H100) == pytest.approx(8766.0)


def test_storage_and_traffic_of_the_cloud_by_hand():
    # 10,000 GB x 0.02 = 200; 5,000 GB x 0.09 = 450
    case = replace(EIGHT_H100, cloud_storage_gb=10_000, cloud_storage_per_gb_month=0.02,
                   egress_gb_per_month=5_000, egress_per_gb=0.09)  # fmt: skip

    assert economics.rent_per_month(case) == pytest.approx(8766.0 + 200 + 450)


def test_a_reservation_is_paid_around_the_clock():
    # 8 x 24 x 30.4375 x 3.00
    assert economics.rent_per_month(replace(EIGHT_H100, is_reserved=True)) == pytest.approx(17_532.0)


def test_months_to_pay_by_hand():
    # 300,000 / (8,766.00 - 3,321.81)
    assert economics.months_to_pay(EIGHT_H100) == pytest.approx(55.10, abs=0.01)


def test_owning_never_pays_where_renting_costs_less_than_running():
    assert economics.months_to_pay(replace(EIGHT_H100, hours_per_day=1)) is None


@pytest.mark.parametrize("interest_rate", [0.0, 0.12])
def test_hours_to_pay_is_where_both_cost_the_same(interest_rate):
    case = replace(EIGHT_H100, interest_rate=interest_rate, residual_share=0.1)
    hours = economics.hours_to_pay(case)

    assert hours is not None
    even = replace(case, hours_per_day=hours)
    own = economics.own_spent(even, 36) - 30_000
    assert own == pytest.approx(36 * economics.rent_per_month(even), rel=1e-6)


@pytest.mark.parametrize("interest_rate", [0.0, 0.08])
@pytest.mark.parametrize("months", [6, 12, 36])
def test_at_the_needed_rent_the_server_has_paid_on_the_day(months, interest_rate):
    case = replace(EIGHT_H100, interest_rate=interest_rate, egress_gb_per_month=1000, egress_per_gb=0.1)
    rent = economics.rent_needed(case, months)

    assert economics.months_to_pay(replace(case, rent_per_gpu_hour=rent)) == pytest.approx(months)


@given(st.floats(1, 23), st.floats(0.5, 20))
def test_more_use_never_pays_later(hours, rent):
    case = replace(EIGHT_H100, hours_per_day=hours, rent_per_gpu_hour=rent)
    busier = economics.months_to_pay(replace(case, hours_per_day=hours + 1)) or 1e9

    assert busier <= (economics.months_to_pay(case) or 1e9)


@given(st.floats(0, 0.5), st.floats(0.5, 20))
def test_a_dearer_loan_never_pays_sooner(rate, rent):
    case = replace(EIGHT_H100, interest_rate=rate, rent_per_gpu_hour=rent)
    dearer = economics.months_to_pay(replace(case, interest_rate=rate + 0.05)) or 1e9

    assert dearer >= (economics.months_to_pay(case) or 1e9) * (1 - 1e-9)


def test_the_parts_of_a_month_add_up_to_both_sides():
    found = compared(interest_rate=0.1, egress_gb_per_month=1000, egress_per_gb=0.05)
    own = found["own_parts"]

    running = own["power"] + own["space"] + own["support"] + own["staff"]
    assert found["own_per_month"] == pytest.approx(running, abs=0.05)
    assert found["rent_per_month"] == pytest.approx(sum(found["cloud_parts"].values()), abs=0.05)
    assert found["cloud_parts"]["egress"] == 50


def test_what_has_no_price_is_named_and_not_counted():
    found = compared()

    assert found["not_counted"] == ["economics.cloud_storage_per_gb_month", "economics.egress_per_gb"]
    assert found["cloud_parts"]["storage"] == found["cloud_parts"]["egress"] == 0


def test_what_the_job_stores_would_be_stored_in_the_cloud():
    # 2 TB of drives at 0.02 a GB
    assert compared(cloud_storage_per_gb_month=0.02)["cloud_parts"]["storage"] == 40


def test_rents_are_dated_rows_on_demand_and_reserved():
    found = compared()

    for name, kinds in (("rent", {"on-demand"}), ("reserved", {"reserved"})):
        rows = found[name]["rows"]
        assert rows
        assert {one["kind"] for one in rows} == kinds
        assert all(one["as_of"] and one["source"] and one["provider"] for one in rows)


def test_a_quote_for_the_cloud_takes_the_place_of_published_rents():
    found = compared(rent_per_gpu_hour=2.5, rent_as_of="2026-11-20")

    assert found["rent"]["is_stated"]
    assert (found["rent"]["low"], found["rent"]["median"], found["rent"]["high"]) == (2.5, 2.5, 2.5)
    assert found["rent"]["as_of"] == "2026-11-20"


def test_a_quote_for_the_cloud_holds_for_the_gpu_it_names():
    assert not compared(rent_per_gpu_hour=2.5, rent_gpu="L40S")["rent"]["is_stated"]
    assert compared(rent_per_gpu_hour=2.5, rent_gpu="H100 SXM5 80GB")["rent"]["is_stated"]


def test_without_a_rent_the_answer_says_so_and_a_given_one_mends_it():
    asked = {"gpu_slug": "h20", "gpus": 8, "power_w": 8000.0, "cloud": packaged().cloud,
             "price": {"low": 2e5, "high": 2e5, "currency": "USD", "is_complete": True}}  # fmt: skip
    ledger = Ledger()
    unknown = economics.compare(**asked, given={}, ledger=ledger)

    assert not unknown["known"]
    assert unknown["reason"] == "No dated rent of this GPU is known."
    assert next(one for one in ledger if one.key == "economics.rent_per_gpu_hour").value is None
    assert economics.compare(**asked, given={"rent_per_gpu_hour": 2.0}, ledger=Ledger())["known"]


def test_amounts_in_two_currencies_are_not_compared():
    found = compared(currency="EUR", tariff=0.2)

    assert not found["known"]
    assert found["reason"] == "Prices and rents are known in different currencies: EUR and USD."


def test_another_currency_needs_its_own_price_of_electricity():
    asked = {"currency": "RUB", "price": 3e7, "rent_per_gpu_hour": 300.0}

    assert compared(**asked)["reason"] == "No price of electricity in RUB is known."
    found = compared(**asked, tariff=7.0)
    assert found["known"]
    assert found["currency"] == found["rent"]["currency"] == "RUB"
    assert "economics.space_per_kw_month" in found["not_counted"]


def test_the_strongest_input_comes_first_and_a_stated_one_moves_around_its_value():
    rows = compared(tariff=0.5)["sensitivity"]

    spans = [abs((one["months_high"] or 120) - (one["months_low"] or 120)) for one in rows]
    assert spans == sorted(spans, reverse=True)
    tariff = next(one for one in rows if one["key"] == "economics.tariff")
    assert (tariff["low"], tariff["high"]) == (0.4, 0.6)


@pytest.mark.parametrize("name, value", [
    ("interest_rate", 2), ("residual_share", -0.1), ("rent_per_gpu_hour", 0), ("rent_kind", "spot"),
    ("rent_gpu", "no such"), ("pue", 0.5), ("currency", "XXX"),
])  # fmt: skip
def test_an_impossible_figure_names_its_field(name, value):
    answer = contract.recommend({"workload": TRAINING, "economics": {name: value}})

    assert answer["error"]["field"] == f"economics.{name}"


def test_an_unknown_figure_is_warned_about():
    assert "'economics.discount'" in " ".join(recommended(economics={"discount": 1})["answer"]["warnings"])


def test_a_partial_price_gives_no_break_even_but_the_price_at_which_owning_pays():
    answer = recommended()["answer"]
    one = answer["candidates"][0]
    found, price = one["economics"], one["price"]

    assert price["lines_priced"] < price["lines_total"]
    assert (
        found["reason"] == f"The price is incomplete: {price['lines_priced']} of {price['lines_total']} lines have one."
    )
    assert not found["known"]
    assert not {"months_to_pay", "hours_per_day_to_pay", "by_hours", "curve", "sensitivity"} & found.keys()
    assert found["price_to_pay"]["expected"] > 0
    assert found["reasons_beside_money"]
    assert found["rent"]["sources"]


def test_a_price_of_the_buyer_makes_the_comparison_whole():
    found = recommended(economics={"price": 90_000, "interest_rate": 0.06})["found"]

    assert found["price_is_complete"]
    assert found["price"] == {"low": 90_000, "high": 90_000}
    assert found["own_parts"]["financing"] > 0


def test_every_input_is_stated_or_listed_with_its_source():
    stated = {"tariff": 0.1, "interest_rate": 0.05}
    answer = recommended(economics=stated)["answer"]
    listed = {one["key"]: one for one in answer["assumptions"] if one["key"].startswith("economics.")}

    wanted = {one.key for one in economics.INPUTS} - {f"economics.{name}" for name in stated}
    assert wanted - {"economics.hours_per_day"} <= listed.keys()
    assert all(one["source"] and one["why"] for one in listed.values())
    assert not listed.keys() & {"economics.tariff", "economics.interest_rate"}


def claimed(kind: str, hours: float) -> list[claims.Claim]:
    """The statements of a kind at a use a day."""
    return [one for one in claims.claims() if one.kind == kind and one.hours_per_day == hours]


@pytest.mark.parametrize("hours", [5, 8])
def test_each_use_a_day_pays_from_the_rent_that_makes_it_so(hours):
    solved = next(one for one in claimed("hours", hours) if one.solved)
    cheaper = replace(claims.basis(), hours_per_day=hours, rent_per_gpu_hour=solved.rent_per_gpu_hour * 0.97)

    assert solved.holds
    assert solved.comes_out == pytest.approx(hours, rel=1e-6)
    assert economics.hours_to_pay(cheaper) > hours * 1.01


def test_twelve_months_need_a_dearer_rent_or_more_use_than_the_guide_says():
    usual = claims.basis().rent_per_gpu_hour
    early, late = claimed("months", 5), claimed("months", 8)

    assert [one.holds for one in early] == [False, True]
    assert [one.holds for one in late] == [False, True]
    assert early[1].rent_per_gpu_hour > late[1].rent_per_gpu_hour > usual
    busy = next(one for one in claims.claims() if one.solved == "hours")
    assert busy.comes_out == pytest.approx(12, abs=0.01)
    assert 8 < busy.hours_per_day < 24


def test_the_statements_rest_on_dated_prices():
    case = claims.basis()

    assert case.price == (250_000 + 320_000) / 2
    assert case.power_w == 10_200


def test_other_hours_of_use_are_answered_too():
    found = compared(hours_per_day=6.0, rent_per_gpu_hour=4.0)
    rows = {one["hours_per_day"]: one for one in found["by_hours"]}

    assert list(rows) == [5.0, 6.0, 8.0, 12.0, 24.0]
    assert rows[6.0]["months_to_pay"] == found["months_to_pay"]
    assert rows[6.0]["rent_per_month"] == found["rent_per_month"]
    # 8 GPUs x 4 USD x 8 h x 30.4375 days.
    assert rows[8.0]["rent_per_month"] == pytest.approx(7792.0)
    paid = [one["months_to_pay"]["expected"] or 1e9 for one in rows.values()]
    assert paid == sorted(paid, reverse=True)


def test_hours_do_not_move_a_reservation():
    assert compared(hours_per_day=6.0, rent_per_gpu_hour=4.0, rent_kind="reserved")["by_hours"] == []


def test_below_which_price_owning_pays_by_hand():
    # Rent 8 x 12 x 30.4375 x 3 = 8,766; power 821.81 a month; 36 x (8,766 - 821.81) = 285,991
    # each unit of price costs 1 + 0.10 x 3 = 1.3: 285,991 / 1.3 = 219,993
    assert economics.price_to_pay(EIGHT_H100, 36) == pytest.approx(219_993, abs=5)


def test_below_which_price_a_financed_server_pays_by_hand():
    # 1 % a month over 36 months costs 0.195715 of the price: 285,991 / (1.3 + 0.195715) = 191,207
    case = replace(EIGHT_H100, interest_rate=0.12)

    assert economics.price_to_pay(case, 36) == pytest.approx(191_207, abs=5)


def test_no_price_pays_where_running_alone_costs_more_than_renting():
    assert economics.price_to_pay(replace(EIGHT_H100, rent_per_gpu_hour=0.01), 36) is None


@given(
    months=st.floats(3, 36),
    rent=st.floats(2, 20),
    rate=st.floats(0, 0.2),
    residual=st.floats(0, 0.5),
)
def test_at_that_price_owning_has_paid_just_then(months, rent, rate, residual):
    case = replace(EIGHT_H100, rent_per_gpu_hour=rent, interest_rate=rate, residual_share=residual)
    price = economics.price_to_pay(case, months)

    assert economics.months_to_pay(replace(case, price=price)) == pytest.approx(months, rel=1e-6)
