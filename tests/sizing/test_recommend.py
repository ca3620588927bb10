"""Recommendations: what does the job is ranked, what does not is rejected with its reason."""

import json
from dataclasses import replace

import jsonschema
import pytest

from sizing import contract, schema
from sizing.hardware import Price
from sizing.hardware_data import packaged

QLORA_70B = {
    "task": "training",
    "method": "qlora",
    "model": {"name": "llama-3.3-70b"},
    "sequence_length": 4096,
    "dataset_tokens": 50_000_000,
    "epochs": 2,
}
FULL_70B = {
    "task": "training",
    "method": "full",
    "model": {"name": "llama-3.1-70b"},
    "optimizer": "adamw",
    "master_weights": "fp32",
    "sequence_length": 4096,
    "dataset_tokens": 1_000_000_000,
}


def recommend(workload, article=None, **limits):
    asked = {"id": "r", "workload": workload, "limits": limits}
    return contract.recommend(asked | ({"article": article} if article else {}))


def labelled(answer, label):
    return next(one for one in answer["candidates"] if label in one["labels"])


def gpus(candidate):
    return candidate["gpus_per_node"] * candidate["nodes"]


@pytest.fixture(scope="module")
def week():
    return recommend(QLORA_70B, deadline_hours=168)


def test_answer_follows_the_schema(week):
    jsonschema.validate(json.loads(json.dumps(week)), schema.recommend_answer())


def test_every_candidate_fits_and_is_ready_in_time_at_the_upper_band(week):
    for one in week["candidates"]:
        assert one["estimate"]["memory"]["fits"]
        assert one["estimate"]["speed"]["high"]["seconds_to_result"] >= one["estimate"]["speed"]["seconds_to_result"]
        assert one["does_the_job"]


def test_smallest_is_no_larger_than_any_other(week):
    smallest = labelled(week, "smallest")

    assert all(gpus(smallest) <= gpus(one) for one in week["candidates"])


def test_one_h200_does_qlora_of_70b_within_a_week(week):
    assert any(one["gpu"] in ("h200-nvl", "h200-sxm") and gpus(one) == 1 for one in week["candidates"])


def test_every_rejection_has_its_limit_and_its_reason(week):
    assert week["rejected"]
    assert all(one["limit"] and one["message"].endswith(".") for one in week["rejected"])


def test_unconfirmed_support_makes_a_candidate_conditional(week):
    assert all(any("not confirmed" in reason for reason in one["conditional"]) for one in week["candidates"])


def test_eight_h100_do_not_hold_full_tuning_of_70b_without_offload():
    answer = recommend(FULL_70B, deadline_hours=720)

    assert not any(
        one["gpu"] == "h100-sxm" and gpus(one) <= 8 and one["estimate"]["plan"]["offload"] == "none"
        for one in answer["candidates"]
    )
    assert labelled(answer, "recommended")["estimate"]["plan"]["offload"] == "none"


def test_cards_are_not_put_on_a_board_for_modules():
    answer = recommend(QLORA_70B, platform="SYS-821GE-TNHR", gpu="h200-nvl")

    assert answer["candidates"] == []
    assert "Form factor" in answer["rejected"][0]["message"]
    assert answer["nearest"]["gpu"] == "h200-nvl"


def test_air_cooled_room_rejects_liquid_cooled_platforms():
    answer = recommend(FULL_70B, deadline_hours=720, cooling={"must": "air"})

    assert any(one["limit"] == "cooling" for one in answer["rejected"])
    assert all(one["facility"]["cooling"] != ["liquid"] for one in answer["candidates"])


def test_rack_power_rejects_by_the_upper_band():
    answer = recommend(FULL_70B, deadline_hours=720, rack_power_watts={"must": 9000})

    assert all(one["facility"]["node_power_watts"]["high"] <= 9000 for one in answer["candidates"])
    assert any(one["limit"] == "rack_power_watts" for one in answer["rejected"])


def test_preference_orders_and_never_removes():
    wished = recommend(QLORA_70B, deadline_hours=168, form_factor={"prefer": "sxm"})

    assert labelled(wished, "recommended")["preferences_missed"] == []
    assert any(one["preferences_missed"] for one in wished["candidates"])
    assert labelled(wished, "smallest")["gpu"] == labelled(recommend(QLORA_70B, deadline_hours=168), "smallest")["gpu"]


