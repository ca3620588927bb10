"""The sections of a document that a page shows as well, from the same presenter: memory, documents, money."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from quotes.presenter import in_mind, levers, links, more_gpus, one_card, rag_blocks
from quotes.presenter.blocks import Section, section
from quotes.presenter.cloud_section import cloud_section
from quotes.presenter.reading import Reading, dig
from quotes.presenter.technical_sections import whole


def page_sections(snapshot: Mapping[str, Any], *, is_quote: bool) -> list[Section]:
    """Give the sections of a calculation that has a candidate."""
    reading = Reading(snapshot, "draft" if is_quote else "preliminary")
    if not reading.does_the_job:
        named = _in_mind(reading)
        return [named] if named else []
    found = [
        _in_mind(reading),
        _more_gpus(reading),
        _memory(reading),
        _links(reading),
        _documents(reading),
        cloud_section(reading),
    ]
    return [one for one in found if one is not None]


def _more_gpus(reading: Reading) -> Section | None:
    text = more_gpus.finding(reading)
    title = _("What more GPUs give")
    blocks = more_gpus.blocks(reading)
    return section("more-gpus", "", title, text, blocks, is_open=reading.compares) if text else None


def _memory(reading: Reading) -> Section | None:
    text = whole(reading)
    blocks = [*levers.blocks(reading), *one_card.blocks(reading)]
    finding = f"{text} {one_card.finding(reading)}".strip()
    return section("memory-whole", "", _("Memory before it is divided"), finding, blocks) if text else None


def _links(reading: Reading) -> Section | None:
    text = links.finding(reading)
    return (
        section("links", "", _("What the links between GPUs are worth"), text, links.blocks(reading)) if text else None
    )


def _in_mind(reading: Reading) -> Section | None:
    text = in_mind.finding(reading)
    blocks = in_mind.side_by_side(reading)
    return section("in-mind", "", _("What you had in mind"), text, blocks) if text else None


def _documents(reading: Reading) -> Section | None:
    if not dig(reading.candidate, "rag", "chunks"):
        return None
    blocks = [rag_blocks.index(reading), rag_blocks.options(reading), *rag_blocks.search_or_tune(reading)]
    finding = _("What is searched lies in host memory and on drives; the models that search share the GPUs.")
    return section("documents", "", _("Answers over documents"), finding, blocks)
