"""Two revisions held against each other, out of their snapshots."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any

from django.utils.translation import gettext_lazy as _

from quotes import snapshot
from quotes.models import IN_PREPARATION, Quote, Status
from quotes.views.desk.rows import dig, way, with_needed
from quotes.wording import name_of

RESULTS = (
    (_("Memory of a GPU, upper band"), "bytes", ("needed", "high")),
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
    "discount_percent": _("Discount, %"),
    "tax_rate": _("Tax rate, %"),
    "unit_cost": _("Our cost of one"),
    "article": _("Article"),
    "detail": _("Detail"),
}


def between(former: Quote, latter: Quote) -> dict[str, Any]:
    """Give the differences by section: inputs, assumptions, lines, price, result. Runs SQL for unfrozen revisions."""
    a, b = snapshot.of(former), snapshot.of(latter)
    costs = cost_by_position(former), cost_by_position(latter)
    return {
        "inputs": pairs(flatten(a["input"]), flatten(b["input"])),
        "assumptions": assumptions(a["assumptions"], b["assumptions"]),
        "lines": lines(*(with_cost(side["lines"], known) for side, known in zip((a, b), costs, strict=True))),
        "totals": (a["totals"], b["totals"]),
        "in_force": in_force(former, latter),
        "results": results(a["candidate"], b["candidate"]),
        "engines": (a["engine"], b["engine"]),
        "catalogs": (a["catalog"], b["catalog"]),
    }


def in_force(former: Quote, latter: Quote) -> Any:
    """Say what still holds of the former revision; nothing where it holds no more, or the latter took its place."""
    if former.status == Status.ACCEPTED and latter.status in {*IN_PREPARATION, Status.SENT}:
        return _("The former revision was accepted and stays accepted until the customer accepts the next one")
    if former.shown_status == Status.SENT and latter.status in IN_PREPARATION:
        return _("The former revision stays in force until the next one is sent")
    return ""


def cost_by_position(quote: Quote) -> dict[int, str | None]:
    """Give our cost of one of each line, which no snapshot holds because customers get snapshots. Runs SQL."""
    costs = quote.lines.values_list("position", "unit_cost")
    return {position: None if cost is None else str(cost) for position, cost in costs}


def with_cost(lines: list[dict[str, Any]], costs: dict[int, str | None]) -> list[dict[str, Any]]:
    """Put our cost beside what the snapshot says of a line."""
    return [line | {"unit_cost": costs.get(line["position"])} for line in lines]


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
            []
            if was is None or now is None
            else [LINE_FIELDS[one] for one in LINE_FIELDS if differ(was[one], now[one])]
        )
        if was is None or now is None or changed:
            found.append({"was": was, "now": now, "changed": changed, "line": now or was})
    return found


def differ(was: Any, now: Any) -> bool:
    """Say whether two values of a field differ; 1 and 1.00 do not."""
    return bool(_number(was) != _number(now))


def _number(value: Any) -> Any:
    try:
        return Decimal(value)
    except (InvalidOperation, TypeError, ValueError):
        return value


def identity(line: dict[str, Any]) -> tuple[str, str, str]:
    """Give what makes a line the same line in two revisions."""
    return (line["kind"], line["catalog_ref"], line["description"])


def results(before: dict[str, Any] | None, after: dict[str, Any] | None) -> list[dict[str, Any]]:
    """Give the figures of the result on both sides."""
    rows = []
    before, after = with_needed(before), with_needed(after)
    for name, kind, path in RESULTS:
        was, now = dig(before, path), dig(after, path)
        if was is not None or now is not None:
            rows.append({"name": name, "kind": kind, "before": was, "after": now, "way": way(was, now)})
    return rows
