"""The admin: edits, confirmations, history, deletion, import and export."""

import datetime
import html
import io
from typing import Any

import openpyxl
import pytest
import tablib
from django.apps import apps
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.forms.models import model_to_dict
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalog import services, starter
from catalog.formats import Csv, Xlsx
from catalog.models import ExchangeRate, Fact, Gpu, GpuSupport, Part, Platform, SkuLine

NO_INLINES = {
    f"{prefix}-{count}": 0
    for prefix in ("facts", "support", "lines", "prices")
    for count in ("TOTAL_FORMS", "INITIAL_FORMS", "MIN_NUM_FORMS", "MAX_NUM_FORMS")
}
LISTS = (
    "source", "gpu", "platform", "gpusupport", "cpu", "memorymodule", "drive", "nic", "switch", "accessory", "service",
    "fact", "sku", "skuline", "offer", "price", "exchangerate", "languagemodel", "part",
)  # fmt: skip


def fields_of(row: Any) -> dict[str, Any]:
    values = model_to_dict(row)
    return {name: value for name, value in values.items() if value is not None and not isinstance(value, list)}


@pytest.mark.parametrize("name", LISTS)
def test_every_table_is_there_to_edit(name: str, keeper: Client, catalog: starter.Report) -> None:
    page = keeper.get(reverse(f"admin:catalog_{name}_changelist"), {"q": "h200"} if name != "exchangerate" else {})

    assert page.status_code == 200


def test_the_policy_allows_nothing_inline(keeper: Client, catalog: starter.Report) -> None:
    page = keeper.get(reverse("admin:catalog_gpu_changelist"))

    assert "unsafe" not in page.headers["Content-Security-Policy"]


def test_a_gpu_is_added_and_a_platform_that_takes_it(keeper: Client, catalog: starter.Report) -> None:
    gpu = {"slug": "x1", "vendor": "NVIDIA", "name": "X1", "socket": "sxm6", "memory_gb": "300", "is_listed": "on"}
    keeper.post(reverse("admin:catalog_gpu_add"), {**NO_INLINES, **gpu})
    added = Gpu.objects.get(slug="x1")
    row = {
        "support-TOTAL_FORMS": 1,
        "support-0-gpu": added.pk,
        "support-0-platform_socket": "sxm6",
        "support-0-max_count": 8,
        "support-0-interconnect": "nvswitch",
    }
    keeper.post(
        reverse("admin:catalog_platform_add"), {**NO_INLINES, "slug": "s1", "vendor": "Maker", "name": "S1", **row}
    )

    claim = GpuSupport.objects.get(platform__slug="s1")
    assert (claim.gpu, claim.gpu_socket, claim.state) == (added, "sxm6", "unconfirmed")
    assert Fact.objects.get(part=added, field="memory_gb").standing == "unconfirmed"


def test_a_card_is_refused_in_a_module_board_with_the_reason(keeper: Client, catalog: starter.Report) -> None:
    platform = Platform.objects.get(name="SYS-821GE-TNHR")
    card = Gpu.objects.get(slug="h200-nvl")
    values = {"platform": platform.pk, "gpu": card.pk, "platform_socket": "sxm5", "interconnect": "pcie"}

    page = keeper.post(reverse("admin:catalog_gpusupport_add"), values)

    assert "does not replace" in page.content.decode()
    assert not GpuSupport.objects.filter(platform=platform, gpu=card).exists()


def test_editing_a_confirmed_claim_takes_the_confirmation_back(
    keeper: Client, catalog: starter.Report, administrator: Any
) -> None:
    claim = GpuSupport.objects.get(platform__name="SYS-821GE-TNHR", gpu__slug="h200-sxm")
    services.confirm([claim], actor=administrator, evidence="list")

    keeper.post(reverse("admin:catalog_gpusupport_change", args=[claim.pk]), {**fields_of(claim), "max_count": 4})

    claim.refresh_from_db()
    assert (claim.max_count, claim.state, claim.evidence) == (4, "unconfirmed", "")
    assert claim.edited_at is not None


