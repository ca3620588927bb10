"""Two requests of one customer become one, and nothing of either is lost or shown to somebody else."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from quotes import duplicates, links, purging, services, snapshot
from quotes.actors import Role
from quotes.models import PilotResult, Quote, QuoteEvent, Request, Status
from quotes.refusals import ConflictError, InvalidError, NotAllowedError
from quotes.services.recording import refresh_search
from quotes.uploads import Checked
from tests import makers
from tests.quotes.test_moves import sent, together

pytestmark = pytest.mark.django_db


def quote_of(email: str = "anna@customer.example", organization: str = "ООО «Ёлка»", **fields: Any) -> Quote:
    """A quote of a customer."""
    return makers.make_quote(request=makers.make_request(email=email, organization=organization), **fields)


def merged(survivor: Quote, closed: Quote, **more: Any) -> Request:
    """Merge by an engineer."""
    return services.merge(survivor.request, closed=closed.request, actor=makers.engineer(), **more)


def found(quote: Quote) -> list[str]:
    """The likely duplicates of a request."""
    fresh = Request.objects.get(pk=quote.request_id)
    return [one.reference for one in duplicates.likely(fresh, is_issued=bool(quote.number))]


@pytest.fixture
def desk(client: Client) -> Client:
    """The engineer's browser."""
    client.force_login(makers.make_user(Role.ENGINEER))
    return client


@pytest.mark.parametrize(
    ("email", "organization"),
    [("ANNA@customer.example", "another"), ("b@b.example", "елка, ООО"), ("b@b.example", "Ёлка")],
)
def test_the_same_email_or_company_in_another_spelling_is_found(email: str, organization: str) -> None:
    quote, other = quote_of(), quote_of(email, organization)

    assert found(quote) == [other.request.reference]


@pytest.mark.parametrize(("email", "organization"), [("b@b.example", "ООО «Ель»"), ("b@b.example", "ООО"), ("", "")])
def test_another_customer_is_not_found(email: str, organization: str) -> None:
    quote = quote_of()
    quote_of(email, organization)

    assert found(quote) == []


def test_nothing_is_a_duplicate_of_a_request_without_email_and_company() -> None:
    quote = quote_of("", "")
    quote_of("", "")

    assert found(quote) == []


def test_old_cancelled_merged_and_copied_requests_are_not_found() -> None:
    quote = quote_of()
    old = quote_of()
    Request.objects.filter(pk=old.request_id).update(created_at=old.request.created_at - timedelta(days=90))
    quote_of(status=Status.CANCELLED)
    copy = services.copy(quote, prices="quoted", actor=makers.engineer())
    other = quote_of()
    merged(other, quote_of())

    assert found(quote) == [other.request.reference]
    assert quote.request.reference not in found(copy)


def test_of_two_issued_requests_neither_is_offered() -> None:
    first, second = quote_of(status=Status.SENT), quote_of(status=Status.SENT)

    assert found(first) == found(second) == []


def test_the_closed_one_is_cancelled_named_and_both_have_an_event() -> None:
    survivor, closed = quote_of(), quote_of()

    merged(survivor, closed)

    closed = Quote.objects.select_related("request__merged_into").get(pk=closed.pk)
    assert (closed.status, closed.request.merged_into) == (Status.CANCELLED, survivor.request)
    here = survivor.request.events.get(kind="request.absorbed")
    there = closed.request.events.get(kind="request.merged")
    assert (here.change["name"], there.change["name"]) == (closed.request.reference, survivor.request.reference)
    assert closed.request.events.get(kind="quote.cancel").reason == f"Merged into {survivor.request.reference}"


