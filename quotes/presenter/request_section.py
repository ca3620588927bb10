"""What the customer asked for, as it was understood: each row with who said it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from quotes.forms.derived import derived
from quotes.forms.route import ADAPTERS
from quotes.presenter import dates, told, words
from quotes.presenter import quantities as q
from quotes.presenter.assumptions import label as assumption_label
from quotes.presenter.assumptions import value as assumption_value
from quotes.presenter.blocks import Block, Section, note, section, tabled
from quotes.presenter.by_date import by_date, counted_back
from quotes.presenter.reading import Reading, dig, limit, must
from quotes.presenter.tables import Cell, Table, status, table
from sizing.economics import BY_NAME, CURRENCY

LEFT_OUT = ("task", "method", "model", "profile", "article")
MOST_MESSAGE = 600
UNITS = {
    "sequence_length": "tokens",
    "dataset_tokens": "tokens",
    "tokens": "tokens",
    "input_tokens": "tokens",
    "output_tokens": "tokens",
    "micro_batch": "sequences",
    "global_batch": "sequences",
    "steps": "steps",
    "checkpoint_every_minutes": "min",
    "ttft_ms": "ms",
    "tpot_ms": "ms",
    "utilisation_hours_per_day": "h/day",
}


def request_section(reading: Reading) -> Section:
    """Give section 1."""
    finding = _("This is our reading of your request. If a row is wrong, the answer may be wrong too: tell us.")
    blocks: list[Block | None] = [_message(reading), tabled(_table(reading)), _kind_of_sizing(reading)]
    return section("requirement", "1", _("What you asked for"), finding, blocks, starts_page=True)


def _message(reading: Reading) -> Block | None:
    text = str(reading.dig("message") or "").strip()
    if not text:
        return None
    return Block("quote", text=text if len(text) <= MOST_MESSAGE else text[:MOST_MESSAGE].rsplit(" ", 1)[0] + " …")


def _kind_of_sizing(reading: Reading) -> Block:
    if reading.is_training:
        return note(
            _(
                "This is a sizing for training. Its memory table must not be used to size a service that answers "
                "users: serving needs a different calculation."
            )
        )
    return note(
        _(
            "This is a sizing for a service: weights do not change. Its memory table must not be used as a "
            "specification for training, which needs more memory and a different calculation."
        )
    )


def _table(reading: Reading) -> Table:
    columns = [_("Requirement"), _("Value used"), _("Said by")]
    return table("requirement", columns, list(_rows(reading)), css="long")


def _rows(reading: Reading) -> Iterator[list[Any]]:
    said = status("customer")
    changes = words.of(words.CHANGES, reading.method if reading.is_training else reading.task)
    yield [_("What changes"), changes, said]
    if reading.is_training and reading.method:
        yield [_("Method"), words.of(words.METHODS, reading.method), _who_chose_the_method(reading)]
    yield [_("Model"), _model(reading), said]
    for name, value in flat(reading.workload):
        unit = UNITS.get(name.rsplit(".", 1)[-1], "")
        key = f"workload.{name}"
        yield [_name(key, name), assumption_value({"value": value, "unit": unit}), who_said(reading, key, value)]
    by = by_date(reading)
    if by is not None:
        yield [_("Wanted by"), by.shown, said]
    for name, value in (reading.dig("input", "limits") or {}).items():
        if name == "deadline_hours" and by is not None:
            left = _limit_value(name, limit(reading.dig("input", "limits"), name), value)
            yield [_("Left for the work"), left, status("assumed", sub=counted_back())]
            continue
        yield [_limit_name(name), _limit(name, value, reading), said]
    for name, value in (reading.dig("input", "economics") or {}).items():
        key = f"economics.{name}"
        yield [assumption_label({"key": key}), _own_figure(reading, name, value), who_said(reading, key, value)]
    if reading.dig("input", "article"):
        yield [_("Article you named"), str(reading.dig("input", "article")), said]
    if named := reading.output.get("in_mind"):
        yield [_("What you had in mind"), f"{named['gpus']}{q.NO_BREAK}× {named['gpu_name']}", said]
    yield from told.rows(reading)
    for one in reading.assumptions:
        if one.get("key") == "limits.deadline_hours" and not reading.has_own_deadline:
            yield [_("Assumed limit on the time"), assumption_value(one), status("assumed")]


def _who_chose_the_method(reading: Reading) -> Cell:
    """Say whose choice between LoRA and QLoRA it is; every other way names its method itself."""
    answers = reading.dig("answers") or {}
    if answers.get("method") == "auto":
        return status("assumed", sub=_("you left the choice to us"))
    return status("customer")


def who_said(reading: Reading, key: str, value: Any) -> Cell:
    """Say where a value of the engine's question comes from.

    The customer's word, a figure that we read from the customer's words at a rate of ours, or a value put in later.
    """
    kept = next((one for one in reading.assumptions if one.get("key") == key), None)
    if kept is not None:
        return status(str(kept.get("origin") or "assumed"))
    way = str(reading.dig("route") or "")
    for one in derived(reading.dig("answers") or {}, way=ADAPTERS if way in ("lora", "qlora") else way):
        if one.key == key and one.value == value:
            return status("assumed", sub=one.sentence)
    return status("customer")


def _own_figure(reading: Reading, name: str, value: Any) -> str:
    if name.endswith("_as_of"):
        return dates.day(str(value))
    stated, used = reading.dig("input", "economics", "currency"), dig(reading.candidate, "economics", "currency")
    currency = str(stated or used or CURRENCY)
    known = BY_NAME.get(name)
    others = {"rent_per_gpu_hour": "USD/GPU-h", "price": "USD", "cloud_storage_gb": "GB"}
    unit = known.unit if known else others.get(name, "")
    unit = f"{currency}/{CURRENCY}" if name == "exchange_rate" else unit.replace(CURRENCY, currency)
    return assumption_value({"value": value, "unit": unit})


def _model(reading: Reading) -> str:
    parameters = dig(reading.output, "model", "parameters")
    if not parameters:
        return reading.model_title
    said = {"model": reading.model_title, "count": q.large(parameters)}
    return _("%(model)s, %(count)s parameters") % said


def flat(workload: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Give the stated fields of a workload with dotted names."""
    for name, value in workload.items():
        if value is None or (not prefix and name in LEFT_OUT):
            continue
        if isinstance(value, Mapping):
            yield from flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _name(key: str, name: str) -> str:
    names = {
        "parallel_experiments": _("Experiments at the same time"),
        "documents": _("Documents"),
        "users": _("Users"),
        "tokens": _("Tokens in all"),
        "steps": _("Steps"),
        "checkpoint_every_steps": _("Steps between checkpoints"),
        "utilisation_hours_per_day": _("Use of the server a day"),
        "requests_per_second": _("Requests a second"),
        "framework_version": _("Version of the framework"),
        "gradient_checkpointing": _("Recomputation of activations"),
        "scenario": _("Kind of load"),
    }
    return names.get(name) or assumption_label({"key": key, "label": name.rsplit(".", 1)[-1]})


