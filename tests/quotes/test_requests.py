"""A request comes in, once, with everything that follows from it."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django_tasks_db.models import DBTaskResult

from quotes import demo, emails, links, services, tasks, uploads
from quotes.actors import Actor
from quotes.models import Estimate, Mail, Quote, Request, RequestVersion, Status
from quotes.refusals import ConflictError, InvalidError
from tests import makers
from tests.quotes.test_moves import together

pytestmark = pytest.mark.django_db
CONTACT = {"contact_name": "Anna", "email": "anna@customer.example", "organization": "Ёлка ООО", "consent": True}


def submit(**changes: Any) -> tuple[Request, str]:
    """Submit the demonstration workload as a customer."""
    given: dict[str, Any] = {
        "answers": {"route": "qlora"},
        "asked": makers.ASKED,
        "route": "qlora",
        "language": "ru",
        "contact": CONTACT,
        "actor": Actor.customer("Anna"),
    }
    return services.submit_request(**(given | changes))


def test_a_request_gets_estimate_draft_quote_ledger_lines_link_and_letter() -> None:
    call_command("load_catalog", verbosity=0)

    request, token = submit()

    quote = request.quotes.get()
    assert (quote.status, quote.number) == (Status.DRAFT, None)
    assert quote.candidate is not None
    assert quote.lines.count() > 3
    assert quote.ledger.count() > 3
    assert set(quote.lines.values_list("confirmation", flat=True)) == {"unconfirmed"}
    found = links.find(token)
    assert found is not None
    assert found.request == request
    assert Mail.objects.get(request=request).template == "received"
    assert {task.task_path.rsplit(".")[-1] for task in DBTaskResult.objects.all()} == {
        "render_preliminary",
        "deliver_mail",
    }


def test_the_stored_estimate_can_be_asked_again() -> None:
    from quotes import engine

    request, _token = submit()
    stored = Estimate.objects.get(request=request)

    again = engine.recommend(stored.input)

    assert (again.output, again.catalog_fingerprint) == (stored.output, stored.catalog_fingerprint)


def test_references_are_consecutive() -> None:
    first, second = submit()[0], submit()[0]

    assert int(second.reference[-4:]) == int(first.reference[-4:]) + 1


def test_a_second_submit_with_the_same_key_gives_the_first_request() -> None:
    first, token = submit(idempotency_key="k")
    second, again = submit(idempotency_key="k")

    assert (first.pk, token) == (second.pk, again)
    assert Request.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_submits_at_once_make_one_request() -> None:
    results = together(*(lambda: submit(idempotency_key="k") for _ in range(3)))

    assert len({request.pk for request, _token in results}) == 1, results
    assert Request.objects.count() == 1
    assert Mail.objects.count() == 1


def test_a_request_nothing_can_be_computed_for_is_kept_with_the_reason() -> None:
    request, _token = submit(asked={}, route="discuss")

    quote = request.quotes.get()
    assert quote.candidate is None
    assert quote.estimate.error is not None


def test_a_request_to_discuss_gets_no_document_and_a_letter_that_promises_none() -> None:
    request, token = submit(asked={}, route="discuss", language="en")

    letter = emails.compose(Mail.objects.get(request=request))

    assert {task.task_path.rsplit(".")[-1] for task in DBTaskResult.objects.all()} == {"deliver_mail"}
    assert "has reached us" in letter.subject
    assert "PDF" not in letter.body
    assert links.address(token) in letter.body


def test_the_desk_says_that_a_request_to_discuss_has_no_workload(client: Client) -> None:
    request, _token = submit(asked={}, route="discuss")
    client.force_login(makers.make_user())

    page = client.get(reverse("quotes:detail", args=[request.quotes.get().public_id]), follow=True)

    shown = page.content.decode()
    assert "No workload yet: a request to discuss" in shown
    assert "workload is missing" not in shown


def test_the_letter_carries_the_private_address_and_no_token_is_stored() -> None:
    request, token = submit()
    letter = Mail.objects.get(request=request)

    assert tasks.deliver_mail.func(letter.pk) == "sent"
    assert tasks.deliver_mail.func(letter.pk) == "taken"

    assert len(mail.outbox) == 1
    assert links.address(token) in mail.outbox[0].body
    assert token not in str(Mail.objects.filter(pk=letter.pk).values())


def test_a_letter_that_fails_is_tried_again_later(settings: Any) -> None:
    request, _token = submit()
    letter = Mail.objects.get(request=request)
    settings.MAILERS = {
        "default": {
            "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
            "OPTIONS": {"host": "127.0.0.1", "port": 9, "timeout": 1},
        }
    }

    tasks.deliver_mail.func(letter.pk)

    letter.refresh_from_db()
    assert (letter.state, letter.attempts) == (Mail.State.QUEUED, 1)
    assert letter.last_error
    assert DBTaskResult.objects.filter(run_after__isnull=False, task_path__endswith="deliver_mail").exists()


@pytest.mark.parametrize(
    "template",
    ["received", "question", "sent", "link", "answered", "disputed", "accepted", "declined", "returned", "approved"],
)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_letter_can_be_written(template: str, language: str) -> None:
    request = makers.make_request()
    links.issue(request)
    letter = Mail(request=request, key="k:1", template=template, to="a@b.example", language=language)
    letter.context = {"path": "/desk/x/", "number": ""}

    message = emails.compose(letter)

    assert request.reference in message.subject
    assert "\n" not in message.subject
    assert "http" in message.body


def test_cyrillic_is_found_in_any_case_and_with_or_without_its_dots() -> None:
    request, _token = submit()

    for words in ("ёлка", "ЕЛКА", "елка ооо", request.reference.lower()):
        assert list(Request.objects.found_by(words)) == [request], words
    assert not Request.objects.found_by("ель").exists()


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"%PDF-1.7\n", "application/pdf"),
        (b"\x89PNG\r\n\x1a\n...", "image/png"),
        (b'{"a": 1}', "application/json"),
        ("Сервер".encode(), "text/plain"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", None),
        (b"<!DOCTYPE html><script>", None),
        (b"MZ\x90\x00", None),
        (b"PK\x03\x04 not a zip", None),
    ],
)
def test_uploads_are_known_by_their_content(content: bytes, kind: str | None) -> None:
    assert uploads.sniff(content) == kind


def test_an_upload_too_many_too_large_or_empty_is_refused() -> None:
    request = makers.make_request()
    actor = Actor.customer("Anna")
    large = SimpleUploadedFile("a.txt", b"x" * (uploads.LARGEST_BYTES + 1))

    for file in (large, SimpleUploadedFile("b.txt", b""), SimpleUploadedFile("c.svg", b"<svg>")):
        with pytest.raises(InvalidError):
            services.attach(request, file=file, kind="article", actor=actor)
    for number in range(uploads.MOST_FILES):
        services.attach(request, file=SimpleUploadedFile(f"{number}.txt", b"text"), kind="article", actor=actor)
    with pytest.raises(InvalidError):
        services.attach(request, file=SimpleUploadedFile("one.txt", b"text"), kind="article", actor=actor)


def test_a_stored_upload_carries_no_name_of_the_customer() -> None:
    file = SimpleUploadedFile("../../etc/passwd.txt", b"text")

    attachment = services.attach(makers.make_request(), file=file, kind="article", actor=Actor.customer("Anna"))

    assert attachment.name == "passwd.txt"
    assert "passwd" not in attachment.file.name


def test_an_answer_that_is_a_value_recomputes_and_confirms_the_assumption() -> None:
    request, _token = submit()
    quote = request.quotes.get()
    by = makers.engineer()
    entry = quote.ledger.get(key="workload.lora.rank")
    asked = services.ask(quote, actor=by, question="Which rank?", ledger_key=entry.key)

    services.answer_clarification(asked, actor=makers.customer(quote), answer="64")

    quote = Quote.objects.get(pk=quote.pk)
    assert quote.estimate.input["workload"]["lora"]["rank"] == 64
    settled = quote.ledger.get(key="workload.lora.rank")
    assert (settled.value, settled.origin, settled.confirmation) == (64, "customer", "confirmed")
    assert RequestVersion.objects.filter(request=request).count() == 2


def test_a_question_is_answered_once() -> None:
    quote = makers.make_quote()
    asked = services.ask(quote, actor=makers.engineer(), question="How long?")
    services.answer_clarification(asked, actor=makers.customer(quote), answer="a year")

    with pytest.raises(ConflictError):
        services.answer_clarification(asked, actor=makers.customer(quote), answer="two years")


def test_a_changed_assumption_keeps_settled_ones_settled() -> None:
    request, _token = submit()
    quote = request.quotes.get()
    by = makers.engineer()
    kept = quote.ledger.get(key="workload.optimizer")
    services.confirm(kept, actor=by, evidence="the customer's repository")

    entry = Quote.objects.get(pk=quote.pk).ledger.select_related("quote__estimate").get(key="workload.lora.rank")
    services.change_assumption(entry, value=32, actor=by)

    assert quote.ledger.get(key="workload.optimizer").confirmation == "confirmed"
    assert quote.ledger.get(key="workload.lora.rank").value == 32


def test_what_the_customer_stated_can_be_changed_and_stays_a_must() -> None:
    request, _token = submit()
    quote = request.quotes.get()
    length = services.stated_entry(quote, "workload.sequence_length")
    services.change_assumption(length, value=4096, actor=makers.engineer(), evidence="a call")
    quote = Quote.objects.get(pk=quote.pk)
    deadline = services.stated_entry(quote, "limits.deadline_hours")
    services.change_assumption(deadline, value=100, actor=makers.engineer())

    stored = Quote.objects.get(pk=quote.pk).estimate.input
    assert stored["workload"]["sequence_length"] == 4096
    assert stored["limits"]["deadline_hours"] == {"must": 100}
    assert quote.ledger.get(key="workload.sequence_length").evidence == "a call"


@pytest.mark.parametrize("key", ["workload.model", "workload", "limits.nothing", "article", "__class__"])
def test_only_plain_fields_of_the_input_are_changed(key: str) -> None:
    request, _token = submit()

    with pytest.raises(InvalidError):
        services.stated_entry(request.quotes.get(), key)


def test_a_line_that_stays_the_same_keeps_its_confirmation_when_another_candidate_is_chosen() -> None:
    quote = makers.make_quote()
    services.choose_candidate(quote, rank=1, actor=makers.engineer(), drop=True)
    platform = quote.lines.get(kind="platform")
    services.confirm(platform, actor=makers.engineer(), evidence="a price list")

    services.choose_candidate(quote, rank=2, actor=makers.engineer(), drop=True)

    assert quote.lines.get(kind="platform").evidence == "a price list"
    assert quote.lines.get(kind="gpu").confirmation == "unconfirmed"


def test_a_value_the_engine_refuses_is_not_kept() -> None:
    request, _token = submit()
    quote = request.quotes.get()
    entry = quote.ledger.get(key="workload.lora.rank")

    with pytest.raises(InvalidError):
        services.change_assumption(entry, value=-1, actor=makers.engineer())

    assert quote.estimate == request.quotes.get().estimate


def test_the_customer_can_confirm_and_dispute_an_assumption() -> None:
    quote = makers.make_quote()
    entry = quote.ledger.get(decisive=True)
    customer = makers.customer(quote)

    services.dispute_assumption(entry, actor=customer, is_right=True)
    assert (entry.confirmation, entry.origin) == ("confirmed", "customer")
    services.dispute_assumption(entry, actor=customer, is_right=False, words="it is four")

    assert (entry.confirmation, entry.customer_says) == ("unconfirmed", "it is four")


def test_a_request_taken_on_the_phone_belongs_to_the_engineer_who_typed_it() -> None:
    person = makers.make_user()

    request, _token = submit(actor=Actor.submitting(person, name="Anna"))

    assert (request.entered_by, request.assigned_to) == (person, person)
    assert request.events.get(kind="request.submitted").actor == person


def test_a_customer_who_is_signed_in_nowhere_stays_a_customer() -> None:
    from django.contrib.auth.models import AnonymousUser

    assert Actor.submitting(AnonymousUser(), name="Anna").role == "customer"


def test_the_demonstration_is_made_once_and_only_in_development(settings: Any) -> None:
    with pytest.raises(CommandError):
        demo.create()
    settings.DEBUG = True

    assert demo.create() == demo.create()
    assert Request.objects.count() == 1


def test_a_key_posted_by_another_visitor_opens_nobodys_request(client: Client) -> None:
    submit(idempotency_key="demo")
    given = {
        "contact_name": "Eve",
        "email": "eve@elsewhere.example",
        "message": "hello",
        "consent": "on",
        "key": "demo",
    }

    answer = client.post(reverse("quotes:discuss"), given)

    assert answer.status_code == 302
    assert Request.objects.count() == 2
    assert Request.objects.get(email="eve@elsewhere.example").links.get().token_sha256 == links.digest(
        answer["Location"].strip("/").split("/")[-1]
    )


def test_an_engineer_posting_a_key_that_is_taken_makes_a_copy(client: Client) -> None:
    request, _token = submit(idempotency_key="demo")
    client.force_login(makers.make_user())

    answer = client.post(
        reverse("quotes:copy", args=[request.quotes.get().public_id]), {"prices": "today", "key": "demo"}
    )

    assert answer.status_code == 302
    assert Request.objects.count() == 2


def test_what_is_not_known_of_a_contact_takes_no_line() -> None:
    full = Request(contact_name="Anna", organization="ООО «Ёлка»", email="anna@customer.example", phone="+7 000")

    assert full.contact_lines == ["Anna, ООО «Ёлка»", "anna@customer.example", "+7 000"]
    assert Request(email="anna@customer.example").contact_lines == ["anna@customer.example"]
    assert Request(organization="ООО «Ёлка»").contact_lines == ["ООО «Ёлка»"]