def test_saving_without_a_change_keeps_the_confirmation(
    keeper: Client, catalog: starter.Report, administrator: Any
) -> None:
    claim = GpuSupport.objects.get(platform__name="SYS-821GE-TNHR", gpu__slug="h200-sxm")
    services.confirm([claim], actor=administrator, evidence="list")
    sources = [source.pk for source in claim.sources.all()]

    keeper.post(reverse("admin:catalog_gpusupport_change", args=[claim.pk]), {**fields_of(claim), "sources": sources})

    claim.refresh_from_db()
    assert claim.is_confirmed


def test_many_lines_are_confirmed_with_one_document(keeper: Client, catalog: starter.Report) -> None:
    lines = list(SkuLine.objects.filter(sku__article="SYS-821GE-TNHR-8xH200-2x8558-16x64GB", part__isnull=False))
    asked = {"action": "confirm_selected", "_selected_action": [line.pk for line in lines]}
    address = reverse("admin:catalog_skuline_changelist")

    form = keeper.post(address, asked)
    assert "Evidence" in form.content.decode()
    keeper.post(address, {**asked, "evidence": "delivery specification 17"})

    assert SkuLine.objects.filter(pk__in=[line.pk for line in lines]).confirmed().count() == len(lines)


def test_an_edited_column_becomes_the_fact_in_use(keeper: Client, catalog: starter.Report) -> None:
    gpu = Gpu.objects.get(slug="h200-sxm")
    values = {**NO_INLINES, **fields_of(gpu), "tdp_w": "650"}

    answer = keeper.post(reverse("admin:catalog_gpu_change", args=[gpu.pk]), values)

    assert answer.status_code == 302, answer.context["errors"]
    fact = Fact.objects.get(part=gpu, field="tdp_w", is_chosen=True)
    assert (fact.value, fact.entered_by_name) == ("650", "catalog-administrator")
    assert Fact.objects.filter(part=gpu, field="tdp_w", value="700", is_chosen=False).exists()


def test_every_edit_is_in_the_history_and_can_be_looked_at(keeper: Client, catalog: starter.Report) -> None:
    gpu = Gpu.objects.get(slug="h200-sxm")
    keeper.post(reverse("admin:catalog_gpu_change", args=[gpu.pk]), {**NO_INLINES, **fields_of(gpu), "tdp_w": "650"})
    first = gpu.history.earliest()

    page = keeper.get(reverse("admin:catalog_gpu_simple_history", args=[gpu.pk, first.history_id]))

    assert page.status_code == 200
    assert "catalog-administrator" in keeper.get(reverse("admin:catalog_gpu_history", args=[gpu.pk])).content.decode()


def test_a_state_brought_back_from_the_history_brings_no_confirmation(
    keeper: Client, catalog: starter.Report, administrator: Any
) -> None:
    claim = GpuSupport.objects.get(platform__name="SYS-821GE-TNHR", gpu__slug="h200-sxm")
    services.confirm([claim], actor=administrator, evidence="list")
    confirmed = claim.history.latest()
    keeper.post(reverse("admin:catalog_gpusupport_change", args=[claim.pk]), {**fields_of(claim), "max_count": 4})

    keeper.post(
        reverse("admin:catalog_gpusupport_simple_history", args=[claim.pk, confirmed.history_id]), fields_of(claim)
    )

    before = claim.max_count
    claim.refresh_from_db()
    assert (claim.max_count, claim.state) == (before, "unconfirmed")


def test_a_column_brought_back_from_the_history_becomes_the_fact_in_use(
    keeper: Client, catalog: starter.Report
) -> None:
    gpu = Gpu.objects.get(slug="h200-sxm")
    first = gpu.history.latest()
    values = {**NO_INLINES, **fields_of(gpu)}
    keeper.post(reverse("admin:catalog_gpu_change", args=[gpu.pk]), {**values, "tdp_w": "650"})

    keeper.post(reverse("admin:catalog_gpu_simple_history", args=[gpu.pk, first.history_id]), values)

    gpu.refresh_from_db()
    assert gpu.tdp_w == 700
    assert Fact.objects.get(part=gpu, field="tdp_w", is_chosen=True).value == "700"


