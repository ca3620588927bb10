"""What is personal goes after a while; what was issued stays."""

from __future__ import annotations

import io
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalog import held
from quotes import services
from quotes.actors import Actor
from quotes.models import Document, Quote, QuoteEvent, Request, Status
from quotes.services.attachments import attach
from tests import makers

pytestmark = pytest.mark.django_db

NAME, ADDRESS = "Anna Schmidt", "anna@customer.example"


def sent_request() -> Quote:
    """A request with everything a customer may leave: words, a file, a disputed assumption, a preliminary document."""
    quote = makers.make_quote(status=Status.IN_REVIEW)
    request = quote.request
    attach(
        request,
        file=SimpleUploadedFile("offer.txt", b"for Anna Schmidt", content_type="text/plain"),
        kind="article",
        actor=Actor.customer(NAME),
    )
    makers.make_document(quote, kind=Document.Kind.DRAFT)
    services.dispute_assumption(
        quote.ledger.all()[0], actor=makers.customer(quote), is_right=False, words="Anna says 4"
    )
    return quote


def purge() -> str:
    """Run the command as the operator does."""
    out = io.StringIO()
    call_command("purge", stdout=out)
    return out.getvalue()


def everything_about(request: Request) -> str:
    """All that is stored of a request, as text."""
    rows: list[Any] = [Request.objects.filter(pk=request.pk).values()]
    for relation in Request._meta.related_objects:
        rows.append(relation.related_model._base_manager.filter(**{relation.field.name: request}).values())
    for relation in Quote._meta.related_objects:
        if relation.one_to_many:
            where = {f"{relation.field.name}__request": request}
            rows.append(relation.related_model._base_manager.filter(**where).values())
    return str([list(found) for found in rows])


def test_an_old_request_keeps_no_trace_of_its_customer() -> None:
    request = sent_request().request
    files = [request.attachments.get().file.path, request.documents.get().file.path]
    before = everything_about(request)
    assert NAME in before and "Anna says 4" in before

    with time_machine.travel(timezone.now() + timedelta(days=366)):
        assert "Forgotten: 1" in purge()

    after = everything_about(request)
    assert [word for word in ("Anna", "Заказчик", ADDRESS) if word in after] == []
    assert not any(Path(path).exists() for path in files)
    assert QuoteEvent.objects.filter(request=request, kind="request.forgotten").exists()


def test_a_request_somebody_still_works_on_is_kept() -> None:
    quote = sent_request()
    with time_machine.travel(timezone.now() + timedelta(days=300)):
        services.dispute_assumption(quote.ledger.all()[1], actor=makers.customer(quote), is_right=True, words="")

    with time_machine.travel(timezone.now() + timedelta(days=366)):
        assert "Forgotten: 0" in purge()

    quote.request.refresh_from_db()
    assert quote.request.contact_name == NAME


@pytest.mark.parametrize("status", [Status.APPROVED, Status.SENT, Status.ACCEPTED, Status.WITHDRAWN])
def test_what_was_issued_is_kept_whole(status: Status) -> None:
    quote = makers.make_quote(status=status)

    with time_machine.travel(timezone.now() + timedelta(days=4000)):
        assert "Forgotten: 0" in purge()

    quote.request.refresh_from_db()
    assert quote.request.email == ADDRESS


def test_the_privacy_page_and_the_command_know_the_same_number(client: Client, settings: Any) -> None:
    settings.PERSONAL_DATA_DAYS = 90
    sent_request()

    assert "90 days" in client.get(reverse("quotes:privacy")).content.decode()
    with time_machine.travel(timezone.now() + timedelta(days=91)):
        assert "Forgotten: 1" in purge()


@pytest.fixture
def no_uploads() -> None:
    """Delete the uploads that other tests left in the folder they share."""
    with time_machine.travel(timezone.now() + timedelta(days=2)):
        held.clear()


@pytest.mark.usefixtures("no_uploads")
def test_uploads_to_the_catalog_that_nobody_loaded_are_deleted_after_a_day() -> None:
    token = held.keep(held.PRICE_LISTS, b"article;price", name="list.csv")
    path = Path(default_storage.path(held.take(held.PRICE_LISTS, token).path))
    assert "nobody loaded deleted: 0" in purge()
    assert path.exists()

    with time_machine.travel(timezone.now() + timedelta(days=2)):
        assert "nobody loaded deleted: 1" in purge()
        with pytest.raises(held.GoneError):
            held.take(held.PRICE_LISTS, token)

    assert not path.exists()


def test_a_token_of_one_kind_of_upload_opens_no_other() -> None:
    token = held.keep(held.PRICE_LISTS, b"article;price", name="list.csv")

    with pytest.raises(held.GoneError):
        held.take(held.MODEL_ARCHIVES, token)
