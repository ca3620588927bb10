"""The page of lessons names tests that are there, and what it says about templates holds."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "quotes" / "lessons.md"


def test_every_test_the_lessons_name_is_there() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    named = set(re.findall(r"`(test_\w+)`", PAGE.read_text(encoding="utf-8")))

    assert len(named) > 25
    assert sorted(name for name in named if f"def {name}(" not in code) == []


def test_no_template_of_quotes_formats_an_amount_by_hand() -> None:
    templates = [*(ROOT / "templates" / "quotes").rglob("*.html"), *(ROOT / "templates" / "quotes").rglob("*.txt")]

    by_hand = [path.name for path in templates if re.search(r"\|(floatformat|stringformat|intcomma)", path.read_text())]

    assert templates
    assert by_hand == []
