"""Two people edit one row: the second to save is told what the first has changed, and writes nothing unseen."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from catalog.admin.differences import difference


def edit_of_what_was_seen(form: type[Any], seen: int) -> type[Any]:
    """A form that refuses to write where the row has had another state since the one that its page showed.

    Parameters
    ----------
    form : type of ModelForm
    seen : int
        Number of the state in the row's history.
    """

    class OfWhatWasSeen(form):
        def clean(self) -> Any:
            cleaned = super().clean()
            _check(self.instance, seen)
            return cleaned

    return OfWhatWasSeen


def _check(row: Any, seen: int) -> None:
    # The lock lasts to the end of the admin's transaction, so that two edits cannot both be the first.
    type(row)._base_manager.select_for_update().filter(pk=row.pk).values_list("pk").first()
    states = list(type(row).history.filter(**{row._meta.pk.attname: row.pk}).select_related("history_user")[:2])
    if not states or states[0].history_id == seen:
        return
    former = type(row).history.filter(history_id=seen).first()
    changes = difference(type(row), states[0], former) if former else []
    raise ValidationError(
        _(
            "%(who)s saved this row while you were editing it: %(changes)s. Nothing of yours was written. "
            "Compare, and save again to write yours."
        ),
        code="stale",
        params={
            "who": states[0].history_user or _("Somebody"),
            "changes": "; ".join(f"{one['field']}: {one['old']} → {one['new']}" for one in changes) or "–",
        },
    )
