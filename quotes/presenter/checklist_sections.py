"""The pre-purchase checklist, chosen by the size of the recommendation and the kind of project, and the pilot run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from quotes.pilot.steps import steps_of
from quotes.presenter import memory as memory_words
from quotes.presenter import quantities as q
from quotes.presenter import words
from quotes.presenter.blocks import Block, Section, note, prose, section, tabled
from quotes.presenter.quantities import Quantity
from quotes.presenter.reading import Reading, band_of, dig
from quotes.presenter.tables import Cell, Row, group, row, table

ADAPTERS = ("lora", "qlora")
BOX = Cell(is_box=True)
BLANK = Cell(is_blank=True)


def checklist_section(reading: Reading) -> Section:
    """Give section 13."""
    parts = list(_parts(reading))
    rows: list[Row] = []
    for title, points in parts:
        rows.append(group(title, 3))
        rows += [row(BOX, point, known) for point, known in points]
    columns = [("", "id"), (_("Point"), "text"), (_("In this document"), "text")]
    finding = _("Settle these before you order; the list follows the size and the kind of your project.")
    made = table("checklist", columns, rows, css="long", header=1)
    return section("checklist", "13", _("Before you buy"), finding, [tabled(made)])


def _parts(reading: Reading) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    if reading.is_training:
        yield _("One model"), list(_one_model(reading))
    else:
        yield _("One service"), list(_one_service(reading))
    if reading.gpus > 1:
        yield _("One node with several GPUs"), list(_one_node(reading))
    if reading.nodes > 1:
        yield _("Several nodes"), list(_several_nodes(reading))
    yield _kind(reading)
    yield _("Siting"), list(_siting(reading))


def _one_model(reading: Reading) -> Iterator[tuple[str, str]]:
    work, plan = reading.workload, reading.estimate.get("plan") or {}
    yield _("Method"), words.of(words.SHORT_METHODS, reading.method)
    yield _("Framework and its version"), words.word(plan.get("framework") or "") or _("to be stated")
    yield _("Precision"), words.word(work.get("weights") or plan.get("weights") or "") or _("to be stated")
    tokens = reading.estimate.get("tokens") or work.get("dataset_tokens")
    yield _("Dataset and its count of tokens"), q.large(tokens) if tokens else _("to be counted")
    length = work.get("sequence_length")
    yield _("Sequence length"), str(q.figure(length, "tokens")) if length else _("section 11")
    yield _("Target batch"), _batch(plan)


def _batch(plan: Any) -> str:
    micro, steps, copies = plan.get("micro_batch"), plan.get("gradient_accumulation") or 1, plan.get("data") or 1
    if not micro:
        return _("to be stated")
    return str(q.figure(micro * steps * copies, "sequences"))


def _one_service(reading: Reading) -> Iterator[tuple[str, str]]:
    work, plan = reading.workload, reading.estimate.get("plan") or {}
    yield _("Serving engine and its version"), words.word(plan.get("engine") or "") or _("to be stated")
    yield (
        _("Format of weights and cache"),
        words.word(plan.get("weights") or work.get("weights") or "") or _("to be stated"),
    )
    yield _("Lengths of requests and answers, measured"), _("section 11")
    yield (
        _("Requests at the same time, at the peak hour"),
        q.number(work.get("concurrency")) if work.get("concurrency") else _("to be stated"),
    )
    yield _("What “in time” means: first word or whole answer"), _("section 11")


def _one_node(reading: Reading) -> Iterator[tuple[str, str]]:
    yield _("These GPUs are on the maker’s list for this server"), reading.platform
    yield _("Form factor: a PCIe card does not replace an SXM module"), reading.gpu_name
    yield _("Exchange topology between the GPUs"), words.word(dig(reading.candidate, "interconnect") or "")
    if reading.is_training:
        yield _("Memory for weights, gradients, optimizer"), _("section 4")
    else:
        yield _("Memory for weights and cache"), _("section 4")


def _several_nodes(reading: Reading) -> Iterator[tuple[str, str]]:
    gbit = dig(reading.candidate, "network", "gbit_per_gpu")
    yield (
        _("Network between the nodes, measured with collectives"),
        str(q.figure(gbit, "Gbit/s")) if gbit else _("to be stated"),
    )
    yield _("Storage scheme that all nodes read"), _("section 8")
    yield _("Bandwidth of data loading on every node"), _("section 8")
    yield _("Recovery after the failure of a node"), _("section 8")


def _kind(reading: Reading) -> tuple[str, list[tuple[str, str]]]:
    if not reading.is_training:
        return _("A service"), [
            (_("Own requests replayed against one GPU: first word, pace, memory"), _("section 14")),
            (_("Room to grow: users of next year"), _("section 5")),
        ]
    if reading.method in ADAPTERS and reading.nodes == 1:
        return _("Adapter tuning"), [
            (_("Memory measured on the target model, at the longest examples"), _("section 14")),
            (_("Step time measured on the target model"), _("section 14")),
        ]
    return _("Distributed training"), [
        (_("Exchange between GPUs measured on this topology"), _("section 14")),
        (_("Sharding of states: which scheme, and what it exchanges"), _("section 5")),
        (_("Data loading keeps up with the GPUs"), _("section 8")),
        (_("Time of a checkpoint, and of a restart from it"), _("section 8")),
    ]


def _siting(reading: Reading) -> Iterator[tuple[str, str]]:
    watts = dig(reading.candidate, "facility", "node_power_watts", "high")
    yield _("Rack power, on separate feeds"), str(q.power(watts)) if watts else _("section 9")
    yield _("Cooling"), words.word(dig(reading.candidate, "facility", "cooling") or []) or _("section 9")
    yield _("Network to the rack"), _("section 7")
    yield _("Service access: who may reach the rack, how fast"), _("to be agreed")
    yield _("Condition, warranty, network, drives and placement compared with other offers"), _("section 2")


def pilot_section(reading: Reading) -> Section:
    """Give section 14."""
    title = _("Pilot run")
    if not reading.candidate:
        return section("pilot", "14", title, _("Without a candidate there is nothing to try."))
    finding = _("A short run on one of these GPUs replaces the widest assumptions by measurements.")
    fixed = table("pilot-fixed", [_("Fixed beforehand"), _("Value")], list(_fixed(reading)))
    columns = [
        (_("Measure"), "text"),
        (_("Expected"), "num"),
        (_("90% band"), "num"),
        (_("Reject if"), "text"),
        (_("Measured"), "text"),
    ]
    measured = table("pilot", columns, list(_measures(reading)))
    blocks: list[Block | None] = [
        tabled(fixed),
        note(_("The result holds for this load only. Another model, length or batch needs its own run.")),
        tabled(measured),
        prose(_("Hardware is compared at equal result, not at the speed of one step.")),
        *_results(reading),
        Block("signatures"),
    ]
    return section("pilot", "14", title, finding, blocks)


def _fixed(reading: Reading) -> Iterator[list[str]]:
    plan, work = reading.estimate.get("plan") or {}, reading.workload
    yield [_("Model and dataset"), _("%(model)s; a fixed sample of your own data") % {"model": reading.model_title}]
    if reading.is_training:
        said = {
            "micro": plan.get("micro_batch") or q.NOTHING,
            "steps": plan.get("gradient_accumulation") or q.NOTHING,
            "value": words.word(plan.get("activation_checkpointing") or "none"),
        }
        parts = [
            words.of(words.SHORT_METHODS, reading.method),
            words.word(plan.get("weights") or ""),
            words.word(plan.get("optimizer") or ""),
            str(q.figure(work.get("sequence_length"), "tokens")),
            _("micro-batch %(micro)s, accumulation %(steps)s") % said,
            _("recomputation: %(value)s") % said,
        ]
        yield [_("Parameters"), "; ".join(one for one in parts if one and one != q.NOTHING)]
        warmup, counted = steps_of(dig(reading.estimate, "speed", "step_seconds"))
        said = {"all": q.number(warmup + counted), "warmup": q.number(warmup)}
        yield [_("Steps"), _("%(all)s; the first %(warmup)s are not counted") % said]
        yield [_("Quality criterion"), _("loss on a held-out sample no worse than the value you agree on")]
    else:
        yield [
            _("Parameters"),
            "; ".join(f"{label}: {words.word(plan[name])}" for name, label in words.FIXED.items() if plan.get(name)),
        ]
        yield [_("Load"), _("your own requests, replayed at the rate of the peak hour for half an hour")]
        yield [_("Quality criterion"), _("answers to an agreed set of questions no worse than before")]
    yield [_("Software"), _("driver, CUDA, framework and library versions, written down with the result")]
    yield [_("Run time"), _("by the clock, with the start-up apart")]
    if reading.is_training:
        yield [_("Script"), _script(reading)]


def _script(reading: Reading) -> str:
    if reading.gpus > 1:
        return _(
            "The private page and your engineer have one that runs this load on one of the GPUs and writes a profile; "
            "the plan for several is measured by your own software"
        )
    return _(
        "The private page and your engineer have one that runs this load and writes a profile; where it cannot, "
        "the page says why"
    )


def _measures(reading: Reading) -> Iterator[list[Any]]:
    capacity = reading.memory.get("capacity")
    for label, found_bytes in memory_words.counters(reading.memory):
        band = q.band(q.gib(found_bytes["low"]), q.gib(found_bytes["high"]))
        reject = _("above %(limit)s or out of memory") % {"limit": q.gib(capacity)} if capacity else ""
        yield [label, str(q.gib(found_bytes["expected"])), str(band), reject, BLANK]
    step = band_of(reading.speed, "step_seconds")
    found, deadline = band_of(reading.speed, "seconds_to_result"), reading.deadline_seconds
    if step:
        reject = ""
        if found and deadline:
            said = {"limit": q.figure(step[0] * deadline / found[0], "s")}
            reject = _("above %(limit)s: the deadline is missed") % said
            if not reading.has_own_deadline:
                reject = _("above %(limit)s: longer than the limit we assumed") % said
        yield [
            _("One step"),
            str(q.figure(step[0], "s")),
            str(q.band(q.figure(step[1], "s"), q.figure(step[2], "s"))),
            reject,
            BLANK,
        ]
    for name, label, unit in (
        ("tokens_per_second_per_gpu", _("Tokens a second, one GPU"), ""),
        ("ttft_ms", _("Time to the first word"), "ms"),
        ("tpot_ms", _("Time for each further word"), "ms"),
    ):
        value = band_of(reading.speed, name)
        if value:
            ends = q.band(_rounded(value[1], unit), _rounded(value[2], unit))
            yield [
                label,
                str(_rounded(value[0], unit)),
                str(ends),
                _("outside the band: the calculation is repeated"),
                BLANK,
            ]
    watts = dig(reading.candidate, "facility", "node_power_watts") or {}
    if watts:
        band = q.power_band(watts["low"], watts["high"])
        yield [
            _("Power of one server"),
            str(q.power(watts["expected"])),
            str(band),
            _("above the feed of the rack"),
            BLANK,
        ]
    yield [_("Quality criterion met"), _("yes"), q.NOTHING, _("no"), BLANK]


def _rounded(value: float, unit: str) -> Quantity:
    return Quantity(q.significant(value), q.figure(1, unit).unit if unit else "")


def _results(reading: Reading) -> Iterator[Block]:
    for one in reading.dig("pilots") or []:
        if one.get("load_matches"):
            yield prose(_("A pilot run on this load was recorded; what it measured is marked in the assumptions."))
        else:
            yield prose(_("A pilot run was recorded on another load: it changes nothing here."))
