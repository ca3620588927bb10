"""Whether a PDF is ours, unaltered, and still computed alike."""

from __future__ import annotations

import io
from pathlib import Path
from zoneinfo import ZoneInfo

import pypdf
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from catalog import specs
from catalog.models import Gpu, Part
from quotes import engine, keeping, snapshot, verifying
from quotes.models import Document, KeptCatalog, Quote
from quotes.services import store_document
from quotes.services.preparing import store_estimate
from tests import makers

pytestmark = pytest.mark.django_db


def issued() -> tuple[Quote, bytes]:
    """A quote whose document carries its calculation."""
    answer = engine.recommend(makers.ASKED)
    keeping.keep_catalog(answer.catalog_fingerprint)
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


def test_an_old_document_is_recomputed_over_the_catalog_of_its_day() -> None:
    _quote, content = issued()
    call_command("load_catalog", verbosity=0)
    assert Part.objects.exists()

    verdict = verifying.verify(content)

    assert verdict.is_in_order
    assert "the same result" in verdict.lines[-1]


def test_a_gpu_taken_out_of_the_catalog_changes_nothing_of_what_was_issued() -> None:
    call_command("load_catalog", verbosity=0)
    quote, content = issued()
    used = {one["gpu"] for one in snapshot.freeze(quote)["output"]["candidates"]}
    Gpu.objects.filter(slug__in=used).update(is_listed=False, changed_at=timezone.now())

    assert engine.recommend(makers.ASKED).output != snapshot.freeze(quote)["output"]
    assert "the same result" in verifying.verify(content).lines[-1]


def test_an_estimate_keeps_its_catalog_once() -> None:
    call_command("load_catalog", verbosity=0)
    quote = makers.make_quote()
    answer = engine.recommend(makers.ASKED)
    for _time in range(2):
        store_estimate(quote.estimate.request_version, answer)

    kept = KeptCatalog.objects.get()
    assert kept.fingerprint == answer.catalog_fingerprint
    assert keeping.kept_catalog(kept.fingerprint) == specs.hardware_catalog()


def test_without_the_catalog_of_that_day_nothing_is_claimed() -> None:
    quote, _content = issued()

    same, words = verifying.recompute(snapshot.freeze(quote) | {"catalog": "0" * 64})

    assert same
    assert "was not kept" in words


def test_an_altered_catalog_is_noticed() -> None:
    quote, _content = issued()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE quotes_keptcatalog SET sha256 = %s", ["0" * 64])

    same, words = verifying.recompute(snapshot.freeze(quote))

    assert not same
    assert "altered" in words


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
