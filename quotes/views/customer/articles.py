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
    return {
        "text": text,
        "parts": [{"text": line["text"], "name": KINDS.get(line["kind"], line["kind"])} for line in answer["lines"]],
        "unread": answer["unread"],
        "not_stated": [KINDS.get(name, name) for name in answer["not_stated"]],
        "conflicts": answer["conflicts"],
        "verdict": answer.get("verdict"),
    }
