"""Translations compile without gettext."""

from pathlib import Path

import polib

from scripts.compile_messages import LOCALE_DIR, compile_all


def write_source(folder: Path, translation: str) -> Path:
    """Write a source of one text."""
    source = folder / "ru" / "LC_MESSAGES" / "django.po"
    source.parent.mkdir(parents=True, exist_ok=True)
    file = polib.POFile()
    file.append(polib.POEntry(msgid="Memory", msgstr=translation))
    file.save(str(source))
    return source


def test_a_source_is_compiled_once(tmp_path: Path) -> None:
    source = write_source(tmp_path, "Память")

    assert compile_all(tmp_path) == [source.with_suffix(".mo")]
    assert compile_all(tmp_path) == []
    assert polib.mofile(str(source.with_suffix(".mo")))[0].msgstr == "Память"


def test_no_compiled_file_is_older_than_its_source() -> None:
    compile_all()

    assert [path for path in LOCALE_DIR.rglob("*.po") if not path.with_suffix(".mo").exists()] == []