def test_files_notes_and_questions_are_read_from_the_one_that_goes_on(desk: Client) -> None:
    survivor, closed = quote_of(), quote_of()
    by = makers.engineer()
    file = Checked("specification.txt", b"text", "text/plain", "0" * 64)
    attachment = services.attach(closed.request, file=file, kind="article", actor=by)
    services.add_note(closed.request, text="call before noon", actor=by)
    asked = services.ask(closed, actor=by, question="How long is an example?")
    services.answer_clarification(asked, actor=makers.customer(closed), answer="two pages")
    services.ask(closed, actor=by, question="And how many?")
    merged(survivor, closed)

    text = desk.get(reverse("quotes:detail", args=[survivor.public_id])).content.decode()

    for words in ("specification.txt", "call before noon", "How long is an example?", "two pages", "ask again here"):
        assert words in text
    assert closed.request.reference in text
    response = desk.get(reverse("quotes:attachment", args=[attachment.public_id]))
    assert b"".join(response.streaming_content) == b"text"  # type: ignore[attr-defined]
    assert "specification.txt" in desk.get(reverse("quotes:detail", args=[closed.public_id])).content.decode()


def test_pilot_runs_are_read_from_the_one_that_goes_on_and_count_nothing_there(desk: Client) -> None:
    survivor, closed = quote_of(), quote_of()
    profile = {"gpu": "another", "sequence_length": 1024, "micro_batch": 1, "peak_gib": 30.0}
    address = reverse("quotes:detail", args=[survivor.public_id])
    services.record_pilot(closed, profile=profile, actor=makers.engineer())
    left = services.receive_pilot(closed, profile=profile, actor=makers.customer(closed))
    merged(survivor, closed)
    desk.get(address)
    with CaptureQueriesContext(connection) as few:
        text = desk.get(address).content.decode()

    assert f"{closed.request.reference}: Measured for the request that was merged" in text
    assert f"{closed.request.reference}: Nobody had looked at it when the two were merged" in text
    for name in ("pilot_use", "pilot_aside"):
        taken = reverse(f"quotes:{name}", args=[survivor.public_id, left.public_id])
        assert taken not in text
        assert desk.post(taken).status_code == 404
    assert snapshot.freeze(survivor)["pilots"] == []
    PilotResult.objects.bulk_create(PilotResult(quote=closed, profile=profile) for _run in range(5))
    with CaptureQueriesContext(connection) as many:
        desk.get(address)
    assert len(many) == len(few)


@pytest.mark.parametrize(
    "status",
    [
        Status.APPROVED,
        Status.SENT,
        Status.ACCEPTED,
        Status.DECLINED,
        Status.WITHDRAWN,
        Status.SUPERSEDED,
        Status.READY,
    ],
)
def test_what_is_issued_or_waits_for_approval_is_not_closed(status: str) -> None:
    survivor, closed = quote_of(), quote_of(status=status, settled=True)

    with pytest.raises(ConflictError):
        merged(survivor, closed)

    closed.refresh_from_db()
    assert (closed.status, closed.request.merged_into) == (status, None)


def test_a_sent_revision_survives_to_the_letter() -> None:
    first = sent()
    Request.objects.filter(pk=first.request_id).update(email="anna@customer.example")
    refresh_search(Request.objects.get(pk=first.request_id))
    before = Quote.objects.filter(pk=first.pk).values().get()
    documents = list(first.documents.values())

    merged(first, quote_of())

    assert Quote.objects.filter(pk=first.pk).values().get() == before
    assert list(first.documents.values()) == documents


def test_requests_of_two_customers_are_not_merged() -> None:
    with pytest.raises(InvalidError):
        merged(quote_of(), quote_of("b@b.example", "Ель"))


def test_a_request_is_merged_once_not_into_itself_and_not_into_a_closed_one() -> None:
    first, second, third = quote_of(), quote_of(), quote_of()
    merged(first, second)

    for survivor, closed in ((third, second), (second, third)):
        with pytest.raises(ConflictError):
            merged(survivor, closed)
    with pytest.raises(InvalidError):
        merged(first, first)
    with pytest.raises(IntegrityError), transaction.atomic():
        Request.objects.filter(pk=first.request_id).update(merged_into=first.request_id)


def test_a_chain_ends_at_the_last_one() -> None:
    first, second, third = quote_of(), quote_of(), quote_of()
    merged(second, first)
    merged(third, second)

    assert set(Request.objects.filter(merged_into=third.request)) == {first.request, second.request}


