"""Compile locale/*/LC_MESSAGES/*.po to .mo without gettext; a file that is up to date is left alone."""

from pathlib import Path

import polib

LOCALE_DIR = Path(__file__).resolve().parent.parent / "locale"


def compile_all(folder: Path = LOCALE_DIR) -> list[Path]:
    """Compile what is older than its source, and return the files written."""
    written = []
    for source in sorted(folder.rglob("LC_MESSAGES/*.po")):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        draft = target.with_suffix(".mo.tmp")
        polib.pofile(str(source)).save_as_mofile(str(draft))
        draft.replace(target)
        written.append(target)
    return written


if __name__ == "__main__":
    for path in compile_all():
        print(f"Compiled {path.relative_to(LOCALE_DIR)}")
