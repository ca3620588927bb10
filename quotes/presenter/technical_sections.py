"""Memory and time: what fills a GPU, how long the work takes, what moves both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from quotes.charts.memory import used
from quotes.presenter import comparisons, levers, links, more_gpus, one_card, pictures, plans
from quotes.presenter import memory as memory_words
from quotes.presenter import quantities as q
from quotes.presenter.blocks import Block, Section, picture, prose, section, tabled
from quotes.presenter.engine_words import say
from quotes.presenter.quantities import Quantity
from quotes.presenter.reading import Reading, band_of, dig
from quotes.presenter.tables import Cell, Row, row, table

PARTS = {
    "matmul": "Matrix products",
    "attention": "Attention",
    "pointwise": "Norms, activations, loss",
    "dequantisation": "Unpacking quantised weights",
    "launch": "Waiting for the host",
    "optimizer": "Optimizer step",
    "host": "Data and logging",
    "sharding": "Gathering sharded weights",
    "stragglers": "Stragglers",
    "gradients": "Gradient exchange",
    "tensor_parallel": "Tensor parallel exchange",
    "context_parallel": "Context parallel exchange",
    "expert_parallel": "Expert exchange",
    "pipeline_send": "Hand-over between stages",
    "pipeline_bubble": "Pipeline bubble",
    "activation_offload": "Activations to the host and back",
}
NEGLIGIBLE_SHARE = 0.0005


def memory_section(reading: Reading, *, with_picture: bool = False) -> Section:
    """Give section 4."""
    title = _("Memory")
    answer = reading.memory
    device = used(answer)
    if not device.get("expected"):
        return section("memory", "4", title, _("The calculation holds no memory figures."))
    said = {
        "expected": q.gib(device["expected"]),
        "capacity": q.gib(answer.get("capacity")),
        "band": q.band(q.gib(device["low"]), q.gib(device["high"])),
    }
    finding = _("A GPU is filled to %(expected)s of %(capacity)s; in nine cases of ten it is %(band)s.") % said
    drawn = pictures.memory_picture(answer, reading.gpu_name) if with_picture else None
    shown = picture("memory_paper", drawn, lead=_("What fills one GPU."), text=_("GiB")) if drawn else None
    blocks: list[Block | None] = [shown, tabled(_breakdown(answer)), prose(_counters(reading))]
    if text := whole(reading):
        blocks.append(prose(text))
    blocks += levers.blocks(reading)
    if text := one_card.finding(reading):
        blocks += [prose(text), *one_card.blocks(reading)]
    return section("memory", "4", title, finding, blocks)


def _breakdown(answer: Mapping[str, Any]) -> Any:
    columns = [(_("Part of one GPU's memory, at the peak"), "text"), (_("GiB"), "num"), ("%", "num")]
    rows: list[Row] = []
    for one in memory_words.rows(answer):
        rows.append(row(Cell(one.name, part=one.key), one.size.text, one.share.text))
    for name, label in (("allocated", _("Allocated by the framework")), ("reserved", _("Reserved by its allocator"))):
        found = answer.get(name) or {}
        if found.get("expected"):
            rows.append(row(label, q.gib(found["expected"], 2).text, _band_text(found), kind="sum"))
    rows += [
        row(label, q.gib(found["expected"], 2).text, _band_text(found), kind="grand")
        for label, found in memory_words.counters(answer)
    ]
    return table("memory", columns, rows)


def _band_text(found: Mapping[str, Any]) -> str:
    return q.band(Quantity(q.gib(found.get("low")).text), Quantity(q.gib(found.get("high")).text)).text


def _counters(reading: Reading) -> str:
    if not reading.is_training:
        return _("Weights stay as they are; the cache grows with requests in flight and their length.")
    return (
        _(
            "Backward pass and optimizer step are different moments: the larger one counts, not their sum. "
            "Behind the totals stands the 90%% band. Live tensors and the driver decide whether it fits: "
            "blocks that an allocator keeps can be given back."
        )
        % {}
    )


def whole(reading: Reading) -> str:
    """Say what a model takes before it is divided over GPUs, with the figure of the other habit beside it."""
    served = dig(reading.candidate, "whole") or {}
    if served:
        names = {"bf16": "BF16", "fp8": "FP8", "awq": _("4 bit")}
        sizes = ", ".join(f"{names[name]} {q.gib(size)}" for name, size in served["weights"].items() if name in names)
        said = {"weights": sizes, "cache": q.gib(served["cache_bytes"]), "users": q.number(served["users"]),
                "tokens": q.number(served["tokens_each"])}  # fmt: skip
        return (
            _(
                "Weights of the whole model: %(weights)s. The cache of %(users)s requests of %(tokens)s tokens takes "
                "%(cache)s beside them."
            )
            % said
        )
    step = next((one for one in reading.estimate.get("derivations") or [] if one.get("key") == "memory.whole"), None)
    if step is None:
        return ""
    text = _("Weights, gradients and states of the whole model take %(size)s before activations.")
    text %= {"size": q.gib(step["value"])}
    other = (step.get("inputs") or {}).get("with gradients kept in fp32")
    if other:
        text += " " + _("Frameworks that keep gradients in fp32 need %(size)s.") % {"size": q.gib(other[0])}
    return text


def time_section(reading: Reading) -> Section:
    """Give section 5."""
    if not reading.is_training:
        return _serving(reading)
    title = _("Time to result")
    found = band_of(reading.speed, "seconds_to_result")
    if not found:
        return section("time", "5", title, _("Without the volume of data no time can be given."))
    expected, low, high = found
    unit = q.fitting_unit(expected, reading.deadline_seconds or high)
    said = {
        "expected": q.duration(expected, unit),
        "band": q.band(q.duration(low, unit), q.duration(high, unit)),
        "gpus": reading.gpus,
    }
    finding = _("The work takes %(expected)s, in nine cases of ten %(band)s.") % said
    rows: list[list[Any]] = [*_speed_rows(reading), *_compute(reading)]
    columns = [(_("Figure"), "text"), (_("Expected"), "num"), (_("90% band"), "num")]
    made = table("speed", columns, rows)
    hint = _("Hardware is compared at equal result, not at the speed of one step.")
    return section(
        "time",
        "5",
        title,
        finding,
        [
            tabled(made),
            *comparisons.ready(reading),
            *_more(reading),
            _parts(reading),
            _plan(reading),
            *_links(reading),
            prose(hint),
        ],
    )


def _more(reading: Reading) -> list[Block]:
    text = more_gpus.finding(reading)
    wanted = reading.compares or (reading.is_whole and reading.is_training)
    return [prose(text), *more_gpus.blocks(reading)] if text and wanted else []


def _links(reading: Reading) -> list[Block]:
    text = links.finding(reading)
    return [prose(text), *links.blocks(reading)] if text else []


def _speed_rows(reading: Reading) -> Iterator[list[str]]:
    names = (
        ("seconds_to_result", _("Whole work"), "s"),
        ("step_seconds", _("One step"), "s"),
        ("tokens_per_second_per_gpu", _("Tokens a second, one GPU"), ""),
        ("mfu", _("Share of peak arithmetic used (MFU)"), "%"),
        ("ttft_ms", _("Time to the first word"), "ms"),
        ("tpot_ms", _("Time for each further word"), "ms"),
        ("output_tokens_per_second", _("Tokens a second, all users"), ""),
        ("requests_per_second", _("Requests a second"), ""),
        ("max_concurrency", _("Room for requests at the same time"), ""),
    )
    for name, label, unit in names:
        found = band_of(reading.speed, name)
        if found:
            expected, low, high = found
            yield [label, str(_speed(expected, unit)), str(q.band(_speed(low, unit), _speed(high, unit)))]


def _compute(reading: Reading) -> Iterator[list[Any]]:
    """Give the arithmetic of the whole work [FLOP]: what a token takes, times the tokens."""
    steps = reading.estimate.get("derivations") or []
    each = next((one.get("value") for one in steps if one.get("key") == "speed.flops_per_token"), None)
    tokens = reading.estimate.get("tokens") or reading.workload.get("tokens")
    if each and tokens:
        rate = _("%(each)s × %(tokens)s tokens") % {"each": q.figure(each, "FLOP/token"), "tokens": q.large(tokens)}
        yield [Cell(_("Arithmetic of the whole work"), sub=rate), str(q.figure(each * tokens, "FLOP")), ""]


def _speed(value: float, unit: str) -> Quantity:
    if unit == "%":
        return q.percent(value)
    if unit == "s":
        return q.duration(value)
    return q.figure(value, unit)


def _parts(reading: Reading) -> Block | None:
    parts = reading.speed.get("parts_seconds") or {}
    step = reading.speed.get("step_seconds")
    if not parts or not step:
        return None
    rows = [
        [say(PARTS.get(name, name.capitalize())), str(q.figure(seconds, "s")), str(q.percent(seconds / step))]
        for name, seconds in sorted(parts.items(), key=lambda one: -one[1])
        if seconds > NEGLIGIBLE_SHARE * step
    ]
    columns = [(_("What a step consists of"), "text"), (_("Time"), "num"), (_("Share"), "num")]
    return tabled(table("speed", columns, rows))


def _plan(reading: Reading) -> Block | None:
    parts = plans.parts(reading.estimate.get("plan") or {})
    return prose(_("How it runs: %(plan)s.") % {"plan": "; ".join(parts)}) if parts else None


def _serving(reading: Reading) -> Section:
    title = _("Speed of the service")
    rows = list(_speed_rows(reading))
    if not rows:
        return section("time", "5", title, _("The calculation holds no speed of the service."))
    room = reading.speed.get("max_concurrency")
    finding = _("Bands of a service are wide: measure with your own requests before you promise anything.")
    if room:
        finding = _("There is room for %(room)s requests at the same time.") % {"room": q.number(room)} + " " + finding
    columns = [(_("Figure"), "text"), (_("Expected"), "num"), (_("90% band"), "num")]
    plan = [_plan(reading), *_links(reading)]
    blocks = [tabled(table("speed", columns, rows)), *comparisons.ready(reading), *_more(reading), *plan]
    return section("time", "5", title, finding, blocks)
