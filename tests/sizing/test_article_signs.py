"""Numbers, tables and signs of articles: how pieces are counted, and texts that nobody means well."""

from __future__ import annotations

from typing import Any

import pytest

from sizing import articles
from sizing.articles.tables import quantity_column
from sizing.articles.text import LONGEST


def _read(text: str, kind: Any) -> list[tuple[object, int | None, str]]:
    return [(line.value, line.count, line.certainty) for line in articles.read(text).of(kind)]


@pytest.mark.parametrize(
    "text",
    ["(2x64GB) x 8 DDR5", "8x (2x64GB) DDR5", "16 x 64GB DDR5", "64GB DDR5 - 16 pcs", "64GB DDR5 — 16 штук",
     "64GB DDR5: 16 шт.",
     "16 модулей DDR5 по 64 ГБ", "шестнадцать модулей DDR5 по 64 ГБ", "16 (шестнадцать) модулей по 64 ГБ DDR5",
     "64GB DDR5 | qty 16", "RAM: 64GB DDR5\nRAM qty: 16", "64GB DDR5 (16)", "Модуль 64GB DDR5 (HMCG94), 16 шт."],
)  # fmt: skip
def test_pieces_are_counted_in_every_usual_way(text: str) -> None:
    assert [pair[:2] for pair in _read(text, "memory")] == [(64, 16)]


def test_a_number_of_another_kind_counts_nothing() -> None:
    assert _read("GPU: H200 SXM\nCPU qty: 2\nCPU: Xeon Platinum 8558", "gpu") == [("h200-sxm", None, "read")]
    assert _read("GPU: H200 SXM\nCPU qty: 2\nCPU: Xeon Platinum 8558", "cpu") == [("Xeon Platinum 8558", 2, "read")]


def test_a_labelled_number_without_its_part_stays_visible() -> None:
    assert "8" in articles.read("Number of GPUs: 8, 2x Xeon Gold 6530").unread


def test_two_numbers_for_one_part_are_not_certain() -> None:
    assert all(certainty != "read" for _, _, certainty in _read("2x64GB DDR5 x 8", "memory"))
    assert _read("8xH100 SXM, 2 шт.", "gpu") == [("h100-sxm", 8, "likely")]


@pytest.mark.parametrize("delimiter", ["\t", ";", "|", ","])
def test_a_column_of_quantities_counts_the_parts_of_its_row(delimiter: str) -> None:
    rows = [("No", "Description", "Qty"), ("1", "SYS-521GE-TNRT", "3"), ("2", "NVIDIA H200 NVL", "8"),
            ("3", "64GB DDR5 RDIMM", "16")]  # fmt: skip
    text = "\n".join(delimiter.join(row) for row in rows)

    assert _read(text, "platform") == [("smc-sys-521ge-tnrt", 3, "read")]
    assert _read(text, "gpu") == [("h200-nvl", 8, "read")]
    assert _read(text, "memory") == [(64, 16, "read")]


def test_running_numbers_are_no_quantities() -> None:
    text = "1\tH200 NVL\n2\tXeon Gold 6530\n3\t64GB DDR5 RDIMM"

    assert {line.count for line in articles.read(text).lines} == {None}


@pytest.mark.parametrize(
    ("rows", "column"),
    [
        ([["Item", "Qty"], ["a", "2"]], (1, None, 1)),
        ([["№", "Наименование", "Кол-во"], ["1", "a", "5"]], (2, 0, 1)),
        ([["a", "2"], ["b", "16"]], (1, None, 0)),
        ([["1", "a", "4", "300"], ["2", "b", "8", "900"]], (2, 0, 0)),
        ([["a", "b"], ["c", "d"]], None),
        ([["a", "2"]], None),
    ],
)
def test_the_column_of_quantities_is_found(rows: list[list[str]], column: tuple[int, int | None, int] | None) -> None:
    assert quantity_column(rows) == column


def test_max_q_is_told_from_the_workstation_card() -> None:
    reading = articles.read("4x RTX PRO 6000 Blackwell Max-Q Workstation Edition")
    line = reading.first("gpu")

    assert line is not None
    assert line.certainty != "read"
    assert line.detail("variant") == "Max-Q"
    assert "variant" in {asked.code for asked in reading.to_confirm}


@pytest.mark.parametrize(
    "text",
    ["8хН200 SXМ", "８ｘＨ２００ ＳＸＭ", "٨xH200 SXM", "8xH\u200d200 SXM", "\u202e8xH200\u202c SXM",
     "8×H200\u00a0SXM"],
)  # fmt: skip
def test_letters_and_figures_that_look_alike_are_read(text: str) -> None:
    assert _read(text, "gpu") == [("h200-sxm", 8, "read")]


def test_places_are_those_of_the_given_text_with_unseen_signs() -> None:
    text = "2\u200bx H\u200d200 SXM, 2x Xeon Gold 6530"

    for line in articles.read(text).lines:
        assert text[line.start : line.end].strip() == line.text


@pytest.mark.parametrize(
    "text",
    ["99999x H100 SXM", "1e9x H100 SXM", "-" * 5000, "((((8x((H100))))))", "\x00\x01\ud800", "(" * 30_000,
     "8x" * 60_000,
     "|" * 20_000, "a\t1\n" * 6_000, "восемь " * 4_000, "\n;\n" * 9_000, "0x H100 SXM", "999x (999x64GB) DDR5",
     "Number of GPUs: 0"],
)  # fmt: skip
def test_whatever_is_given_is_answered(text: str) -> None:
    reading = articles.read(text)

    assert all(line.count is None or 0 < line.count < 10_000 for line in reading.lines)
    assert reading.is_cut == (len(text) > LONGEST)
