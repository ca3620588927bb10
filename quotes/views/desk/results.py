"""What a candidate achieves, as the desk shows it: the time of a training, or the speed of a service."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from quotes.presenter import quantities as q
from quotes.presenter.quantities import Quantity
from quotes.presenter.reading import band_of


@dataclass(frozen=True, slots=True)
class Result:
    """One figure of a result with its 90 % band, e.g. to the first word 0.48 s, 0.18–1.5 s."""

    label: str
    value: Quantity
    band: Quantity | None = None


def results_of(candidate: Mapping[str, Any] | None) -> list[Result]:
    """Give the figures of a candidate's result; none where the engine gave none."""
    estimate = (candidate or {}).get("estimate") or {}
    return list(_results(estimate.get("speed") or {}))


def _results(speed: Mapping[str, Any]) -> Iterator[Result]:
    whole = band_of(speed, "seconds_to_result")
    if whole:
        expected, low, high = whole
        unit = q.duration_unit(high)
        band = q.band(q.duration(low, unit), q.duration(high, unit))
        yield Result(_("To the result"), q.duration(expected), band)
        return
    names = (
        ("ttft_ms", _("To the first word"), "ms"),
        ("output_tokens_per_second", _("Answers, all users"), "tokens/s"),
    )
    for name, label, unit in names:
        found = band_of(speed, name)
        if found:
            expected, low, high = (float(f"{one:.3g}") for one in found)
            yield Result(label, q.figure(expected, unit), q.band(q.figure(low, unit), q.figure(high, unit)))
    users = speed.get("max_concurrency")
    if isinstance(users, int | float):
        yield Result(_("Room for users at the same time"), Quantity(q.number(users)))
