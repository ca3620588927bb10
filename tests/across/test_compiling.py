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


def test_a_fragment_adds_what_the_source_lacks(tmp_path: Path) -> None:
    for name, text in (("LC_MESSAGES/django.po", "Память"), ("fragments/documents.po", "другое")):
        source = tmp_path / "ru" / name
        source.parent.mkdir(parents=True)
        file = polib.POFile()
        file.append(polib.POEntry(msgid="Memory", msgstr=text))
        file.append(polib.POEntry(msgid=name, msgstr=text))
        file.save(str(source))

    compile_all(tmp_path)

    compiled = {one.msgid: one.msgstr for one in polib.mofile(str(tmp_path / "ru" / "LC_MESSAGES" / "django.mo"))}
    assert compiled["Memory"] == "Память"
    assert compiled["fragments/documents.po"] == "другое"
