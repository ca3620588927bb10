"""The starter catalog: everything that FACTS names, with sources, nothing confirmed, and safe to load again."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from catalog import starter
from catalog.models import (
    Claim,
    Cpu,
    Fact,
    Gpu,
    GpuSupport,
    LanguageModel,
    Offer,
    Platform,
    Price,
    Sku,
    SkuLine,
    Source,
)

NAMED_GPUS = ("h100-sxm", "h100-nvl", "h100-pcie", "h200-sxm", "h200-nvl", "b200-sxm", "mi300x")
NAMED_PLATFORMS = ("SYS-821GE-TNHR", "SYS-521GE-TNRT", "SYS-A21GE-NBRT", "PowerEdge XE9680", "DGX B200")


@pytest.mark.parametrize("slug", NAMED_GPUS)
def test_every_gpu_that_the_facts_name_is_there(slug: str, catalog: starter.Report) -> None:
    assert Gpu.objects.filter(slug=slug).exists()


@pytest.mark.parametrize("name", NAMED_PLATFORMS)
def test_every_server_that_the_facts_name_is_there(name: str, catalog: starter.Report) -> None:
    assert Platform.objects.filter(name=name).exists()


def test_the_article_of_the_facts_has_its_lines_and_its_gaps(catalog: starter.Report) -> None:
    sku = Sku.objects.with_completeness().get(article="SYS-821GE-TNHR-8xH200-2x8558-16x64GB")
    said = {line.kind: (line.quantity, str(line.part)) for line in sku.lines.all() if not line.is_open}

    assert said == {
        "platform": (1, "Supermicro SYS-821GE-TNHR"),
        "gpu": (8, "NVIDIA H200 SXM 141GB"),
        "cpu": (2, "Intel Xeon Platinum 8558"),
        "memory": (16, "DDR5-5600 RDIMM 64 GB"),
    }
    assert {line.kind for line in sku.lines.all() if line.is_open} == {"drive", "nic", "psu"}


def test_nothing_is_confirmed_by_loading(catalog: starter.Report) -> None:
    for model in (Fact, GpuSupport, SkuLine, Offer, Price):
        assert not model.objects.exclude(state=Claim.State.UNCONFIRMED).exists()


def test_values_of_what_the_facts_name_have_sources(catalog: starter.Report) -> None:
    sourceless = Fact.objects.filter(is_chosen=True, sources__isnull=True)

    assert not sourceless.filter(part__slug__in=NAMED_GPUS).exists()
    assert not sourceless.filter(part__kind__in=["platform", "cpu", "memory", "drive", "nic", "switch"]).exists()


def test_a_value_without_a_source_stands_unconfirmed(catalog: starter.Report) -> None:
    sourceless = Fact.objects.filter(is_chosen=True, sources__isnull=True)

    assert {fact.standing for fact in sourceless} == {"unconfirmed"}


def test_sources_that_disagree_are_both_kept(catalog: starter.Report) -> None:
    values = Fact.objects.filter(part__slug="b200-sxm", field="memory_bandwidth_tb_s")

    assert {fact.value: fact.is_chosen for fact in values} == {"8": True, "7.7": False, "7.67": False, "4.1": False}
    assert "roofline" in values.get(is_chosen=True).why


def test_the_chosen_value_stands_in_the_column(catalog: starter.Report) -> None:
    assert Gpu.objects.get(slug="mi300x").memory_bandwidth_tb_s == 5.3


def test_a_planning_value_is_no_maximum_power(catalog: starter.Report) -> None:
    platform = Platform.objects.get(name="SYS-821GE-TNHR")
    seen = Fact.objects.filter(part=platform, field="max_system_power_w")

    assert platform.max_system_power_w is None
    assert {fact.value for fact in seen} == {"10500", "10200"}
    assert not any(fact.is_chosen for fact in seen)


def test_unknown_power_is_never_zero(catalog: starter.Report) -> None:
    assert Platform.objects.filter(max_system_power_w__isnull=True).count() == 42
    assert not Platform.objects.filter(max_system_power_w=0).exists()


def test_no_card_stands_in_a_platform_of_another_socket(catalog: starter.Report) -> None:
    pairs = GpuSupport.objects.filter(platform__name="SYS-521GE-TNRT").values_list("gpu__slug", "platform_socket")

    assert ("h200-nvl", "pcie") in pairs
    assert "h200-sxm" not in dict(pairs)


def test_card_counts_follow_the_width_of_the_card(catalog: starter.Report) -> None:
    counts = dict(GpuSupport.objects.filter(platform__name="SYS-521GE-TNRT").values_list("gpu__slug", "max_count"))

    assert (counts["h200-nvl"], counts["l4"]) == (8, 10)


def test_a_price_of_no_currency_is_not_given_one(catalog: starter.Report) -> None:
    price = Price.objects.get(offer__title="Supermicro SYS-821GE-THR [TNHR]")

    assert (price.currency, price.is_quotable, price.as_of) == ("XXX", False, "")


def test_language_models_have_exact_counts(catalog: starter.Report) -> None:
    assert LanguageModel.objects.get(slug="llama-3.1-8b").parameters == 8_030_261_248
    assert LanguageModel.objects.get(slug="deepseek-v3").active_parameters < 40e9


def test_sources_keep_how_they_were_read(catalog: starter.Report) -> None:
    source = Source.objects.get(key="nv_h200_page")

    assert (source.kind, source.read) == ("maker", "quoted")


def test_a_second_load_changes_nothing(catalog: starter.Report) -> None:
    before = {gpu.slug: gpu.changed_at for gpu in Gpu.objects.all()}

    report = starter.load()

    assert report.is_quiet
    assert {gpu.slug: gpu.changed_at for gpu in Gpu.objects.all()} == before


def test_a_second_load_keeps_what_somebody_edited_and_says_so(catalog: starter.Report) -> None:
    cpu = Cpu.objects.get(slug="xeon-platinum-8558")
    cpu.tdp_w, cpu.edited_at = 340, timezone.now()
    cpu.save()

    report = starter.load()

    cpu.refresh_from_db()
    assert cpu.tdp_w == 340
    assert any("xeon-platinum-8558, tdp_w" in text for text in report.differences)


def test_edits_are_replaced_only_when_asked(catalog: starter.Report) -> None:
    cpu = Cpu.objects.get(slug="xeon-platinum-8558")
    cpu.tdp_w, cpu.edited_at = 340, timezone.now()
    cpu.save()
    out = StringIO()

    call_command("load_catalog", overwrite=True, stdout=out)

    cpu.refresh_from_db()
    assert cpu.tdp_w == 330
    assert "Updated: processors 1" in out.getvalue()
