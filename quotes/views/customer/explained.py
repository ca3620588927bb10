"""What the private page says beside the figures: model, way, article, what else does the job, what to watch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from quotes.forms import numbers
from quotes.models import Estimate
from quotes.presenter import engine_words, machine_names
from quotes.views.customer import articles, candidates

BILLION = 1e9
MOST_OTHERS = 24
# A name rounds: 7B models have 6.7 to 7.6 billion parameters. What is further apart is another model.
NAMED_APART = 0.06


def model_of(estimate: Estimate) -> str:
    """Name the model that was sized, with all its parameters and those a token uses; empty where none was."""
    model = estimate.output.get("model") or {}
    if not model.get("parameters"):
        return ""
    said = {"name": model.get("title") or model.get("name"), "count": in_billions(model["parameters"])}
    active = model.get("active_parameters") or model["parameters"]
    if active < model["parameters"]:
        words = _("%(name)s: %(count)s billion parameters, %(active)s billion of them active for a token")
        return words % (said | {"active": in_billions(active)})
    return _("%(name)s: %(count)s billion parameters") % said


def in_billions(parameters: float) -> str:
    """Write a number of parameters in billions."""
    return numbers.say(round(parameters / BILLION, 2))


def size_apart(answers: Mapping[str, Any], parameters: float | None) -> str:
    """Say that the size that was named is not that of the model that was described; nothing where they agree."""
    named = answers.get("parameters_billion")
    if not named or not parameters or abs(parameters / BILLION / named - 1) <= NAMED_APART:
        return ""
    return _(
        "You name %(named)s billion parameters; the model described has %(real)s billion, and that is calculated."
    ) % {"named": numbers.say(named), "real": in_billions(parameters)}


def way_of(estimate: Estimate) -> str:
    """Say why this kind of calculation was made."""
    return engine_words.say(str((estimate.output.get("route") or {}).get("why") or ""))


def warnings_of(estimate: Estimate) -> list[str]:
    """Give what the engine warns of."""
    return [engine_words.say(text) for text in estimate.output.get("warnings") or []]


def article_of(estimate: Estimate) -> dict[str, Any] | None:
    """Give the article as it was read when the request came in, and whether it does the job; None where none was."""
    answer = estimate.output.get("article")
    if not answer:
        return None
    one = next((one for one in estimate.candidates if "article" in (one.get("labels") or [])), None)
    verdict = None if one is None else {"fits": bool(one.get("does_the_job", True)), "message": article_says(estimate)}
    return articles.shown(answer | {"verdict": verdict}, str(estimate.input.get("article") or ""))


def article_says(estimate: Estimate) -> str:
    """Say whether the customer's article does the job, with the first reason for a no or an open point for a yes."""
    one = next((one for one in estimate.candidates if "article" in (one.get("labels") or [])), None)
    if one is None:
        conflicts = (estimate.output.get("article") or {}).get("conflicts") or []
        built = _("Your article cannot be built as it is written: %(why)s")
        return built % {"why": engine_words.say(conflicts[0])} if conflicts else ""
    against = [engine_words.say(text) for text in one.get("reasons_against") or []]
    said = {"name": machine_names.gpus_of(one), "why": against[0] if against else ""}
    if not one.get("does_the_job", True):
        return (_("Your article, %(name)s, does not do the job. %(why)s") % said).strip()
    return (_("Your article, %(name)s, does the job. %(why)s") % said).strip()


def others(estimate: Estimate) -> dict[str, Any]:
    """Give what does the job as well and carries no label: the same GPUs together, with their servers and time.

    Keys: ``shown`` the first of them, ``more`` the rest, ``left_out`` how many the answer does not list [–].
    """
    groups: dict[str, dict[str, Any]] = {}
    for one in estimate.candidates:
        if one.get("does_the_job", True) and not set(one.get("labels") or []) & set(candidates.SHOWN):
            name = machine_names.gpus_of(one)
            group = groups.setdefault(name, {"what": name, "time": str(candidates.time_of(one)[0]), "platforms": []})
            group["platforms"].append(str(one.get("platform_title") or one.get("platform") or ""))
    found = [group | {"platforms": ", ".join(dict.fromkeys(group["platforms"]))} for group in groups.values()]
    left_out = left_out_of(estimate, "candidates")
    return {"shown": found[:MOST_OTHERS], "more": found[MOST_OTHERS:], "left_out": left_out}


def left_out_of(estimate: Estimate, name: str) -> int:
    """Say how many candidates or rejected ones the calculation counted but does not list [–]."""
    return int((estimate.output.get("left_out") or {}).get(name) or 0)
