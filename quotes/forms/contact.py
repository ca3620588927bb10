"""Where to answer, and the consent to keep it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.validators import EmailValidator, RegexValidator
from django.utils.translation import gettext_lazy as _

from quotes.forms.fields import Flag, Looks, Text

# Bots fill every field; people never see this one.
HONEYPOT = "website"


class Email(Looks, forms.EmailField):
    """An e-mail address."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=254, **kwargs)
        self.validators = [EmailValidator(message=_("This is not an e-mail address. Write it as name@company.com."))]
        self.error_messages["required"] = _("Give an e-mail address: the private link and the questions go there.")
        self.look(kind="email", width="w20")

    def clean(self, value: Any) -> Any:
        """Give the address as people write it: a browser sends the domain of пример.рф in its ASCII form."""
        email = str(super().clean(value))
        name, at, domain = email.rpartition("@")
        try:
            return f"{name}{at}{domain.encode('ascii').decode('idna')}"
        except UnicodeError:
            return email


class ContactForm(forms.Form):
    """Who asks; the e-mail address and the consent are needed, the rest is not."""

    contact_name = Text(label=_("What to call you"), max_length=120)
    organization = Text(label=_("Organization"), max_length=200)
    email = Email(
        label=_("E-mail"),
        help_text=_("We send a private link there. It shows the calculation, the engineer’s questions and the PDF"),
    )
    phone = Text(
        label=_("Phone or messenger"),
        max_length=40,
        validators=[
            RegexValidator(r"^[\w\s+()@.:/-]*$", _("Letters, digits, spaces and + ( ) @ . - only."), code="phone")
        ],
    )
    may_ask = Flag(label=_("You may ask me questions by e-mail"), initial=True)
    consent = Flag(
        label=_("I agree that what I send is kept to answer this request"),
        required=True,
        error_messages={
            "required": _("Without this consent we may not keep the request. Tick it, or write to us by other means.")
        },
    )
    website = forms.CharField(required=False, widget=forms.TextInput, label="Website")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("label_suffix", "")
        super().__init__(*args, **kwargs)

    @property
    def is_bot(self) -> bool:
        """Say whether the field that people never see was filled."""
        return bool(self.data.get(HONEYPOT))

    def contact(self) -> dict[str, Any]:
        """Give what the request keeps about the person."""
        names = ("contact_name", "organization", "email", "phone", "consent", "may_ask")
        return {name: self.cleaned_data.get(name) for name in names}

    def summary(self) -> list[dict[str, str]]:
        """List the errors for the summary on top of the page."""
        return [
            {"target": f"id_{name}", "label": str(self.fields[name].label), "message": str(message)}
            for name, messages in self.errors.items()
            if name in self.fields
            for message in messages
        ]


class DiscussForm(ContactForm):
    """A short request: a name, a way to answer, a sentence, files."""

    message = Text(
        kind="area",
        label=_("What should the server do, in one sentence"),
        help_text=_("Name the model, the data and the date if you know them"),
        max_length=4000,
        required=True,
        error_messages={"required": _("Say in a sentence what the server should do.")},
    )
    field_order = ("contact_name", "organization", "email", "phone", "message", "may_ask", "consent")