def test_impossible_limits_name_what_binds_and_the_nearest():
    workload = {**FULL_70B, "model": {"name": "llama-3.1-405b"}, "dataset_tokens": 2_000_000_000}
    answer = recommend(workload, deadline_hours=72, rack_power_watts=10_000, racks=1)

    assert answer["candidates"] == []
    assert answer["nearest"]["binding"]
    assert all(one["limit"] for one in answer["nearest"]["binding"])


def test_parallel_experiments_are_placed_at_once():
    one = recommend(QLORA_70B, deadline_hours=168)
    two = recommend({**QLORA_70B, "parallel_experiments": 2}, deadline_hours=168)

    assert gpus(labelled(two, "smallest")) == 2 * gpus(labelled(one, "smallest"))
    assert labelled(two, "smallest")["copies"] == 2


def test_article_becomes_a_candidate_of_its_own():
    answer = recommend(QLORA_70B, article="SYS-821GE-TNHR-8xH200-2x8558-16x64GB", deadline_hours=168)

    article = labelled(answer, "article")
    assert (article["platform"], article["gpu"], gpus(article)) == ("smc-sys-821ge-tnhr", "h200-sxm", 8)
    assert article["sku"] == "SYS-821GE-TNHR-8xH200-2x8558-16x64GB"


def test_price_says_how_complete_it_is(week):
    priced = [one["price"] for one in week["candidates"] if one["price"]]

    assert priced
    assert all(price["lines_priced"] <= price["lines_total"] for price in priced)
    assert all(price["is_complete"] == (price["lines_priced"] == price["lines_total"]) for price in priced)


def test_missing_deadline_is_assumed_aloud_and_asked():
    answer = recommend(QLORA_70B)

    assert any(one["key"] == "limits.deadline_hours" for one in answer["questions"])


def test_decisive_assumptions_say_what_they_move():
    answer = recommend({"task": "training", "method": "lora", "model": {"name": "llama-3.1-8b"}, "tokens": 1e8})

    moved = [one for one in answer["assumptions"] if one["moves"]]
    assert any(one["key"] == "workload.sequence_length" for one in moved)
    assert all({"value", "device_high_bytes", "does_the_job"} <= set(one["moves"].get("high", one["moves"].get("low")))
               for one in moved)  # fmt: skip


def test_service_keeps_its_limits_at_the_pessimistic_side():
    answer = recommend({"task": "inference", "model": {"name": "llama-3.3-70b"}, "input_tokens": 2000,
                        "output_tokens": 400, "concurrency": 50, "ttft_ms": 2000})  # fmt: skip

    assert answer["route"]["task"] == "inference"
    assert answer["candidates"]
    assert all(one["estimate"]["speed"]["high"]["ttft_ms"] <= 2000 for one in answer["candidates"])
    assert any(one["key"] == "workload.tpot_ms" for one in answer["assumptions"])


def test_measurement_of_another_load_is_not_carried_over():
    workload = {
        "task": "training",
        "method": "lora",
        "model": {"name": "llama-3.1-8b"},
        "sequence_length": 16384,
        "dataset_tokens": 50_000_000,
        "profile": {"sequence_length": 2048, "peak_gib": 62, "step_seconds": 4.1},
    }

    answer = recommend(workload)

    assert any("not carried over" in warning for warning in answer["warnings"])


@pytest.mark.parametrize(
    "limits, field",
    [
        ({"deadline_hours": -1}, "limits.deadline_hours"),
        ({"budget": {"must": 1000, "currency": "XXX"}}, "limits.budget.currency"),
        ({"cooling": {"must": "ice"}}, "limits.cooling.must"),
        ({"gpu": "h900"}, "hardware.gpu"),
        ({"racks": {}}, "limits.racks"),
    ],
)
def test_impossible_limit_is_refused_by_name(limits, field):
    assert recommend(QLORA_70B, **limits)["error"]["field"] == field


def test_labelled_candidates_show_scaling_software_and_readiness(week):
    one = labelled(week, "recommended")

    points = one["scaling"]["points"]
    assert [point["gpus"] for point in points][:4] == [1, 2, 4, 8]
    assert one["scaling"]["worth_having"] in [point["gpus"] for point in points]
    assert {"ok"} <= {check["status"] for check in one["software"]}
    assert one["ready"]["days_from_order"]["high"] > one["ready"]["run_days"]["high"]


