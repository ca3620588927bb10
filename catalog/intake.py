"""From a seller's text to an article of the catalog, every line of it unconfirmed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from catalog.matching import match
from catalog.models import Sku, SkuLine
from catalog.starter.skus import sku_slug

LONGEST_KEPT = 300
ASKED_LINES = {"cpu", "memory", "drives", "nic", "psu", "gpu", "platform"}
_KIND_OF = {"drives": SkuLine.Kind.DRIVE}


@transaction.atomic
def keep(article: str, reading: Mapping[str, Any], *, seller: str = "", specification: str = "") -> Sku:
    """Keep an article with the lines that were read; what the text leaves open becomes open lines.

    Parameters
    ----------
    specification : str
        The text that was read, where it is more than the article itself; it is kept as a note.

    Raises
    ------
    ValidationError
        For an article that the catalog has already, or a text too long for one.
    """
    text = " ".join(article.split())
    if not text or len(text) > LONGEST_KEPT:
        raise ValidationError(_("An article has at most 300 characters. Name the specification by a shorter one."))
    if Sku.objects.filter(article=text).exists():
        raise ValidationError(_("The catalog has this article already."))
    sku = Sku(
        article=text,
        slug=_free_slug(sku_slug(text)),
        article_folded=text.casefold(),
        seller=seller[:120],
        unread="; ".join(reading["unread"])[:600],
        notes=specification,
        edited_at=timezone.now(),
    )
    sku.save()
    for position, values in enumerate(_lines(reading), start=1):
        SkuLine(sku=sku, position=position, **values).save()
    return sku


def _free_slug(slug: str) -> str:
    taken = set(Sku.objects.filter(slug__startswith=slug[:110]).values_list("slug", flat=True))
    return next(
        name for number in range(len(taken) + 2) if (name := f"{slug[:110]}-{number}" if number else slug) not in taken
    )


def _lines(reading: Mapping[str, Any]) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    named: set[tuple[str, int]] = set()
    for line in match(reading["lines"]):
        key = (line.kind, line.part.pk) if line.part else None
        if key in named:
            continue
        if key:
            named.add(key)
        lines.append({"kind": line.kind, "part": line.part, "quantity": line.quantity, "text": line.text[:300]})
    have = {line["kind"] for line in lines}
    for asked in reading["not_stated"]:
        kind = _KIND_OF.get(asked, asked)
        if asked in ASKED_LINES and kind not in have:
            lines.append({"kind": kind, "part": None, "quantity": None, "text": ""})
    return lines
