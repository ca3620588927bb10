"""What a customer told us beside the engine's input: it is for the person who prepares the quote, and it is printed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from quotes.forms import choices
from quotes.presenter.reading import Reading
from quotes.presenter.tables import status


def rows(reading: Reading) -> Iterator[list[Any]]:
    """Give a row for each answer that stands in no other row: label, value, who said it."""
    answers = reading.dig("answers") or {}
    names = (
        ("placement", _("Where the server will stand"), choices.PLACEMENT),
        ("service_access", _("Service access"), choices.ACCESS),
        ("dataset_language", _("Text language"), choices.TEXT_LANGUAGES),
        ("framework_version", _("Version of the framework"), ()),
        ("redundancy", _("If a server stops"), _redundancy()),
        ("document_kind", _("What the documents are"), choices.DOCUMENT_KINDS),
    )
    used = reading.workload
    for name, label, known in names:
        given = answers.get(name)
        if given not in (None, "", []) and name not in used:
            yield [label, str(dict(known).get(given, given)), status("customer")]


def _redundancy() -> tuple[tuple[str, str], ...]:
    return (("wait", _("It may wait for up to 4 hours")), ("spare", _("It may not: a second one is needed")))