def test_a_limit_that_nobody_stated_is_spoken_of_as_assumed(week):
    open_end = recommend(FULL_70B | {"dataset_tokens": 10_000_000_000})

    assert any("of the time given" in one for one in labelled(week, "recommended")["reasons_for"])
    assert any("of the assumed limit of 14 d" in one for one in labelled(open_end, "recommended")["reasons_for"])
    assert any("14 d are assumed as the limit" in one["message"] for one in open_end["rejected"])
    assert not any("of the time given" in one for found in open_end["candidates"] for one in found["reasons_for"])


def test_a_deadline_that_is_wished_for_moves_the_choice_and_rules_nothing_out():
    answer = recommend(FULL_70B, deadline_hours={"prefer": 100})
    best, small = labelled(answer, "recommended"), labelled(answer, "smallest")

    assert best["estimate"]["speed"]["high"]["seconds_to_result"] <= 100 * 3600
    assert best["preferences_missed"] == []
    assert any("wished for" in one for one in small["preferences_missed"])
    assert "limits.deadline_hours" not in [one["key"] for one in answer["assumptions"]]


def test_a_load_that_nobody_stated_is_not_said_to_be_asked_for():
    answer = recommend({"task": "inference", "model": {"name": "llama-3.3-70b"}}, max_gpus=4)

    said = [one["message"] for one in answer["rejected"] if "token" in one["message"]]
    assert said
    assert all("This limit is assumed: nobody stated one." in one for one in said)


def test_a_point_of_the_curve_is_the_candidate_of_that_size(week):
    one = labelled(week, "recommended")

    own = next(point for point in one["scaling"]["points"] if point["gpus"] == gpus(one))

    assert own["nodes"] == one["nodes"]
    assert own["fits"]
    assert own["seconds"]["expected"] == pytest.approx(one["estimate"]["speed"]["seconds_to_result"], rel=1e-3)
    assert own["gpu_hours"] == pytest.approx(own["seconds"]["expected"] / 3600 * gpus(one), rel=1e-3)


def test_what_is_too_small_is_a_point_without_a_time():
    one = labelled(recommend(FULL_70B, deadline_hours=400), "recommended")

    small = next(point for point in one["scaling"]["points"] if point["gpus"] == 1)

    assert not small["fits"]
    assert (small["seconds"], small["rent"]) == (None, None)


def test_a_service_shows_how_many_requests_each_number_of_gpus_has_room_for():
    answer = recommend({"task": "inference", "model": {"name": "llama-3.3-70b"}, "concurrency": 64})
    points = [one for one in labelled(answer, "recommended")["scaling"]["points"] if one["fits"]]

    rooms = [one["room"] for one in points]
    assert len(rooms) > 1
    assert rooms == sorted(rooms)


def test_what_is_left_out_of_the_answer_is_counted(week):
    few = recommend(QLORA_70B, gpu="h200-nvl", deadline_hours=168)

    assert week["left_out"]["candidates"] > 0
    assert (few["left_out"]["candidates"], few["left_out"]["rejected"]) == (0, 0)


def test_each_gpu_is_shown_with_the_cost_of_a_finished_job(week):
    rows = {row["gpu"]: row for row in week["by_gpu"]}

    assert set(rows) == {one["gpu"] for one in week["candidates"]}
    assert rows["h200-nvl"]["gpu_hours"] == pytest.approx(
        rows["h200-nvl"]["seconds"]["expected"] / 3600 * rows["h200-nvl"]["gpus"], rel=1e-3
    )
    assert rows["h200-nvl"]["rent"]["low"] <= rows["h200-nvl"]["rent"]["high"]


def test_methods_are_compared_for_the_customers_own_case():
    answer = contract.recommend({"workload": QLORA_70B, "limits": {"deadline_hours": 168}, "compare": True})

    needed = {row["method"]: row["gpus"] for row in answer["by_method"]}
    assert needed["qlora"] <= needed["lora"] <= needed["full"]


def test_formats_that_a_gpu_lacks_rule_it_out():
    answer = recommend({**QLORA_70B, "method": "lora", "compute": "fp8"}, deadline_hours=336, gpu="a100-sxm-80")

    assert all(one["gpu"] != "a100-sxm-80" for one in answer["candidates"])


