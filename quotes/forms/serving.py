"""Requirements for a service: users, lengths, latency."""

from __future__ import annotations

from typing import Any, ClassVar

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from quotes.forms import choices, numbers
from quotes.forms.fields import Choice, Number, Text
from quotes.forms.limits import LIMITS, LimitsForm
from quotes.forms.models import ModelForm
from quotes.forms.sections import Section

WE_CHOOSE = choices.WE_CHOOSE
LONGEST = 16_777_216
PEOPLE_PER_ANSWER = 12

ANSWERS = Section(
    "model",
    _("What answers"),
    plain=("model_name", "config", "weights"),
    expert=("parameters_billion", "kv_cache_dtype", "engine", "framework_version"),
)
LOAD = Section(
    "load",
    _("Load"),
    plain=(
        ("users", "concurrency"),
        ("input_tokens", "output_tokens"),
        ("first_word_seconds", "answer_tokens_per_second"),
        "latency_means",
    ),
    expert=("requests_per_second",),
)
RELIABILITY = Section("reliability", _("Reliability"), plain=("redundancy",))


class ServingForm(LimitsForm, ModelForm):
    """A ready model that answers users; no parameter changes."""

    title: ClassVar[Any] = _("Requirements for a service")
    sections: ClassVar[tuple[Section, ...]] = (
        ANSWERS,
        LOAD,
        RELIABILITY,
        *(section for section in LIMITS if section.key != "deadline"),
    )

    weights = Choice(
        choices=choices.SERVING_WEIGHTS,
        empty=_("choose for me"),
        label=_("How to keep the weights"),
        short=_("Weights"),
        help_text=_("FP8 takes half of BF16, 4 bits a quarter; check the quality on questions of your own"),
    )
    kv_cache_dtype = Choice(
        choices=choices.KV_DTYPES, empty=WE_CHOOSE, label=_("Format of the KV cache"), short=_("KV cache")
    )
    engine = Choice(choices=choices.ENGINES, empty=WE_CHOOSE, label=_("Serving engine"), short=_("Engine"))
    framework_version = Text(max_length=60, width="w6", label=_("Version of the engine"), short=_("Version"))
    users = Number(
        low=1,
        high=1e8,
        whole=True,
        width="w6",
        unit=_("people"),
        label=_("People who use it"),
        short=_("Users"),
        help_text=_("We take one answer at a time for every 12 people at the busiest hour"),
        action=_("Give the number of people, not of requests."),
    )
    concurrency = Number(
        low=1,
        high=1_000_000,
        whole=True,
        width="w4",
        unit=_("answers"),
        label=_("Or answers at the same time"),
        short=_("Concurrent answers"),
        help_text=_("at the busiest hour; wins over the number of people"),
        action=_("This is not the number of employees: one answer for 8 to 15 of them is usual."),
    )
    input_tokens = Number(
        low=1,
        high=LONGEST,
        whole=True,
        unit=_("tokens"),
        width="w4",
        label=_("Question with its context"),
        short=_("Input"),
        action=_("Give the mean of a request."),
    )
    output_tokens = Number(
        low=1,
        high=LONGEST,
        whole=True,
        unit=_("tokens"),
        width="w4",
        label=_("Answer"),
        short=_("Output"),
        action=_("Give the mean of an answer."),
    )
    first_word_seconds = Number(
        low=0.01,
        high=3600,
        unit=_("s"),
        width="w4",
        strength=False,
        label=_("First word no later than"),
        short=_("Time to first token"),
        help_text=_("for 99 of 100 requests"),
        action=_("Usual are 0.5 to 5 seconds."),
    )
    answer_tokens_per_second = Number(
        low=0.1,
        high=10_000,
        unit=_("tokens/s"),
        width="w4",
        label=_("Speed of one answer"),
        short=_("Speed of an answer"),
        help_text=_("people read about 8 tokens a second"),
        action=_("Usual are 10 to 50."),
    )
    latency_means = Choice(
        choices=[("first", _("the first word")), ("whole", _("the whole answer"))],
        kind="row",
        initial="first",
        label=_("“Within so many seconds” speaks of"),
        short=_("Latency means"),
    )
    requests_per_second = Number(
        low=0.000001,
        high=1e6,
        width="w4",
        unit=_("per s"),
        label=_("Requests a second"),
        action=_("Give the rate at the busiest hour."),
    )
    redundancy = Choice(
        choices=[
            ("wait", _("It may wait for up to 4 hours")),
            ("spare", _("It may not: a second one is needed")),
        ],
        kind="list",
        initial="wait",
        hints={"spare": _("Counted with a spare server: those that are left carry the whole load")},
        label=_("If a server stops"),
        short=_("Redundancy"),
    )

    def clean(self) -> dict[str, Any]:
        """Ask for the load once, where nothing states it."""
        cleaned = super().clean()
        load = ("users", "concurrency", "requests_per_second")
        if not any(cleaned.get(name) for name in load) and not any(name in self.errors for name in load):
            self.add_error("users", _("Say how many people use it, or how many answers run at the same time."))
        return cleaned


def concurrent_answers(answers: dict[str, Any]) -> tuple[int | None, str]:
    """Give the answers that run at the same time, and the sentence that says how they were got from people.

    One answer for twelve people at the busiest hour is an assumption; 8 to 15 is the usual span [answers].
    """
    stated = answers.get("concurrency")
    if stated:
        return int(stated), ""
    users = answers.get("users")
    if not users:
        return None, ""
    count = max(1, -(-int(users) // PEOPLE_PER_ANSWER))
    sentence = gettext("%(users)s people, one answer for every %(people)s: %(count)s at the same time") % {
        "users": numbers.say(users),
        "people": PEOPLE_PER_ANSWER,
        "count": numbers.say(count),
    }
    return count, sentence
