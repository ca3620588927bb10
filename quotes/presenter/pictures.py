"""What a picture says besides its geometry: titles, labels of limits and bands, places of words on paper."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from quotes.charts import amount, curves, labels, memory
from quotes.charts.scale import at
from quotes.presenter import memory as memory_words
from quotes.presenter import own_or_rent
from quotes.presenter import quantities as q

RISE = 15.0
BAR = 44.0
DANGER, INK = "#a62b0c", "#16202b"


def hatch_name(drawn: object) -> str:
    """Give a picture's hatching a name of its own, the same for the same picture."""
    return f"hatch-{zlib.crc32(repr(drawn).encode()):08x}"


def time(
    speed: Mapping[str, Any] | None, deadline_seconds: float | None, deadline_word: str = ""
) -> tuple[amount.Amount, str, str, str] | None:
    """Give gauge, title, limit text and unit of the time to the result [s]; None where the answer has no time.

    `deadline_word` names the limit as whose it is; without it the limit is the customer's deadline.
    """
    expected = (speed or {}).get("seconds_to_result")
    if speed is None or not expected:
        return None
    low = (speed.get("low") or {}).get("seconds_to_result") or expected
    high = (speed.get("high") or {}).get("seconds_to_result") or expected
    unit = q.duration_unit(deadline_seconds or high)
    step = q.SECONDS_OF[unit]
    drawn = amount.amount(
        expected / step,
        low=low / step,
        high=high / step,
        limit=deadline_seconds / step if deadline_seconds else None,
    )
    limit_text = deadline_word or _("deadline %(limit)s") % {"limit": q.duration(deadline_seconds, unit)}
    said = {
        "expected": q.duration(expected, unit),
        "band": q.band(q.duration(low, unit), q.duration(high, unit)),
        "limit": limit_text,
    }
    if deadline_seconds is None:
        return (
            drawn,
            _("Time to the result: %(expected)s expected, 90%% band %(band)s") % said,
            "",
            q.duration_word(unit),
        )
    title = _("Time to the result: %(expected)s expected, 90%% band %(band)s, %(limit)s") % said
    return drawn, title, limit_text, q.duration_word(unit)


def memory_on_paper(drawn: memory.Gauge, gpu: str = "", *, width: float = memory_words.PAPER_WIDTH) -> dict[str, Any]:
    """Give all that the memory picture of a document needs [CSS px]."""
    placed = memory_words.paper_labels(drawn, width=width)
    levels = 1 + max((one.level for one in placed), default=0)
    bar_y = 22 + RISE * levels
    band = memory_words.band_text(drawn)
    spare = memory_words.spare_text(drawn)
    return {
        "gauge": drawn,
        "title": memory_words.title(drawn),
        "labels": [_label(one, bar_y) for one in placed],
        "limit_text": memory_words.limit_text(drawn, gpu),
        "limit_ink": DANGER if drawn.fits is False else INK,
        "band_text": band,
        **beside(
            band, low_at=drawn.low_at, high_at=drawn.high_at, limit_at=drawn.limit_at, width=width, y=bar_y + BAR + 15
        ),
        "spare_text": spare,
        "spare_at": _spare_at(drawn, spare, width),
        "unit": _("GiB"),
        "hatch": hatch_name(drawn),
        **{name: f"{value:.1f}" for name, value in _rows(bar_y).items()},
    }


def beside(words: str, *, low_at: str, high_at: str, limit_at: str, width: float, y: float) -> dict[str, str]:
    """Place the words of a band left of its whisker, else right of it and clear of the limit, else above the bar."""
    low, high, limit = (float(one.removesuffix("%")) / 100 * width for one in (low_at, high_at, limit_at))
    long = labels.breadth(words, memory_words.PAPER_TEXT) + 10
    if low > long:
        return {"band_at": low_at, "band_dx": "-8", "band_anchor": "end", "band_y": f"{y:.1f}"}
    if high + long < width and not high < limit < high + long:
        return {"band_at": high_at, "band_dx": "8", "band_anchor": "start", "band_y": f"{y:.1f}"}
    return {"band_at": "0%", "band_dx": "0", "band_anchor": "start", "band_y": "12"}


