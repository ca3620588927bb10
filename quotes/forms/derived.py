"""What was read from the customer's own words at a rate of ours: the word, the figure and the rate, each apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from quotes.forms import numbers
from quotes.forms.route import DOCUMENTS, SERVICE
from quotes.forms.serving import concurrent_answers
from quotes.forms.words_to_numbers import Tokens, tokens

MS_PER_SECOND = 1000


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
        return [one for one in (_concurrency(answers), _pace(answers)) if one is not None]
    data = dataset(answers)
    if data is None or not data.assumed or answers.get("steps"):
        return []
    return [
        Derived(
            "workload.dataset_tokens", "dataset_amount", _("Tokens of the data"), data.value, _("tokens"), data.sentence
        )
    ]


def _concurrency(answers: Mapping[str, Any]) -> Derived | None:
    count, sentence = concurrent_answers(dict(answers))
    if count is None or not sentence:
        return None
    return Derived("workload.concurrency", "users", _("Requests at the same time"), count, _("requests"), sentence)


def _pace(answers: Mapping[str, Any]) -> Derived | None:
    """Give the limit on each further word that follows from a limit on the whole answer."""
    milliseconds = pace_of_whole_answer(answers)
    if milliseconds is None:
        return None
    said = {"seconds": numbers.say(answers["first_word_seconds"]), "tokens": numbers.say(answers["output_tokens"])}
    sentence = _("%(seconds)s s for a whole answer of %(tokens)s tokens, spread evenly") % said
    return Derived(
        "workload.tpot_ms", "first_word_seconds", _("Limit on each further word"), milliseconds, "ms", sentence
    )


def pace_of_whole_answer(answers: Mapping[str, Any]) -> float | None:
    """Give the time of one token where a limit was stated on the whole answer [ms]; a stated pace may be tighter."""
    seconds, tokens = answers.get("first_word_seconds"), answers.get("output_tokens")
    if not seconds or not tokens or answers.get("latency_means") != "whole":
        return None
    pace = float(seconds) * MS_PER_SECOND / float(tokens)
    stated = answers.get("answer_tokens_per_second")
    return None if stated and MS_PER_SECOND / float(stated) < pace else pace