def test_what_is_used_is_not_deleted(keeper: Client, catalog: starter.Report) -> None:
    gpu = Gpu.objects.get(slug="h200-sxm")

    page = keeper.post(reverse("admin:catalog_gpu_delete", args=[gpu.pk]), {"post": "yes"})

    assert page.status_code == 200
    assert Gpu.objects.filter(slug="h200-sxm").exists()


def fact_with_rival() -> tuple[Fact, Fact]:
    """The value in use for the bandwidth of the H200, and another that a source gives."""
    used = Fact.objects.get(part__slug="h200-sxm", field="memory_bandwidth_tb_s", is_chosen=True)
    rival = Fact.objects.create(part=used.part, field=used.field, value="4.7", is_chosen=False)
    return used, rival


def bring_back(keeper: Client, row: Any, state: Any, values: dict[str, Any]) -> Any:
    name = row._meta.model_name
    address = reverse(f"admin:catalog_{name}_simple_history", args=[row.pk, state.history_id])
    return keeper.post(address, values, follow=True)


def test_a_fact_brought_back_takes_its_place_in_use_again(keeper: Client, catalog: starter.Report) -> None:
    used, rival = fact_with_rival()
    used.why = "the maker's newer page"
    used.save()
    in_use = used.history.latest()
    services.choose(rival, actor=None, why="measured")

    answer = bring_back(keeper, used, in_use, {"why": used.why, "sources": []})

    used.refresh_from_db()
    rival.refresh_from_db()
    assert answer.status_code == 200
    assert (used.is_chosen, rival.is_chosen) == (True, False)
    assert Gpu.objects.get(slug="h200-sxm").memory_bandwidth_tb_s == float(used.value)


def test_a_fact_without_a_reason_is_not_brought_back_into_use(keeper: Client, catalog: starter.Report) -> None:
    used, rival = fact_with_rival()
    in_use = used.history.latest()
    services.choose(rival, actor=None, why="measured")

    answer = bring_back(keeper, used, in_use, {"why": "", "sources": []})

    rival.refresh_from_db()
    assert answer.status_code == 200
    assert "cannot be brought back: Say why this value" in answer.content.decode()
    assert rival.is_chosen
    assert Gpu.objects.get(slug="h200-sxm").memory_bandwidth_tb_s == 4.7


def test_a_fact_that_was_not_in_use_stays_in_use(keeper: Client, catalog: starter.Report) -> None:
    _used, rival = fact_with_rival()
    apart = rival.history.latest()
    services.choose(rival, actor=None, why="measured")

    bring_back(keeper, rival, apart, {"why": "", "sources": []})

    rival.refresh_from_db()
    assert rival.is_chosen


def test_a_state_whose_place_is_taken_is_refused_with_the_reason(keeper: Client, catalog: starter.Report) -> None:
    _used, rival = fact_with_rival()
    first = rival.history.latest()
    Fact.objects.filter(pk=rival.pk).update(value="4.6")
    Fact.objects.create(part=rival.part, field=rival.field, value="4.7", is_chosen=False)

    answer = bring_back(keeper, rival, first, {"why": "", "sources": []})

    rival.refresh_from_db()
    assert answer.status_code == 200
    assert "another row has its place by now" in answer.content.decode()
    assert rival.value == "4.6"


def test_a_deleted_claim_comes_back_unconfirmed(keeper: Client, catalog: starter.Report, administrator: User) -> None:
    _used, rival = fact_with_rival()
    services.confirm([rival], actor=administrator, evidence="letter 17")
    confirmed, pk = rival.history.latest(), rival.pk
    rival.delete()

    bring_back(keeper, Fact(pk=pk), confirmed, {"why": "", "sources": []})

    assert Fact.objects.get(pk=pk).state == "unconfirmed"


