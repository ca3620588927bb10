"""Translations compile without gettext."""

from pathlib import Path

import polib

from scripts.compile_messages import compile_all


def test_a_source_is_compiled_once(tmp_path: Path) -> None:
    source = tmp_path / "ru" / "LC_MESSAGES" / "django.po"
    source.parent.mkdir(parents=True)
    file = polib.POFile()
    file.append(polib.POEntry(msgid="Memory", msgstr="Память"))
    file.save(str(source))

    assert compile_all(tmp_path) == [source.with_suffix(".mo")]
    assert compile_all(tmp_path) == []
    assert polib.mofile(str(source.with_suffix(".mo")))[0].msgstr == "Память"
