"""An acceptance taken back: by an engineer, for a reason, on evidence, and nothing of it is lost."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from quotes import emails, links, services
from quotes.actors import Role
from quotes.models import Mail, Quote, Status
from quotes.refusals import ConflictError, InvalidError, NotAllowedError
from quotes.transitions import Move
from tests import makers
from tests.quotes.test_moves import sent, together

pytestmark = pytest.mark.django_db
WHY = {"reason": "clicked by mistake", "evidence": "the customer's letter of 30 November"}


def accepted(**fields: Any) -> Quote:
    """A quote the customer has accepted on the private link."""
    quote = sent(**fields)
    return services.accept(quote, actor=makers.customer(quote), sha256=quote.documents.get().sha256)


def test_the_quote_is_with_the_customer_again_and_the_acceptance_stays_in_the_events() -> None:
    quote = accepted()
    digest = quote.accepted_sha256

    back = services.retract(quote, actor=makers.engineer(), **WHY)

    assert (back.status, back.accepted_sha256, back.decided_at) == (Status.SENT, "", None)
    told = quote.request.events.get(kind="quote.retract")
    assert (told.reason, told.change["evidence"], told.change["sha256"]) == (*WHY.values(), digest)
    assert quote.request.events.get(kind="quote.accept").change["sha256"] == digest
    assert services.accept(back, actor=makers.customer(back), sha256=digest).status == Status.ACCEPTED


def test_the_bytes_and_the_number_stay(client: Client) -> None:
    quote = accepted()
    document = quote.documents.get()

    back = services.retract(quote, actor=makers.engineer(), **WHY)

    assert (back.full_number, back.snapshot_sha256) == (quote.full_number, quote.snapshot_sha256)
    assert back.documents.get().sha256 == document.sha256


def test_the_customer_is_told_and_sees_the_buttons_again(client: Client) -> None:
    quote = accepted()
    _link, token = links.issue(quote.request)

    services.retract(quote, actor=makers.engineer(), **WHY)

    letter = emails.compose(Mail.objects.get(template="retracted"))
    assert letter.to == [quote.request.email]
    assert quote.full_number in letter.subject
    page = client.get(reverse("quotes:accept", args=[token])).content.decode()
    assert "Accept the quote" in page
    assert WHY["reason"] not in page


def test_a_revision_that_a_later_one_has_replaced_is_superseded() -> None:
    first = accepted()
    second = services.revise(first, actor=makers.engineer(), reason="more memory")
    services.move(second, to=Move.SUBMIT, actor=makers.engineer())
    services.approve(second, actor=makers.approver())
    makers.make_document(second, content=b"%PDF-1.7 second")
    services.send(second, actor=makers.engineer())

    assert services.retract(first, actor=makers.engineer(), **WHY).status == Status.SUPERSEDED
    second.refresh_from_db()
    assert second.status == Status.SENT


def test_after_its_validity_it_is_expired_and_not_accepted_again() -> None:
    quote = accepted()
    Quote.objects.filter(pk=quote.pk).update(valid_until=makers.yesterday() - timedelta(days=1))

    back = services.retract(quote, actor=makers.engineer(), **WHY)

    assert back.shown_status == "expired"


def test_only_the_engineer_of_an_accepted_quote_takes_it_back_with_reason_and_evidence() -> None:
    quote = accepted()
    for actor in (makers.approver(), makers.customer(quote)):
        with pytest.raises(NotAllowedError):
            services.retract(quote, actor=actor, **WHY)
    services.assign(quote.request, to=makers.make_user(name="owner"), actor=makers.engineer())
    with pytest.raises(NotAllowedError, match="Take it over first"):
        services.retract(quote, actor=makers.engineer(), **WHY)
    for wrong in ({"reason": " "}, {"evidence": "x"}, {"evidence": "javascript:alert(1)"}):
        with pytest.raises(InvalidError):
            services.retract(quote, actor=makers.engineer("owner"), **(WHY | wrong))
    quote.refresh_from_db()
    assert quote.status == Status.ACCEPTED
    for other in (sent(), makers.make_quote()):
        with pytest.raises(ConflictError):
            services.retract(other, actor=makers.engineer(), **WHY)


def test_it_is_taken_back_on_the_page(client: Client) -> None:
    quote = accepted()
    client.force_login(makers.make_user(Role.ENGINEER))
    address = reverse("quotes:retract", args=[quote.public_id])
    assert address in client.get(reverse("quotes:detail", args=[quote.public_id])).content.decode()

    assert client.post(address, WHY | {"evidence": ""}).status_code == 422
    done = client.post(address, WHY, follow=True).content.decode()

    assert "Noted. The customer gets a letter about it" in done
    assert WHY["evidence"].replace("'", "&#x27;") in done
    assert client.get(address).status_code == 302
    assert client.post(address, WHY).status_code == 409


@pytest.mark.django_db(transaction=True)
def test_two_who_take_it_back_at_once_do_it_once() -> None:
    quote, actor = accepted(), makers.engineer()

    results = together(*(lambda: services.retract(quote, actor=actor, **WHY) for _ in range(2)))

    assert sorted(isinstance(one, ConflictError) for one in results) == [False, True], results
    assert Mail.objects.filter(template="retracted").count() == 1


def recorded(quote: Quote, **fields: Any) -> Quote:
    """An acceptance that the customer gave by phone, written down by the engineer."""
    told = {
        "sha256": quote.documents.get().sha256,
        "accepted_by": "Anna Schmidt",
        "given_on": quote.issuer.today(),
        "channel": "phone",
        "evidence": "her call of today, noted by the engineer",
    }
    return services.record_acceptance(quote, **{"actor": makers.engineer(), **told, **fields})


def test_an_acceptance_by_phone_is_recorded_for_one_revisions_bytes_and_the_customer_is_told() -> None:
    quote = sent()

    found = recorded(quote, remark="she asks for delivery in January")

    digest = quote.documents.get().sha256
    assert (found.status, found.accepted_sha256) == (Status.ACCEPTED, digest)
    event = quote.request.events.get(kind="quote.record_acceptance")
    assert (event.actor, event.reason) == (makers.engineer().user, "she asks for delivery in January")
    assert event.change["accepted_by"] == "Anna Schmidt"
    assert (event.change["channel"], event.change["sha256"]) == ("phone", digest)
    assert "recorded" in emails.compose(Mail.objects.get(template="recorded")).subject
    assert services.retract(found, actor=makers.engineer(), **WHY).status == Status.SENT


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"sha256": "0" * 64}, ConflictError),
        ({"accepted_by": "  "}, InvalidError),
        ({"channel": "rumour"}, InvalidError),
        ({"evidence": "x"}, InvalidError),
        ({"seen": 9999}, ConflictError),
    ],
)
def test_an_acceptance_without_its_facts_is_not_recorded(fields: dict[str, Any], error: type[Exception]) -> None:
    quote = sent()

    with pytest.raises(error):
        recorded(quote, **fields)

    assert Quote.objects.get(pk=quote.pk).status == Status.SENT


def test_the_day_on_which_it_was_given_counts_and_not_the_day_of_writing() -> None:
    quote = sent()
    today = quote.issuer.today()
    Quote.objects.filter(pk=quote.pk).update(
        valid_until=today - timedelta(days=1), sent_at=quote.sent_at - timedelta(days=5)
    )
    quote.refresh_from_db()
    for day in (today, today + timedelta(days=1), today - timedelta(days=6)):
        with pytest.raises(InvalidError):
            recorded(quote, given_on=day)

    assert recorded(quote, given_on=today - timedelta(days=1)).status == Status.ACCEPTED


@pytest.mark.parametrize("who", ["approver", "customer", "colleague"])
def test_only_who_handles_the_request_records_an_acceptance(who: str) -> None:
    quote = sent()
    services.assign(quote.request, to=makers.make_user(), actor=makers.engineer())
    actors = {
        "approver": makers.approver(),
        "customer": makers.customer(quote),
        "colleague": makers.engineer("colleague"),
    }

    with pytest.raises(NotAllowedError):
        recorded(quote, actor=actors[who])


def test_an_engineer_can_not_accept_in_the_customers_place() -> None:
    quote = sent()

    with pytest.raises(NotAllowedError):
        services.accept(quote, actor=makers.engineer(), sha256=quote.documents.get().sha256)


def test_an_acceptance_is_recorded_on_the_page(client: Client) -> None:
    quote = sent()
    client.force_login(makers.make_user(Role.ENGINEER))
    address = reverse("quotes:record_acceptance", args=[quote.public_id])
    form = client.get(address).context["panel"].form
    data = {"seen": quote.version, "accepted_by": "Anna Schmidt", "given_on": form.initial["given_on"].isoformat()}
    data |= {"channel": "signed", "sha256": quote.documents.get().sha256}

    refused = client.post(address, data)
    done = client.post(address, data | {"evidence": "the signed order of 1 December"}, follow=True).content.decode()

    assert refused.status_code == 422
    assert "Recorded. The customer gets a letter about it" in done
    assert "Anna Schmidt" in done.partition('id="events"')[2]
    assert client.get(address).status_code == 302