def test_four_bit_on_amd_is_conditional():
    answer = recommend(QLORA_70B, deadline_hours=336, gpu="mi300x")

    assert all(any("NF4" in reason for reason in one["conditional"]) for one in answer["candidates"])


@pytest.mark.parametrize("runs", [3, 5, 6, 7])
def test_any_number_of_experiments_is_placed_at_once(runs):
    answer = recommend({**FULL_70B, "parallel_experiments": runs}, deadline_hours=240)

    recommended = labelled(answer, "recommended")
    assert recommended["copies"] == runs
    assert recommended["nodes"] % runs == 0


def test_experiments_wait_for_one_another_where_not_all_find_room():
    answer = recommend({**QLORA_70B, "parallel_experiments": 4}, deadline_hours=2000, max_gpus=2)

    one = labelled(answer, "smallest")
    assert one["copies"] < 4
    assert any("wait for one another" in reason for reason in one["reasons_against"])


def test_article_keeps_its_own_memory_and_is_judged_by_it():
    answer = recommend(FULL_70B, article="SYS-821GE-TNHR-8xH200-2x8558-16x64GB")

    article = labelled(answer, "article")
    modules = next(line for line in article["lines"] if line["kind"] == "memory")
    assert (modules["text"], modules["quantity"]) == ("DDR5 RDIMM 64 GB", 16)
    assert article["does_the_job"] is False
    assert any("the article has 1.0 TiB" in reason for reason in article["reasons_against"])


def test_article_that_is_far_too_large_is_said_to_be():
    answer = recommend(QLORA_70B, article="SYS-821GE-TNHR-8xH200-2x8558-16x64GB", deadline_hours=336)

    assert any("More than the job needs" in reason for reason in labelled(answer, "article")["reasons_against"])


@pytest.mark.parametrize(
    "limits, binding",
    [
        ({"deadline_hours": 1, "max_nodes": 1}, {"deadline_hours", "deadline", "max_nodes"}),
        ({"max_gpus": 1}, {"max_gpus", "deadline"}),
        (
            {"host_memory_gb": 256, "deadline_hours": 720, "max_nodes": 1, "vendor": "Dell", "gpu": "h100-sxm"},
            {"host_memory_gb", "max_nodes", "deadline"},
        ),
    ],
)
def test_nearest_machine_runs_the_job(limits, binding):
    nearest = recommend(FULL_70B, **limits)["nearest"]

    assert nearest["estimate"]["memory"]["fits"]
    assert {one["limit"] for one in nearest["binding"]} <= binding


def test_gpu_that_no_platform_takes_is_rejected_with_the_reason():
    answer = recommend(QLORA_70B, gpu="rtx-4090")

    assert answer["rejected"][0]["message"] == "Support: no server platform of the catalog takes GeForce RTX 4090."


def test_card_for_another_platform_says_where_it_goes():
    answer = recommend(QLORA_70B, platform="SYS-821GE-TNHR", gpu="h200-nvl")

    assert "SYS-521GE-TNRT" in answer["rejected"][0]["message"]


def test_maker_that_must_be_kept_is_the_only_one_offered():
    answer = recommend(QLORA_70B, vendor="supermicro", gpu="h200-nvl")

    assert answer["candidates"]
    assert all(one["platform_title"].startswith("Supermicro") for one in answer["candidates"])


def test_maker_that_is_preferred_leaves_the_others_on_the_list():
    free, wished = recommend(QLORA_70B), recommend(QLORA_70B, vendor={"prefer": "HPE"})
    reasons = [reason for one in wished["candidates"] for reason in one["reasons_against"]]

    assert len(wished["candidates"]) == len(free["candidates"])
    assert any("HPE is asked for" in reason for reason in reasons)


def test_unknown_maker_is_refused_and_foreign_currency_told():
    assert recommend(QLORA_70B, vendor="acme")["error"]["field"] == "limits.vendor"

    answer = recommend(QLORA_70B, deadline_hours=336, budget={"must": 5e7, "currency": "RUB"})
    assert any("exchange rate" in reason for reason in answer["candidates"][0]["conditional"])


def test_amounts_that_differ_are_written_so_that_they_do():
    answer = recommend(FULL_70B, deadline_hours=720, rack_power_watts=9990)

    messages = [one["message"] for one in answer["rejected"] if one["limit"] == "rack_power_watts"]
    assert messages
    assert all(message.split("up to ")[1].split(" kW")[0] != message.split("gives ")[1].split(" kW")[0]
               for message in messages if "up to" in message)  # fmt: skip