def test_the_second_of_two_edits_is_told_of_the_first_and_may_save_again(
    keeper: Client, catalog: starter.Report
) -> None:
    gpu = Gpu.objects.get(slug="h200-sxm")
    address = reverse("admin:catalog_gpu_change", args=[gpu.pk])
    seen = keeper.get(address).context["seen"]
    values = {**NO_INLINES, **fields_of(gpu), **seen}
    keeper.post(address, {**values, "tdp_w": "650"})

    answer = keeper.post(address, {**values, "tdp_w": "600"})

    gpu.refresh_from_db()
    assert gpu.tdp_w == 650
    assert "700 → 650" in html.unescape(answer.content.decode())
    assert 'value="600"' in answer.content.decode()

    keeper.post(address, {**values, "tdp_w": "600", **answer.context["seen"]})

    gpu.refresh_from_db()
    assert gpu.tdp_w == 600


@pytest.mark.parametrize("table", LISTS[:-1])
def test_every_table_names_the_state_that_its_page_shows(table: str, keeper: Client, catalog: starter.Report) -> None:
    row = apps.get_model("catalog", table)._default_manager.first()
    if row is None:
        row = ExchangeRate.objects.create(base="USD", quote="RUB", rate=90, on=timezone.localdate(), source="bank")

    page = keeper.get(reverse(f"admin:catalog_{table}_change", args=[row.pk]))

    assert f'name="seen" value="{row.history.latest().history_id}"' in page.content.decode()


def test_the_history_says_what_a_confirmation_changed(
    keeper: Client, catalog: starter.Report, administrator: User
) -> None:
    claim = GpuSupport.objects.first()
    assert claim
    services.confirm([claim], actor=administrator, evidence="letter 17")
    keeper.cookies["django_language"] = "ru"

    page = keeper.get(reverse("admin:catalog_gpusupport_history", args=[claim.pk])).content.decode()

    assert "не подтверждено → подтверждено" in page
    assert "letter 17" in page
    assert "None" not in page
    assert "начальный каталог" in page
    assert "style=" not in page


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_an_export_holds_nothing_that_a_spreadsheet_runs_and_reads_back_the_same(
    kind: str, catalog: starter.Report
) -> None:
    names = ["=1+1", "+1 card", "-x", "@SUM(A1)", "'quoted", "plain"]
    dataset = tablib.Dataset(*([name, "-5"] for name in names), headers=["name", "tdp_w"])
    file = {"csv": Csv, "xlsx": Xlsx}[kind]()

    content = file.export_data(dataset)

    if kind == "csv":
        assert not [line for line in content.splitlines() if line.lstrip('"').startswith(("=", "+", "-", "@"))]
    else:
        sheet = openpyxl.load_workbook(io.BytesIO(content)).active
        assert sheet is not None
        assert {cell.data_type for row in sheet.iter_rows() for cell in row} <= {"s", "n"}
    assert [str(row[0]) for row in file.create_dataset(content)] == names
    assert [str(row[1]) for row in file.create_dataset(content)] == ["-5"] * len(names)


def test_tables_are_exported(keeper: Client, catalog: starter.Report) -> None:
    page = keeper.get(reverse("admin:catalog_gpu_export"))
    form = page.context["form"]
    asked = {name: "on" for name, field in form.fields.items() if field.__class__.__name__ == "BooleanField"}
    csv = next(value for value, label in form.fields["format"].choices if label == "csv")

    answer = keeper.post(reverse("admin:catalog_gpu_export"), {**asked, "format": csv, "resource": 0})

    assert b"h200-sxm" in answer.content


def test_an_imported_row_is_an_edit(catalog: starter.Report, administrator: Any) -> None:
    from catalog.resources import resource_for

    data = tablib.Dataset(["xeon-platinum-8558", "340"], headers=["slug", "tdp_w"])
    from catalog.models import Cpu

    preview = resource_for(Cpu)().import_data(data, dry_run=True, user=administrator)
    assert Cpu.objects.get(slug="xeon-platinum-8558").tdp_w == 330
    result = resource_for(Cpu)().import_data(data, dry_run=False, user=administrator, raise_errors=True)

    cpu = Cpu.objects.get(slug="xeon-platinum-8558")
    assert (preview.totals["update"], result.totals["update"]) == (1, 1)
    assert (cpu.tdp_w, cpu.edited_at is not None) == (340, True)
    assert Fact.objects.get(part=cpu, field="tdp_w", is_chosen=True).value == "340"


