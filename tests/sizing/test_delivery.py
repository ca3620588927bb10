"""When the machine comes: what offers state, and the usual range where none speaks."""

from dataclasses import replace

import pytest

from sizing import contract
from sizing.hardware import LeadTime
from sizing.hardware_data import packaged
from sizing.recommend.delivery import USUAL_DAYS

REQUEST = {
    "workload": {
        "task": "training", "method": "qlora", "model": {"name": "llama-3.1-8b"}, "sequence_length": 2048,
        "dataset_tokens": 10_000_000,
    },
    "limits": {"platform": "dell-r760xa", "gpu": "h100-nvl", "deadline_hours": 100},
}  # fmt: skip
PLATFORM, GPU = ("platform", "dell-r760xa", 1), ("gpu", "h100-nvl", 1)


def ready(*offers):
    catalog = replace(packaged(), lead_times=tuple(LeadTime(*one) for one in offers))
    answer = contract.recommend(REQUEST, hardware=catalog)
    return answer["candidates"][0]["ready"], {one["key"]: one for one in answer["assumptions"]}


def test_without_offers_the_usual_range_is_an_assumption():
    found, assumed = ready()

    assert found["delivery_days"] == {"expected": USUAL_DAYS.expected, "low": USUAL_DAYS.low, "high": USUAL_DAYS.high}
    assert found["delivery_offer"] is None
    assert "no offer" in assumed["deal.delivery_days"]["source"]


def test_confirmed_offers_of_platform_and_gpu_leave_the_rest_open():
    found, assumed = ready((PLATFORM, 21, "A", "confirmed"), (GPU, 35, "B", "confirmed"))

    assert found["delivery_days"] == {"expected": 35, "low": 35, "high": USUAL_DAYS.high}
    assert found["delivery_offer"] == {"supplier": "B", "days": 35, "confirmation": "confirmed"}
    assert assumed["deal.delivery_days"]["value"] == 35
    run, setting_up = found["run_days"], found["installation_days"]
    assert found["days_from_order"]["high"] == pytest.approx(USUAL_DAYS.high + setting_up["high"] + run["high"])


def test_an_unconfirmed_lead_time_keeps_the_usual_upper_end():
    found, _ = ready((PLATFORM, 21, "A", "confirmed"), (GPU, 35, "B", "unconfirmed"))

    assert found["delivery_days"] == {"expected": 35, "low": 35, "high": USUAL_DAYS.high}


def test_a_word_on_the_platform_alone_can_only_lengthen_the_usual_range():
    short, _ = ready((PLATFORM, 7, "A", "confirmed"))
    long, _ = ready((PLATFORM, 90, "A", "confirmed"))

    assert short["delivery_days"]["expected"] == USUAL_DAYS.expected
    assert long["delivery_days"] == {"expected": 90, "low": 90, "high": USUAL_DAYS.high}


def test_of_two_offers_the_confirmed_one_counts_and_then_the_quicker():
    found, _ = ready((PLATFORM, 5, "A", "confirmed"), (GPU, 10, "B", "unconfirmed"), (GPU, 30, "C", "confirmed"),
                     (GPU, 40, "D", "confirmed"))  # fmt: skip

    assert found["delivery_offer"]["supplier"] == "C"


def test_an_offer_of_the_whole_server_covers_what_is_inside():
    found, _ = ready((("server", "dell-r760xa", 1), 50, "A", "confirmed"), (GPU, 120, "B", "confirmed"))

    assert found["delivery_days"]["expected"] == 50


def test_the_day_is_known_where_every_part_has_a_confirmed_lead_time():
    catalog = packaged()
    lines = contract.recommend(REQUEST, hardware=catalog)["candidates"][0]["lines"]
    kinds = {"memory": "module"}
    parts = {(kinds.get(one["kind"], one["kind"]), one["slug"], 1) for one in lines if one["kind"] != "service"}

    found, _ = ready(*((part, 10 + number, "A", "confirmed") for number, part in enumerate(sorted(parts))))

    last = 10 + len(parts) - 1
    assert found["delivery_days"] == {"expected": last, "low": last, "high": last}
