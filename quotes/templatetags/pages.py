"""What every page carries around its own content: the places one can go, and who made the numbers."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import template
from django.template.context import Context
from django.urls import NoReverseMatch, reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

import sizing
from quotes.actors import DESK_READERS, Role, roles_of
from quotes.forms.numbers import say
from quotes.presenter import assumptions, engine_words
from quotes.presenter import quantities as q

register = template.Library()


@dataclass(frozen=True, slots=True)
class Place:
    """One entry of the header, for example the queue: where it leads and whether one is there."""

    label: Any
    address: str
    is_current: bool


type Entry = tuple[str, Any, tuple[str, ...]]
CUSTOMER_PLACES: tuple[Entry, ...] = (
    ("quotes:start", pgettext_lazy("navigation", "Size a server"), ("quotes:form", "quotes:check", "quotes:start")),
    ("catalog:article", pgettext_lazy("navigation", "Check an article"), ()),
    ("catalog:index", pgettext_lazy("navigation", "Catalog"), ("catalog:",)),
    ("quotes:accuracy", pgettext_lazy("navigation", "Accuracy"), ()),
)
QUEUE: Entry = ("quotes:queue", pgettext_lazy("navigation", "Queue"), ("/desk/",))
TO_CONFIRM: Entry = ("catalog:to_confirm", pgettext_lazy("navigation", "To confirm"), ())


def _is_current(view_name: str, path: str, name: str, family: tuple[str, ...]) -> bool:
    """Say whether a page belongs to an entry: by its view, or by the start of its view's name or address."""
    return view_name == name or any(
        (path if start.startswith("/") else view_name).startswith(start) for start in family
    )


def _entries(user: Any) -> tuple[Entry, ...]:
    """Give the entries that open for this person: an entry that would be refused is not offered."""
    if user is None or not user.is_authenticated:
        return CUSTOMER_PLACES
    roles = roles_of(user)
    own: list[Entry] = [QUEUE] if roles & DESK_READERS else []
    if Role.CATALOG_ADMINISTRATOR in roles:
        own.append(TO_CONFIRM)
    return (*own, *CUSTOMER_PLACES[1:]) if own else CUSTOMER_PLACES


def _places(request: Any, user: Any) -> Iterator[Place]:
    match = getattr(request, "resolver_match", None)
    view_name = match.view_name if match and match.view_name else ""
    path = getattr(request, "path", "")
    taken = False
    for name, label, family in _entries(user):
        try:
            address = reverse(name)
        except NoReverseMatch:
            continue
        current = not taken and _is_current(view_name, path, name, family)
        taken = taken or current
        yield Place(label, address, current)


@register.simple_tag(takes_context=True)
def places(context: Context) -> list[Place]:
    """Return the header's entries for the person who looks, the current one marked."""
    return list(_places(context.get("request"), context.get("user")))


@register.simple_tag(takes_context=True)
def here(context: Context) -> str:
    """Return the address of this page with its query, where the language switch comes back to."""
    request = context.get("request")
    return request.get_full_path() if request and request.method == "GET" else reverse("quotes:start")


@register.simple_tag
def engine_version() -> str:
    """Return the version of the engine that computes the numbers of this page."""
    return str(getattr(sizing, "__version__", ""))


WORDS = {
    "assumed": _("assumed"),
    "customer": _("stated by the customer"),
    "vendor": _("from the maker"),
    "measured": _("measured"),
    "unconfirmed": _("unconfirmed"),
    "confirmed": _("confirmed"),
    "stale": _("stale"),
    "refuted": _("refuted"),
    "waived": _("waived"),
}


@register.inclusion_tag("components/status.html")
def status(word: str, label: str = "", *, bare: bool = False, own: Any = False) -> dict[str, Any]:
    """Show who stands behind a claim: shape, word and color.

    `bare` leaves the word to screen readers; `own` is for pages the customer reads, who is *you* there.
    """
    said = _("stated by you") if own and word == "customer" else WORDS.get(word, word)
    return {
        "status": word,
        "label": label or said,
        "icon": f"components/icons/{word}.html",
        "bare": bare,
    }


@register.simple_tag
def engine_text(text: str) -> str:
    """Write a sentence of the engine in the reader's language."""
    return engine_words.say(text)


@register.simple_tag
def assumption_label(one: Any) -> str:
    """Name an assumption in the reader's language."""
    return assumptions.label(_as_mapping(one))


@register.simple_tag
def assumed_value(one: Any) -> str:
    """Write the value of an assumption with its unit."""
    return assumptions.value(_as_mapping(one))


@register.simple_tag
def assumption_why(one: Any) -> str:
    """Say why the value was taken."""
    return engine_words.say(_as_mapping(one).get("why"))


def _as_mapping(one: Any) -> dict[str, Any]:
    """Read an assumption of an answer, or a stored row of a ledger."""
    if isinstance(one, dict):
        return one
    return {name: getattr(one, name, None) for name in ("key", "label", "value", "unit", "why")}


@register.simple_tag
def in_gib(size_gib: float) -> str:
    """Write an amount that is already in GiB, without decimals."""
    return f"{say(round(size_gib))}\u00a0{gettext('GiB')}"


@register.simple_tag
def in_number(number: float) -> str:
    """Write a whole number as the reader writes it."""
    return say(round(number))


@register.simple_tag
def gib_band(low_bytes: float, high_bytes: float) -> SafeString:
    """Write two ends of device memory [byte] under one unit."""
    return q.band(q.gib(low_bytes), q.gib(high_bytes)).markup()


@register.simple_tag
def as_json(question: dict[str, Any]) -> str:
    """Write a question to the engine as JSON, for `python -m sizing`."""
    return json.dumps(question, ensure_ascii=False, indent=1)


@register.simple_tag
def duration_like(seconds: float, high_seconds: float) -> SafeString:
    """Write a time [s] in the unit of the band it stands above."""
    return q.duration(seconds, q.duration_unit(high_seconds)).markup()
