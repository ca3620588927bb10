"""Articles as sellers write them, and what a careful reader reads."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
import yaml

from sizing import articles, contract, hardware_data
from sizing.articles.reading import Line
from sizing.articles.sentences import TEMPLATES
from sizing.hardware import System

TABLE = yaml.safe_load((Path(__file__).parents[1] / "data" / "articles.yaml").read_text(encoding="utf-8"))
REFERENCE = "SYS-821GE-TNHR-8xH200-2x8558-16x64GB"
QLORA = {"task": "training", "method": "qlora", "model": {"name": "llama-3.1-70b"}, "sequence_length": 4096}

NOT_PRINTED = {
    # The seller's page states these beside the string: they cannot be read from it.
    "SYS-821GE-TNHR, вариант с кодом 8×H200": {"cpu", "cpu_count", "dimm_count", "dimm_gb", "memory_gb"},
    "AS-4124G-NQ3": {"cpu", "cpu_count"},
    "SYS-821GE-TNHR-LC0-HP001-1200": {"gpu", "gpu_count"},
    "SYS-821GE-B200": {"gpu_count"},
}
COMPONENTS = ("platform", "gpu", "gpu_count", "cpu", "cpu_count", "dimm_gb", "dimm_count", "memory_gb", "memory_mt_s",
              "memory_type", "gpu_memory_gb", "gpu_tdp_w", "ssd_tb", "ssd_count", "network_gb_s")  # fmt: skip


@pytest.mark.parametrize("row", TABLE, ids=[row["text"][:50] for row in TABLE])
def test_article_is_read(row: Mapping[str, Any]) -> None:
    reading = articles.read(row["text"])
    read = [[line.kind, line.value, line.count] for line in reading.lines]

    assert [line for line in row["lines"] if line not in read] == []
    extra = [line for line in reading.lines if line.kind != "other" and _bare(line) not in row["lines"]]
    assert extra == []
    assert {line.kind for line in reading.lines}.isdisjoint(row.get("not", ()))
    assert sorted(conflict.code for conflict in reading.conflicts) == sorted(row.get("conflicts", []))


def _bare(line: Line) -> list[Any]:
    return [line.kind, line.value, line.count]


def _components() -> list[tuple[str, str, Any, Any]]:
    found = []
    for sku in hardware_data.packaged().skus:
        row = articles.parsed(articles.read(sku.text))
        for name, value in sku.parsed:
            if name in COMPONENTS and name not in NOT_PRINTED.get(sku.text, ()):
                found.append((sku.text, name, value, row.get(name)))
    return found


def test_given_articles_are_read_right() -> None:
    components = _components()
    wrong = [component for component in components if component[2] != component[3]]

    assert len(components) > 50
    assert len(wrong) <= 0.05 * len(components), wrong


def test_nothing_wrong_is_read_with_certainty_in_the_given_articles() -> None:
    for sku in hardware_data.packaged().skus:
        stated = dict(sku.parsed)
        for line in articles.read(sku.text).lines:
            if line.certainty == "read" and line.kind in stated:
                assert line.value == stated[line.kind], sku.text


@pytest.mark.parametrize(
    ("text", "value", "certainty"),
    [
        ("8xH200 SXM", "h200-sxm", "read"),
        ("8xH200", "h200-sxm", "likely"),
        ("SYS-821GE-TNHR 8xH200", "h200-sxm", "likely"),
        ("SYS-521GE-TNRT 8xH200", "h200-nvl", "likely"),
        ("H200 8-GPU SXM", "h200-sxm", "likely"),
        ("8x B200", "b200-sxm", "read"),
        ("GH200", "GH200", "guess"),
    ],
)
def test_certainty_says_what_was_printed_and_what_was_inferred(text: str, value: str, certainty: str) -> None:
    line = articles.read(text).first("gpu")

    assert line is not None
    assert (line.value, line.certainty) == (value, certainty)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("SYS-821GE-TNHR barebone, supports up to 8x H200 SXM", "gpu"),
        ("Сервер SYS-521GE-TNRT без H200 NVL", "gpu"),
        ("до 8 х H200 SXM", "gpu"),
        ("8x H100 SXM or B200", "gpu"),
        ("H200 SXM ready", "gpu"),
        ("BlueField-3 (optional)", "nic"),
        ("up to 8TB DDR5", "memory"),
        ("rails for SYS-821GE-TNHR", "platform"),
    ],
)
def test_what_the_words_around_leave_open_is_a_guess(text: str, kind: Any) -> None:
    reading = articles.read(text)

    assert [line.certainty for line in reading.of(kind)][-1] == "guess"
    assert "left_open" in {asked.code for asked in reading.to_confirm}


def test_optional_part_leaves_its_neighbour_certain() -> None:
    line = articles.read("8x H200 SXM (optional BlueField-3)").first("gpu")

    assert line is not None
    assert line.certainty == "read"


def test_a_line_knows_its_place_in_the_text() -> None:
    text = "Сервер: 8 × H200, 2х Xeon Platinum 8558"

    for line in articles.read(text).lines:
        assert text[line.start : line.end].strip(" _-") == line.text


def test_what_is_not_read_stays_visible() -> None:
    reading = articles.read("SYS-821GE-TNHR-LC0-HP001-1200 квантовый модуль")

    assert "квантовый" in reading.unread
    assert any("HP001" in left for left in reading.unread)


def test_unknown_model_is_shown_and_asked_about() -> None:
    reading = articles.read("Supermicro SYS-999XX-FAKE 8xH100")

    line = reading.first("platform")
    assert line is not None
    assert line.certainty != "read"
    assert "unknown_platform" in {asked.code for asked in reading.to_confirm}


def test_not_stated_lists_what_an_offer_has_to_say() -> None:
    assert articles.read(REFERENCE).not_stated == ("drives", "nic", "psu", "condition", "warranty")


def test_form_factor_conflict_names_a_platform_that_fits() -> None:
    (conflict,) = articles.read("SYS-821GE-TNHR 8x H200 NVL").conflicts

    assert "SXM5" in conflict.text
    assert "SYS-521GE-TNRT" in conflict.text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (REFERENCE, "ram_below_gpu"),
        ("SYS-821GE-TNHR 2x8558 32x64GB", "two_per_channel"),
        ("SYS-821GE-TNHR 2x8558 20x64GB", "dimm_channels"),
        ("SYS-821GE-TNHR 4x3000W Titanium", "psu_count"),
    ],
)
def test_what_can_be_but_should_be_known_is_a_note(text: str, code: str) -> None:
    assert code in {note.code for note in articles.read(text).notes}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("SYS-821GE-TNHR 6x1600W", "psu_power"),
        ("SYS-821GE-TNHR 4x8558", "cpu_count"),
        ("SYS-821GE-TNHR 32x512GB DDR5", "memory_max"),
        ("1TB RAM (8x64GB DDR5)", "memory_total"),
        ("8xH100 SXM 4x L40S", "gpu_mix"),
        ("64GB 64MHz DDR5 x 24", "memory_speed"),
    ],
)
def test_what_cannot_be_is_a_conflict(text: str, code: str) -> None:
    assert code in {conflict.code for conflict in articles.read(text).conflicts}


def test_a_terabyte_of_modules_has_1024_gigabytes() -> None:
    assert articles.read("SYS-821GE-TNHR 32x256GB DDR5").conflicts == ()


def test_every_sentence_can_be_said() -> None:
    for code, template in TEMPLATES.items():
        names = [name for _, name, _, _ in Formatter().parse(template) if name]
        assert template.format(**dict.fromkeys(names, "x")), code


def test_check_answers_in_the_contracts_words() -> None:
    answer = articles.check({"id": "a", "article": REFERENCE})

    assert answer["id"] == "a"
    assert {"id", "lines", "unread", "not_stated", "conflicts", "verdict", "to_confirm"} <= answer.keys()
    line = answer["lines"][1]
    assert {name: line[name] for name in ("kind", "value", "count", "text")} == {
        "kind": "gpu",
        "value": "h200-sxm",
        "count": 8,
        "text": "8xH200",
    }
    assert answer["verdict"] is None


@pytest.mark.parametrize("article", ["", "   ", None, 7, ["8xH200"]])
def test_check_refuses_what_is_no_text(article: object) -> None:
    answer = articles.check({"id": "a", "article": article})

    assert answer["error"]["field"] == "article"
    assert answer["error"]["message"]


def test_verdict_says_that_fewer_gpus_would_do() -> None:
    answer = contract.check_article({"id": "a", "article": REFERENCE, "workload": QLORA})

    assert answer["verdict"]["fits"] is True
    assert "1 of the 8" in answer["verdict"]["message"]


def test_verdict_shows_the_states_of_full_training() -> None:
    answer = contract.check_article(
        {"article": REFERENCE, "workload": QLORA | {"method": "full", "optimizer": "adamw"}}
    )

    assert any("at 18" in reason for reason in answer["verdict"]["reasons"])


def test_verdict_is_no_where_the_parts_do_not_go_together() -> None:
    answer = contract.check_article({"article": "SYS-821GE-TNHR 8x H200 NVL", "workload": QLORA})

    assert answer["verdict"]["fits"] is False
    assert "SXM5" in answer["verdict"]["message"]


def test_verdict_is_open_where_no_gpu_was_read() -> None:
    answer = contract.check_article({"article": "2x Xeon Gold 6530", "workload": QLORA})

    assert answer["verdict"]["fits"] is None


def test_system_is_what_the_article_describes() -> None:
    catalog = hardware_data.packaged()
    text = "2x SYS-521GE-TNRT, 8x H200 NVL with NVLink bridges, 8x ConnectX-7 400G"
    system = articles.system_of(articles.read(text), catalog)

    assert isinstance(system, System)
    assert (system.gpu.slug, system.gpus_per_node, system.nodes) == ("h200-nvl", 8, 2)
    assert system.interconnect == "nvlink_bridge"
    assert system.network_bytes_per_s == 50e9  # 8 x 400 Gbit/s over 8 GPUs


@pytest.mark.parametrize("text", ["8xL40S 2x200Gb NIC", "4x1,5TB 8xL40S 2x200Gb NIC 4x3000W", "8xL40S; NIC: 2x200Gb"])
def test_gigabits_beside_a_network_word_are_a_rate(text: str) -> None:
    reading = articles.read(text)

    assert [(line.value, line.count) for line in reading.of("nic")] == [(200, 2)]
    assert [(line.value, line.count) for line in reading.of("gpu")] == [("l40s", 8)]
    assert reading.conflicts == ()


@pytest.mark.parametrize("text", ["24 планки по 96 ГБ", "24 модуля по 96 ГБ", "24 планок 96 ГБ"])
def test_sticks_are_counted_in_words(text: str) -> None:
    assert [(line.value, line.count) for line in articles.read(text).of("memory")] == [(96, 24)]


def test_an_exponent_is_no_count() -> None:
    assert all(line.count is None or line.certainty != "read" for line in articles.read("1e9x64GB").lines)


@pytest.mark.parametrize("text", ["8xH200 NVL 4xB200", "8x H200 SXM, 4x H200 SXM", "8xL40S 90GB"])
def test_verdict_is_open_where_the_gpus_contradict_each_other(text: str) -> None:
    answer = contract.check_article({"article": text, "workload": QLORA})

    assert answer["conflicts"]
    assert answer["verdict"]["fits"] is None
    assert answer["verdict"]["message"] in answer["conflicts"]
