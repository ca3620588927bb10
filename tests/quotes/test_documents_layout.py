"""Nothing runs over the edge of a page or into the next column of a table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from weasyprint import HTML
from weasyprint.formatting_structure import boxes

from quotes import documents
from tests.quotes import papers

SHEET = Path(__file__).resolve().parents[2] / "static" / "css" / "pdf" / "tables.css"
ROUNDING = 1.0
"""Text may be this much wider than its cell [px]: glyphs are rounded."""


def pages_of(name: str, language: str) -> list[Any]:
    """The laid out pages of the full document."""
    source = documents.html(papers.snapshot(name, number="SW-2026-0147"), kind="full", language=language)
    laid = HTML(string=source, base_url=documents.BASE, url_fetcher=documents._fetcher()).render()
    return [page._page_box for page in laid.pages]


def texts(box: Any, limit: float) -> Iterator[tuple[str, float]]:
    """Every line of text with how far it runs over what holds it [px]."""
    if isinstance(box, boxes.TableCellBox):
        limit = min(limit, box.position_x + box.border_width())
    if isinstance(box, boxes.TextBox) and box.text.strip():
        yield box.text, box.position_x + box.width - limit
    for child in getattr(box, "children", ()):
        if not isinstance(child, boxes.MarginBox):
            yield from texts(child, limit)


@pytest.mark.parametrize(
    ("name", "language"),
    [
        (papers.TRAINING, "ru"),
        (papers.FULL_TUNING, "ru"),
        (papers.SERVICE, "ru"),
        (papers.SERVICE, "en"),
        (papers.RAG, "ru"),
    ],
)
def test_text_keeps_to_its_column_and_page(name: str, language: str) -> None:
    pages = pages_of(name, language)
    found = [(number, *one) for number, page in enumerate(pages, 1) for one in texts(page, _edge(page))]

    assert len(found) > 1000
    assert [one for one in found if one[2] > ROUNDING] == []


def _edge(page: Any) -> float:
    return float(page.content_box_x() + page.width)


def test_no_page_holds_a_heading_alone() -> None:
    for page in pages_of(papers.RAG, "ru"):
        lines = [text for text, _over in texts(page, _edge(page))]
        assert len(lines) > 4, lines


@pytest.mark.parametrize("name", papers.requests())
def test_each_column_of_a_table_has_its_width(name: str) -> None:
    widths = Counter(re.findall(r"\.t-([\w-]+) col:nth-child", SHEET.read_text(encoding="utf-8")))

    source = documents.html(papers.snapshot(name), kind="full", language="ru")

    tables = re.findall(r'<table class="fixed t-([\w-]+)[^>]*>(.*?)</colgroup>', source, re.DOTALL)
    assert tables
    columns = {table: inside.count("<col>") for table, inside in tables}
    assert {table: count for table, count in columns.items() if widths.get(table, count) != count} == {}
