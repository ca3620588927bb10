"""Whether a PDF is ours, unaltered, and still computed alike."""

from __future__ import annotations

import io
from pathlib import Path
from zoneinfo import ZoneInfo

import pypdf
import pytest
from django.core.management import CommandError, call_command

from catalog.models import Part
from quotes import engine, snapshot, verifying
from quotes.models import Document, Quote
from quotes.services import store_document
from tests import makers

pytestmark = pytest.mark.django_db


def issued() -> tuple[Quote, bytes]:
    """A quote whose document carries its calculation."""
    answer = engine.recommend(makers.ASKED)
    quote = makers.make_quote(status="sent", settled=True, output=answer.output)
    type(quote.estimate).objects.filter(pk=quote.estimate_id).update(
        engine_version=answer.engine_version, catalog_fingerprint=answer.catalog_fingerprint
    )
    quote = Quote.objects.get(pk=quote.pk)
    frozen = snapshot.freeze(quote)
    writer = pypdf.PdfWriter()
    writer.add_blank_page(100, 100)
    writer.add_attachment("calculation.json", snapshot.encode(frozen))
    out = io.BytesIO()
    writer.write(out)
    store_document(
        request=quote.request,
        quote=quote,
        kind=Document.Kind.SHORT,
        language="en",
        content=out.getvalue(),
        snapshot=frozen,
    )
    return quote, out.getvalue()


def test_our_document_is_recognized_and_recomputed() -> None:
    quote, content = issued()

    verdict = verifying.verify(content)

    assert verdict.is_in_order, verdict.lines
    assert quote.number
    assert quote.number in verdict.lines[1]
    assert "the same result" in verdict.lines[-1]


def test_the_day_is_told_in_the_zone_of_the_company() -> None:
    quote, content = issued()
    at = Document.objects.get(quote=quote).created_at
    issuer = quote.issuer
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
        type(issuer).objects.filter(pk=issuer.pk).update(time_zone=zone)

        day = at.astimezone(ZoneInfo(zone)).date()
        assert f"of {day} ({zone})" in verifying.verify(content).lines[1]


def test_an_altered_document_is_not_ours() -> None:
    _quote, content = issued()

    verdict = verifying.verify(content + b"\n% altered")

    assert not verdict.is_ours
    assert not verdict.is_in_order


def test_a_changed_catalog_does_not_make_an_old_document_wrong() -> None:
    _quote, content = issued()
    call_command("load_catalog", verbosity=0)
    assert Part.objects.exists()

    verdict = verifying.verify(content)

    assert verdict.is_in_order
    assert "catalog has changed" in verdict.lines[-1]


def test_another_engine_version_is_named() -> None:
    quote, _content = issued()

    same, words = verifying.recompute(snapshot.freeze(quote) | {"engine": "9.9.9"})

    assert same
    assert "9.9.9" in words


def test_what_is_no_pdf_is_said_to_be_none_of_ours() -> None:
    assert not verifying.verify(b"hello").is_ours


def test_the_command_ends_with_an_error_where_something_is_wrong(tmp_path: Path) -> None:
    _quote, content = issued()
    good, bad = tmp_path / "good.pdf", tmp_path / "bad.pdf"
    good.write_bytes(content)
    bad.write_bytes(content + b"x")

    call_command("verify_quote", str(good))
    with pytest.raises(CommandError):
        call_command("verify_quote", str(bad))
