"""Somebody is away: the work goes to the deputy, and four eyes stay four."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from quotes import emails, guards, services
from quotes.absences import Away
from quotes.actors import Actor, Role
from quotes.models import Absence, Issuer, Mail, Quote, Status
from quotes.refusals import BlockedError, ConflictError, InvalidError, NotAllowedError
from quotes.transitions import Move
from tests import makers
from tests.quotes.test_moves import together

pytestmark = pytest.mark.django_db


def person(name: str, *roles: Role) -> User:
    """A colleague with roles."""
    user = makers.make_user(roles[0], name=name)
    for role in roles[1:]:
        user.groups.add(Group.objects.get_or_create(name=role.value)[0])
    return user


def away(user: User, deputy: User, *, first: int = 0, last: int = 5) -> Absence:
    """An absence, by days from today."""
    today = Issuer.ensure().today()
    return Absence.objects.create(
        person=user, deputy=deputy, starts_on=today + timedelta(days=first), ends_on=today + timedelta(days=last)
    )


@pytest.fixture
def owner() -> User:
    """The engineer who has the request."""
    return person("owner", Role.ENGINEER)


@pytest.fixture
def deputy() -> User:
    """The colleague who stands in, who may approve too."""
    return person("deputy", Role.ENGINEER, Role.APPROVER)


@pytest.fixture
def quote(owner: User) -> Quote:
    """A quote of the owner."""
    made = makers.make_quote(author=owner)
    services.assign(made.request, to=owner, actor=Actor.of_user(owner))
    return made


def names(client: Client, **asked: str) -> list[str]:
    """The requests of a view of the queue."""
    return [row.request.reference for row, *_rest in client.get(reverse("quotes:queue"), asked).context["rows"]]


def test_a_new_assignment_goes_to_the_deputy_and_the_event_says_for_whom(owner: User, deputy: User) -> None:
    away(owner, deputy)
    quote = makers.make_quote()

    services.assign(quote.request, to=owner, actor=makers.engineer())

    assert quote.request.assigned_to == deputy
    event = quote.request.events.get(kind="request.assigned")
    assert (event.change["after"], event.change["instead_of"]) == (deputy.email, owner.email)


@pytest.mark.parametrize(("first", "last"), [(1, 5), (-5, -1)])
def test_before_and_after_the_absence_the_person_gets_it(owner: User, deputy: User, first: int, last: int) -> None:
    away(owner, deputy, first=first, last=last)
    quote = makers.make_quote()

    services.assign(quote.request, to=owner, actor=makers.engineer())

    assert quote.request.assigned_to == owner


def test_a_deputy_who_is_away_too_passes_it_on_and_a_circle_is_refused(owner: User, deputy: User) -> None:
    third = person("third", Role.ENGINEER)
    away(owner, deputy)
    chain = away(deputy, third)
    quote = makers.make_quote()

    services.assign(quote.request, to=owner, actor=makers.engineer())
    assert quote.request.assigned_to == third

    chain.delete()
    away(deputy, owner)
    with pytest.raises(ConflictError, match="nobody stands in"):
        services.assign(quote.request, to=owner, actor=makers.engineer())


@pytest.mark.parametrize("leaves", [{"is_active": False}, {}])
def test_a_deputy_who_left_or_lost_the_role_gets_nothing(owner: User, deputy: User, leaves: dict[str, Any]) -> None:
    away(owner, deputy)
    if leaves:
        User.objects.filter(pk=deputy.pk).update(**leaves)
    else:
        deputy.groups.remove(Group.objects.get(name=Role.ENGINEER.value))

    with pytest.raises(ConflictError):
        services.assign(makers.make_quote().request, to=owner, actor=makers.engineer())


def test_an_absent_person_who_takes_a_request_has_it(owner: User, deputy: User) -> None:
    away(owner, deputy)
    quote = makers.make_quote()

    services.assign(quote.request, to=owner, actor=Actor.of_user(owner))

    assert quote.request.assigned_to == owner


def test_the_deputy_edits_without_taking_over_and_others_do_not(quote: Quote, owner: User, deputy: User) -> None:
    line = quote.lines.first()
    with pytest.raises(NotAllowedError):
        services.confirm(line, actor=Actor.of_user(deputy), evidence="a letter")
    away(owner, deputy)

    services.confirm(line, actor=Actor.of_user(deputy), evidence="a letter")

    quote.request.refresh_from_db()
    assert quote.request.assigned_to == owner
    with pytest.raises(NotAllowedError):
        services.reopen(line, actor=Actor.of_user(person("third", Role.ENGINEER)))


def submitted(quote: Quote, by: User) -> Quote:
    """Settle and submit everything by one person."""
    platform = quote.lines.get(kind="platform")
    services.edit_line(platform, actor=Actor.of_user(by), version=None, price_kind="included")
    for row in [*quote.lines.all(), *quote.ledger.filter(decisive=True)]:
        services.confirm(row, actor=Actor.of_user(by), evidence="a letter of 27 November")
    return services.move(quote, to=Move.SUBMIT, actor=Actor.of_user(by))


def test_a_deputy_who_changed_the_quote_does_not_approve_it(quote: Quote, owner: User, deputy: User) -> None:
    away(owner, deputy)
    ready = submitted(quote, deputy)
    assert ready.author == owner

    with pytest.raises(BlockedError, match="You changed or submitted this quote"):
        services.approve(ready, actor=Actor.of_user(deputy))
    assert services.approve(ready, actor=makers.approver()).status == Status.APPROVED


def test_a_deputy_who_only_looked_approves(quote: Quote, owner: User, deputy: User) -> None:
    ready = submitted(quote, owner)
    away(owner, deputy)

    assert services.approve(ready, actor=Actor.of_user(deputy)).status == Status.APPROVED


def test_without_four_eyes_the_deputy_approves_what_they_changed(quote: Quote, owner: User, deputy: User) -> None:
    away(owner, deputy)
    Issuer.objects.update(four_eyes=False)

    assert services.approve(submitted(quote, deputy), actor=Actor.of_user(deputy)).status == Status.APPROVED


def test_an_approver_who_returned_a_quote_still_approves_it(quote: Quote, owner: User) -> None:
    ready = submitted(quote, owner)
    services.move(ready, to=Move.RETURN, actor=makers.approver(), reason="the price list is of last month")
    again = services.move(ready, to=Move.SUBMIT, actor=Actor.of_user(owner))

    assert not guards.edited_by(again, makers.make_user(Role.APPROVER))
    assert services.approve(again, actor=makers.approver()).status == Status.APPROVED


def test_letters_go_to_the_deputy_and_say_for_whom(quote: Quote, owner: User, deputy: User) -> None:
    away(owner, deputy)
    asked = services.ask(quote, actor=Actor.of_user(deputy), question="How long?")

    services.answer_clarification(asked, actor=makers.customer(quote), answer="a year")

    letter = Mail.objects.get(template="answered")
    assert letter.to == deputy.email
    assert "owner is absent; you stand in." in emails.compose(letter).body


def test_the_queue_shows_the_deputy_what_is_due_and_who_is_absent(
    client: Client, quote: Quote, owner: User, deputy: User
) -> None:
    absence = away(owner, deputy)
    services.set_due(quote.request, due_on=quote.issuer.today() - timedelta(days=1), actor=Actor.of_user(owner))
    client.force_login(deputy)

    page = client.get(reverse("quotes:queue")).content.decode()

    assert names(client, view="mine") == names(client, view="due") == [quote.request.reference]
    assert f"absent until {absence.ends_on}" in page
    assert "deputy deputy" in page
    assert "overdue since" in page
    client.force_login(person("third", Role.ENGINEER))
    assert names(client, view="mine") == []


def test_an_approver_who_is_away_leaves_approvals_to_the_deputy(client: Client, deputy: User) -> None:
    away(makers.make_user(Role.APPROVER), deputy)
    ready = makers.make_quote(status=Status.READY, settled=True)
    client.force_login(deputy)

    assert names(client, view="mine") == [ready.request.reference]
    assert services.approve(ready, actor=Actor.of_user(deputy)).status == Status.APPROVED


def test_the_review_offers_people_who_can_take_it_and_keeps_who_has_it(
    client: Client, quote: Quote, owner: User, deputy: User
) -> None:
    off = person("off", Role.ENGINEER)
    person("gone", Role.ENGINEER)
    User.objects.filter(first_name="gone").update(is_active=False)
    away(off, deputy)
    away(owner, deputy)
    client.force_login(deputy)

    page = client.get(reverse("quotes:detail", args=[quote.public_id]))

    offered = {user.first_name or "engineer" for user in page.context["assign_form"].fields["to"].queryset}
    assert offered == {"engineer", "owner", "deputy"}
    assert "you stand in" in page.content.decode()


def test_a_request_is_handed_over_from_the_page(client: Client, quote: Quote, owner: User, deputy: User) -> None:
    client.force_login(owner)
    address = reverse("quotes:assign", args=[quote.public_id])

    done = client.post(address, {"to": deputy.username}, follow=True)
    assert "Handed over to deputy" in done.content.decode()
    away(owner, deputy)
    client.force_login(deputy)
    back = client.post(address, {"to": owner.username}, follow=True)

    assert "Handed over to deputy, who stands in today" in back.content.decode()
    assert client.post(address, {"to": makers.make_user(Role.APPROVER).username}).status_code == 422


def test_an_absence_is_planned_and_ended_on_the_account_page(client: Client, owner: User, deputy: User) -> None:
    client.force_login(owner)
    today = Issuer.ensure().today()
    data = {"starts_on": today, "ends_on": today + timedelta(days=7), "deputy": deputy.username}

    assert client.post(reverse("quotes:account"), data).status_code == 302
    again = client.post(reverse("quotes:account"), data)
    assert again.status_code == 422
    assert "There is an absence in these days already" in again.content.decode()
    absence = Absence.objects.get()
    client.force_login(deputy)
    assert "You stand in for owner" in client.get(reverse("quotes:account")).content.decode()
    assert client.post(reverse("quotes:absence_end", args=[absence.public_id])).status_code == 404
    client.force_login(owner)
    client.post(reverse("quotes:absence_end", args=[absence.public_id]))

    assert Away.on(today).of(owner) is None
    assert [row.history_type for row in Absence.history.order_by("history_date")] == ["+", "-"]


def test_an_absence_that_has_begun_ends_yesterday(owner: User, deputy: User) -> None:
    absence = away(owner, deputy, first=-3)

    services.end_absence(absence, actor=Actor.of_user(owner))

    assert absence.ends_on == Issuer.ensure().today() - timedelta(days=1)
    with pytest.raises(ConflictError):
        services.end_absence(absence, actor=Actor.of_user(owner))


def test_days_over_a_deputy_of_another_role_and_oneself_are_refused(owner: User, deputy: User) -> None:
    today = Issuer.ensure().today()
    by = Actor.of_user(owner)
    plan = {"starts_on": today, "ends_on": today, "deputy": deputy}

    for change, field in (
        ({"ends_on": makers.yesterday() - timedelta(days=2)}, "ends_on"),
        ({"deputy": makers.make_user(Role.APPROVER)}, "deputy"),
        ({"deputy": owner}, "__all__"),
        ({"starts_on": today + timedelta(days=1)}, "__all__"),
    ):
        with pytest.raises(InvalidError) as refusal:
            services.plan_absence(by, **(plan | change))
        assert refusal.value.field == field
    with pytest.raises(NotAllowedError):
        services.plan_absence(Actor.of_user(makers.make_user(Role.AUDITOR)), **plan)
    with pytest.raises(IntegrityError), transaction.atomic():
        Absence.objects.create(person=owner, deputy=owner, starts_on=today, ends_on=today)


def test_an_administrator_sets_an_absence_in_the_admin(client: Client, owner: User, deputy: User) -> None:
    admin = User.objects.create_superuser("root", "root@example.com", "long-enough-1")
    client.force_login(admin)
    data = {"person": owner.pk, "deputy": deputy.pk, "starts_on": "2027-01-10", "ends_on": "2027-01-12"}

    assert client.post("/admin/quotes/absence/add/", data).status_code == 302
    refused = client.post("/admin/quotes/absence/add/", data | {"starts_on": "2027-01-12", "ends_on": "2027-01-14"})

    assert "There is an absence in these days already" in refused.content.decode()
    assert Absence.objects.get().deputy == deputy
    with pytest.raises(ValidationError):
        Absence(person=owner, deputy=admin, starts_on=date(2027, 3, 1), ends_on=date(2027, 3, 2)).full_clean()


@pytest.mark.parametrize(("zone", "is_away"), [("Pacific/Auckland", True), ("Pacific/Honolulu", False)])
def test_an_absence_begins_with_the_issuers_day(owner: User, deputy: User, zone: str, is_away: bool) -> None:
    issuer = Issuer.ensure()
    Issuer.objects.filter(pk=issuer.pk).update(time_zone=zone)
    Absence.objects.create(person=owner, deputy=deputy, starts_on=date(2026, 12, 1), ends_on=date(2026, 12, 1))

    with time_machine.travel(datetime(2026, 11, 30, 23, 30, tzinfo=UTC)):
        assert (Away.today().of(owner) is not None) == is_away


def test_who_made_a_price_does_not_approve_it_in_the_next_revision_or_in_a_copy(quote: Quote, owner: User) -> None:
    both = person("both", Role.ENGINEER, Role.APPROVER)
    services.assign(quote.request, to=both, actor=makers.engineer())
    ready = submitted(quote, both)
    sent = services.approve(ready, actor=makers.approver())
    makers.make_document(sent)
    services.send(sent, actor=Actor.of_user(both))
    services.assign(quote.request, to=owner, actor=makers.engineer())
    second = services.revise(sent, actor=Actor.of_user(owner), reason="again")
    again = services.move(second, to=Move.SUBMIT, actor=Actor.of_user(owner))

    with pytest.raises(BlockedError, match="or what it was made from"):
        services.approve(again, actor=Actor.of_user(both))

    copied = services.copy(sent, prices="quoted", actor=Actor.of_user(owner))
    assert guards.edited_by(copied, both)
    assert not guards.edited_by(copied, makers.make_user(name="nobody"))


def test_only_who_handles_a_request_submits_cancels_and_sends_it(quote: Quote, owner: User, deputy: User) -> None:
    other = Actor.of_user(person("another", Role.ENGINEER))
    for move in (Move.SUBMIT, Move.CANCEL):
        with pytest.raises(NotAllowedError, match="Take it over first"):
            services.move(quote, to=move, actor=other, reason="why")

    away(owner, deputy)
    assert services.move(quote, to=Move.CANCEL, actor=Actor.of_user(deputy), reason="why").status == Status.CANCELLED


def planned(user: User, deputy: User, *, first: int, last: int) -> Absence:
    """An absence as a person plans it, by days from today."""
    today = Issuer.ensure().today()
    days = {"starts_on": today + timedelta(days=first), "ends_on": today + timedelta(days=last)}
    return services.plan_absence(Actor.of_user(user), deputy=deputy, **days)


@pytest.mark.parametrize(("first", "last", "is_refused"), [(0, 1, False), (1, 3, True), (3, 9, True), (6, 9, False)])
def test_a_deputy_in_a_circle_is_refused_in_shared_days_alone(
    owner: User, deputy: User, first: int, last: int, is_refused: bool
) -> None:
    planned(owner, deputy, first=2, last=5)

    if not is_refused:
        assert planned(deputy, owner, first=first, last=last).pk
        return
    with pytest.raises(InvalidError, match="owner is absent too and the work comes back") as refusal:
        planned(deputy, owner, first=first, last=last)
    assert refusal.value.field == "deputy"


def test_a_longer_circle_is_refused_and_a_chain_that_ends_with_somebody_is_taken(owner: User, deputy: User) -> None:
    third, fourth = person("third", Role.ENGINEER), person("fourth", Role.ENGINEER)
    planned(deputy, third, first=1, last=4)
    planned(owner, deputy, first=0, last=5)

    with pytest.raises(InvalidError, match="comes back"):
        planned(third, owner, first=3, last=3)

    assert planned(third, fourth, first=3, last=3).deputy == fourth


def test_a_deputy_who_left_and_a_chain_without_the_role_are_refused(owner: User, deputy: User) -> None:
    approver = makers.make_user(Role.APPROVER)
    planned(deputy, approver, first=0, last=2)

    with pytest.raises(InvalidError, match="deputy can't stand in and nobody is behind"):
        planned(owner, deputy, first=2, last=4)


def test_the_page_says_who_stands_in_for_the_deputy_and_who_has_nobody(
    client: Client, owner: User, deputy: User
) -> None:
    third = person("third", Role.ENGINEER)
    planned(owner, deputy, first=1, last=6)
    today = Issuer.ensure().today()
    client.force_login(deputy)
    days = {"starts_on": today + timedelta(days=2), "ends_on": today + timedelta(days=3)}

    warned = client.post(
        reverse("quotes:account"), days | {"deputy": makers.make_user(Role.APPROVER).username}, follow=True
    )
    assert "owner has named you as deputy and has nobody now" in warned.content.decode()
    absence = Absence.objects.get(person=deputy)
    address = reverse("quotes:absence_change", args=[absence.public_id])
    quiet = client.post(address, days | {"deputy": third.username, "version": absence.version}, follow=True)
    assert "has nobody now" not in quiet.content.decode()

    client.force_login(owner)
    page = client.get(reverse("quotes:account")).content.decode()
    assert "the deputy is absent too: third stands in" in page
    User.objects.filter(pk=third.pk).update(is_active=False)
    assert "nobody stands in: name another deputy" in client.get(reverse("quotes:account")).content.decode()


def test_an_absence_is_changed_on_the_page_and_an_older_form_writes_nothing(
    client: Client, owner: User, deputy: User
) -> None:
    third = person("third", Role.ENGINEER)
    absence = planned(owner, deputy, first=3, last=6)
    client.force_login(owner)
    address = reverse("quotes:absence_change", args=[absence.public_id])
    opened = client.get(address)
    assert f'value="{absence.starts_on}"' in opened.content.decode()
    data = {"starts_on": absence.starts_on, "ends_on": absence.ends_on + timedelta(days=2), "deputy": third.username}
    version = opened.context["form"].initial["version"]

    assert client.post(address, data | {"version": version}).status_code == 302
    stale = client.post(address, data | {"deputy": deputy.username, "version": version})

    absence.refresh_from_db()
    assert stale.status_code == 409
    assert (absence.ends_on, absence.deputy) == (data["ends_on"], third)
    assert [row.history_type for row in Absence.history.order_by("history_id")] == ["+", "~"]


def test_what_has_begun_keeps_its_first_day_and_what_is_over_stays(owner: User, deputy: User) -> None:
    begun, by, today = away(owner, deputy, first=-2), Actor.of_user(owner), Issuer.ensure().today()
    days = {"starts_on": begun.starts_on, "ends_on": today + timedelta(days=1), "deputy": deputy}

    for change, field in (
        ({"starts_on": today}, "starts_on"),
        ({"ends_on": makers.yesterday() - timedelta(days=1)}, "ends_on"),
    ):
        with pytest.raises(InvalidError) as refusal:
            services.change_absence(begun, actor=by, **(days | change))
        assert refusal.value.field == field
    assert services.change_absence(begun, actor=by, **days).ends_on == days["ends_on"]
    with pytest.raises(NotAllowedError):
        services.change_absence(begun, actor=Actor.of_user(deputy), **days)
    services.end_absence(begun, actor=by)
    with pytest.raises(ConflictError):
        services.change_absence(begun, actor=by, **days)


@pytest.mark.django_db(transaction=True)
def test_two_who_name_each_other_at_one_moment_do_not_both_succeed() -> None:
    pair = person("one", Role.ENGINEER), person("two", Role.ENGINEER)
    Issuer.ensure()

    results = together(lambda: planned(*pair, first=0, last=3), lambda: planned(*reversed(pair), first=2, last=4))

    assert sorted(isinstance(one, InvalidError) for one in results) == [False, True], results
    assert Absence.objects.count() == 1