def test_only_an_engineer_merges() -> None:
    with pytest.raises(NotAllowedError):
        services.merge(quote_of().request, closed=quote_of().request, actor=makers.approver())


def test_the_closed_link_leads_the_same_person_on_and_does_nothing_itself(client: Client) -> None:
    survivor, closed = quote_of(), quote_of()
    token = links.issue(survivor.request)[1]
    old = links.issue(closed.request)[1]
    merged(survivor, closed, link_leads_on=True)
    events = QuoteEvent.objects.count()

    response = client.get(reverse("quotes:status", args=[old]))
    posted = client.post(reverse("quotes:decline", args=[old]), {})

    assert response.status_code == posted.status_code == 302
    assert response["Location"] == posted["Location"] == reverse("quotes:status", args=[token])
    assert QuoteEvent.objects.count() == events


@pytest.mark.parametrize(
    ("email", "leads_on"), [("anna@customer.example", False), ("b@b.example", False), ("", False)], ids=str
)
def test_the_closed_link_shows_nothing_of_the_other_where_it_does_not_lead_on(
    client: Client, email: str, leads_on: bool
) -> None:
    survivor, closed = quote_of(), quote_of(email)
    links.issue(survivor.request)
    old = links.issue(closed.request)[1]
    merged(survivor, closed, link_leads_on=leads_on)

    response = client.get(reverse("quotes:status", args=[old]))

    assert response.status_code == 410
    assert survivor.request.reference not in response.content.decode()


def test_the_link_of_a_colleague_with_another_address_is_never_made_to_lead_on() -> None:
    with pytest.raises(InvalidError, match="never opens"):
        merged(quote_of(), quote_of("boris@customer.example"), link_leads_on=True)


def test_an_address_that_changed_after_the_merge_leads_nowhere(client: Client) -> None:
    survivor, closed = quote_of(), quote_of()
    links.issue(survivor.request)
    old = links.issue(closed.request)[1]
    merged(survivor, closed, link_leads_on=True)
    Request.objects.filter(pk=survivor.request_id).update(email="new@customer.example")
    refresh_search(Request.objects.get(pk=survivor.request_id))

    assert client.get(reverse("quotes:status", args=[old])).status_code == 410


def test_a_closed_or_revoked_link_stays_closed(client: Client) -> None:
    survivor, closed = quote_of(), quote_of()
    links.issue(survivor.request)
    link, old = links.issue(closed.request)
    merged(survivor, closed, link_leads_on=True)
    services.revoke_link(link, actor=makers.engineer())

    assert client.get(reverse("quotes:status", args=[old])).status_code == 410
    with pytest.raises(ConflictError):
        services.reissue_link(Request.objects.get(pk=closed.request_id), actor=makers.engineer())


def test_the_page_shows_the_likely_duplicate_what_differs_and_merges(desk: Client) -> None:
    survivor, closed = quote_of(), quote_of("boris@customer.example")
    text = desk.get(reverse("quotes:detail", args=[closed.public_id])).content.decode()
    address = reverse("quotes:merge", args=[closed.public_id, survivor.request.public_id])
    assert address in text
    assert "same company, another e-mail address" in text

    compared = desk.get(address)
    done = desk.post(address, {"survivor": str(survivor.request.public_id)}, follow=True)

    rows = {name: (one, two) for name, one, two in compared.context["rows"]}
    assert rows["E-mail"] == ("boris@customer.example", "anna@customer.example")
    assert "opens nothing any more" in compared.content.decode()
    assert done.redirect_chain[-1][0] == reverse("quotes:detail", args=[survivor.public_id])
    closed_page = desk.get(reverse("quotes:detail", args=[closed.public_id])).content.decode()
    assert f"Merged into {survivor.request.reference}" in closed_page
    assert reverse("quotes:detail", args=[survivor.public_id]) in closed_page
    assert (
        f"merged into {survivor.request.reference}" in desk.get(reverse("quotes:queue") + "?view=all").content.decode()
    )


