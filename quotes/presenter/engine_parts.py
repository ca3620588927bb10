"""Names of the starter catalog's rows that no maker made: what comes with a server, and what we do ourselves."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

OWN_PARTS = (
    _("Rack rail kit"),
    _("Power cord C19/C20"),
    _("Installation and first start at the customer's site"),
    _("Load test before delivery, 72 hours, with a report"),
    _("Pilot run of the customer's load, with a protocol"),
    _("On-site support on the next business day"),
)
