"""Every string a person reads is there in Russian."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import polib
from babel.messages.extract import extract_javascript, extract_python
from django.utils.translation import templatize

ROOT = Path(__file__).resolve().parents[2]
PO = ROOT / "locale" / "ru" / "LC_MESSAGES" / "django.po"
APPS = ("accounts", "catalog", "config", "quotes")
KEYWORDS = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]|\{(\w+)\}")

PREFIX = re.compile(r"([(,]\s*)u(['\"])")

Key = tuple[str, str]


def _python_sources() -> Iterator[tuple[str, str]]:
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            if "migrations" not in path.parts:
                yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")


def _template_sources() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "templates").rglob("*.*")):
        if path.suffix in (".html", ".txt", ".svg", ".css"):
            source = templatize(path.read_text(encoding="utf-8"), origin=str(path))
            yield str(path.relative_to(ROOT)), PREFIX.sub(r"\1\2", source)


def _calls() -> Iterator[tuple[str, str, list[str | None]]]:
    """Each call of a translating function: the file, the function, its texts.

    What `templatize` makes of a template is no Python, but the tolerant reader of JavaScript finds its calls.
    """
    for sources, read in ((_python_sources(), extract_python), (_template_sources(), extract_javascript)):
        for origin, source in sources:
            stream = io.BytesIO(source.encode())
            found: Any
            for found in read(stream, dict.fromkeys(KEYWORDS), (), {"encoding": "utf-8"}):
                _line, function, messages, _comments = found
                yield origin, function, [messages] if isinstance(messages, str) else list(messages or ())


@cache
def extracted() -> dict[Key, str]:
    """Every (context, message) of the project's code and templates, with the file it stands in."""
    found: dict[Key, str] = {}
    for origin, function, texts in _calls():
        context = texts.pop(0) if function.startswith(("pgettext", "npgettext")) and texts else ""
        if texts and texts[0]:
            found.setdefault((context or "", texts[0]), origin)
    return found


@cache
def catalog() -> dict[Key, polib.POEntry]:
    """The Russian entries that count: neither obsolete nor fuzzy."""
    entries = polib.pofile(str(PO))
    return {(entry.msgctxt or "", entry.msgid): entry for entry in entries if not entry.obsolete and not entry.fuzzy}


def test_every_string_is_there_in_russian() -> None:
    known = catalog()
    missing = sorted(f"{origin}: {message!r}" for (context, message), origin in extracted().items()
                     if (context, message) not in known or not known[context, message].translated())  # fmt: skip

    assert not missing, "Untranslated:\n" + "\n".join(missing)


def test_translations_keep_the_placeholders() -> None:
    wrong = []
    for entry in catalog().values():
        wanted = {a or b for a, b in PLACEHOLDER.findall(entry.msgid + (entry.msgid_plural or ""))}
        texts = [entry.msgstr, *entry.msgstr_plural.values()]
        invented = {a or b for text in texts for a, b in PLACEHOLDER.findall(text)} - wanted
        if invented:
            wrong.append(f"{entry.msgid!r}: {sorted(invented)}")

    assert not wrong, "\n".join(wrong)


def test_russian_plurals_have_three_forms() -> None:
    plural = [entry for entry in catalog().values() if entry.msgid_plural]
    short = [entry.msgid for entry in plural if len([text for text in entry.msgstr_plural.values() if text]) != 3]

    assert plural
    assert not short
