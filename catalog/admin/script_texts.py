"""Texts of Django's admin that its own Russian catalogs lack, so that a page speaks one language."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext_noop, ngettext
from django.views.i18n import JavaScriptCatalog

SELECTS = (gettext_noop("- Select an option -"),)
_FORMS = (1, 2, 5, 5)
"""A number for each of the plural forms that Django's Russian scripts know."""


class ScriptTexts(JavaScriptCatalog):
    """The texts of the admin's scripts, with the notes on time zones beside fields of dates and times."""

    packages = ["django.contrib.admin"]

    def get_catalog(self) -> dict[str, Any]:
        """Give Django's texts and, where it has none of its own, ours."""
        return _notes_on_zones() | super().get_catalog()


def _notes_on_zones() -> dict[str, list[str]]:
    ahead = "Note: Enter times in the %(timezone)s timezone. (You are %(offset)s hour ahead.)"
    behind = "Note: Enter times in the %(timezone)s timezone. (You are %(offset)s hour behind.)"
    return {
        ahead: [
            ngettext(
                "Note: Enter times in the %(timezone)s timezone. (You are %(offset)s hour ahead.)",
                "Note: Enter times in the %(timezone)s timezone. (You are %(offset)s hours ahead.)",
                number,
            )
            for number in _FORMS
        ],
        behind: [
            ngettext(
                "Note: Enter times in the %(timezone)s timezone. (You are %(offset)s hour behind.)",
                "Note: Enter times in the %(timezone)s timezone. (You are %(offset)s hours behind.)",
                number,
            )
            for number in _FORMS
        ],
    }


def i18n_javascript(request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponseBase:
    """Serve the texts in place of the admin's own view of them."""
    return ScriptTexts.as_view()(request)
