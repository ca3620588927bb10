"""A whole document as display objects: page one, contents, sections; the template only draws it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from quotes.presenter import answer, cloud_section, dates
from quotes.presenter.alternatives_section import alternatives_section
from quotes.presenter.appendix_sections import (
    derivations_section,
    glossary_section,
    identity_section,
    sources_section,
)
from quotes.presenter.blocks import Section
from quotes.presenter.checklist_sections import checklist_section, pilot_section
from quotes.presenter.deal_sections import lines_section, price_section
from quotes.presenter.machine_sections import facility_section, host_section, storage_section
from quotes.presenter.naming import identity
from quotes.presenter.reading import Reading
from quotes.presenter.request_section import request_section
from quotes.presenter.tables import Table, status, table
from quotes.presenter.technical_sections import memory_section, time_section
from quotes.presenter.trust_sections import assumptions_section, open_section

NAME_LENGTH = 115


@dataclass(frozen=True, slots=True)
class Party:
    """One column of the foot of page one: who, with which role."""

    label: str
    name: str
    role: str


@dataclass(frozen=True, slots=True)
class Paper:
    """Everything a document shows."""

    kind: str
    identity: Mapping[str, str]
    answer: answer.Answer
    parties: tuple[Party, ...]
    sections: tuple[Section, ...]
    has_contents: bool
    legend: Table | None
    created: str


def paper(snapshot: Mapping[str, Any], *, kind: str, digest: str) -> Paper:
    """Lay out a snapshot as a document of a kind, in the language in force."""
    reading = Reading(snapshot, kind)
    return Paper(
        kind=kind,
        identity=identity(reading),
        answer=answer.answer(reading),
        parties=tuple(_parties(reading)),
        sections=tuple(_sections(reading, digest)),
        has_contents=reading.is_whole,
        legend=_legend() if reading.is_whole else None,
        created=str(snapshot.get("issued_at") or snapshot.get("frozen_at") or ""),
    )


def _sections(reading: Reading, digest: str) -> list[Section]:
    if reading.kind == "short":
        return [
            lines_section(reading),
            price_section(reading),
            cloud_section.brief(reading),
            assumptions_section(reading),
            open_section(reading),
            identity_section(reading, digest),
        ]
    if reading.kind == "preliminary":
        return [
            request_section(reading),
            lines_section(reading),
            memory_section(reading),
            time_section(reading),
            alternatives_section(reading),
            cloud_section.cloud_section(reading),
            assumptions_section(reading),
            open_section(reading),
            identity_section(reading, digest),
        ]
    return [
        request_section(reading),
        lines_section(reading),
        price_section(reading),
        memory_section(reading),
        time_section(reading),
        alternatives_section(reading),
        host_section(reading),
        storage_section(reading),
        facility_section(reading),
        cloud_section.cloud_section(reading),
        assumptions_section(reading),
        open_section(reading),
        checklist_section(reading),
        pilot_section(reading),
        derivations_section(reading),
        sources_section(reading),
        glossary_section(reading),
        identity_section(reading, digest),
    ]


def _parties(reading: Reading) -> list[Party]:
    customer = reading.dig("customer") or {}
    known = (customer.get(name) for name in ("organization", "name", "email"))
    name = answer.shorten(str(next(filter(None, known), "")), NAME_LENGTH)
    found = [Party(_("Customer"), name, _("request %(reference)s") % {"reference": reading.dig("reference")})]
    if not reading.is_quote:
        found.append(
            Party(_("Calculated by"), f"Sizewright {reading.dig('engine')}", _("no person has checked it yet"))
        )
        return found
    found.append(Party(_("Prepared by"), reading.issuer, _("sales engineer")))
    approved = reading.issuer if reading.is_issued else _("not yet approved")
    found.append(Party(_("Approved by"), approved, _("approver") if reading.is_issued else ""))
    until = dates.day(reading.dig("valid_until"))
    found.append(Party(_("Valid until"), until if reading.is_issued else _("not yet issued"), _former(reading)))
    return found


def _former(reading: Reading) -> str:
    revision = reading.dig("revision") or 1
    if not reading.is_issued or revision < 2:
        return ""
    return _("supersedes revision %(former)s") % {"former": revision - 1}


def _legend() -> Table:
    rows = [
        [status("confirmed"), _("checked against the maker’s document or a written answer; the evidence is named")],
        [status("unconfirmed"), _("nobody has checked it yet; it stops approval")],
        [status("waived"), _("left unchecked on purpose, with a reason")],
        [status("stale"), _("was confirmed once; the confirmation is older than its validity")],
        [status("customer"), _("stated by you")],
        [status("vendor"), _("stated by the maker’s document")],
        [status("assumed"), _("our working value; replace it and the figures move")],
        [status("measured"), _("read from a run, not calculated")],
    ]
    return table("legend", [_("Mark"), _("Meaning")], rows)
