"""Choosing another candidate of the same estimate."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from quotes.actors import Actor
from quotes.models import Quote
from quotes.refusals import InvalidError, SettledLinesError
from quotes.services import preparing
from quotes.services.editing import open_for_edit
from quotes.services.recording import record, refresh_search


@transaction.atomic
def choose_candidate(quote: Quote, *, rank: int, actor: Actor, seen: int | None = None, drop: bool = False) -> Quote:
    """Take the candidate of a rank: its lines replace the former ones, lines typed by hand stay.

    Lines that somebody settled go only with `drop`; without it they are named in a refusal (409).
    """
    locked = open_for_edit(quote, actor=actor, seen=seen)
    if locked.estimate.candidate(rank) is None:
        raise InvalidError("rank", _("There is no such candidate"))
    settled = [] if drop else preparing.settled_and_dropped(locked, locked.estimate.candidate(rank))
    if settled:
        raise SettledLinesError([line.name for line in settled])
    before = locked.chosen_rank
    preparing.choose(locked, estimate=locked.estimate, rank=rank)
    change = {"before": before, "after": rank, "platform": locked.summary.get("platform")}
    record(locked.request, kind="candidate.chosen", actor=actor, quote=locked, change=change)
    refresh_search(locked.request)
    return locked
