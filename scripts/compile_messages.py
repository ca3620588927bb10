"""Compile locale/*/LC_MESSAGES/*.po to .mo without gettext; a file that is up to date is left alone.

What stands in locale/*/fragments/*.po is compiled into django.mo too; where both have a message, django.po counts.
"""

from pathlib import Path

import polib

LOCALE_DIR = Path(__file__).resolve().parent.parent / "locale"


def compile_all(folder: Path = LOCALE_DIR) -> list[Path]:
    """Compile what is older than its sources, and return the files written."""
    written = []
    for source in sorted(folder.rglob("LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        parts = fragments(source)
        newest = max(one.stat().st_mtime for one in (source, *parts))
        if target.exists() and target.stat().st_mtime >= newest:
            continue
        draft = target.with_suffix(".mo.tmp")
        merged(source, parts).save_as_mofile(str(draft))
        draft.replace(target)
        written.append(target)
    return written


def fragments(source: Path) -> list[Path]:
    """Give the fragments that are compiled together with django.po."""
    return sorted(source.parent.parent.glob("fragments/*.po")) if source.name == "django.po" else []


def merged(source: Path, parts: list[Path]) -> polib.POFile:
    """Read a source and add what only its fragments have."""
    whole = polib.pofile(str(source))
    known = {(entry.msgctxt, entry.msgid) for entry in whole if entry.translated()}
    for part in parts:
        for entry in polib.pofile(str(part)):
            if entry.translated() and (entry.msgctxt, entry.msgid) not in known:
                known.add((entry.msgctxt, entry.msgid))
                whole.append(entry)
    return whole


if __name__ == "__main__":
    for path in compile_all():
        print(f"Compiled {path.relative_to(LOCALE_DIR)}")
