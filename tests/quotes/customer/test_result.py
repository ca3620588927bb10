"""The private page: who holds the link reads and answers for one request, and nobody else."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from quotes import links
from quotes.models import Clarification, Document, LedgerEntry, Quote, Status
from quotes.views.customer.pages import current_quote
from tests.makers import make_candidate, make_document, make_output, make_quote, make_request, make_user

pytestmark = pytest.mark.django_db


def open_link(quote: Quote) -> str:
    return links.issue(quote.request)[1]


def address(name: str, token: str, **kwargs: Any) -> str:
    return reverse(f"quotes:{name}", kwargs={"token": token} | kwargs)


def test_the_page_shows_answer_candidates_and_assumptions(client: Client) -> None:
    quote = make_quote(status=Status.DRAFT)

    page = client.get(address("status", open_link(quote))).content.decode()

    assert "CALCULATED, NOT AN OFFER" in page
    assert "H200 NVL" in page
    assert "micro" in page.lower()


@pytest.mark.parametrize("status", [Status.IN_REVIEW, Status.AWAITING_CUSTOMER, Status.READY, Status.APPROVED])
def test_each_state_before_sending_shows_no_price_of_ours(client: Client, status: str) -> None:
    quote = make_quote(status=status, settled=True)
    make_document(quote)

    page = client.get(address("status", open_link(quote))).content.decode()

    assert "Accept or decline" not in page
    assert "Total with tax" not in page


def test_a_guess_is_not_found(client: Client) -> None:
    assert client.get(address("status", "a" * 43)).status_code == 404


@pytest.mark.parametrize("change", [{"revoked_at": timezone.now()}, {"expires_at": timezone.now() - timedelta(days=1)}])
def test_a_closed_link_says_so_and_shows_nothing(client: Client, change: dict[str, Any]) -> None:
    quote = make_quote()
    token = open_link(quote)
    quote.request.links.update(**change)

    answer = client.get(address("status", token))

    assert answer.status_code == 410
    assert "H200" not in answer.content.decode()


def test_a_question_is_answered_once(client: Client) -> None:
    quote = make_quote(status=Status.AWAITING_CUSTOMER)
    asked = Clarification.objects.create(quote=quote, question="How deep is the rack?", asked_by=make_user())
    token = open_link(quote)
    where = address("answer", token, clarification=asked.public_id)

    assert client.post(where, {"answer": "800 mm"}).status_code == 302
    asked.refresh_from_db()
    assert asked.answer == "800 mm"
    assert client.post(where, {"answer": "900 mm"}).status_code == 409


def test_an_empty_answer_is_refused_with_what_to_do(client: Client) -> None:
    quote = make_quote(status=Status.AWAITING_CUSTOMER)
    asked = Clarification.objects.create(quote=quote, question="How deep is the rack?", asked_by=make_user())

    answer = client.post(address("answer", open_link(quote), clarification=asked.public_id), {"answer": " "})

    assert answer.status_code == 422
    assert "Write the answer" in answer.content.decode()


def test_an_assumption_is_confirmed_or_disputed(client: Client) -> None:
    quote = make_quote()
    right, wrong = quote.ledger.order_by("pk")
    token = open_link(quote)

    client.post(address("claims", token), {"entry": str(right.public_id), "verdict": "right"})
    client.post(address("claims", token), {"entry": str(wrong.public_id), "verdict": "wrong", "words": "three copies"})

    right.refresh_from_db()
    wrong.refresh_from_db()
    assert right.confirmation == "confirmed"
    assert wrong.customer_says == "three copies"


def test_a_sent_quote_is_accepted_by_its_bytes(client: Client) -> None:
    quote = make_quote(status=Status.SENT, settled=True)
    document = make_document(quote)
    token = open_link(quote)

    page = client.get(address("accept", token)).content.decode()
    assert document.sha256 in page
    answer = client.post(address("accept", token), {"sha256": document.sha256, "name": "Anna Petrova", "agree": "1"})

    quote.refresh_from_db()
    assert answer.status_code == 302
    assert quote.status == Status.ACCEPTED
    assert quote.request.events.filter(actor_name="Anna Petrova").exists()


@pytest.mark.parametrize("missing", ["name", "agree"])
def test_without_a_name_and_a_tick_nothing_is_accepted(client: Client, missing: str) -> None:
    quote = make_quote(status=Status.SENT, settled=True)
    said = {"sha256": make_document(quote).sha256, "name": "Anna Petrova", "agree": "1"}
    said.pop(missing)

    answer = client.post(address("accept", open_link(quote)), said)

    quote.refresh_from_db()
    assert answer.status_code == 422
    assert f'href="#id_{missing}"' in answer.content.decode()
    assert quote.status == Status.SENT


def test_opening_the_acceptance_page_accepts_nothing(client: Client) -> None:
    quote = make_quote(status=Status.SENT, settled=True)
    make_document(quote)

    client.get(address("accept", open_link(quote)))

    quote.refresh_from_db()
    assert quote.status == Status.SENT


def test_other_bytes_are_not_accepted(client: Client) -> None:
    quote = make_quote(status=Status.SENT, settled=True)
    make_document(quote)
    said = {"sha256": "0" * 64, "name": "Anna", "agree": "1"}

    assert client.post(address("accept", open_link(quote)), said).status_code == 409


def test_a_sent_quote_is_declined_with_a_reason(client: Client) -> None:
    quote = make_quote(status=Status.SENT, settled=True)

    client.post(address("decline", open_link(quote)), {"reason": "too dear"})

    quote.refresh_from_db()
    assert quote.status == Status.DECLINED


def test_the_document_of_a_sent_quote_is_downloaded(client: Client) -> None:
    quote = make_quote(status=Status.SENT, settled=True)
    document = make_document(quote)

    answer = client.get(address("document", open_link(quote), document=document.public_id))

    assert answer.getvalue() == b"%PDF-1.7 bytes"
    assert "attachment" in answer.headers["Content-Disposition"]


def test_the_document_of_a_quote_that_was_not_sent_is_not_found(client: Client) -> None:
    quote = make_quote(status=Status.APPROVED, settled=True)
    document = make_document(quote)

    assert client.get(address("document", open_link(quote), document=document.public_id)).status_code == 404


@pytest.mark.parametrize("kind", ["document", "answer", "claims"])
def test_one_link_never_opens_another_request(client: Client, kind: str) -> None:
    mine, theirs = (
        make_quote(status=Status.SENT, settled=True),
        make_quote(request=make_request(), status=Status.IN_REVIEW),
    )
    document = make_document(theirs, kind=Document.Kind.FULL)
    asked = Clarification.objects.create(quote=theirs, question="How deep?", asked_by=make_user())
    entry = LedgerEntry.objects.filter(quote=theirs).first()
    assert entry is not None
    token = open_link(mine)

    answers = {
        "document": lambda: client.get(address("document", token, document=document.public_id)),
        "answer": lambda: client.post(address("answer", token, clarification=asked.public_id), {"answer": "x"}),
        "claims": lambda: client.post(address("claims", token), {"entry": str(entry.public_id), "verdict": "right"}),
    }

    assert answers[kind]().status_code == 404


def test_a_request_without_candidates_says_so_and_stays_open(client: Client) -> None:
    output: dict[str, Any] = {"candidates": [], "rejected": [], "assumptions": [], "questions": [], "warnings": []}
    quote = make_quote(status=Status.DRAFT, output=output)

    page = client.get(address("status", open_link(quote)))

    assert page.status_code == 200
    assert "No configuration" in page.content.decode()


@pytest.mark.parametrize("status", [Status.SENT, Status.ACCEPTED])
def test_a_quote_that_was_sent_takes_the_place_of_the_first_calculation(client: Client, status: str) -> None:
    quote = make_quote(status=status, settled=True)
    document = make_document(quote)

    page = client.get(address("status", open_link(quote))).content.decode()

    assert f"Quote {quote.full_number}: {quote.get_status_display()}" in page
    assert "Supermicro SYS-521GE-TNRT, 2\u00a0× H200 NVL" in page
    assert "Total with tax" in page
    assert "no line is confirmed" not in page
    assert "<summary>The calculation behind this quote, with published prices</summary>" in page
    assert document.sha256 in page
    assert ("Accept or decline" in page) == (status == Status.SENT)


def test_where_nothing_keeps_every_limit_the_nearest_is_shown_with_what_it_breaks(client: Client) -> None:
    broken = make_candidate(1, label="article") | {"does_the_job": False}
    near = make_candidate(2, label="nearest") | {
        "does_the_job": False,
        "binding": [{"limit": "deadline_hours", "message": "The run takes too long.", "ratio": 2.0}],
    }
    output = make_output(candidates=[broken], nearest=near)
    quote = make_quote(status=Status.DRAFT, output=output, chosen_rank=None)

    page = client.get(address("status", open_link(quote))).content.decode()

    assert "No configuration in the catalog keeps every limit" in page
    assert "does the job</h1>" not in page
    assert "2\u00a0× H200 NVL" in page
    assert "The run takes too long." in page
    assert "preliminary.pdf" in page


def test_what_was_rejected_counts_the_gpus_of_all_its_servers(client: Client) -> None:
    one = {"platform": "a", "platform_title": "Server A", "gpu": "a10", "gpu_name": "A10", "gpus_per_node": 8}
    refused = [one | {"nodes": 32, "message": "The run takes too long."}]
    candidate = make_candidate(1) | {"gpus_per_node": 2, "nodes": 2}
    quote = make_quote(status=Status.DRAFT, output=make_output(candidates=[candidate], rejected=refused))

    page = client.get(address("status", open_link(quote))).content.decode()

    assert "256\u00a0× A10, in 32 servers" in page
    assert "8 × A10" not in page
    assert "4\u00a0× H200 NVL" in page
    assert "in 2 servers" in page


def test_the_compute_of_a_whole_run_is_shown(client: Client) -> None:
    one = make_candidate(1)
    one["estimate"] |= {"tokens": 2e9, "derivations": [{"key": "speed.flops_per_token", "value": 48e9}]}
    quote = make_quote(status=Status.DRAFT, output=make_output(candidates=[one]), chosen_rank=1)

    page = client.get(address("status", open_link(quote))).content.decode()

    assert "9.6 × 10¹⁹\u00a0FLOP" in page
    assert "2\u00a0billion" in page


def test_the_page_answers_for_the_article_the_customer_named(client: Client) -> None:
    article = make_candidate(3, label="article") | {"does_the_job": False, "reasons_against": ["too little memory"]}
    read = {"lines": [{"kind": "gpu", "text": "3x H200"}], "unread": ["GOLD"], "not_stated": ["psu"], "conflicts": []}
    output = make_output(article=read, warnings=["Save sharded checkpoints."])
    output["candidates"].append(article)
    quote = make_quote(status=Status.DRAFT, output=output)

    page = client.get(address("status", open_link(quote))).content.decode()

    assert "Your article, 3\u00a0× H200 NVL, does not do the job. too little memory" in page
    assert "GOLD" in page
    assert "power supplies" in page
    assert "Save sharded checkpoints." in page


def test_the_page_shows_how_a_date_was_counted_back_from_the_day_of_the_request(client: Client) -> None:
    quote = make_quote(status=Status.DRAFT)
    until = timezone.localdate() + timedelta(days=100)
    quote.request.versions.update(answers={"when": "date", "deadline_date": until.isoformat()})

    page = client.get(address("status", open_link(quote))).content.decode()

    assert [
        word for word in ("Order and contract", "Delivery", "Installation", "Left for the run") if word not in page
    ] == []
    assert "28\u00a0d" in page


def test_what_does_the_job_without_a_label_is_listed(client: Client) -> None:
    output = make_output()
    output["candidates"].append(make_candidate(4, label="other") | {"labels": [], "platform_title": "Maker Model 4"})
    quote = make_quote(status=Status.DRAFT, output=output)

    page = client.get(address("status", open_link(quote))).content.decode()

    assert "What does the job as well" in page
    assert "Maker Model 4" in page


def made(quote: Quote, status: str, **fields: Any) -> Quote:
    return make_quote(request=quote.request, status=status, **fields)


@pytest.mark.parametrize(
    ("states", "shown"),
    [
        # In the order in which the revisions were made; the place of the one the customer deals with.
        ([Status.ACCEPTED, Status.CANCELLED, Status.IN_REVIEW], 0),
        ([Status.ACCEPTED, Status.IN_REVIEW], 0),
        ([Status.SUPERSEDED, Status.CANCELLED, Status.ACCEPTED], 2),
        ([Status.ACCEPTED, Status.SENT], 1),
        ([Status.DECLINED, Status.IN_REVIEW], 1),
        ([Status.DECLINED, Status.CANCELLED], 0),
        ([Status.CANCELLED], 0),
    ],
)
def test_the_customer_deals_with_what_is_in_force(states: list[str], shown: int) -> None:
    first = make_quote(status=states[0])
    # A cancelled revision and a later one may carry the same number.
    quotes = [first, *(made(first, status, revision=2) for status in states[1:])]

    assert current_quote(links.issue(first.request)[0]) == quotes[shown]


def test_what_does_the_job_as_well_is_counted_where_it_is_cut(client: Client) -> None:
    quote = make_quote(status=Status.DRAFT)
    many = [make_candidate(rank, label="") | {"labels": [], "gpu_name": f"Card {rank}"} for rank in range(3, 33)]
    quote.estimate.output = make_output(candidates=[*make_output()["candidates"], *many])
    quote.estimate.output["left_out"] = {"candidates": 7, "rejected": 3}
    quote.estimate.save()

    page = client.get(address("status", open_link(quote))).content.decode()

    assert "and 6 more" in page
    assert "Card 32" in page
    assert "7 more configurations do the job and are not listed" in page
    assert "3 more were rejected" in page
    assert "4 configurations were rejected" in page
