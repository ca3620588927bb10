"""What the page of an article check shows of the engine's answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from catalog.forms import ArticleForm
from catalog.matching import Matched, Shelf, match
from catalog.models import Platform, Sku

ASKED = {
    "platform": (_("Platform"), _("the server’s model")),
    "gpu": (_("GPUs"), _("model, form factor and count")),
    "cpu": (_("Processors"), _("model and count")),
    "memory": (_("Memory"), _("module size, count and speed")),
    "drives": (_("Drives"), _("model, capacity and count; checkpoints and data go there")),
    "nic": (_("Network adapters"), _("model, ports and speed")),
    "psu": (_("Power supplies"), _("count, power and redundancy")),
    "condition": (_("Condition"), _("new or refurbished")),
    "warranty": (_("Warranty"), _("term and place of service")),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """Something that the article does not say."""

    label: Any
    hint: Any


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the article with what it was read as; empty kind for what was not read."""

    text: str
    kind_label: str
    certainty: str


def article_context(form: ArticleForm, answer: Mapping[str, Any]) -> dict[str, Any]:
    """Everything that the page shows. Runs a fixed number of queries."""
    if "error" in answer:
        return {"error": answer["error"]["message"]}
    lines = match(answer["lines"])
    article = " ".join(form.cleaned_data["article"].split())
    return {
        "article": article,
        "lines": lines,
        "pieces": _pieces(lines, answer["unread"]),
        "unread": answer["unread"],
        "asked": [Asked(*ASKED[name]) for name in answer["not_stated"] if name in ASKED],
        "conflicts": answer["conflicts"],
        "notes": answer.get("notes", []),
        "to_confirm": _not_asked(answer),
        "verdict": _verdict(answer.get("verdict")),
        "platform": _platform(answer["lines"]),
        "sku": Sku.objects.with_completeness().filter(article_folded=article.casefold()).first(),
        "is_short": len(article) <= 120,
    }


def _not_asked(answer: Mapping[str, Any]) -> list[str]:
    """What is to be confirmed beyond the lines that the article leaves out, which stand in the table already."""
    endings = tuple(f": {name}." for name in answer["not_stated"])
    return [text for text in answer["to_confirm"] if not text.endswith(endings)]


def _pieces(lines: list[Matched], unread: list[str]) -> list[Piece]:
    read = [Piece(line.text, line.kind_label, line.certainty) for line in lines]
    return [*read, *(Piece(text, "", "unread") for text in unread)]


def _verdict(verdict: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if verdict is None:
        return None
    word = {True: "fits", False: "over", None: "open"}[verdict["fits"]]
    estimate = verdict.get("estimate") or {}
    return {"word": word, "message": verdict["message"], "memory": estimate.get("memory")}


def _platform(lines: list[dict[str, Any]]) -> Platform | None:
    return Shelf([line for line in lines if line["kind"] == "platform"]).platform
