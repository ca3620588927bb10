"""What the page of an article check shows of the engine's answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from catalog.intake import LONGEST_KEPT
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


def article_context(text: str, answer: Mapping[str, Any]) -> dict[str, Any]:
    """Everything that the page shows. Runs a fixed number of queries."""
    if "error" in answer:
        return {"error": answer["error"]["message"]}
    lines = match(answer["lines"])
    article = " ".join(text.split())
    return {
        "article": article,
        "lines": lines,
        "pieces": _pieces(lines, answer["unread"]),
        "unread": answer["unread"],
        "asked": asked_of(answer),
        "conflicts": answer["conflicts"],
        "notes": answer.get("notes", []),
        "to_confirm": _not_asked(answer),
        "verdict": verdict_of(answer),
        "platform": _platform(answer["lines"]),
        "sku": Sku.objects.with_completeness().filter(article_folded=article.casefold()).first(),
        "is_short": len(article) <= 120,
        "specification": text if len(article) > LONGEST_KEPT else "",
    }


def _not_asked(answer: Mapping[str, Any]) -> list[str]:
    """What is to be confirmed beyond the lines that the article leaves out, which stand in the table already."""
    endings = tuple(f": {name}." for name in answer["not_stated"])
    return [text for text in answer["to_confirm"] if not text.endswith(endings)]


def _pieces(lines: list[Matched], unread: list[str]) -> list[Piece]:
    read = [Piece(line.text, line.kind_label, line.certainty) for line in lines]
    return [*read, *(Piece(text, "", "unread") for text in unread)]


def asked_of(answer: Mapping[str, Any]) -> list[Asked]:
    """What the article leaves open, in the page's words."""
    return [Asked(*ASKED[name]) for name in answer["not_stated"] if name in ASKED]


def verdict_of(answer: Mapping[str, Any]) -> dict[str, Any] | None:
    """Whether the article does the job; None where no job was named."""
    verdict = answer.get("verdict")
    if verdict is None:
        return None
    word = {True: "fits", False: "over", None: "open"}[verdict["fits"]]
    estimate = verdict.get("estimate") or {}
    return {"word": word, "message": verdict["message"], "memory": estimate.get("memory")}


def _platform(lines: list[dict[str, Any]]) -> Platform | None:
    return Shelf([line for line in lines if line["kind"] == "platform"]).platform
