"""The lock files install on any machine, from any index, and only what was reviewed."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ["requirements.lock", "requirements-dev.lock"]


def pins(name: str) -> dict[str, str]:
    """Read the name and version of each package that a lock file names."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9._-]+)(?:\[[^\]]*\])?==([^ ;\\\n]+)", text, flags=re.MULTILINE))


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_names_no_address(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")

    assert "://" not in text
    assert "--index" not in text


@pytest.mark.parametrize("name", LOCKS)
def test_every_locked_package_has_a_hash(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")

    blocks = re.split(r"\n(?=[a-z0-9])", text.strip())

    assert [block.splitlines()[0] for block in blocks if "--hash=sha256:" not in block] == []


def test_both_locks_agree() -> None:
    run, dev = pins("requirements.lock"), pins("requirements-dev.lock")

    assert {name: dev.get(name) for name in run} == run


def test_the_page_on_dependencies_has_a_line_for_each() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    named = set(re.findall(r'^    "([a-z0-9-]+)(?:\[[a-z,-]+\])?[<>=]', project, flags=re.MULTILINE))
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8").lower()

    assert sorted(name for name in named if f"| {name} |" not in page) == []
