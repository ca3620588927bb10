"""Whatever is pasted is answered: no crash, no wait, nothing claimed that the text does not hold."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sizing import articles
from sizing.articles.reader import MOST_LINES
from sizing.articles.text import LONGEST, folded

WORDS = """8x|x8|8 х |H200|Н200|NVL|SXM|141GB|2x8558|Xeon|EPYC 9654|16x64GB|64 ГБ|DDR5-5600|NVMe|7.68TB|3,84 ТБ|400G
ConnectX-7|3000W|БП|SYS-821GE-TNHR|AS-|-|,|/|(|)|*|шт|0|1.1.1|гарантия 3 года|PWS-3K06A-2R|900-21010-0040-000"""
PIECES = st.sampled_from([*WORDS.replace("\n", "|").split("|"), "\u200f", "\x00", "\n", "9" * 30])


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\x00" * 100,
        "\u200f\u202e\u2066",
        "....,,,;;;---",
        "x" * 50,
        "8x",
        "x8",
        "*",
        "٣×H200",
        "𝟠×𝐇𝟐𝟎𝟎",
        "İIıi",
        "\ud800",
    ],
)
def test_odd_text_is_answered(text: str) -> None:
    reading = articles.read(text)

    assert [line for line in reading.lines if line.certainty == "read" and line.count not in (None, 1)] == []


@pytest.mark.parametrize(
    "piece", ["8xH200-", " ", "-", "(", "8", "x8", "64GB ", "\u200f", "\x01", "ы", "2x8558 ", "a-1-", ",", ", ",
              "([{", "H\u0301", "\u200b8х\u200dН200 ", "for servers ", "вариант 1 ", "не менее ", "1 abc 1\n",
              "\ud800"],
)  # fmt: skip
def test_ten_megabytes_are_cut_and_said(piece: str) -> None:
    reading = articles.read(piece * (10_000_000 // len(piece)))

    assert reading.is_cut
    assert reading.to_confirm[0].code == "cut"
    assert str(LONGEST) in reading.to_confirm[0].text
    assert len(reading.lines) <= MOST_LINES
    assert len(reading.unread) < 100


def test_a_price_list_is_cut_to_a_readable_number_of_lines() -> None:
    reading = articles.read("2x8558 " * 500)

    assert len(reading.lines) == MOST_LINES
    assert "many" in {asked.code for asked in reading.to_confirm}


@given(st.text(max_size=300))
@settings(max_examples=200, deadline=None)
def test_any_text_is_answered(text: str) -> None:
    _holds(text)


@given(st.lists(PIECES, max_size=30).map("".join))
@settings(max_examples=300, deadline=None)
def test_any_mixture_of_parts_is_answered(text: str) -> None:
    _holds(text)


@given(st.text(max_size=400))
@settings(max_examples=100, deadline=None)
def test_folding_keeps_every_place(text: str) -> None:
    assert len(folded(text)) == len(text)


@given(
    st.integers(1, 64), st.sampled_from(["x", "х", "X", "×", "*", " x ", " х "]), st.sampled_from([16, 32, 64, 96, 128])
)
@settings(max_examples=100, deadline=None)
def test_counts_are_read_with_any_sign(count: int, sign: str, size: int) -> None:
    line = articles.read(f"{count}{sign}{size}GB DDR5").first("memory")

    assert line is not None
    assert (line.value, line.count) == (size, count)


def _holds(text: str) -> None:
    """Lines lie in order inside the text, do not overlap, and the answer is JSON."""
    reading = articles.read(text)
    end = 0
    for line in reading.lines:
        assert 0 <= line.start <= line.end <= len(text)
        assert line.start >= end or line.kind != "gpu"
        assert line.text in text
        assert line.count is None or line.count > 0
        end = line.end
    if text.strip():
        json.dumps(articles.check({"id": 1, "article": text}), ensure_ascii=True)
