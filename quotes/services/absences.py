"""Saying that one is away and who stands in, and being back."""

from __future__ import annotations

from datetime import date, timedelta

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from quotes.actors import DEPUTIZED, Actor
from quotes.models import Absence, Issuer
from quotes.refusals import ConflictError, InvalidError, NotAllowedError


def may_be_absent(actor: Actor) -> User:
    """Give the person, or refuse: only who has work that a deputy can do is absent here."""
    if actor.user is None or not DEPUTIZED & actor.roles:
        raise NotAllowedError(_("Only engineers and approvers have a deputy"))
    return actor.user


@transaction.atomic
def plan_absence(actor: Actor, *, starts_on: date, ends_on: date, deputy: User) -> Absence:
    """Note that the actor is away from the first to the last day, and who does the work meanwhile."""
    person = may_be_absent(actor)
    if ends_on < Issuer.current().today():
        raise InvalidError("ends_on", _("This day has passed: name one to come"))
    _one_at_a_time()
    return _saved(Absence(person=person, starts_on=starts_on, ends_on=ends_on, deputy=deputy))


@transaction.atomic
def change_absence(
    absence: Absence, *, actor: Actor, starts_on: date, ends_on: date, deputy: User, version: int | None = None
) -> Absence:
    """Change days or deputy of an absence that is not over; what has begun keeps its first day."""
    _own(absence, actor)
    today = Issuer.current().today()
    _one_at_a_time()
    stored = Absence.objects.select_related("person").filter(pk=absence.pk).first()
    if stored is None or stored.ends_on < today:
        raise ConflictError(_("This absence is over already"))
    if version is not None and version != stored.version:
        raise ConflictError(_("The absence was changed while you were editing it. Nothing of yours was written."))
    if stored.starts_on < today and starts_on != stored.starts_on:
        raise InvalidError("starts_on", _("It has begun: the first day stays"))
    if ends_on < today:
        raise InvalidError("ends_on", _("This day has passed: name one to come, or end the absence"))
    stored.starts_on, stored.ends_on, stored.deputy = starts_on, ends_on, deputy
    return _saved(stored)


def _one_at_a_time() -> None:
    """Let plans wait for each other: two that name each other at one moment would leave both without anybody."""
    list(Issuer.objects.select_for_update(no_key=True).filter(is_active=True).order_by("pk"))


def _saved(absence: Absence) -> Absence:
    try:
        absence.full_clean()
    except ValidationError as error:
        field, messages = next(iter(error.message_dict.items()))
        raise InvalidError(field, messages[0]) from error
    absence.save()
    return absence


def _own(absence: Absence, actor: Actor) -> None:
    if actor.user is None or absence.person_id != actor.user.pk:
        raise NotAllowedError(_("Only the person, or an administrator, changes or ends an absence"))


@transaction.atomic
def end_absence(absence: Absence, *, actor: Actor) -> None:
    """Be back: one that has begun ends yesterday, one to come is dropped; its history stays."""
    _own(absence, actor)
    today = Issuer.current().today()
    if absence.ends_on < today:
        raise ConflictError(_("This absence is over already"))
    if absence.starts_on < today:
        absence.ends_on = today - timedelta(days=1)
        absence.save()
    else:
        absence.delete()
