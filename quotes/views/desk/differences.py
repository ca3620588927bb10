"""Two revisions held against each other, out of their snapshots."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.utils.translation import gettext_lazy as _

from quotes import snapshot
from quotes.models import Quote
from quotes.views.desk.rows import dig, way
from quotes.wording import name_of

RESULTS = (
    (_("Memory of a GPU, upper band"), "bytes", ("estimate", "memory", "device", "high")),
    (_("Time to result, upper band"), "seconds", ("estimate", "speed", "high", "seconds_to_result")),
    (_("To the first word, upper band"), "ms", ("estimate", "speed", "high", "ttft_ms")),
    (_("Answers, all users"), "tokens/s", ("estimate", "speed", "output_tokens_per_second")),
    (_("Power at the wall"), "watts", ("facility", "power_watts", "expected")),
)
LINE_FIELDS = {
    "quantity": _("Quantity"),
    "unit_price": _("Price of one"),
    "net_amount": _("Amount"),
    "price_kind": _("Price is"),
    "article": _("Article"),
    "detail": _("Detail"),
}


def between(former: Quote, latter: Quote) -> dict[str, Any]:
    """Give the differences by section: inputs, assumptions, lines, price, result. Runs SQL for unfrozen revisions."""
    a, b = snapshot.of(former), snapshot.of(latter)
    return {
        "inputs": pairs(flatten(a["input"]), flatten(b["input"])),
        "assumptions": assumptions(a["assumptions"], b["assumptions"]),
        "lines": lines(a["lines"], b["lines"]),
        "totals": (a["totals"], b["totals"], Decimal(b["totals"]["net"]) - Decimal(a["totals"]["net"])),
        "results": results(a["candidate"], b["candidate"]),
        "engines": (a["engine"], b["engine"]),
        "catalogs": (a["catalog"], b["catalog"]),
    }


def flatten(data: Any, prefix: str = "") -> dict[str, Any]:
    """Give nested data as ``{"workload.lora.rank": 16}``."""
    if not isinstance(data, dict):
        return {prefix: data}
    flat: dict[str, Any] = {}
    for name, value in data.items():
        flat |= flatten(value, f"{prefix}.{name}" if prefix else str(name))
    return flat


def pairs(before: dict[str, Any], after: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    """Give what differs, by name; None stands for absent."""
    names = sorted(before.keys() | after.keys())
    return [(name_of(name), before.get(name), after.get(name)) for name in names if before.get(name) != after.get(name)]


def assumptions(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> list[tuple[str, Any, Any]]:
    """Give assumptions whose value, origin or confirmation changed."""
    one, two = ({item["key"]: item for item in rows} for rows in (before, after))
    keys = [*one, *(key for key in two if key not in one)]
    return [
        (name_of(key, (two.get(key) or one[key])["label"]), one.get(key), two.get(key))
        for key in keys
        if standing(one.get(key)) != standing(two.get(key))
    ]


def standing(item: dict[str, Any] | None) -> tuple[Any, ...] | None:
    """Give what of an assumption counts as its state."""
    return None if item is None else (item["value"], item["origin"], item["confirmation"]["state"])


def lines(before: list[dict[str, Any]], after: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give lines that were added, removed or changed; a line is the same by kind, part and description."""
    one, two = ({identity(item): item for item in rows} for rows in (before, after))
    found = []
    for name in [*one, *(name for name in two if name not in one)]:
        was, now = one.get(name), two.get(name)
        changed = (
            [] if was is None or now is None else [LINE_FIELDS[one] for one in LINE_FIELDS if was[one] != now[one]]
        )
        if was is None or now is None or changed:
            found.append({"was": was, "now": now, "changed": changed, "line": now or was})
    return found


def identity(line: dict[str, Any]) -> tuple[str, str, str]:
    """Give what makes a line the same line in two revisions."""
    return (line["kind"], line["catalog_ref"], line["description"])


def results(before: dict[str, Any] | None, after: dict[str, Any] | None) -> list[dict[str, Any]]:
    """Give the figures of the result on both sides."""
    rows = []
    for name, kind, path in RESULTS:
        was, now = dig(before, path), dig(after, path)
        if was is not None or now is not None:
            rows.append({"name": name, "kind": kind, "before": was, "after": now, "way": way(was, now)})
    return rows