def _rows(bar_y: float) -> dict[str, float]:
    bar_end = bar_y + BAR
    return {
        "height": bar_end + 52,
        "bar_y": bar_y,
        "bar_end": bar_end,
        "value_y": bar_y + BAR / 2 + 5,
        "rail_y": bar_y - 5,
        "whisker_y": bar_end + 11,
        "whisker_top": bar_end + 7,
        "whisker_end": bar_end + 15,
        "axis_y": bar_end + 26,
        "axis_mark": bar_end + 30,
        "axis_text": bar_end + 41,
    }


def _label(one: labels.Label, bar_y: float) -> dict[str, Any]:
    y = bar_y - 10 - RISE * one.level
    return {
        "text": one.text,
        "start": one.start,
        "stop": one.stop,
        "y": f"{y:.1f}",
        "anchor": one.anchor,
        "at": one.at,
        "dx": "0" if not one.level else "-4" if one.anchor == "end" else "4",
        "lead": f"{y - 8:.1f}" if one.level else "",
    }


def _spare_at(drawn: memory.Gauge, words: str, width: float) -> str:
    if drawn.capacity_bytes is None or drawn.short_bytes:
        return ""
    room = (drawn.capacity_bytes - drawn.high_bytes) / drawn.end_bytes * width
    if room < labels.breadth(words, memory_words.PAPER_TEXT) + 12:
        return ""
    return at((drawn.high_bytes + drawn.capacity_bytes) / 2, drawn.end_bytes)


def memory_picture(answer: Mapping[str, Any], gpu: str = "") -> dict[str, Any] | None:
    """Give the memory picture of a document; None where the answer holds no memory."""
    drawn = memory.gauge(answer)
    return None if drawn is None else memory_on_paper(drawn, gpu)


def time_picture(
    speed: Mapping[str, Any], deadline_seconds: float | None, deadline_word: str = ""
) -> dict[str, Any] | None:
    """Give the time picture of a document [s]; None where the answer holds no time."""
    found = time(speed, deadline_seconds, deadline_word)
    if found is None:
        return None
    drawn, title, limit_text, unit = found
    own = q.duration_unit(speed["seconds_to_result"])
    low, high = ((speed.get(side) or {}).get("seconds_to_result") for side in ("low", "high"))
    band = q.band(q.duration(low, own), q.duration(high, own)) if drawn.expected < 1 else None
    expected = q.duration(speed["seconds_to_result"], own) if drawn.expected < 1 else None
    return amount_on_paper(drawn, title=title, limit_text=limit_text, unit=unit, expected=expected, ends=band)


def load_picture(speed: Mapping[str, Any], workload: Mapping[str, Any]) -> dict[str, Any] | None:
    """Give the picture of a service: the first word [ms] against its limit, else the room for requests."""
    first, limit = speed.get("ttft_ms"), workload.get("ttft_ms")
    if not first:
        return None
    ends = [(speed.get(side) or {}).get("ttft_ms") or first for side in ("low", "high")]
    bound = limit if isinstance(limit, int | float) else None
    drawn = amount.amount(first, low=min(ends), high=max(ends), limit=bound)
    unit = q.figure(1, "ms").unit
    said = {"expected": q.figure(first, "ms"), "limit": q.figure(bound, "ms")}
    title = _("First word after %(expected)s") % said
    limit_text = _("limit %(limit)s") % said if bound else ""
    lead = _("The first word comes in time, the band included.") if drawn.fits else _("The first word may come late.")
    return amount_on_paper(drawn, title=title, limit_text=limit_text, unit=unit) | {
        "lead": lead if bound else _("How soon the first word comes."),
        "axis": _("Time to the first word"),
    }


