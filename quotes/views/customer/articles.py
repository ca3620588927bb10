"""An article read part by part beside the form, and whether it does the job typed so far."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from quotes import intake
from quotes.forms.ways import FORMS, bound
from sizing import contract

KINDS = {
    "platform": _("platform"),
    "gpu": _("GPU"),
    "cpu": _("CPU"),
    "memory": _("memory"),
    "drive": _("drives"),
    "drives": _("drives"),
    "nic": _("network"),
    "psu": _("power supplies"),
    "condition": _("condition"),
    "warranty": _("warranty"),
}


def article_of(text: str, values: Mapping[str, str]) -> dict[str, Any]:
    """Read an article and judge it for the draft's workload where that is complete."""
    way = values.get("way", "")
    form = bound(way, {**values, "article": ""}) if way in FORMS else None
    asked: dict[str, Any] = {"id": "article", "article": text}
    if form is not None and form.is_valid():
        asked["workload"] = intake.to_request(form.answered(), route=way)["workload"]
    answer = contract.check_article(asked)
    if answer.get("error"):
        return {"error": answer["error"]["message"]}
    return shown(answer, text)


def shown(answer: Mapping[str, Any], text: str) -> dict[str, Any]:
    """Give what the page shows of an article that was read: parts, gaps, contradictions, verdict with its reasons."""
    verdict = answer.get("verdict") or {}
    return {
        "text": text,
        "parts": [{"text": line["text"], "name": KINDS.get(line["kind"], line["kind"])} for line in answer["lines"]],
        "unread": answer["unread"],
        "not_stated": [KINDS.get(name, name) for name in answer["not_stated"]],
        "conflicts": [one for one in answer["conflicts"] if one != verdict.get("message")],
        "notes": [*(verdict.get("reasons") or []), *answer.get("notes", [])],
        "verdict": verdict,
        "micro_batch": _chosen_micro_batch(verdict),
    }


def _chosen_micro_batch(verdict: Mapping[str, Any]) -> int | None:
    """Give the micro-batch that was chosen because there is room for it; None where it is one or was stated."""
    estimate = verdict.get("estimate") or {}
    chosen = any(one.get("key") == "workload.micro_batch" for one in estimate.get("assumptions") or [])
    size = (estimate.get("plan") or {}).get("micro_batch") or 1
    return int(size) if chosen and size > 1 else None