def test_the_same_workload_comes_first_and_the_rest_is_counted(desk: Client) -> None:
    quote, same = quote_of(), quote_of()
    others = [quote_of() for _ in range(6)]
    for other in others:
        asked = {**other.estimate.input, "workload": {**other.estimate.input["workload"], "epochs": 9}}
        type(other.estimate)._base_manager.filter(pk=other.estimate_id).update(input=asked)

    page = desk.get(reverse("quotes:detail", args=[quote.public_id])).content.decode()

    assert found(quote)[0] == same.request.reference
    assert same.request.reference in page
    assert "and 2 more" in page


def test_a_request_is_not_compared_with_itself(desk: Client) -> None:
    quote = quote_of()
    address = reverse("quotes:merge", args=[quote.public_id, quote.request.public_id])

    assert desk.get(address).status_code == 404
    assert desk.post(address, {"survivor": str(quote.request.public_id)}).status_code == 404


def test_the_page_offers_only_what_can_go_on(desk: Client) -> None:
    issued, other = quote_of(status=Status.SENT, settled=True), quote_of()
    address = reverse("quotes:merge", args=[other.public_id, issued.request.public_id])

    form = desk.get(address).context["form"]

    assert [key for key, _label in form.fields["survivor"].choices] == [str(issued.request.public_id)]
    assert desk.post(address, {"survivor": str(other.request.public_id)}).status_code == 422


def test_a_duplicate_of_what_was_issued_is_kept_as_long_as_it() -> None:
    survivor, closed = quote_of(status=Status.SENT, settled=True), quote_of()
    merged(survivor, closed)
    alone = quote_of()
    Request.objects.update(created_at=survivor.request.created_at - timedelta(days=400))

    assert purging.forget_old(days=365) == 1
    alone.request.refresh_from_db()
    assert (alone.request.email_folded, alone.request.organization_folded) == ("", "")
    closed.request.refresh_from_db()
    assert closed.request.email


@pytest.mark.django_db(transaction=True)
def test_two_merges_at_once_in_both_directions_close_one() -> None:
    first, second = quote_of(), quote_of()
    makers.engineer()

    results = together(lambda: merged(first, second), lambda: merged(second, first))

    assert sorted(isinstance(one, ConflictError) for one in results) == [False, True], results
    assert Request.objects.filter(merged_into=None).count() == 1


def test_an_older_tick_does_not_lead_on_to_a_later_survivor(client: Client) -> None:
    victim, first, second = quote_of(), quote_of(), quote_of()
    links.issue(victim.request)
    old = links.issue(first.request)[1]
    merged(second, first, link_leads_on=True)
    second.refresh_from_db()

    merged(victim, second, link_leads_on=False)

    assert client.get(reverse("quotes:status", args=[old])).status_code == 410


def test_a_colleagues_request_is_not_merged_away() -> None:
    survivor, closed = quote_of(), quote_of()
    Request.objects.filter(pk=closed.request_id).update(assigned_to=makers.make_user(name="owner"))

    with pytest.raises(NotAllowedError, match="Take it over first"):
        merged(survivor, closed)


def test_nobody_is_chosen_beforehand_where_only_the_company_is_the_same(client: Client) -> None:
    survivor, closed = quote_of(), quote_of("mallory@elsewhere.example")
    client.force_login(makers.make_user(name="merger"))
    page = client.get(reverse("quotes:merge", args=[survivor.public_id, closed.request.public_id])).content.decode()

    assert "mallory@elsewhere.example" in page
    assert re.search(r'name="survivor"[^>]*checked', page) is None


def undone(closed: Quote, reason: str = "they are two projects") -> Request:
    """Undo the merge of a request by the engineer."""
    return services.unmerge(Request.objects.get(pk=closed.request_id), actor=makers.engineer(), reason=reason)


