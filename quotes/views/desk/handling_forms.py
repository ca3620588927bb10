"""Forms about a request as a whole: copy it, join it with another, say by when, hand it over, be away, audit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from quotes.absences import Away
from quotes.actors import DEPUTIZED, Role, roles_of
from quotes.duplicates import have_same_email
from quotes.models import Request
from quotes.services.copying import Prices
from quotes.views.desk.forms import NARROW, TEXT, DayInput


class CopyForm(forms.Form):
    """Which prices a copy starts with; the key keeps a double click from making two."""

    prices = forms.ChoiceField(
        label=_("Which prices"), choices=Prices.choices, widget=forms.RadioSelect(attrs={"class": "tick"})
    )
    key = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)


class MergeForm(forms.Form):
    """Which of two requests goes on, and whether the other's private address opens it."""

    survivor = forms.ChoiceField(label=_("Which one goes on"), widget=forms.RadioSelect(attrs={"class": "tick"}))
    link_leads_on = forms.BooleanField(
        label=_("The private address of the closed one opens the one that goes on"),
        help_text=_("Both carry one e-mail address. Tick if one person sent both: a form proves nothing"),
        required=False,
        widget=forms.CheckboxInput(attrs={"class": "tick"}),
    )

    def __init__(self, *args: Any, pair: Mapping[str, Request], reasons: Mapping[str, str], **kwargs: Any) -> None:
        """Offer each request whose counterpart can be closed, each with its person.

        The older one is chosen beforehand only where both carry one e-mail address: who types a company's name early
        is not yet its customer.
        """
        super().__init__(*args, **kwargs)
        first, second = pair
        offered = [key for key, counterpart in ((first, second), (second, first)) if not reasons[counterpart]]
        offered = [key for key in offered if pair[key].merged_into_id is None]
        field = self.fields["survivor"]
        field.choices = [(key, _person(pair[key])) for key in offered]  # type: ignore[attr-defined]
        if have_same_email(pair[first], pair[second]):
            field.initial = min(offered, key=lambda key: pair[key].created_at) if offered else None
        else:
            del self.fields["link_leads_on"]


def _person(request: Request) -> str:
    """A request by its reference, company and person, with the address that its letters go to."""
    told = dict.fromkeys((request.reference, request.organization, request.contact_name, request.email))
    return ", ".join(text for text in told if text)


class DueForm(forms.Form):
    """By which day the customer is to be answered."""

    due_on = forms.DateField(label=_("To be answered by"), required=False, widget=DayInput())

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zone = timezone.get_current_timezone_name()
        self.fields["due_on"].help_text = _("To the end of the day, %(zone)s") % {"zone": zone}


class NoteForm(forms.Form):
    """A remark among colleagues."""

    text = forms.CharField(
        label=_("Note for colleagues"),
        help_text=_("No customer ever reads it"),
        max_length=4000,
        widget=forms.Textarea(attrs={**TEXT, "rows": 2}),
    )


class PersonField(forms.ModelChoiceField[User]):
    """A colleague, by name."""

    def label_from_instance(self, obj: Any) -> str:
        """Give the name people know."""
        return str(obj.get_full_name() or obj.email)


class AssignForm(forms.Form):
    """Who takes the request over."""

    to = PersonField(
        label=_("Engineer"),
        queryset=User.objects.none(),
        to_field_name="username",
        required=False,
        empty_label=_("nobody: back into the pool"),
        widget=forms.Select(attrs=NARROW),
    )

    def __init__(self, *args: Any, away: Away | None = None, owner: User | None = None, **kwargs: Any) -> None:
        """Offer who can take it today, beside who has it; a posted form is read whoever has left meanwhile."""
        super().__init__(*args, **kwargs)
        engineers = User.objects.filter(groups__name=Role.ENGINEER.value, is_active=True)
        if away is not None:
            kept = [key for key in away.by_person if owner is None or key != owner.pk]
            engineers = engineers.exclude(pk__in=kept)
        self.fields["to"].queryset = engineers.order_by("email")  # type: ignore[attr-defined]


class AbsenceForm(forms.Form):
    """When somebody is away, and who stands in."""

    version = forms.IntegerField(required=False, widget=forms.HiddenInput)
    starts_on = forms.DateField(label=_("First day"), widget=DayInput())
    ends_on = forms.DateField(label=_("Last day"), widget=DayInput())
    deputy = PersonField(
        label=_("Deputy"),
        help_text=_("A colleague with the same role. They see and answer what is yours meanwhile"),
        queryset=User.objects.none(),
        to_field_name="username",
        empty_label=_("choose a colleague"),
        widget=forms.Select(attrs=NARROW),
    )

    def __init__(self, *args: Any, person: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = [role.value for role in roles_of(person) & DEPUTIZED]
        colleagues = User.objects.filter(groups__name__in=names, is_active=True).exclude(pk=person.pk)
        self.fields["deputy"].queryset = colleagues.distinct().order_by("email")  # type: ignore[attr-defined]


class PeriodForm(forms.Form):
    """Which events: first and last day, of whose requests, done by whom; empty is all."""

    first = forms.DateField(label=_("First day"), required=False, widget=DayInput())
    last = forms.DateField(label=_("Last day"), required=False, widget=DayInput())
    engineer = PersonField(
        label=_("Requests of the engineer"),
        queryset=User.objects.none(),
        to_field_name="username",
        required=False,
        empty_label=_("all"),
        widget=forms.Select(attrs=NARROW),
    )
    actor = PersonField(
        label=_("Done by"),
        queryset=User.objects.none(),
        to_field_name="username",
        required=False,
        empty_label=_("anybody"),
        widget=forms.Select(attrs=NARROW),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Offer everybody who has worked here, those who left included."""
        super().__init__(*args, **kwargs)
        people = User.objects.exclude(groups=None).distinct().order_by("email")
        for name in ("engineer", "actor"):
            self.fields[name].queryset = people  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Hold the days in order."""
        cleaned = super().clean() or {}
        first, last = cleaned.get("first"), cleaned.get("last")
        if first and last and last < first:
            self.add_error("last", _("The last day is not before the first one"))
        return cleaned