def test_headroom_really_has_room(week):
    assert not any("comes close" in reason for reason in labelled(week, "headroom")["reasons_against"])


def test_drives_take_the_checkpoints_of_the_job():
    one = labelled(recommend(FULL_70B, deadline_hours=720), "recommended")

    drives = next(line for line in one["lines"] if line["kind"] == "drive")
    assert drives["quantity"] * 4e9 >= one["storage"]["write_bytes_per_s"]
    assert one["storage"]["restore_seconds"] < 600


def test_nodes_without_a_fabric_are_computed_and_told():
    workload = {**FULL_70B, "dataset_tokens": 2e9}
    answer = recommend(workload, deadline_hours=336, gpu="h100-sxm")

    one = labelled(answer, "recommended")
    assert one["nodes"] >= 2
    assert one["estimate"]["plan"]["offload"] == "none"
    assert one["ethernet"]["seconds"]["expected"] > 3 * one["estimate"]["speed"]["seconds_to_result"]
    assert any("Ethernet" in reason for reason in one["reasons_against"])


def test_a_stated_network_is_computed_with():
    workload = {**FULL_70B, "dataset_tokens": 2e9}
    answer = recommend(workload, deadline_hours=336, gpu="h100-sxm", network_gbit_per_gpu=1.25)

    assert labelled(answer, "smallest")["nodes"] == 1
    assert all(one["network"]["gbit_per_gpu"] in (None, 1.25) for one in answer["candidates"])


def priced_catalog(platforms, cost_of):
    """The packaged catalog cut to some platforms, whole servers priced in full by a rule."""
    known = packaged()
    prices = [
        Price("hardware", slug, ("server", slug, 1), cost, cost, "USD", "one-off", True, "2026-11-30", "test", "")
        for slug, cost in cost_of.items()
    ]
    parts = ("rail-kit", "accessory"), ("on-site-support-12", "service"), ("installation", "service")
    bridges = [(f"nvlink-bridge-{gpu}-{n}", "accessory") for gpu in ("h100-nvl", "h200-nvl") for n in (2, 4)]
    for slug, kind in (*parts, *bridges):
        prices.append(Price("hardware", slug, (kind, slug, 1), 1, 1, "USD", "one-off", True, "2026-11-30", "test", ""))
    return replace(
        known, platforms=tuple(p for p in known.platforms if p.slug in platforms), prices=tuple(prices), skus=()
    )


def test_incomplete_prices_never_lead_the_order():
    catalog = priced_catalog({"dell-xe7745", "smc-sys-521ge-tnrt"}, {"dell-xe7745": 1.0})

    answer = contract.recommend({"workload": QLORA_70B, "limits": {"deadline_hours": 168}}, hardware=catalog)

    assert answer["ranked_by"].startswith("nodes")


def test_a_candidate_says_where_the_sources_of_its_facts_disagree():
    answer = recommend(FULL_70B, gpu="b200-sxm", deadline_hours=720)
    found = next(one for one in answer["candidates"][0]["conflicts"] if one["field"] == "memory_bandwidth_tb_s")

    assert {one["value"] for one in found["values"]} >= {8.0, 7.7}
    assert found["chosen"] == 8.0
    assert "7.7 for roofline" in found["why"]
    assert all(one["source"] for one in found["values"])


def test_an_assumption_that_would_let_a_smaller_machine_do_is_decisive():
    # Adapters on all experts of DeepSeek V3 are tens of billions of parameters; on attention alone they are few.
    workload = {"task": "training", "method": "lora", "model": {"name": "deepseek-v3"}}
    answer = recommend(workload, gpu="mi325x", deadline_hours=336)
    one = next(one for one in answer["assumptions"] if one["key"] == "workload.lora.targets")
    chosen = labelled(answer, "recommended")

    assert one["decisive"]
    assert one["moves"]["low"]["does_the_job"] and one["moves"]["low"]["smaller_does"]
    attention = recommend(workload | {"lora": {"targets": "attention"}}, gpu="mi325x", deadline_hours=336)
    fewest = min(found["gpus_per_node"] * found["nodes"] for found in attention["candidates"])
    assert fewest < chosen["gpus_per_node"] * chosen["nodes"]
