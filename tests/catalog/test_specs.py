"""The catalog's rows as the engine's hardware."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from catalog import services, specs, starter
from catalog.models import ExchangeRate, Gpu, GpuSupport, Offer, Platform, Price
from sizing import contract
from sizing.hardware_data import packaged


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    """Forget what an earlier test built: its rows are rolled back, its timestamps may be the same."""
    specs._last = None


@pytest.mark.parametrize("name", ["gpus", "platforms", "cpus", "modules", "drives", "nics", "switches", "cloud"])
def test_an_unedited_catalog_equals_the_packaged_one(name: str, catalog: starter.Report) -> None:
    assert getattr(specs.hardware_catalog(), name) == getattr(packaged(), name)


def test_prices_are_the_packaged_ones(catalog: starter.Report) -> None:
    def told(rows: Any) -> list[Any]:
        return sorted(
            (row.item, row.low, row.high, row.currency or "", row.is_net is None, row.as_of or "") for row in rows
        )

    assert told(specs.hardware_catalog().prices) == told(packaged().prices)


def test_the_engine_recommends_over_the_catalog(catalog: starter.Report) -> None:
    asked = {"id": "t", "workload": {"method": "qlora", "model": {"name": "llama-3.1-8b"}, "tokens": 10_000_000}}

    answer = contract.recommend(asked, hardware=specs.hardware_catalog())

    assert answer["candidates"]


def test_the_fingerprint_stands_while_nothing_changes(catalog: starter.Report) -> None:
    first = specs.fingerprint()
    specs._last = None

    assert specs.fingerprint() == first


def test_an_edit_changes_the_fingerprint_and_the_hardware(catalog: starter.Report) -> None:
    before = specs.fingerprint()
    gpu = Gpu.objects.get(slug="h200-sxm")
    gpu.tdp_w = 650
    gpu.save()

    assert specs.fingerprint() != before
    assert next(row for row in specs.hardware_catalog().gpus if row.slug == "h200-sxm").power_w == 650


def test_going_back_gives_the_former_fingerprint(catalog: starter.Report) -> None:
    before = specs.fingerprint()
    gpu = Gpu.objects.get(slug="h200-sxm")
    for power in (650.0, 700.0):
        gpu.tdp_w = power
        gpu.save()

    assert specs.fingerprint() == before


def test_one_query_while_nothing_changes(catalog: starter.Report) -> None:
    specs.hardware_catalog()

    with CaptureQueriesContext(connection) as queries:
        specs.hardware_catalog()
        specs.fingerprint()

    assert len(queries) == 2


def test_queries_do_not_grow_with_the_catalog(catalog: starter.Report) -> None:
    def count() -> int:
        specs._last = None
        with CaptureQueriesContext(connection) as queries:
            specs.hardware_catalog()
        return len(queries)

    before = count()
    for number in range(20):
        Platform.objects.create(slug=f"p{number}", kind="platform", vendor="V", name=f"P{number}")

    assert count() == before


def test_a_refuted_pair_is_not_recommended(catalog: starter.Report, administrator: Any) -> None:
    claim = GpuSupport.objects.get(platform__name="SYS-821GE-TNHR", gpu__slug="h200-sxm")
    services.refute([claim], actor=administrator, evidence="maker's letter")

    platform = specs.hardware_catalog().platform("SYS-821GE-TNHR")

    assert platform.support_for("h200-sxm") is None


def test_a_confirmed_pair_reaches_the_engine_as_confirmed(catalog: starter.Report, administrator: Any) -> None:
    claim = GpuSupport.objects.get(platform__name="SYS-821GE-TNHR", gpu__slug="h200-sxm")
    services.confirm([claim], actor=administrator, evidence="maker's list")

    support = specs.hardware_catalog().platform("SYS-821GE-TNHR").support_for("h200-sxm")

    assert support is not None
    assert support.confirmation == "confirmed"


def test_a_gpu_that_cannot_be_sized_is_left_out_with_the_reason(catalog: starter.Report) -> None:
    Gpu.objects.create(slug="new-gpu", kind="gpu", vendor="NVIDIA", name="New", memory_gb=96, socket="pcie")

    loaded = specs.current()

    assert "new-gpu" not in {gpu.slug for gpu in loaded.hardware.gpus}
    assert any("new-gpu" in reason for reason in loaded.refused)


def test_a_lead_time_reaches_the_engine_with_its_confirmation(catalog: starter.Report, administrator: Any) -> None:
    gpu = Gpu.objects.get(slug="h200-nvl")
    before = specs.fingerprint()
    offer = Offer.objects.create(supplier="distributor A", part=gpu, lead_time_days=30)
    ended = Offer.Availability.ENDED
    Offer.objects.create(supplier="distributor B", part=gpu, lead_time_days=3, availability=ended)
    services.confirm([offer], actor=administrator, evidence="letter 12")

    found = specs.hardware_catalog().lead_times_by_subject["gpu", "h200-nvl", 1]

    assert [(one.days, one.supplier, one.confirmation) for one in found] == [(30, "distributor A", "confirmed")]
    assert specs.fingerprint() != before


def test_what_is_not_sold_is_not_recommended(catalog: starter.Report) -> None:
    Platform.objects.filter(name="SYS-821GE-TNHR").update(is_listed=False)
    specs._last = None

    assert "smc-sys-821ge-tnhr" not in {row.slug for row in specs.hardware_catalog().platforms}


def test_a_replaced_price_is_left_out(catalog: starter.Report) -> None:
    price = Price.objects.filter(offer__title="H200 SXM5 module").get()
    price.superseded_on = "2026-01-01"
    price.save()

    assert "H200 SXM5 module" not in {row.item for row in specs.hardware_catalog().prices}


def test_the_latest_exchange_rate_reaches_the_engine(catalog: starter.Report) -> None:
    before = specs.fingerprint()
    for rate, on in ((90, "2026-01-10"), (80, "2026-03-10")):
        ExchangeRate.objects.create(base="USD", quote="RUB", rate=rate, on=on, source="central bank")

    (found,) = specs.hardware_catalog().exchange_rates

    assert (found.base, found.quote, found.rate) == ("USD", "RUB", 80.0)
    assert (found.as_of, found.source) == ("2026-03-10", "central bank")
    assert specs.fingerprint() != before


@pytest.mark.parametrize(("rate", "low", "is_net"), [("20", 10_000.0, True), (None, 12_000.0, False)])
def test_a_price_with_tax_reaches_the_engine_without_it(
    catalog: starter.Report, rate: str | None, low: float, is_net: bool
) -> None:
    price = Price.objects.filter(offer__title="H200 SXM5 module").get()
    Price.objects.filter(pk=price.pk).update(
        includes_tax=True, tax_rate_percent=rate, amount_low=12_000, amount_high=24_000
    )

    found = next(row for row in specs.hardware_catalog().prices if row.item == "H200 SXM5 module")

    assert (found.low, found.is_net, found.is_usable) == (low, is_net, is_net)
