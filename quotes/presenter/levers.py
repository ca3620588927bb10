"""What would make a GPU's memory smaller, and what that costs or brings: time, and the GPUs of a service."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from quotes.presenter import quantities as q
from quotes.presenter.blocks import Block, prose, tabled
from quotes.presenter.engine_words import say
from quotes.presenter.reading import Reading, dig
from quotes.presenter.tables import table

LEAST_CHANGE = 0.005


def blocks(reading: Reading) -> list[Block | None]:
    """Give the table of levers, and for a service a sentence on the GPUs that it then needs."""
    found = [one for step in reading.estimate.get("derivations") or [] for one in step.get("reduce") or []]
    if not found:
        return []
    return [_training(found)] if reading.is_training else [_service(reading, found), prose(_gpus(reading))]


def _training(found: list[Mapping[str, Any]]) -> Block | None:
    rows = [[say(str(one.get("what") or "")), _saved(one), change(one.get("time_factor"))] for one in found]
    columns = [(_("Lever"), "text"), (_("Memory of a GPU"), "num"), (_("Time"), "num")]
    return tabled(table("levers", columns, rows, caption=_("What trades memory against time")))


def _service(reading: Reading, found: list[Mapping[str, Any]]) -> Block | None:
    levers = _of_the_first(reading)
    needed = {one["what"]: one["gpus"] for one in levers.get("then") or []}
    rows = []
    for one in found:
        gpus = needed.get(one.get("what"))
        names = ("first_token_factor", "each_token_factor", "throughput_factor")
        times = [change(one.get(name)) for name in names]
        rows.append([say(str(one.get("what") or "")), _saved(one), *times, q.number(gpus) if gpus else q.EMPTY])
    columns = [
        (_("Lever"), "text"),
        (_("Memory of a GPU"), "num"),
        (_("First word"), "num"),
        (_("Each further word"), "num"),
        (_("Tokens a second"), "num"),
        (_("GPUs for this load"), "num"),
    ]
    return tabled(table("levers-service", columns, rows, caption=_("What a smaller format changes, on the same GPUs")))


def _gpus(reading: Reading) -> str:
    levers = _of_the_first(reading)
    now = levers.get("gpus")
    if not now:
        return ""
    text = _("As it stands the load takes %(n)s of these GPUs.") % {"n": q.number(now)}
    return " ".join([text, *_short(levers.get("then") or [])])


def _of_the_first(reading: Reading) -> Mapping[str, Any]:
    """GPUs with each lever, which the engine looks for on the recommended machines alone."""
    levers: Mapping[str, Any] = reading.output.get("levers") or {}
    return levers if dig(reading.candidate, "rank") == 1 else {}


def _short(then: list[Mapping[str, Any]]) -> Iterator[str]:
    names = [say(str(one["what"])) for one in then if one["gpus"] is None]
    if names:
        said = {"names": ", ".join(names)}
        yield _("The limits are not kept on these machines with: %(names)s.") % said


def _saved(one: Mapping[str, Any]) -> str:
    return f"{q.MINUS}{q.gib(one.get('bytes'))}"


def change(factor: float | None) -> str:
    """Write a factor as the change that it is: +5 %, −26 %, 0 %."""
    if factor is None:
        return str(q.EMPTY)
    sign = "+" if factor > 1 + LEAST_CHANGE else ""
    return f"{sign}{q.percent(factor - 1)}"