def test_the_import_page_is_there(keeper: Client, catalog: starter.Report) -> None:
    file = SimpleUploadedFile("cpus.csv", b"slug,tdp_w\nxeon-platinum-8558,340\n", content_type="text/csv")
    page = keeper.get(reverse("admin:catalog_cpu_import"))
    csv = next(value for value, label in page.context["form"].fields["format"].choices if label == "csv")

    preview = keeper.post(reverse("admin:catalog_cpu_import"), {"import_file": file, "format": csv, "resource": 0})

    assert preview.context["result"].totals["update"] == 1
    assert "confirm_form" in preview.context


@pytest.mark.parametrize(
    ("table", "field"),
    [("gpusupport", "platform"), ("gpusupport", "gpu"), ("skuline", "part"), ("skuline", "sku"), ("offer", "part"),
     ("offer", "sku"), ("price", "offer"), ("price", "sources"), ("fact", "sources")],
)  # fmt: skip
def test_choices_are_found_as_one_types(table: str, field: str, keeper: Client, catalog: starter.Report) -> None:
    asked = {"app_label": "catalog", "model_name": table, "field_name": field, "term": "h200"}

    answer = keeper.get("/admin/autocomplete/", asked)

    assert answer.json()["results"]


def test_a_part_that_nothing_uses_is_deleted(keeper: Client, catalog: starter.Report) -> None:
    gpu = Gpu.objects.create(slug="x9", kind="gpu", vendor="V", name="X9", memory_gb=80)
    Fact.objects.create(part=gpu, field="memory_gb", value="80", is_chosen=True)

    keeper.post(reverse("admin:catalog_gpu_delete", args=[gpu.pk]), {"post": "yes"})

    assert not Part.objects.filter(slug="x9").exists()


def test_a_part_in_use_is_kept_and_the_page_says_what_uses_it(keeper: Client, catalog: starter.Report) -> None:
    gpu = Gpu.objects.get(slug="h200-sxm")
    claim = GpuSupport.objects.filter(gpu=gpu).first()

    page = keeper.get(reverse("admin:catalog_gpu_delete", args=[gpu.pk]))

    assert page.context["perms_lacking"] == set()
    assert str(claim) in html.unescape(page.content.decode())


def test_a_rate_of_tomorrow_is_refused(keeper: Client, catalog: starter.Report) -> None:
    tomorrow = timezone.localdate() + datetime.timedelta(days=1)
    values = {"base": "USD", "quote": "RUB", "rate": "50", "on": tomorrow.isoformat(), "source": "the central bank"}

    page = keeper.post(reverse("admin:catalog_exchangerate_add"), values)

    assert "This day has not come yet" in page.content.decode()
    assert not ExchangeRate.objects.exists()


def test_a_rate_is_written_without_an_exponent(keeper: Client, catalog: starter.Report) -> None:
    values = {"base": "USD", "quote": "RUB", "rate": "50", "on": "2026-01-05", "source": "the central bank"}

    page = keeper.post(reverse("admin:catalog_exchangerate_add"), values, follow=True)

    assert "1 USD = 50 RUB" in page.content.decode()


def test_a_rate_without_a_day_is_asked_for_it(keeper: Client, catalog: starter.Report) -> None:
    values = {"base": "USD", "quote": "RUB", "rate": "50", "on": "", "source": "the central bank"}

    page = keeper.post(reverse("admin:catalog_exchangerate_add"), values)

    assert page.status_code == 200
    assert not ExchangeRate.objects.exists()


def test_an_untouched_workbook_changes_nothing(catalog: starter.Report, administrator: Any) -> None:
    from catalog.models import Sku
    from catalog.resources import resource_for

    for model in (Gpu, Sku):
        content = Xlsx().export_data(resource_for(model)().export(model.objects.order_by("pk")[:5]))

        result = resource_for(model)().import_data(Xlsx().create_dataset(content), dry_run=True, user=administrator)

        assert (result.has_errors(), result.has_validation_errors(), result.totals["skip"]) == (False, False, 5)


