"""A pilot run speaks for the load it measured, and for no other."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from quotes import services
from quotes.models import Confirmation, PilotResult, Quote
from quotes.refusals import InvalidError
from quotes.services.pilots import quoted_load
from tests import makers
from tests.quotes.test_requests import submit

pytestmark = pytest.mark.django_db


@pytest.fixture
def quote() -> Quote:
    """A quote the engine has computed over the starter catalog."""
    call_command("load_catalog", verbosity=0)
    return submit()[0].quotes.select_related("estimate").get()


def profile_of(quote: Quote, **changes: Any) -> dict[str, Any]:
    """A profile of the quoted load: half a GiB above what was predicted."""
    predicted = quote.candidate["estimate"]["memory"]["allocated"]["expected"]  # type: ignore[index]
    return quoted_load(quote) | {"peak_gib": round(predicted / 2**30 + 0.5, 2)} | changes


def test_what_was_measured_on_the_quoted_load_is_used_and_marked(quote: Quote) -> None:
    profile = profile_of(quote)

    pilot = services.record_pilot(quote, profile=profile, actor=makers.engineer())

    latest = Quote.objects.select_related("estimate").get(pk=quote.pk)
    assert pilot.load_matches
    assert latest.estimate_id != quote.estimate_id
    allocated = latest.candidate["estimate"]["memory"]["allocated"]["expected"]  # type: ignore[index]
    assert allocated == pytest.approx(profile["peak_gib"] * 2**30, rel=1e-6)
    entry = latest.ledger.get(key="memory.allocated")
    assert (entry.origin, entry.confirmation) == ("measured", Confirmation.CONFIRMED)


@pytest.mark.parametrize("change", [{"gpu": "another"}, {"sequence_length": 1024}, {"micro_batch": 64}])
def test_another_load_changes_nothing_and_is_kept_with_the_reason(quote: Quote, change: dict[str, Any]) -> None:
    pilot = services.record_pilot(quote, profile=profile_of(quote, **change), actor=makers.engineer())

    assert not pilot.load_matches
    assert [miss["name"] for miss in pilot.mismatches] == list(change)
    assert Quote.objects.get(pk=quote.pk).estimate_id == quote.estimate_id


def test_a_profile_without_figures_is_refused(quote: Quote) -> None:
    with pytest.raises(InvalidError):
        services.record_pilot(quote, profile=quoted_load(quote), actor=makers.engineer())


def test_a_profile_is_read_from_a_file(client: Client, quote: Quote) -> None:
    client.force_login(makers.make_user())
    address = reverse("quotes:pilot", args=[quote.public_id])
    good = SimpleUploadedFile("profile.json", json.dumps(profile_of(quote)).encode())
    bad = SimpleUploadedFile("profile.json", b"[1, 2")

    refused = client.post(address, {"file": bad})
    taken = client.post(address, {"file": good})

    assert (refused.status_code, taken.status_code) == (422, 302)
    assert PilotResult.objects.get(quote=quote).load_matches
    assert "Predicted" in client.get(reverse("quotes:detail", args=[quote.public_id])).content.decode()
