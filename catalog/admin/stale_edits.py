"""Two people edit one row: the second to save is told what the first has changed, and writes nothing unseen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Model
from django.forms import CheckboxInput
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from catalog.admin import seen_states
from catalog.admin.seen_states import Below, Change, Seen, former_row

MOST_ROWS = 1_000


@dataclass(frozen=True, slots=True)
class Overtaken:
    """An edit whose page showed something that others have changed since."""

    seen: Seen
    changes: list[Change]


def overtaken(request: HttpRequest, row: Model, below: list[Below]) -> Overtaken | None:
    """Compare what an edit's page showed with what is stored, once for each request. Locks the rows."""
    if not hasattr(request, "overtaken"):
        seen = seen_states.read(request.POST, row, below)
        changes = seen_states.changes_since(seen, row, below) if seen else []
        request.overtaken = Overtaken(seen, changes) if seen and changes else None  # type: ignore[attr-defined]
    found: Overtaken | None = request.overtaken  # type: ignore[attr-defined]
    return found


def refusing(form: type[Any], found: Overtaken) -> type[Any]:
    """A form that says what others have changed and writes nothing.

    It shows again what the person has typed, and the others' values wherever the person has typed nothing;
    `catches_up` does the same for the rows below.
    """

    class Refusing(form):
        data: Any

        def clean(self) -> Any:
            super().clean()
            self.data = _caught_up_head(form, self.data, found.seen, self.instance)
            raise _refusal(found.changes)

    return Refusing


def _refusal(changes: list[Change]) -> ValidationError:
    last = max((change.record for change in changes), key=lambda record: record.history_date)
    return ValidationError(
        _(
            "%(who)s saved this row while you were editing it: %(changes)s. Nothing of yours was written. "
            "What you did not touch shows these changes now. Compare, and save again to write yours."
        ),
        code="stale",
        params={
            "who": last.history_user or _("Somebody"),
            "changes": "; ".join(change.text for change in changes),
        },
    )


def _caught_up_head(form: type[Any], data: QueryDict, seen: Seen, row: Model) -> QueryDict:
    former = former_row(type(row), seen.state)
    merged = data.copy()
    for key, values in _merged(form, data, "", former, row, {name: list(keys) for name, keys in seen.links.items()}):
        merged.setlist(key, values)
    return merged


def catches_up(data: QueryDict, *, formset: Any, seen: Seen) -> QueryDict:
    """The rows below, as a page opened now has them, with what a person has typed in them before.

    Parameters
    ----------
    data : QueryDict
        What was sent.
    formset : BaseInlineFormSet
        The rows as they are now, without what was sent.
    """
    prefix, key_name = formset.prefix, formset.model._meta.pk.name
    total = data.get(f"{prefix}-TOTAL_FORMS", "")
    sent = range(min(int(total), MOST_ROWS)) if total.isdecimal() and len(total) < 9 else range(0)
    place = {data.get(f"{prefix}-{number}-{key_name}", ""): number for number in sent}
    caught_up = QueryDict(mutable=True)
    for name in data:
        if not name.startswith(f"{prefix}-"):
            caught_up.setlist(name, data.getlist(name))
    rows = list(formset.get_queryset())
    for number, row in enumerate(rows):
        former = former_row(formset.model, seen.below.get(prefix, {}).get(row.pk, 0))
        place_then = place.get(str(row.pk))
        _put_row(caught_up, data, formset, (number, place_then), former, row)
    new = [number for number in sent if not data.get(f"{prefix}-{number}-{key_name}")]
    for number, place_then in enumerate(new, start=len(rows)):
        _copy(caught_up, data, f"{prefix}-{place_then}-", f"{prefix}-{number}-")
    caught_up[f"{prefix}-TOTAL_FORMS"] = str(len(rows) + len(new))
    caught_up[f"{prefix}-INITIAL_FORMS"] = str(len(rows))
    return caught_up


def _put_row(
    caught_up: QueryDict, data: QueryDict, formset: Any, places: tuple[int, int | None], former: Any, row: Model
) -> None:
    number, then = places
    target = f"{formset.prefix}-{number}"
    if then is not None:
        _copy(caught_up, data, f"{formset.prefix}-{then}-", f"{target}-")
    for key, values in _merged(formset.form, data if then is not None else None, then, former, row, {}, formset.prefix):
        caught_up.setlist(f"{target}-{key}", values)
    caught_up[f"{target}-{formset.model._meta.pk.name}"] = str(row.pk)
    caught_up[f"{target}-{formset.fk.name}"] = str(formset.instance.pk)


def _copy(caught_up: QueryDict, data: QueryDict, source: str, target: str) -> None:
    for name in data:
        if name.startswith(source):
            caught_up.setlist(target + name.removeprefix(source), data.getlist(name))


def _merged(
    form: type[Any],
    data: QueryDict | None,
    place: int | str | None,
    former: Any,
    row: Model,
    initial: dict[str, Any],
    prefix: str = "",
) -> Iterable[tuple[str, list[str]]]:
    """Values of a form as a browser sends them: those typed over what the page showed, the current ones elsewhere."""
    now = form(instance=row)
    if data is None:
        return [(name, _as_sent(now[name])) for name in now.fields]
    then = form(data, prefix=f"{prefix}-{place}" if prefix else None, instance=former or row, initial=initial)
    touched = set(then.changed_data)
    return [
        (name, data.getlist(then.add_prefix(name)) if name in touched else _as_sent(now[name])) for name in now.fields
    ]


def _as_sent(bound: Any) -> list[str]:
    widget, value = getattr(bound.field.widget, "widget", bound.field.widget), bound.value()
    if isinstance(widget, CheckboxInput):
        return ["on"] if value else []
    written = widget.format_value(value)
    return [str(one) for one in (written if isinstance(written, list) else [written]) if one not in (None, "")]
