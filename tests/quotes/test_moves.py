"""A quote moves by the table, once, by the right person."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import close_old_connections, connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from quotes import guards, services, tasks
from quotes.actors import Actor, Role
from quotes.models import Mail, NumberCounter, Quote, QuoteEvent, Status, WrittenOnceError
from quotes.refusals import BlockedError, ConflictError, InvalidError, NotAllowedError
from quotes.transitions import MOVES, Move
from tests import makers

pytestmark = pytest.mark.django_db


def approved(**fields: Any) -> Quote:
    """A quote that has just been approved, with its document."""
    quote = makers.make_quote(status=Status.READY, settled=True, **fields)
    services.approve(quote, actor=makers.approver())
    quote.refresh_from_db()
    makers.make_document(quote)
    return quote


def sent(**fields: Any) -> Quote:
    """A quote the customer holds."""
    return services.send(approved(**fields), actor=makers.engineer())


def test_approval_draws_the_number_freezes_the_snapshot_and_asks_for_the_document() -> None:
    quote = approved()

    assert quote.full_number == f"SW-{quote.issuer.today().year}-0001/1"
    assert quote.snapshot["number"] == quote.number
    assert quote.valid_until == quote.issuer.today() + timedelta(days=14)
    assert quote.approver == makers.make_user(Role.APPROVER)


def test_numbers_have_no_gap_when_an_approval_is_refused() -> None:
    year = makers.make_quote().issuer.today().year
    refused = makers.make_quote(status=Status.READY)

    with pytest.raises(BlockedError):
        services.approve(refused, actor=makers.approver())
    first, second = approved(), approved()

    assert (first.number, second.number) == (f"SW-{year}-0001", f"SW-{year}-0002")


def test_a_quote_with_an_open_line_is_not_submitted() -> None:
    quote = makers.make_quote(settled=True)
    services.reopen(quote.lines.first(), actor=makers.engineer())

    with pytest.raises(BlockedError) as refusal:
        services.move(quote, to=Move.SUBMIT, actor=makers.engineer())

    assert "SYS-521GE-TNRT" in refusal.value.message


def test_a_quote_with_an_open_decisive_assumption_is_not_submitted() -> None:
    quote = makers.make_quote(settled=True)
    services.reopen(quote.ledger.get(decisive=True), actor=makers.engineer())

    with pytest.raises(BlockedError):
        services.move(quote, to=Move.SUBMIT, actor=makers.engineer())


def test_a_waiver_with_a_reason_lets_it_pass() -> None:
    quote = makers.make_quote(settled=True)
    line = quote.lines.first()
    services.reopen(line, actor=makers.engineer())
    services.waive(line, actor=makers.engineer(), reason="The supplier names the article in the invoice.")

    moved = services.move(quote, to=Move.SUBMIT, actor=makers.engineer())

    assert moved.status == Status.READY


def test_a_confirmation_past_its_validity_blocks_again() -> None:
    quote = makers.make_quote(settled=True)
    quote.lines.update(valid_until=makers.yesterday() - timedelta(days=2))

    with pytest.raises(BlockedError):
        services.move(quote, to=Move.SUBMIT, actor=makers.engineer())


def test_the_author_does_not_approve() -> None:
    both = makers.make_user(Role.APPROVER, name="both")
    quote = makers.make_quote(status=Status.READY, settled=True, author=both)

    with pytest.raises(BlockedError):
        services.approve(quote, actor=Actor.of_user(both))


def test_the_author_approves_where_the_issuer_allows_it() -> None:
    both = makers.make_user(Role.APPROVER, name="both")
    quote = makers.make_quote(status=Status.READY, settled=True, author=both)
    type(quote.issuer).objects.update(four_eyes=False)

    assert services.approve(quote, actor=Actor.of_user(both)).status == Status.APPROVED


@pytest.mark.parametrize("move", [move for move, rule in MOVES.items() if rule.needs_reason])
def test_moves_that_need_a_reason_are_refused_without_one(move: Move) -> None:
    rule = MOVES[move]
    quote = makers.make_quote(status=next(iter(rule.sources)), settled=True)
    role = next(iter(rule.by))

    with pytest.raises(InvalidError):
        services.move(quote, to=move, actor=Actor.of_user(makers.make_user(role)), reason="  ")


@pytest.mark.parametrize(
    ("move", "status"),
    [(move, status) for move, rule in MOVES.items() for status in Status if status not in rule.sources],
)
def test_no_move_starts_from_a_state_outside_its_sources(move: Move, status: str) -> None:
    rule = MOVES[move]
    quote = makers.make_quote(status=status, settled=True)
    role = next(iter(rule.by))
    actor = makers.customer(quote) if role is Role.CUSTOMER else Actor.of_user(makers.make_user(role))

    with pytest.raises(ConflictError):
        services.move(quote, to=move, actor=actor, reason="because it has to be")

    quote.refresh_from_db()
    assert quote.status == status


@pytest.mark.parametrize("move", list(MOVES))
def test_no_move_is_made_by_a_role_outside_its_row(move: Move) -> None:
    rule = MOVES[move]
    quote = makers.make_quote(status=next(iter(rule.sources)), settled=True)
    others = set(Role) - rule.by - {Role.CUSTOMER, Role.SYSTEM}

    for role in others:
        with pytest.raises(NotAllowedError):
            services.move(quote, to=move, actor=Actor.of_user(makers.make_user(role)), reason="x" * 30)


def test_sending_waits_for_the_document() -> None:
    quote = makers.make_quote(status=Status.READY, settled=True)
    services.approve(quote, actor=makers.approver())

    with pytest.raises(ConflictError, match="rendered"):
        services.send(quote, actor=makers.engineer())


def test_sending_writes_one_letter_to_the_customer() -> None:
    quote = sent()

    assert Mail.objects.filter(request=quote.request, template="sent").count() == 1


def test_a_customer_cannot_accept_an_expired_quote() -> None:
    quote = sent()
    digest = quote.documents.get().sha256

    with time_machine.travel(timezone.now() + timedelta(days=30)), pytest.raises(ConflictError, match="valid until"):
        services.accept(quote, actor=makers.customer(quote), sha256=digest)


def test_expiry_is_computed_in_the_zone_of_the_issuer() -> None:
    quote = sent()
    type(quote.issuer).objects.update(time_zone="Pacific/Auckland")
    quote = Quote.objects.select_related("issuer").get(pk=quote.pk)
    last_day = quote.valid_until
    assert last_day is not None

    with time_machine.travel(f"{last_day}T23:30:00+00:00"):
        assert quote.is_expired()
    with time_machine.travel(f"{last_day}T10:30:00+00:00"):
        assert not quote.is_expired()


def test_acceptance_belongs_to_the_bytes_the_customer_read() -> None:
    quote = sent()

    with pytest.raises(ConflictError):
        services.accept(quote, actor=makers.customer(quote), sha256="0" * 64)
    accepted = services.accept(quote, actor=makers.customer(quote), sha256=quote.documents.get().sha256)

    assert accepted.accepted_sha256 == quote.documents.get().sha256


def test_a_revision_keeps_the_number_and_supersedes_when_it_is_sent() -> None:
    first = sent()
    second = services.revise(first, actor=makers.engineer(), reason="new price list")
    first.refresh_from_db()
    assert (first.status, second.number, second.revision) == (Status.SENT, None, 2)

    services.move(second, to=Move.SUBMIT, actor=makers.engineer())
    services.approve(second, actor=makers.approver())
    second.refresh_from_db()
    makers.make_document(second)
    services.send(second, actor=makers.engineer())

    first.refresh_from_db()
    assert (first.status, second.full_number) == (Status.SUPERSEDED, f"{first.number}/2")
    assert NumberCounter.objects.get(series="quote").value == 1


def test_a_revision_copies_lines_prices_and_confirmations() -> None:
    first = sent()
    second = services.revise(first, actor=makers.engineer(), reason="new price list")

    names = ("description", "quantity", "net_amount", "confirmation", "evidence")
    assert list(second.lines.values_list(*names)) == list(first.lines.values_list(*names))
    assert second.ledger.count() == first.ledger.count()


def test_two_revisions_are_not_prepared_at_once() -> None:
    first = sent()
    services.revise(first, actor=makers.engineer(), reason="new price list")

    with pytest.raises(ConflictError):
        services.revise(first, actor=makers.engineer(), reason="new price list")


def test_a_withdrawn_revision_keeps_its_number() -> None:
    quote = approved()
    services.move(quote, to=Move.WITHDRAW, actor=makers.approver(), reason="wrong price list")

    quote.refresh_from_db()
    assert quote.number
    assert quote.status == Status.WITHDRAWN


@pytest.mark.parametrize("status", [Status.APPROVED, Status.SENT, Status.ACCEPTED, Status.DECLINED, Status.SUPERSEDED])
@pytest.mark.parametrize(
    "edit",
    [
        lambda quote, by: services.add_line(quote, actor=by, description="x", quantity=1, kind="other"),
        lambda quote, by: services.remove_line(quote.lines.first(), actor=by),
        lambda quote, by: services.confirm(quote.lines.first(), actor=by, evidence="a letter"),
        lambda quote, by: services.waive(quote.ledger.first(), actor=by, reason="x" * 30),
        lambda quote, by: services.choose_candidate(quote, rank=1, actor=by, drop=True),
        lambda quote, by: services.ask(quote, actor=by, question="?"),
    ],
)
def test_nothing_of_an_issued_revision_is_edited(status: str, edit: Callable[[Quote, Actor], Any]) -> None:
    quote = makers.make_quote(status=status, settled=True)

    with pytest.raises(ConflictError):
        edit(quote, makers.engineer())


def test_events_are_written_once() -> None:
    quote = approved()
    event = QuoteEvent.objects.filter(quote=quote).first()
    assert event is not None

    for attempt in (
        event.save,
        event.delete,
        QuoteEvent.objects.all().delete,
        lambda: QuoteEvent.objects.update(kind=""),
    ):
        with pytest.raises(WrittenOnceError):
            attempt()


def test_documents_are_written_once_and_kept_after_the_catalog_changes() -> None:
    quote = approved()
    stored = quote.documents.get()

    again = makers.make_document(quote, content=b"%PDF other bytes")

    assert (again.pk, again.sha256) == (stored.pk, stored.sha256)
    with pytest.raises(WrittenOnceError):
        stored.save()


def together(*calls: Callable[[], Any]) -> list[Any]:
    """Run calls in threads that start at the same moment; give results and refusals."""
    barrier = threading.Barrier(len(calls))
    results: list[Any] = [None] * len(calls)

    def run(index: int, call: Callable[[], Any]) -> None:
        close_old_connections()
        barrier.wait()
        try:
            results[index] = call()
        except Exception as error:
            results[index] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(index, call)) for index, call in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@pytest.mark.django_db(transaction=True)
def test_two_approvals_at_once_issue_one_number() -> None:
    quote = makers.make_quote(status=Status.READY, settled=True)
    actor = makers.approver()

    results = together(*(lambda: services.approve(quote, actor=actor) for _ in range(2)))

    assert sorted(isinstance(one, ConflictError) for one in results) == [False, True], results
    assert NumberCounter.objects.get(series="quote").value == 1
    assert QuoteEvent.objects.filter(quote=quote, kind=Move.APPROVE).count() == 1


@pytest.mark.django_db(transaction=True)
def test_eight_approvals_at_once_draw_distinct_consecutive_numbers() -> None:
    quotes = [makers.make_quote(status=Status.READY, settled=True) for _ in range(8)]
    actor = makers.approver()

    results = together(*(lambda quote=quote: services.approve(quote, actor=actor) for quote in quotes))

    numbers = sorted(int(one.number[-4:]) for one in results)
    assert numbers == list(range(1, 9))


@pytest.mark.django_db(transaction=True)
def test_an_edit_against_an_approval_ends_in_one_of_two_consistent_states() -> None:
    quote = makers.make_quote(status=Status.READY, settled=True)
    line = quote.lines.first()
    engineer, approver = makers.engineer(), makers.approver()

    def edit() -> Any:
        return services.reopen(line, actor=engineer)

    edited, issued = together(edit, lambda: services.approve(quote, actor=approver))

    quote.refresh_from_db()
    assert isinstance(edited, ConflictError)
    assert quote.status == Status.APPROVED, issued
    assert all(one["confirmation"]["state"] == "confirmed" for one in quote.snapshot["lines"])


@pytest.mark.django_db(transaction=True)
def test_two_workers_send_a_letter_once() -> None:
    quote = makers.make_quote()
    mail = Mail.objects.create(request=quote.request, key="k", template="sent", to="a@customer.example")

    results = together(*(lambda: tasks.deliver_mail.func(mail.pk) for _ in range(2)))

    assert sorted(results) == ["sent", "taken"]


@pytest.mark.parametrize(("more", "kinds"), [(1, ["note"]), (0, [])])
def test_lines_are_held_against_the_configuration(more: int, kinds: list[str]) -> None:
    quote = makers.make_quote(settled=True)
    line = quote.lines.get(kind="platform")
    line.quantity = quote.candidate["nodes"] + more  # type: ignore[index]
    line.save()

    found = [guard for guard in guards.all_of(Quote.objects.get(pk=quote.pk)) if guard.code == "composition"]

    assert [guard.kind for guard in found if "servers" in guard.title] == kinds


def test_fewer_gpus_than_configured_block() -> None:
    quote = makers.make_quote(settled=True)
    quote.lines.filter(kind="gpu").update(quantity="0.5")

    blocking = guards.blocking(Quote.objects.get(pk=quote.pk))

    assert any(guard.code == "composition" for guard in blocking)


@pytest.mark.django_db
@pytest.mark.parametrize("status", list(Status))
@pytest.mark.parametrize("slug", ["withdraw", "cancel", "return", "send", "approve", "submit", "review"])
def test_a_form_opens_only_for_a_move_that_is_possible_now(client: Client, status: Status, slug: str) -> None:
    quote = makers.make_quote(status=status)
    user = makers.make_user(Role.ENGINEER)
    user.groups.add(*makers.make_user(Role.APPROVER).groups.all())
    client.force_login(user)

    answer = client.get(reverse("quotes:move", args=[quote.public_id, slug]))

    assert answer.status_code == (200 if status in MOVES[Move(f"quote.{slug}")].sources else 409)
