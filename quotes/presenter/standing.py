"""Why a point that was settled is open again, in words."""

from __future__ import annotations

from typing import Protocol

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

FIELDS = {
    "kind": gettext_lazy("kind"),
    "article": gettext_lazy("article"),
    "description": gettext_lazy("description"),
    "detail": gettext_lazy("detail"),
    "quantity": gettext_lazy("quantity"),
    "price_kind": gettext_lazy("price is"),
    "unit_price": gettext_lazy("price of one"),
}


class Opened(Protocol):
    """A row that keeps what opened it again."""

    reopened_for: list[str]


def opened_again(row: Opened) -> str:
    """Say what opened a settled row again; empty where nothing did, or somebody has settled it since."""
    if not row.reopened_for:
        return ""
    return changed_after(row.reopened_for) or _("Open again: the catalog no longer holds the confirmation")


def changed_after(names: list[str]) -> str:
    """Say which fields were changed after a row was settled; empty where none of them is one."""
    named = [str(FIELDS[name]) for name in names if name in FIELDS]
    return _("Open again, changed after it was settled: %(fields)s") % {"fields": ", ".join(named)} if named else ""
