"""Forms of the desk: what an engineer types about a line, an assumption, a question or a move."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from quotes.models import Document, Origin, Party, QuoteLine
from quotes.pilot import profile as profiles
from quotes.refusals import InvalidError
from quotes.services.deciding import Channel

TEXT = {"class": "input"}
NARROW = {"class": "input input--w10"}
PILOT_FIELDS = ("gpu", "sequence_length", "micro_batch", "peak_gib", "step_seconds")


class DayInput(forms.DateInput):
    """A day, with the browser's calendar."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d", attrs=dict(NARROW))


class VersionedForm(forms.Form):
    """A form that knows which state of the row it was opened on."""

    version = forms.IntegerField(required=False, widget=forms.HiddenInput)


class ConfirmForm(VersionedForm):
    """Evidence for a line or an assumption."""

    evidence = forms.CharField(
        label=_("What it rests on"),
        help_text=_("Letter, price list, data sheet or person, with its date"),
        min_length=3,
        max_length=500,
        widget=forms.TextInput(attrs=TEXT),
    )
    valid_until = forms.DateField(
        label=_("Valid until"), help_text=_("Empty: no end"), required=False, widget=DayInput()
    )


class TogetherForm(forms.Form):
    """One piece of evidence for several lines, each in the version that the person saw."""

    seen = forms.JSONField(required=False, widget=forms.HiddenInput)
    lines = forms.ModelMultipleChoiceField(
        label=_("Lines"),
        queryset=QuoteLine.objects.none(),
        to_field_name="public_id",
        widget=forms.CheckboxSelectMultiple(attrs={"class": "tick"}),
    )
    evidence = forms.CharField(
        label=_("What they rest on"),
        help_text=_("Letter, price list or data sheet that names all of them, with its date"),
        min_length=3,
        max_length=500,
        widget=forms.TextInput(attrs=TEXT),
    )
    valid_until = forms.DateField(
        label=_("Valid until"), help_text=_("Empty: no end"), required=False, widget=DayInput()
    )

    def __init__(self, *args: Any, rows: QuerySet[QuoteLine], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["lines"].queryset = rows  # type: ignore[attr-defined]

    def clean_seen(self) -> dict[str, int] | None:
        """Take the versions of lines by public id, and nothing else."""
        seen = self.cleaned_data["seen"]
        if seen is not None and not isinstance(seen, dict):
            raise forms.ValidationError(self.fields["seen"].error_messages["invalid"], params={"value": seen})
        return seen


class WaiveForm(VersionedForm):
    """A reason the document prints."""

    reason = forms.CharField(
        label=_("Why this may pass unconfirmed"),
        help_text=_("Printed word for word. 20 to 240 characters"),
        min_length=20,
        max_length=240,
        widget=forms.Textarea(attrs={**TEXT, "rows": 3}),
    )
    party = forms.ChoiceField(
        label=_("Who will confirm it"), choices=Party.choices, initial=Party.SUPPLIER, widget=forms.Select(attrs=NARROW)
    )
    until = forms.DateField(label=_("By which day"), required=False, widget=DayInput())


class RefuteForm(VersionedForm):
    """Evidence against a line or an assumption."""

    evidence = forms.CharField(
        label=_("What says that it is wrong"),
        help_text=_("Letter, data sheet or person, with its date. A refuted row must be replaced"),
        min_length=3,
        max_length=500,
        widget=forms.TextInput(attrs=TEXT),
    )


class ChangeForm(VersionedForm):
    """Another value for an assumption."""

    value = forms.CharField(label=_("New value"), max_length=200, widget=forms.TextInput(attrs=NARROW))
    origin = forms.ChoiceField(
        label=_("Who says so"),
        help_text=_("What the customer says comes as the answer to a question"),
        choices=[(one.value, one.label) for one in (Origin.ASSUMED, Origin.VENDOR, Origin.MEASURED)],
        required=False,
        widget=forms.Select(attrs=NARROW),
    )
    evidence = forms.CharField(
        label=_("What it rests on"),
        help_text=_("Empty: still assumed, to be confirmed later"),
        required=False,
        max_length=500,
        widget=forms.TextInput(attrs=TEXT),
    )


class PilotForm(forms.Form):
    """What a trial run measured: the script's profile, or figures typed by hand."""

    file = forms.FileField(
        label=_("Profile (JSON)"),
        help_text=_("What the pilot script wrote; what the file says goes before the fields"),
        required=False,
        widget=forms.FileInput(attrs={"accept": "application/json,.json"}),
    )
    gpu = forms.CharField(
        label=_("GPU, name in the catalog"), required=False, max_length=80, widget=forms.TextInput(attrs=NARROW)
    )
    sequence_length = forms.IntegerField(
        label=_("Sequence length, tokens"), required=False, min_value=1, widget=forms.TextInput(attrs=NARROW)
    )
    micro_batch = forms.IntegerField(
        label=_("Micro-batch, sequences"), required=False, min_value=1, widget=forms.TextInput(attrs=NARROW)
    )
    peak_gib = forms.FloatField(
        label=_("Peak of allocated memory, GiB"), required=False, min_value=0.01, widget=forms.TextInput(attrs=NARROW)
    )
    step_seconds = forms.FloatField(
        label=_("Time of a step, s"), required=False, min_value=0.000001, widget=forms.TextInput(attrs=NARROW)
    )

    def profile(self) -> dict[str, Any]:
        """Give the profile: the script's as it is; else what a file says, over what was typed.

        The fields hold the quoted load when the form opens, so they must not cover what the file measured.
        """
        found: dict[str, Any] = self.cleaned_data.get("read") or {}
        if "report" in found:
            return found
        typed = {name: self.cleaned_data.get(name) for name in PILOT_FIELDS}
        said = {name: value for name, value in found.items() if value is not None}
        return {name: value for name, value in typed.items() if value not in (None, "")} | said

    def clean(self) -> dict[str, Any]:
        """Read the file: the script's profile, or a JSON object with the names of the fields."""
        cleaned = super().clean() or {}
        file = cleaned.get("file")
        if file is None:
            return cleaned
        try:
            cleaned["read"] = profiles.read(file.read(profiles.LARGEST_BYTES + 1))
        except InvalidError as error:
            self.add_error("file", error.message)
        return cleaned


class AskForm(forms.Form):
    """A question to the customer."""

    question = forms.CharField(
        label=_("Question to the customer"),
        help_text=_("The customer reads it as written, on the private page and by e-mail"),
        max_length=2000,
        widget=forms.Textarea(attrs={**TEXT, "rows": 3}),
    )
    ledger_key = forms.CharField(required=False, widget=forms.HiddenInput)


class ReasonForm(forms.Form):
    """Why a quote is returned, withdrawn or cancelled."""

    reason = forms.CharField(
        label=_("Reason"),
        help_text=_("Stays with the quote; colleagues read it"),
        max_length=500,
        widget=forms.Textarea(attrs={**TEXT, "rows": 3}),
    )


class MoveForm(forms.Form):
    """A move of the quote as a whole, which knows the version of the quote that the person saw."""

    seen = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)


