"""Snapshots for documents, computed by the real engine: what was asked, its answer, lines, assumptions."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path
from typing import Any

from sizing import contract

REQUESTS = Path(__file__).resolve().parents[1] / "data" / "requests.jsonl"
TRAINING, SERVICE, RAG, IMPOSSIBLE = "s02-70b-qlora-one-gpu", "s10-service-70b", "s09-documents-only", "s11-impossible"
FULL_TUNING = "s04-70b-full"


@cache
def requests() -> dict[str, dict[str, Any]]:
    """Every request of the file by its id."""
    lines = REQUESTS.read_text(encoding="utf-8").splitlines()
    return {asked["id"]: asked for asked in map(json.loads, lines)}


@cache
def _answer(name: str) -> str:
    return json.dumps(contract.recommend(requests()[name]))


def answer(name: str) -> dict[str, Any]:
    """The engine's answer to a request."""
    found: dict[str, Any] = json.loads(_answer(name))
    return found


def snapshot(name: str = TRAINING, *, number: str | None = None, state: str = "confirmed") -> dict[str, Any]:
    """A quote's snapshot; with a number it is issued."""
    output = answer(name)
    chosen = next((one for one in output.get("candidates", []) if "recommended" in one["labels"]), None)
    lines = [_line(position, line, state) for position, line in enumerate((chosen or {}).get("lines", []), 1)]
    net = sum(int(line["net_amount"].split(".")[0]) for line in lines)
    return {
        **_head(name, output),
        "kind": "quote",
        "number": number,
        "revision": 1,
        "status": "approved" if number else "in_review",
        "issued_at": "2026-11-30T09:30:00+00:00" if number else None,
        "valid_until": "2026-12-14" if number else None,
        "chosen_rank": chosen["rank"] if chosen else None,
        "candidate": chosen,
        "lines": lines,
        "totals": _totals(net, len(lines)),
        "assumptions": [one | {"confirmation": {"state": state}} for one in _assumptions(output, chosen)],
        "clarifications": [],
        "pilots": [],
        "note": "",
    }


def preliminary(name: str = TRAINING) -> dict[str, Any]:
    """The snapshot of an estimate: no lines and no price of ours."""
    made = snapshot(name, state="unconfirmed")
    return made | {"kind": "preliminary", "status": "draft", "lines": [], "totals": None}


def stressed(*, lines: int = 60, assumptions: int = 40) -> dict[str, Any]:
    """A quote with many long lines and assumptions."""
    made = copy.deepcopy(snapshot(number="SW-2026-0147", state="waived"))
    long = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft " * 2
    first = made["lines"][0]
    made["lines"] = [first | {"position": at, "description": f"{long} {at}", "unit_price": "12345678901.23",
                              "net_amount": "12345678901.23"} for at in range(1, lines + 1)]  # fmt: skip
    entry = made["assumptions"][0] | {"decisive": True, "why": long, "label": long, "key": "workload.something"}
    made["assumptions"] = [entry | {"key": f"workload.something_{at}"} for at in range(assumptions)]
    made["customer"]["organization"] = "Общество с ограниченной ответственностью " * 3
    made["totals"] = _totals(12_345_678_901, lines)
    return made


def _head(name: str, output: dict[str, Any]) -> dict[str, Any]:
    return {
        "schema": 1,
        "reference": "R-2026-0412",
        "frozen_at": "2026-11-30T09:30:00+00:00",
        "issuer": {
            "name": "Example Systems",
            "legal_details": "Example Systems GmbH",
            "currency": "USD",
            "time_zone": "Europe/Moscow",
            "terms_en": "Delivery six to eight weeks from the order.",
            "terms_ru": "Поставка шесть–восемь недель от заказа.",
        },
        "customer": {"name": "Anna", "organization": "ООО «Заказчик»", "email": "", "phone": ""},
        "route": "qlora",
        "message": "We want the result within a week.",
        "engine": "1.0.0",
        "catalog": "c4d871aa0f3e" * 5,
        "calculated_at": "2026-11-30T09:29:00+00:00",
        "input": requests()[name],
        "output": output,
    }


def _line(position: int, line: dict[str, Any], state: str) -> dict[str, Any]:
    price = 1000 * position
    return {
        "position": position,
        "kind": line["kind"],
        "article": "",
        "description": line["text"],
        "detail": "",
        "quantity": str(line["quantity"]),
        "price_kind": "firm",
        "unit_price": f"{price}.00",
        "discount_percent": "0.00",
        "tax_rate": "20.00",
        "net_amount": f"{price * line['quantity']}.00",
        "confirmation": {"state": state, "evidence": "letter 7714", "reason": "checked at delivery"},
    }


def _totals(net: int, count: int) -> dict[str, Any]:
    return {
        "currency": "USD",
        "net": f"{net}.00",
        "taxes": [{"rate": "20.00", "net": f"{net}.00", "amount": f"{net // 5}.00"}],
        "tax": f"{net // 5}.00",
        "gross": f"{net + net // 5}.00",
        "discount": "0.00",
        "lines_priced": count,
        "lines_total": count,
    }


def _assumptions(output: dict[str, Any], chosen: dict[str, Any] | None) -> list[dict[str, Any]]:
    own = (chosen or {}).get("estimate", {}).get("assumptions", [])
    found: dict[str, dict[str, Any]] = {}
    for one in [*output.get("questions", []), *output.get("assumptions", []), *own]:
        found.setdefault(one["key"], one)
    return list(found.values())
