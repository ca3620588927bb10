"""No GPU of the catalog disappears from an answer, and what the lists leave out is counted."""

from __future__ import annotations

from typing import Any

import pytest

from sizing import contract
from sizing.hardware_data import packaged
from sizing.recommend.coverage import cut
from sizing.recommend.limits import Limits
from sizing.recommend.search import rows

QLORA = {"task": "training", "method": "qlora", "model": {"name": "llama-3.3-70b"}, "tokens": 1e8}
FULL_405B = {"task": "training", "method": "full", "model": {"name": "llama-3.1-405b"}, "tokens": 2e9}
SERVICE = {"task": "inference", "model": {"name": "llama-3.3-70b"}, "concurrency": 50}
DOCUMENTS = {"task": "rag", "documents": 200_000, "pages_per_document": 8, "model": {"name": "qwen2.5-32b"},
             "concurrency": 40}  # fmt: skip


def answered(workload: dict[str, Any], **limits: Any) -> dict[str, Any]:
    return contract.recommend({"workload": workload, "limits": limits})


@pytest.mark.parametrize(("workload", "limits"), [
    (QLORA, {}), (FULL_405B, {"deadline_hours": 72, "rack_power_watts": 10_000}), (SERVICE, {}), (DOCUMENTS, {}),
    (QLORA, {"gpu": "h100-sxm"}), (QLORA, {"platform": "SYS-821GE-TNHR"}), (QLORA, {"vendor": "AMD"}),
])  # fmt: skip
def test_every_gpu_of_the_catalog_has_a_row_with_a_reason(workload, limits):
    answer = answered(workload, **limits)

    shown = {one["gpu"] for one in (*answer["candidates"], *answer["rejected"])}
    assert shown == {gpu.slug for gpu in packaged().gpus}
    assert all(one["message"] and one["limit"] for one in answer["rejected"])


def test_shown_and_left_out_are_all_that_there_is():
    answer = answered(QLORA, deadline_hours=168)
    pairs = {(platform.slug, gpu.slug) for platform, _, gpu in rows(packaged(), Limits({}))}
    shown = {(one["platform"], one["gpu"]) for one in (*answer["candidates"], *answer["rejected"]) if one["platform"]}
    hidden = answer["left_out"]

    assert hidden["candidates"] > 0
    assert f"{hidden['candidates']} more that do the job" in hidden["message"]
    assert len(pairs - shown) == hidden["candidates"] + hidden["rejected"]


def test_nothing_is_said_to_be_left_out_where_nothing_is():
    assert answered(QLORA, gpu="h100-nvl", platform="SYS-521GE-TNRT")["left_out"] == {
        "candidates": 0, "rejected": 0, "message": "",
    }  # fmt: skip


def test_a_gpu_that_no_platform_takes_says_so():
    reasons = {one["gpu"]: one["message"] for one in answered(QLORA)["rejected"] if one["platform"] is None}

    assert reasons["a30"] == "Support: no server platform of the catalog takes A30 24GB."


def test_a_list_is_cut_behind_the_first_of_each_gpu():
    class One:
        def __init__(self, slug):
            self.gpu = packaged().gpu(slug)

    ordered = [One("l4"), One("l4"), One("l4"), One("a10"), One("l40s")]

    assert [one.gpu.slug for one in cut(ordered, 4)] == ["l4", "l4", "a10", "l40s"]
    assert [one.gpu.slug for one in cut(ordered, 2, seen={"a10"})] == ["l4", "l40s"]
