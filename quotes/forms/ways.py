"""Which form belongs to which way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quotes.forms.rag import RagForm
from quotes.forms.route import ADAPTERS, DOCUMENTS, FULL, SCRATCH, SERVICE
from quotes.forms.scratch import ScratchForm
from quotes.forms.sections import PLAIN, SectionForm
from quotes.forms.serving import ServingForm
from quotes.forms.tuning import AdaptersForm, FullForm

FORMS: Mapping[str, type[SectionForm]] = {
    ADAPTERS: AdaptersForm,
    FULL: FullForm,
    SCRATCH: ScratchForm,
    SERVICE: ServingForm,
    DOCUMENTS: RagForm,
}


def bound(way: str, values: Mapping[str, Any], *, depth: str = PLAIN) -> SectionForm:
    """Bind the form of a way to what was typed, with the form's own answers where nothing was."""
    form = FORMS[way]
    initial = {name: field.initial for name, field in form.base_fields.items() if field.initial is not None}
    data = {name: str(value) for name, value in initial.items() if not isinstance(value, bool)} | {
        name: value for name, value in values.items() if value is not None
    }
    return form(data, depth=depth)


def last_valid(way: str, typed: SectionForm, valid: Mapping[str, Any]) -> SectionForm | None:
    """Bind the form again with the last valid answer wherever the typed one is wrong; None where that fails too."""
    form, values = typed, dict(typed.data)
    for _attempt in range(2):
        if form.is_valid():
            return form
        values |= {name: valid.get(name, "") for name in form.errors}
        form = bound(way, values, depth=typed.depth)
    return form if form.is_valid() else None
