"""The worker renders a document once, stores its bytes with their hash, and never replaces them."""

from __future__ import annotations

import hashlib
from io import BytesIO

import pytest
from pypdf import PdfReader

from quotes import documents, services, snapshot, tasks
from quotes.models import Document, Status
from tests import makers

pytestmark = pytest.mark.django_db


def test_the_preliminary_document_is_rendered_and_stored_with_its_hash() -> None:
    quote = makers.make_quote()

    digest = tasks.render_preliminary.call(quote.estimate_id)

    stored = Document.objects.get(kind="preliminary")
    with stored.file.open("rb") as file:
        content = file.read()
    assert digest == stored.sha256 == hashlib.sha256(content).hexdigest()
    assert quote.request.reference in PdfReader(BytesIO(content)).pages[0].extract_text()


def test_a_second_rendering_gives_back_what_is_stored() -> None:
    quote = makers.make_quote()
    first = documents.render_document(quote.estimate, kind="preliminary", language="en")
    quote.request.contact_name = "Somebody Else"
    quote.request.save()

    again = documents.render_document(quote.estimate, kind="preliminary", language="en")

    assert again.pk == first.pk


def test_a_draft_is_rendered_and_not_stored() -> None:
    quote = makers.make_quote()

    content = documents.render_draft(quote, language="ru")

    assert content.startswith(b"%PDF")
    assert not Document.objects.exists()


def test_an_approved_quote_gets_its_short_and_its_full_document() -> None:
    quote = makers.make_quote(status=Status.READY, settled=True)
    services.approve(quote, actor=makers.approver())
    quote.refresh_from_db()

    digests = tasks.render_issued.call(quote.pk)

    stored = {document.kind: document for document in Document.objects.filter(quote=quote)}
    assert set(stored) == {"short", "full"}
    assert set(digests) == {document.sha256 for document in stored.values()}
    for document in stored.values():
        with document.file.open("rb") as file:
            made = PdfReader(BytesIO(file.read()))
        assert quote.number in made.pages[0].extract_text()
        assert made.attachments["calculation.json"][0] == snapshot.encode(quote.snapshot)
