"""What a document calls itself on every page: its name, its foot, its watermark."""

from __future__ import annotations

from django.utils.translation import gettext as _

from quotes.presenter import dates
from quotes.presenter.reading import Reading


def identity(reading: Reading) -> dict[str, str]:
    """Give the words of headers and footers."""
    number = reading.dig("number")
    if reading.is_issued:
        said = {"number": number, "revision": reading.dig("revision")}
        name = _("Quote %(number)s, revision %(revision)s") % said
        issued = {"day": dates.day(reading.dig("issued_at"), reading.zone)}
        until = {"day": dates.day(reading.dig("valid_until"))}
        footing = dates.sentence(_("Issued %(day)s.") % issued + " " + _("Valid until %(day)s.") % until)
        return {"name": name, "footing": footing, "watermark": "", "date": issued["day"]}
    said = {"reference": reading.dig("reference"), "revision": reading.dig("revision")}
    day = dates.day(reading.dig("frozen_at"), reading.zone)
    if reading.kind == "preliminary":
        return {
            "name": _("Request %(reference)s, calculation") % said,
            "footing": dates.sentence(_("Calculated %(day)s. Not an offer.") % {"day": day}),
            "watermark": _("CALCULATED, NOT AN OFFER"),
            "date": day,
        }
    return {
        "name": _("Request %(reference)s, draft") % said,
        "footing": dates.sentence(_("Draft of %(day)s. Not an offer.") % {"day": day}),
        "watermark": _("DRAFT, NOT AN OFFER"),
        "date": day,
    }