def amount_on_paper(
    drawn: amount.Amount,
    *,
    title: str,
    limit_text: str,
    unit: str,
    expected: q.Quantity | None = None,
    ends: q.Quantity | None = None,
) -> dict[str, Any]:
    """Give all that the picture of a plain amount in a document needs; small figures come in a unit of their own."""
    expected = expected or q.Quantity(q.significant(drawn.expected), unit)
    low, high = (q.Quantity(_edge(value), unit) for value in (drawn.low, drawn.high))
    band = _("90%% band %(band)s") % {"band": ends or q.band(low, high)}
    width = memory_words.PAPER_WIDTH
    return {
        "gauge": drawn,
        "title": title,
        "limit_text": limit_text,
        "unit": unit,
        "hatch": hatch_name(drawn),
        "expected_text": _("expected %(amount)s") % {"amount": expected},
        "band_text": band if drawn.high > drawn.low else "",
        **beside(band, low_at=drawn.low_at, high_at=drawn.high_at, limit_at=drawn.limit_at, width=width, y=60),
        "limit_ink": INK if drawn.fits else DANGER,
    }


def _edge(value: float) -> str:
    return q.number(value) if value >= 10 else q.significant(value, 2)


def power_picture(watts: Mapping[str, Any], feed: float) -> dict[str, Any]:
    """Give the picture of one server's power [W] against the feed of a rack."""
    step = 1000 if feed >= 1000 else 1
    unit = q.power(feed).unit
    drawn = amount.amount(
        watts["expected"] / step, low=watts["low"] / step, high=watts["high"] / step, limit=feed / step
    )
    said = {"expected": q.power(watts["expected"]), "limit": q.power(feed)}
    title = _("Power of one server: %(expected)s expected, the rack gives %(limit)s") % said
    return amount_on_paper(drawn, title=title, limit_text=_("your rack: %(limit)s") % said, unit=unit)


STROKES = {
    "own": ("c-s1", "c-f1", "#0b4f6c", "2.6", ""),
    "rent": ("c-s2", "c-f2", "#b3540a", "2", "7 4"),
    "expected": ("c-s1", "c-f1", "#0b4f6c", "2.6", ""),
    "ideal": ("c-ideal", "", "#56626f", "1.2", "3 3"),
}


def break_even(drawn: curves.Chart, currency: str) -> dict[str, Any]:
    """Give the picture of own against rented, with the month from which owning is cheaper."""
    names = {"own": _("own server"), "rent": _("rented")}
    lines = [_line(one, names) for one in drawn.lines]
    title = _("Money spent over time, own server against rented GPUs, thousand %(currency)s") % {"currency": currency}
    mark = "" if drawn.mark_value is None else str(q.figure(round(drawn.mark_value), "months"))
    return {"chart": drawn, "lines": lines, "title": title, "x_label": _("months"), "mark_text": mark}


def _line(one: curves.Line, names: Mapping[str, str]) -> dict[str, Any]:
    css, text_css, ink, width, dash = STROKES.get(one.key, STROKES["own"])
    return {
        "segments": one.segments,
        "legend_y": one.legend_y,
        "legend_text_y": one.legend_text_y,
        "label": names.get(one.key, one.key),
        "css": css,
        "text_css": text_css,
        "ink": ink,
        "width": width,
        "dash": dash,
    }


def scaling_curve(found: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Give the speed against one GPU by number of GPUs; None where fewer than two points are known."""
    points = [(one["gpus"], one["seconds"]["expected"]) for one in (found or {}).get("points") or [] if one["seconds"]]
    if len(points) < 2 or not all(seconds for _gpus, seconds in points):
        return None
    first_gpus, first = points[0]
    speedups = [(float(gpus), first_gpus * first / seconds) for gpus, seconds in points]
    drawn = curves.chart({"ideal": [(gpus, gpus) for gpus, _factor in speedups], "expected": speedups})
    names = {"expected": _("expected"), "ideal": _("ideal")}
    title = _("Speed against one GPU, by number of GPUs: expected and ideal")
    lines = [_line(one, names) for one in drawn.lines]
    return {"chart": drawn, "lines": lines, "title": title, "x_label": "GPU", "mark_text": ""}


def break_even_curve(found: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Give own against rented over months, the resale value taken off; None where not compared."""
    points = (found or {}).get("curve") or []
    if found is None or len(points) < 2:
        return None
    month = (found.get("months_to_pay") or {}).get("expected")
    returned = own_or_rent.resale(found)
    net = [{**one, "own": float(one["own"]) - returned} for one in points]
    return break_even(curves.break_even(net, month=month), str(found.get("currency") or ""))