class ChooseForm(MoveForm):
    """Another candidate, and the word that settled lines may go for it."""

    drop = forms.BooleanField(
        label=_("Drop these lines"), required=False, widget=forms.CheckboxInput(attrs={"class": "tick"})
    )


class ReasonedMoveForm(MoveForm, ReasonForm):
    """A move that says why."""


class RetractForm(ReasonForm):
    """Why an acceptance is taken back, and what says so."""

    evidence = forms.CharField(
        label=_("What it rests on"),
        help_text=_("The customer's letter, message or call, with its date"),
        min_length=3,
        max_length=500,
        widget=forms.TextInput(attrs=TEXT),
    )


class AcceptanceForm(MoveForm):
    """An acceptance that was given elsewhere than on the private page: who, when, how, and what shows it."""

    accepted_by = forms.CharField(label=_("Who accepted"), max_length=200, widget=forms.TextInput(attrs=TEXT))
    given_on = forms.DateField(label=_("On which day"), widget=DayInput())
    channel = forms.ChoiceField(label=_("How"), choices=Channel.choices, widget=forms.Select(attrs=NARROW))
    sha256 = forms.ChoiceField(
        label=_("Which document"),
        help_text=_("The acceptance holds for these bytes alone"),
        widget=forms.Select(attrs=TEXT),
    )
    evidence = forms.CharField(
        label=_("What it rests on"),
        help_text=_("The customer's letter, message or call, with its date"),
        min_length=3,
        max_length=500,
        widget=forms.TextInput(attrs=TEXT),
    )
    remark = forms.CharField(
        label=_("Remark"), required=False, max_length=500, widget=forms.Textarea(attrs={**TEXT, "rows": 2})
    )

    def __init__(self, *args: Any, documents: Iterable[Document], **kwargs: Any) -> None:
        """Offer the documents of the revision."""
        super().__init__(*args, **kwargs)
        self.fields["sha256"].choices = [  # type: ignore[attr-defined]
            (one.sha256, f"{one.get_kind_display()}, {one.language}, SHA-256 {one.sha256[:16]}…") for one in documents
        ]
