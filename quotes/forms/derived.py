"""What was read from the customer's own words at a rate of ours: the word, the figure and the rate, each apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from quotes.forms.route import DOCUMENTS, SERVICE
from quotes.forms.serving import concurrent_answers
from quotes.forms.words_to_numbers import Tokens, tokens


@dataclass(frozen=True, slots=True)
class Derived:
    """A figure of the engine's question that nobody stated, e.g. 17 requests at the same time from 200 people.

    Parameters
    ----------
    key : str
        Path of the engine's field, e.g. ``workload.concurrency``.
    said : str
        The form's field the customer answered, e.g. ``users``.
    label : str
        Name of the figure.
    value : float
        The figure [`unit`].
    unit : str
        Its unit.
    sentence : str
        How it follows from what was said, with the rate.
    """

    key: str
    said: str
    label: str
    value: float
    unit: str
    sentence: str


def dataset(answers: Mapping[str, Any]) -> Tokens | None:
    """Convert the amount of data to tokens with the sentence that says how; None where none was given."""
    if not answers.get("dataset_amount"):
        return None
    return tokens(
        float(answers["dataset_amount"]),
        str(answers.get("dataset_unit") or "million_tokens"),
        language=str(answers.get("dataset_language") or ""),
        pages_per_document=answers.get("pages_per_document"),
    )


def derived(answers: Mapping[str, Any], *, way: str) -> list[Derived]:
    """Give the figures that were derived at a rate of ours; none where the customer stated them."""
    if way in (SERVICE, DOCUMENTS):
        count, sentence = concurrent_answers(dict(answers))
        if count is None or not sentence:
            return []
        return [
            Derived("workload.concurrency", "users", _("Requests at the same time"), count, _("requests"), sentence)
        ]
    data = dataset(answers)
    if data is None or not data.assumed or answers.get("steps"):
        return []
    return [
        Derived(
            "workload.dataset_tokens", "dataset_amount", _("Tokens of the data"), data.value, _("tokens"), data.sentence
        )
    ]