def _limit_name(name: str) -> str:
    names = {
        "deadline_hours": _("Deadline"),
        "budget": _("Budget"),
        "rack_power_watts": _("Power of a rack"),
        "racks": _("Racks"),
        "rack_units": _("Free height"),
        "cooling": _("Cooling"),
        "form_factor": _("Form factor"),
        "region": _("Place of the data"),
        "platform": _("Server asked for"),
        "gpu": _("GPU asked for"),
        "network_gbit_per_gpu": _("Network between servers, for each accelerator"),
        "vendor": _("Maker asked for"),
        "max_nodes": _("Servers at most"),
        "max_gpus": _("GPUs at most"),
        "host_memory_gb": _("Host memory"),
        "storage": _("Storage"),
        "access": _("Service access"),
    }
    return names.get(name, name.replace("_", " "))


def _limit(name: str, given: Any, reading: Reading) -> str:
    found = given.get("must", given.get("prefer")) if isinstance(given, Mapping) else given
    text = _limit_value(name, found, given)
    strength = _("must be kept") if must(reading.dig("input", "limits"), name) else _("preferred")
    return f"{text} ({strength})"


def _limit_value(name: str, value: Any, given: Any) -> str:
    if name == "deadline_hours" and isinstance(value, int | float):
        return str(q.duration(value * 3600))
    if name == "rack_power_watts" and isinstance(value, int | float):
        return str(q.power(value))
    if name == "rack_units" and isinstance(value, int | float):
        return f"{q.number(value)}U"
    if name == "budget" and isinstance(value, int | float):
        currency = str(given.get("currency") or "") if isinstance(given, Mapping) else ""
        is_gross = isinstance(given, Mapping) and given.get("net") is False
        return f"{q.money(value, currency, digits=0)}, {_('with tax') if is_gross else _('without tax')}"
    if name == "host_memory_gb":
        return str(q.figure(value, "GB"))
    return words.word(value) if isinstance(value, str) else str(q.figure(value))