def test_an_import_of_too_many_rows_is_refused_in_words(keeper: Client, catalog: starter.Report) -> None:
    rows = "".join(f"cpu-{number},340\n" for number in range(501))
    file = SimpleUploadedFile("cpus.csv", f"slug,tdp_w\n{rows}".encode(), content_type="text/csv")
    page = keeper.get(reverse("admin:catalog_cpu_import"))
    csv = next(value for value, label in page.context["form"].fields["format"].choices if label == "csv")

    answer = keeper.post(reverse("admin:catalog_cpu_import"), {"import_file": file, "format": csv, "resource": 0})

    assert "result" not in answer.context
    assert "at most 500" in str(answer.context["form"].errors["import_file"])
    assert "Import a price list" in str(answer.context["form"].errors["import_file"])


def test_line_ends_of_a_browser_are_no_change(keeper: Client, catalog: starter.Report) -> None:
    platform = Platform.objects.order_by("pk").first()
    assert platform is not None
    Platform.objects.filter(pk=platform.pk).update(notes="one\ntwo")
    address = reverse("admin:catalog_platform_change", args=[platform.pk])
    page = keeper.get(address)
    forms = [
        page.context["adminform"].form,
        *(f.formset.management_form for f in page.context["inline_admin_formsets"]),
    ]
    forms += [form for inline in page.context["inline_admin_formsets"] for form in inline.formset.forms]
    fields = [form[name] for form in forms for name in form.fields]
    sent = {field.html_name: field.value() for field in fields if field.value() not in (None, "", False)}
    sent = {name: str(value).replace("\n", "\r\n") if isinstance(value, str) else value for name, value in sent.items()}
    before = Fact.objects.count()

    answer = keeper.post(address, sent)

    assert answer.status_code == 302
    assert Fact.objects.count() == before
    platform.refresh_from_db()
    assert (platform.notes, platform.edited_at) == ("one\ntwo", None)


def test_an_import_is_read_as_a_price_list_is(keeper: Client, catalog: starter.Report) -> None:
    rows = "base;quote;rate;on;source\nUSD;RUB;1\u00a0080,55;30.11.2025;Банк\n"
    file = SimpleUploadedFile("rates.csv", rows.encode("cp1251"), content_type="text/csv")
    address = reverse("admin:catalog_exchangerate_import")
    page = keeper.get(address)
    csv = next(value for value, label in page.context["form"].fields["format"].choices if label == "csv")

    preview = keeper.post(address, {"import_file": file, "format": csv, "resource": 0})
    keeper.post(
        reverse("admin:catalog_exchangerate_process_import"), preview.context["confirm_form"].initial | {"resource": 0}
    )

    rate = ExchangeRate.objects.get(base="USD", quote="RUB", on=datetime.date(2025, 11, 30))
    assert (str(rate.rate), rate.source) == ("1080.55000000", "Банк")


def test_an_import_names_column_and_value_of_what_it_cannot_read(keeper: Client, catalog: starter.Report) -> None:
    file = SimpleUploadedFile("rates.csv", b"base,quote,rate,on,source\nUSD,RUB,x9,2025-11-30,bank\n")
    address = reverse("admin:catalog_exchangerate_import")
    page = keeper.get(address)
    csv = next(value for value, label in page.context["form"].fields["format"].choices if label == "csv")

    preview = keeper.post(address, {"import_file": file, "format": csv, "resource": 0})

    assert "x9: not a number" in str(preview.context["result"].invalid_rows[0].field_specific_errors["rate"])


def test_a_source_that_facts_are_taken_from_is_kept(keeper: Client, catalog: starter.Report) -> None:
    from catalog.models import Source

    source = Source.objects.filter(facts__isnull=False).first()
    assert source is not None
    address = reverse("admin:catalog_source_delete", args=[source.pk])

    page = keeper.get(address)
    keeper.post(address, {"post": "yes"})

    assert page.context["protected"]
    assert Source.objects.filter(pk=source.pk).exists()
