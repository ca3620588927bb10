"""Reference rows: what transformers, PEFT, bitsandbytes and torch themselves count."""

from __future__ import annotations

import csv
import json
from functools import cache
from pathlib import Path
from typing import Any

_DATA = Path(__file__).parents[1] / "data" / "oracle"


@cache
def rows(name: str) -> list[dict[str, str]]:
    with (_DATA / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def slugs(name: str) -> list[str]:
    return sorted({row["slug"] for row in rows(name)})


def evidence_models() -> list[dict[str, Any]]:
    return json.loads((_DATA / "evidence_models.json").read_text(encoding="utf-8"))
