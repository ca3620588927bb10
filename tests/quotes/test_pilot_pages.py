"""Whatever profile is stored, every page and paper that shows it opens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from quotes import links, snapshot
from quotes.models import PilotResult, Quote
from quotes.pilot.loads import predicted, quoted_load
from quotes.presenter.page_sections import page_sections
from tests import makers
from tests.quotes.pilot_reports import out_of_memory, report_of

pytestmark = pytest.mark.django_db
ODD: tuple[Any, ...] = (None, "odd", 0, -1.5, 10**300, True, [], ["odd", None, 3], {}, {"first": "odd"})


def places(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Give the path of every part of nested data, itself first."""
    yield path
    if isinstance(node, dict):
        for name, one in node.items():
            yield from places(one, (*path, name))
    elif isinstance(node, list) and node:
        yield from places(node[0], (*path, 0))


def with_odd(node: Any, path: tuple[Any, ...], odd: Any, *, lacking: bool = False) -> Any:
    """Copy nested data with one part replaced, or taken out."""
    if not path:
        return odd
    here = dict(enumerate(node)) if isinstance(node, list) else dict(node)
    here[path[0]] = with_odd(here[path[0]], path[1:], odd, lacking=lacking)
    if lacking and len(path) == 1:
        del here[path[0]]
    return list(here.values()) if isinstance(node, list) else here


def whole(quote: Quote) -> dict[str, Any]:
    """Give all that a run stores, each part filled."""
    return {
        "profile": {"report": report_of(quoted_load(quote))},
        "mismatches": [{"name": "gpu", "measured": "l4", "quoted": "h100-sxm"}],
        "measured": {"peak_bytes": 2**33, "step_seconds": 7.5, "outcome": "ok", "stage": "", "is_for_this_load": False},
        "predicted": predicted(quote),
    }


def variants(stored: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Give what is stored with each part odd in turn, and with each part missing."""
    for path in places(stored):
        if not path:
            continue
        if len(path) > 1:
            yield with_odd(stored, path, None, lacking=True)
        yield from (with_odd(stored, path, odd) for odd in ODD if odd is not None or len(path) > 1)


@pytest.fixture
def runs(computed: Quote) -> list[PilotResult]:
    """Runs with every part odd or missing in turn, of each state a run has."""
    stored = list(variants(whole(computed)))
    assert len(stored) > 500
    kinds: list[dict[str, Any]] = [
        {"load_matches": True},
        {"load_matches": False},
        {"is_waiting": True},
        {"is_set_aside": True},
        {"is_waiting": True, "load_matches": True},
    ]
    return PilotResult.objects.bulk_create(
        PilotResult(quote=computed, by_customer=True, **one, **kinds[place % len(kinds)])
        for place, one in enumerate(stored)
    )


def test_no_stored_profile_breaks_a_page_or_the_snapshot(runs: list[PilotResult], client: Client) -> None:
    quote = runs[0].quote
    _link, token = links.issue(quote.request)
    client.force_login(makers.make_user())

    desk = client.get(reverse("quotes:detail", args=[quote.public_id]))
    own = client.get(reverse("quotes:status", args=[token]))
    frozen = snapshot.freeze(Quote.objects.select_related("estimate", "request", "issuer").get(pk=quote.pk))

    assert (desk.status_code, own.status_code) == (200, 200)
    assert desk.content.decode().count('data-verdict="fits"') >= len(runs) // 5 - 100
    assert len(frozen["pilots"]) == sum(one.is_taken for one in runs)
    assert page_sections(frozen, is_quote=True)


def test_a_loss_without_its_figures_is_shown_as_dashes(computed: Quote, client: Client) -> None:
    report = report_of(quoted_load(computed)) | {"loss": {"finite": True}}
    PilotResult.objects.create(quote=computed, profile={"report": report}, is_waiting=True)
    client.force_login(makers.make_user())

    page = client.get(reverse("quotes:detail", args=[computed.public_id])).content.decode()

    assert "– at first, – at last" in page


def test_what_ran_out_of_memory_in_no_stage_is_shown(computed: Quote, client: Client) -> None:
    profile = {"report": out_of_memory(quoted_load(computed))}
    measured = {"outcome": "out_of_memory"}
    PilotResult.objects.create(quote=computed, profile=profile, measured=measured, load_matches=True)
    client.force_login(makers.make_user())

    page = client.get(reverse("quotes:detail", args=[computed.public_id])).content.decode()

    assert "Memory ran out at: –" in page
