"""Appendices: how each figure was got, sources, glossary, and how to check this very document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from quotes.presenter import assumptions, dates
from quotes.presenter import quantities as q
from quotes.presenter.blocks import Block, Item, Section, listed, prose, section, tabled
from quotes.presenter.disagreements import disagreements
from quotes.presenter.engine_words import formula, say
from quotes.presenter.glossary import terms
from quotes.presenter.reading import Reading
from quotes.presenter.sources import capital, dated, sources_of
from quotes.presenter.tables import Cell, Row, row, strong, table


def derivations_section(reading: Reading) -> Section:
    """Give appendix A."""
    title = _("Derivations")
    steps = reading.estimate.get("derivations") or []
    if not steps:
        return section("derivations", "A", title, _("This answer carries no derivations."))
    rows = [_step(number, step) for number, step in enumerate(steps, 1)]
    columns = [
        ("", "id"),
        (_("Figure and its source"), "text"),
        (_("Formula and the numbers put in"), "text"),
        (_("Result"), "num"),
    ]
    finding = _("Formula, numbers, result. One definition serves the calculation and this page.")
    made = table("derived", columns, rows, css="long derived", header=1)
    return section("derivations", "A", title, finding, [tabled(made)], starts_page=True)


def _step(number: int, step: Mapping[str, Any]) -> Row:
    numbers = "; ".join(f"{say(name)}: {_input(given)}" for name, given in (step.get("inputs") or {}).items())
    return row(
        f"D{number}",
        strong(say(str(step.get("label") or "")), sub=say(str(step.get("source") or ""))),
        Cell(formula(str(step.get("formula") or "")), sub=numbers),
        str(q.figure(step.get("value"), str(step.get("unit") or ""))),
        anchor=f"D{number}",
    )


def _input(given: Any) -> str:
    value, unit = (
        (given[0], str(given[1] or "")) if isinstance(given, list | tuple) and len(given) == 2 else (given, "")
    )
    if isinstance(value, str):
        return assumptions.value({"value": value, "unit": unit})
    return str(q.figure(value, unit))


def sources_section(reading: Reading) -> Section:
    """Give appendix B."""
    title = _("Sources")
    found = list(sources_of(reading))
    if not found:
        return section("sources", "B", title, _("No published source was used."))
    rows = [
        row(f"S{number}", capital(say(name)), dated(as_of), ", ".join(uses), anchor=f"S{number}")
        for number, (name, as_of, uses) in enumerate(found, 1)
    ]
    columns = [("", "id"), (_("Source"), "text"), (_("Date"), "text"), (_("Used for"), "text")]
    finding = _("Published sources that figures rest on; one without a date is marked undated.")
    blocks: list[Block | None] = [tabled(table("sources", columns, rows, css="long", header=1))]
    differ = disagreements(reading)
    if differ is not None:
        blocks.append(tabled(differ))
    return section("sources", "B", title, finding, blocks)


def glossary_section(reading: Reading) -> Section:
    """Give appendix C."""
    finding = _("Terms of this document in plain words.")
    items = [Item(meaning, lead=name) for name, meaning in terms(is_training=reading.is_training)]
    return section("glossary", "C", _("Glossary"), finding, [listed(items, kind="terms")])


def identity_section(reading: Reading, digest: str) -> Section:
    """Give appendix D: what this document is, and how to check it."""
    rows = list(_identity(reading, digest))
    finding = _("Anyone can check that this paper is the one issued and that its figures follow from its inputs.")
    made = table("identity", [_("Item"), _("Value")], rows)
    steps = [
        Item(_("The file: calculate its SHA-256 and compare it with the one on your private page.")),
        Item(
            _(
                "The figures: take the attached calculation out and give its input to the engine of the same version; "
                "the answer is the same."
            )
        ),
        Item(_("The facts: published sources are named with the entries that rest on them.")),
    ]
    blocks: list[Block | None] = [tabled(made), prose(_("How to verify:")), listed(steps, kind="steps")]
    return section("document", "D", _("This document"), finding, blocks)


def _identity(reading: Reading, digest: str) -> Iterator[list[Any]]:
    if reading.is_issued:
        said = {"number": reading.dig("number"), "revision": reading.dig("revision"),
                "day": dates.day(reading.dig("issued_at"), reading.zone)}  # fmt: skip
        text = _("%(number)s, revision %(revision)s of %(day)s") % said
        if (reading.dig("revision") or 1) > 1:
            text += "; " + _("supersedes revision %(former)s") % {"former": reading.dig("revision") - 1}
        yield [_("Quote"), text]
    yield [_("Request"), str(reading.dig("reference") or "")]
    yield [_("Calculated"), dates.zoned(reading.dig("calculated_at"), reading.zone)]
    yield [_("Engine version"), Cell(f"sizewright {reading.dig('engine')}", is_typed=True)]
    yield [_("Catalog fingerprint"), Cell(_spaced(str(reading.dig("catalog") or "")), is_typed=True)]
    yield [_("Attached calculation, SHA-256"), Cell(_spaced(digest), is_typed=True)]
    yield [_("Attachment"), _("calculation.json: what was asked, what was answered, lines, assumptions")]
    yield [_("Form"), _("tagged PDF, fonts inside, one attachment, nothing fetched from outside")]
    if reading.issuer:
        details = str(reading.dig("issuer", "legal_details") or "")
        yield [_("Issuer"), Cell(reading.issuer, sub=details)]


def _spaced(digest: str) -> str:
    return " ".join(digest[at : at + 8] for at in range(0, len(digest), 8))
