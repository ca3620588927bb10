"""The tree keeps the shape that its readers count on."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ["config", "accounts", "quotes", "catalog", "sizing"]
READS_YAML = {"sizing/datafiles.py", "sizing/__main__.py"}
BINARY = {".woff2", ".png", ".ico", ".jpg", ".pdf", ".xlsx", ".webp"}
FORBIDDEN_NAMES = {"utils.py", "helpers.py", "misc.py"}
MAX_MODULE_LINES = 300
# Handed out as one file that runs by itself, so it cannot be divided.
HANDED_OUT = {"quotes/pilot/pilot_run.py": 550}
MAX_FILE_BYTES = 1_000_000


def tracked_files() -> list[Path]:
    """List the files under version control that still exist."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return [ROOT / name for name in listing.split("\0") if name and (ROOT / name).is_file()]


def our_modules() -> list[Path]:
    """List the modules of the product, migrations left out."""
    return [path for name in PACKAGES for path in (ROOT / name).rglob("*.py") if "migrations" not in path.parts]


def imported_names(path: Path) -> Iterator[str]:
    """Give the first part of each absolute import in a module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0]


def test_imports_run_one_way() -> None:
    assert lint_imports(config_filename=str(ROOT / "pyproject.toml"), cache_dir=None) == 0


def test_the_engine_imports_the_standard_library_only() -> None:
    allowed = sys.stdlib_module_names | {"sizing"}

    strange = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in (ROOT / "sizing").rglob("*.py")
        for name in imported_names(path)
        if name not in allowed and not (name == "yaml" and path.relative_to(ROOT).as_posix() in READS_YAML)
    ]

    assert strange == []


def test_no_tracked_file_knows_a_machine() -> None:
    pattern = re.compile(r"(?<![\w.])/(?:work|root|home/\w+|Users/\w+|tmp)/[\w.-]+")
    vendored = {"vendor", "fonts"}

    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in tracked_files()
        if path.suffix not in BINARY and not vendored & set(path.parts)
        for match in pattern.finditer(path.read_text(encoding="utf-8"))
        if path != Path(__file__)
    ]

    assert found == []


def test_no_large_file_slips_in() -> None:
    assert [str(path) for path in tracked_files() if path.stat().st_size > MAX_FILE_BYTES] == []


@pytest.mark.parametrize("path", our_modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_is_short_and_well_named(path: Path) -> None:
    assert path.name not in FORBIDDEN_NAMES
    lines = path.read_text(encoding="utf-8").count("\n")
    assert lines <= HANDED_OUT.get(path.relative_to(ROOT).as_posix(), MAX_MODULE_LINES)