@pytest.mark.parametrize("status", [Status.DRAFT, Status.IN_REVIEW, Status.AWAITING_CUSTOMER])
def test_an_undone_merge_opens_the_request_and_the_quote_that_it_cancelled(status: str) -> None:
    survivor, closed = quote_of(), quote_of(status=status)
    _link, token = links.issue(closed.request)
    merged(survivor, closed, link_leads_on=True)

    request = undone(closed)

    closed.refresh_from_db()
    assert (request.merged_into, request.link_leads_on, closed.status) == (None, False, status)
    told = request.events.get(kind="request.unmerged")
    assert (told.reason, told.change["name"]) == ("they are two projects", survivor.request.reference)
    assert survivor.request.events.get(kind="request.released").change["name"] == request.reference
    assert request.events.get(kind="quote.restore").change == {"before": "cancelled", "after": status}
    assert request.events.filter(kind="request.merged").exists()
    assert Client().get(reverse("quotes:status", args=[token])).status_code == 200


def test_what_was_cancelled_before_the_merge_stays_cancelled() -> None:
    survivor, closed = quote_of(), quote_of(status=Status.CANCELLED)
    merged(survivor, closed)

    undone(closed)

    closed.refresh_from_db()
    assert closed.status == Status.CANCELLED


@pytest.mark.parametrize(
    "happens",
    [
        lambda quote: services.set_due(quote.request, due_on=quote.issuer.today(), actor=makers.engineer()),
        lambda quote: services.copy(quote, prices="today", actor=makers.engineer()),
        lambda quote: purging.forget(quote.request),
    ],
    ids=["due", "copied", "forgotten"],
)
def test_a_merge_stays_once_something_has_happened_to_the_closed_one(happens: Any) -> None:
    survivor, closed = quote_of(), quote_of()
    merged(survivor, closed)
    happens(closed)

    with pytest.raises(ConflictError, match="has changed since it was merged"):
        undone(closed)
    assert Request.objects.get(pk=closed.request_id).merged_into == survivor.request


def test_an_undo_needs_a_merge_a_reason_and_who_handles_the_request() -> None:
    survivor, closed = quote_of(), quote_of()
    with pytest.raises(ConflictError, match="is not merged"):
        undone(closed)
    merged(survivor, closed)
    with pytest.raises(InvalidError):
        undone(closed, " ")
    for other in (makers.approver(), makers.customer(survivor)):
        with pytest.raises(NotAllowedError):
            services.unmerge(closed.request, actor=other, reason="why")
    undone(closed)
    with pytest.raises(ConflictError):
        undone(closed)
    assert merged(survivor, closed).pk == survivor.request_id


def test_a_chain_is_undone_one_by_one_and_each_gets_back_what_had_been_joined_to_it() -> None:
    first, second, third = quote_of(), quote_of(), quote_of()
    merged(second, first, link_leads_on=True)
    merged(third, second)

    undone(second)

    by_pk = {one.pk: one for one in Request.objects.all()}
    assert by_pk[second.request_id].merged_into is None
    assert by_pk[first.request_id].merged_into_id == second.request_id
    assert by_pk[first.request_id].link_leads_on
    undone(first)
    assert {quote.status for quote in Quote.objects.all()} == {Status.IN_REVIEW}


def test_a_merge_is_undone_on_the_page(desk: Client) -> None:
    survivor, closed = quote_of(), quote_of()
    merged(survivor, closed)
    address = reverse("quotes:unmerge", args=[closed.public_id])

    assert address in desk.get(reverse("quotes:detail", args=[closed.public_id])).content.decode()
    assert desk.post(address, {"reason": ""}).status_code == 422
    done = desk.post(address, {"reason": "they are two"}, follow=True)

    assert "is open again" in done.content.decode()
    assert address not in desk.get(reverse("quotes:detail", args=[closed.public_id])).content.decode()
    assert desk.get(address).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_two_who_undo_at_once_open_it_once() -> None:
    survivor, closed = quote_of(), quote_of()
    merged(survivor, closed)

    results = together(lambda: undone(closed), lambda: undone(closed))

    assert sorted(isinstance(one, ConflictError) for one in results) == [False, True], results
    assert QuoteEvent.objects.filter(kind="request.unmerged").count() == 1
