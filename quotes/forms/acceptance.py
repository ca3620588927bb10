"""The customer's word under a quote: who says it, and that it is meant."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from quotes.forms.fields import Flag, Text


class AcceptanceForm(forms.Form):
    """Name of the person who accepts, and a tick; both are needed."""

    name = Text(
        label=_("Your name"),
        help_text=_("It is kept with the acceptance, beside the fingerprint of the document"),
        max_length=120,
        required=True,
        error_messages={"required": _("Write the name of the person who accepts.")},
    )
    agree = Flag(
        label=_("I accept this quote on behalf of the customer"),
        required=True,
        error_messages={"required": _("Tick this to accept. Nothing is accepted without it.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("label_suffix", "")
        super().__init__(*args, **kwargs)

    def summary(self) -> list[dict[str, str]]:
        """List the errors for the summary on top of the page."""
        return [
            {"target": f"id_{name}", "label": str(self.fields[name].label), "message": str(message)}
            for name, messages in self.errors.items()
            for message in messages
        ]
