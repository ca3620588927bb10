"""Confirming, refuting, editing and choosing."""

import datetime

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from catalog import services, starter
from catalog.models import Fact, Gpu, GpuSupport, Price, SkuLine


@pytest.fixture
def claim(catalog: starter.Report) -> GpuSupport:
    return GpuSupport.objects.get(platform__name="SYS-821GE-TNHR", gpu__slug="h200-sxm")


@time_machine.travel("2026-12-01T12:00:00Z", tick=False)
def test_a_confirmation_says_who_when_on_what_and_until_when(claim: GpuSupport, administrator: User) -> None:
    services.confirm(
        [claim], actor=administrator, evidence="maker's list, 12 Nov", valid_until=datetime.date(2027, 5, 12)
    )

    claim.refresh_from_db()
    assert claim.is_confirmed
    assert claim.judged_by == administrator
    assert claim.judged_by_name == "catalog-administrator"
    assert claim.judged_at == datetime.datetime(2026, 12, 1, 12, tzinfo=datetime.UTC)
    assert (claim.evidence, claim.valid_until) == ("maker's list, 12 Nov", datetime.date(2027, 5, 12))


def test_a_confirmation_past_its_validity_is_stale(claim: GpuSupport, administrator: User) -> None:
    with time_machine.travel("2026-12-01T12:00:00Z"):
        services.confirm([claim], actor=administrator, evidence="list", valid_until=datetime.date(2026, 12, 10))

    with time_machine.travel("2026-12-11T12:00:00Z"):
        assert claim.standing == "stale"
        assert claim in GpuSupport.objects.stale()
        assert claim in GpuSupport.objects.to_confirm()
        assert claim not in GpuSupport.objects.confirmed()


def test_nothing_is_confirmed_without_evidence(claim: GpuSupport, administrator: User) -> None:
    with pytest.raises(ValidationError, match="evidence"):
        services.confirm([claim], actor=administrator, evidence="  ")


def test_a_validity_in_the_past_is_refused(claim: GpuSupport, administrator: User) -> None:
    with pytest.raises(ValidationError, match="run out"):
        services.confirm([claim], actor=administrator, evidence="list", valid_until=datetime.date(2020, 1, 1))


def test_many_are_confirmed_or_none(catalog: starter.Report, administrator: User) -> None:
    known = Price.objects.filter(currency="USD").first()
    unknown = Price.objects.filter(currency="XXX").first()
    assert known is not None
    assert unknown is not None

    with pytest.raises(ValidationError, match="currency is not known"):
        services.confirm([known, unknown], actor=administrator, evidence="price list")

    known.refresh_from_db()
    assert not known.is_confirmed


def test_a_refutation_names_what_refutes(claim: GpuSupport, administrator: User) -> None:
    services.refute([claim], actor=administrator, evidence="letter of the maker")

    assert claim.standing == "refuted"
    with pytest.raises(ValidationError, match="refutes"):
        services.refute([claim], actor=administrator, evidence="")


def test_a_confirmed_price_of_a_known_currency_can_be_quoted(catalog: starter.Report, administrator: User) -> None:
    price = Price.objects.get(offer__title="L40S card")
    services.confirm([price], actor=administrator, evidence="offer 17")

    assert price.is_quotable
    assert price.net_low == price.amount_low


def test_a_price_past_the_suppliers_own_date_is_stale(catalog: starter.Report, administrator: User) -> None:
    price = Price.objects.get(offer__title="L40S card")
    price.valid_to = datetime.date(2020, 1, 1)
    services.confirm([price], actor=administrator, evidence="offer 17")

    assert (price.standing, price.is_quotable) == ("stale", False)


def test_the_net_price_is_unknown_where_the_tax_is(catalog: starter.Report) -> None:
    assert Price.objects.get(offer__title="H200 SXM5 module").net_low is None


def test_an_edit_becomes_the_value_in_use_and_keeps_the_former(catalog: starter.Report, administrator: User) -> None:
    gpu = Gpu.objects.get(slug="h200-sxm")
    gpu.tdp_w = 650
    gpu.save()

    services.record_edit(gpu, ["tdp_w"], actor=administrator)

    values = {fact.value: fact for fact in Fact.objects.filter(part=gpu, field="tdp_w")}
    assert values["650"].is_chosen
    assert values["650"].standing == "unconfirmed"
    assert values["650"].entered_by_name == "catalog-administrator"
    assert not values["700"].is_chosen


def test_emptying_a_column_leaves_no_value_in_use(catalog: starter.Report, administrator: User) -> None:
    gpu = Gpu.objects.get(slug="h200-sxm")
    gpu.mig_max = None
    gpu.save()

    services.record_edit(gpu, ["mig_max"], actor=administrator)

    assert not Fact.objects.filter(part=gpu, field="mig_max", is_chosen=True).exists()


def test_another_seen_value_is_put_in_use_with_the_reason(catalog: starter.Report, administrator: User) -> None:
    fact = Fact.objects.get(part__slug="b200-sxm", field="memory_bandwidth_tb_s", value="7.7")

    services.choose(fact, actor=administrator, why="what the driver reports")

    gpu = Gpu.objects.get(slug="b200-sxm")
    assert gpu.memory_bandwidth_tb_s == 7.7
    assert gpu.edited_at is not None
    assert Fact.objects.get(part=gpu, field="memory_bandwidth_tb_s", is_chosen=True).why == "what the driver reports"


def test_a_choice_without_a_reason_is_refused(catalog: starter.Report, administrator: User) -> None:
    fact = Fact.objects.get(part__slug="b200-sxm", field="memory_bandwidth_tb_s", value="7.7")

    with pytest.raises(ValidationError, match="why"):
        services.choose(fact, actor=administrator, why=" ")


def test_every_change_is_in_the_history(claim: GpuSupport, administrator: User) -> None:
    before = claim.history.count()

    services.confirm([claim], actor=administrator, evidence="list")

    assert claim.history.count() == before + 1


def test_a_value_read_at_its_dated_source_stands_by_it(catalog: starter.Report) -> None:
    standing = {
        fact.field: fact.standing
        for fact in Fact.objects.filter(part__slug="h200-sxm", is_chosen=True).prefetch_related("sources")
    }

    assert standing["bf16_tflops"] == "vendor"
    assert standing["nvlink_gb_s"] == "measured"
    assert standing["compute_capability"] == "unconfirmed"


def test_a_line_is_confirmed_apart_from_its_article(catalog: starter.Report, administrator: User) -> None:
    article = "SYS-821GE-TNHR-8xH200-2x8558-16x64GB"
    line = SkuLine.objects.get(sku__article=article, kind="gpu")
    services.confirm([line], actor=administrator, evidence="delivery specification")

    assert SkuLine.objects.filter(sku__article=article).confirmed().count() == 1
