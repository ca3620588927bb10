"""What was read from the customer's own words at a rate of ours: the word, the figure and the rate, each apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from quotes.forms import numbers
from quotes.forms.choices import TEXT_LANGUAGES
from quotes.forms.route import DOCUMENTS, SERVICE
from quotes.forms.serving import concurrent_answers
from quotes.forms.words_to_numbers import RATES, Tokens, tokens

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
        found = [_concurrency(answers), _pace(answers)]
        if way == DOCUMENTS:
            found += [_page(answers), _update(answers)]
        return [one for one in found if one is not None]
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


def _page(answers: Mapping[str, Any]) -> Derived:
    """Give the tokens of a page in the language of the texts, as the data of a training is counted."""
    language = str(answers.get("dataset_language") or "")
    rate = RATES.get(language, RATES["mixed"]).tokens_per_page
    named = dict(TEXT_LANGUAGES).get(language) or _("not stated, so between English and Russian")
    sentence = _("a page of 1,800 characters is %(rate)s tokens; language of the texts: %(language)s") % {
        "rate": numbers.say(rate),
        "language": named,
    }
    return Derived("workload.tokens_per_page", "dataset_language", _("Tokens a page"), rate, _("tokens"), sentence)


def _update(answers: Mapping[str, Any]) -> Derived | None:
    """Give the share of the documents that one day changes."""
    new, documents = answers.get("new_documents_per_day"), answers.get("documents")
    if new is None or not documents:
        return None
    said = {"new": numbers.say(new), "documents": numbers.say(documents)}
    sentence = _("%(new)s new or changed a day of %(documents)s documents") % said
    share = min(1.0, float(new) / float(documents))
    label = _("Documents changed by an update")
    return Derived("workload.updated_share", "new_documents_per_day", label, share, "", sentence)


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
