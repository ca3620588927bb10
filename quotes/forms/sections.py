"""Forms in sections: one definition draws the plain form and the expert sheet, and keeps what neither shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext_lazy as _

from quotes.forms.fields import Flag, strength

PLAIN = "plain"
EXPERT = "expert"

STRENGTH = strength(_("Must hold or preferred"))

Row = str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A group of questions, e.g. "Site": rows of the plain form, and what only the expert sheet adds.

    One that is folded is optional throughout; with rows of the expert sheet alone it is folded there.
    """

    key: str
    title: Any
    plain: tuple[Row, ...]
    expert: tuple[str, ...] = ()
    lead: Any = ""
    folded: bool = False

    def names(self, depth: str) -> list[str]:
        """Names of the fields drawn at a depth, in order."""
        flat = [name for row in self.plain for name in ((row,) if isinstance(row, str) else row)]
        return [*flat, *self.expert] if depth == EXPERT else flat


@dataclass(frozen=True, slots=True)
class FormError:
    """One entry of the error summary: which control, its label, what is wrong."""

    target: str
    label: str
    message: str


class SectionForm(forms.Form):
    """A form drawn from sections; a field with `strength` gets its must-or-prefer companion."""

    sections: ClassVar[tuple[Section, ...]] = ()
    title: ClassVar[Any] = ""

    def __init__(self, *args: Any, depth: str = PLAIN, **kwargs: Any) -> None:
        self.depth = depth if depth in (PLAIN, EXPERT) else PLAIN
        kwargs.setdefault("label_suffix", "")
        super().__init__(*args, **kwargs)
        for name, field in list(self.fields.items()):
            if getattr(field, "strength", False):
                self.fields[f"{name}_strength"] = STRENGTH

    @classmethod
    def shown(cls, depth: str) -> list[str]:
        """Names of the fields a page of this depth posts, must-or-prefer companions included."""
        names = [name for section in cls.sections for name in section.names(depth)]
        marked = [f"{name}_strength" for name in names if getattr(cls.base_fields.get(name), "strength", False)]
        return names + marked

    def drawn(self) -> Iterator[dict[str, Any]]:
        """Give the sections with their bound fields: `rows` for the plain form, `fields` for the expert sheet."""
        for section in self.sections:
            rows = [self._row(row) for row in section.plain]
            yield {
                "key": section.key,
                "title": section.title,
                "lead": section.lead,
                "folded": section.folded,
                "only_expert": section.folded and not section.plain,
                "has_errors": self._has_errors(section),
                "is_open": self._has_errors(section) or any(self[name].value() for name in section.expert),
                "rows": [row for row in rows if row],
                "fields": [self[name] for name in section.names(EXPERT) if name in self.fields],
            }

    def _has_errors(self, section: Section) -> bool:
        return self.is_bound and any(name in self.errors for name in section.names(EXPERT))

    def _row(self, row: Row) -> list[BoundField]:
        names = (row,) if isinstance(row, str) else row
        return [self[name] for name in names if name in self.fields]

    def summary(self) -> list[FormError]:
        """List the errors in the order of the page, for the summary on top."""
        found = []
        for name, messages in self.errors.items():
            bound = self[name] if name in self.fields else None
            label = str(bound.label) if bound else ""
            target = bound.id_for_label or f"id_{name}" if bound else "main"
            found += [
                FormError(target=f"id_{name}" if bound else target, label=label, message=str(m)) for m in messages
            ]
        drawn = [name for section in self.sections for name in section.names(EXPERT)]
        order = {f"id_{name}": place for place, name in enumerate(drawn or self.fields)}
        return sorted(found, key=lambda error: order.get(error.target, len(order)))

    def answered(self) -> dict[str, Any]:
        """Give the valid answers that say something, by name; what was left empty is absent."""
        empty: tuple[Any, ...] = (None, "", [])
        return {
            name: value
            for name, value in self.cleaned_data.items()
            if name in self.fields and value not in empty and not (isinstance(self.fields[name], Flag) and not value)
        }


def merge(
    draft: Mapping[str, Any], posted: Mapping[str, Any], form: type[SectionForm], *, depth: str
) -> dict[str, Any]:
    """Put what a page posted over what the draft holds; fields the page does not show stay as they were."""
    merged = dict(draft)
    for name in form.shown(depth):
        if name in posted:
            merged[name] = posted[name]
        elif isinstance(form.base_fields.get(name), forms.BooleanField):
            merged[name] = ""
    return merged
