"""Public pages, worklists, and who may see which."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from catalog import services, starter, worklists
from catalog.models import Fact, Gpu, GpuSupport, LanguageModel, Offer, Platform, Sku
from catalog.selections import SELECTIONS, by_slug

PUBLIC = (
    "/catalog/",
    "/catalog/?q=h200&family=sxm&at_least=80&fp8=on&sort=-power",
    "/catalog/gpus/h200-sxm/",
    "/catalog/gpus/mi300x/",
    "/catalog/platforms/",
    "/catalog/platforms/?vendor=Supermicro&gpu=h200-nvl&cooling=air&socket=pcie&sort=units",
    "/catalog/platforms/smc-sys-821ge-tnhr/",
    "/catalog/parts/cpu/",
    "/catalog/parts/memory/",
    "/catalog/parts/drive/",
    "/catalog/parts/nic/",
    "/catalog/parts/switch/",
    "/catalog/parts/accessory/",
    "/catalog/parts/service/",
    "/catalog/models/",
    "/catalog/models/llama-3.1-8b/",
    "/catalog/articles/",
    "/catalog/article/",
    "/catalog/article/?article=SYS-821GE-TNHR-8xH200-2x8558-16x64GB",
    "/catalog/compare/",
    "/catalog/compare/?gpu=h200-sxm&gpu=mi300x",
    "/catalog/compare/?platform=smc-sys-821ge-tnhr&platform=dell-xe9680",
    "/catalog/selections/",
    "/catalog/selections/llama/",
    "/catalog/selections/dell-h100/",
    "/catalog/selections/supermicro-h200/",
)
STAFF = (
    "/catalog/to-confirm/",
    "/catalog/to-confirm/?kind=price&state=unconfirmed&q=h200",
    "/catalog/unknown-facts/",
    "/catalog/price-lists/",
    "/catalog/models/add/",
)


@pytest.mark.parametrize("address", PUBLIC)
def test_anybody_sees_the_catalog(address: str, client: Client, catalog: starter.Report) -> None:
    assert client.get(address).status_code == 200


@pytest.mark.parametrize("address", PUBLIC)
def test_pages_are_there_in_russian(address: str, client: Client, catalog: starter.Report) -> None:
    assert client.get(address, headers={"accept-language": "ru"}).status_code == 200


@pytest.mark.parametrize("address", STAFF)
def test_worklists_are_for_those_who_keep_the_catalog(
    address: str, client: Client, catalog: starter.Report, administrator: User, engineer: User
) -> None:
    assert client.get(address).status_code == 302
    client.force_login(engineer)
    assert client.get(address).status_code == 403
    client.force_login(administrator)
    assert client.get(address).status_code == 200


@pytest.mark.parametrize("name", ["confirm", "choose_fact", "keep_article", "import_price_list"])
def test_only_those_who_keep_the_catalog_change_it(name: str, client: Client, engineer: User) -> None:
    assert client.post(reverse(f"catalog:{name}")).status_code == 302
    client.force_login(engineer)
    assert client.post(reverse(f"catalog:{name}")).status_code == 403


@pytest.mark.parametrize(
    "address",
    ["/catalog/gpus/none/", "/catalog/platforms/none/", "/catalog/parts/gpu/", "/catalog/models/none/",
     "/catalog/selections/none/"],
)  # fmt: skip
def test_what_is_not_there_is_not_found(address: str, client: Client, db: None) -> None:
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("address", ["/catalog/", "/catalog/platforms/", "/catalog/models/", "/catalog/articles/"])
def test_an_empty_catalog_has_pages(address: str, client: Client, db: None) -> None:
    assert client.get(address).status_code == 200


def queries(client: Client, address: str) -> int:
    client.get(address)
    with CaptureQueriesContext(connection) as captured:
        client.get(address)
    return len(captured)


GROWING: dict[str, Any] = {
    "/catalog/": lambda n: Gpu.objects.create(slug=f"g{n}", kind="gpu", vendor="V", name=f"G{n}", memory_gb=80),
    "/catalog/platforms/": lambda n: GpuSupport.objects.create(
        platform=Platform.objects.create(slug=f"p{n}", kind="platform", vendor="V", name=f"P{n}"),
        gpu=Gpu.objects.get(slug="h200-nvl"),
        platform_socket="pcie",
        gpu_socket="pcie",
    ),
    "/catalog/models/": lambda n: LanguageModel.objects.create(slug=f"m{n}", name=f"M{n}", parameters=10),
    "/catalog/articles/": lambda n: Sku.objects.create(slug=f"s{n}", article=f"S{n}", article_folded=f"s{n}"),
}


@pytest.mark.parametrize("address", GROWING)
def test_queries_do_not_grow_with_the_rows(address: str, client: Client, catalog: starter.Report) -> None:
    before = queries(client, address)
    for number in range(10):
        GROWING[address](number)

    assert queries(client, address) == before


def test_the_worklist_asks_a_fixed_number_of_queries(keeper: Client, catalog: starter.Report) -> None:
    before = queries(keeper, "/catalog/to-confirm/")
    for number in range(10):
        GROWING["/catalog/platforms/"](number)

    assert queries(keeper, "/catalog/to-confirm/") == before


def test_unknown_values_sort_last_both_ways(client: Client, catalog: starter.Report) -> None:
    for sort in ("power", "-power"):
        rows = client.get("/catalog/", {"sort": sort}).context["rows"]

        assert rows[-1].gpu.tdp_w is None


def test_a_form_factor_narrows_the_list(client: Client, catalog: starter.Report) -> None:
    rows = client.get("/catalog/", {"family": "oam"}).context["rows"]

    assert {row.gpu.socket for row in rows} == {"oam"}


@pytest.mark.parametrize("query", ["at_least=-1", "at_least=abc", "family=xyz", "sort=password", "q=" + "x" * 500])
def test_wrong_filters_are_ignored(query: str, client: Client, catalog: starter.Report) -> None:
    assert client.get(f"/catalog/?{query}").status_code == 200


def test_a_gpu_page_shows_facts_with_sources_and_disagreements(client: Client, catalog: starter.Report) -> None:
    text = client.get("/catalog/gpus/b200-sxm/").content.decode()

    assert "7.67" in text
    assert "marketed, 7.7 for roofline" in text
    assert "NVIDIA DGX B200 product page" in text
    assert "SYS-A21GE-NBRT" in text


def test_a_gpu_page_says_what_it_can_train(client: Client, catalog: starter.Report) -> None:
    jobs = client.get("/catalog/gpus/h200-sxm/").context["jobs"]

    assert {(job.label, job.model): job.fits for job in jobs}["QLoRA", "llama-3.3-70b"]


def test_a_platform_without_published_power_says_so(client: Client, catalog: starter.Report) -> None:
    page = client.get("/catalog/platforms/smc-sys-821ge-tnhr/")
    power = next(fact for fact in page.context["facts"] if fact.field == "max_system_power_w")

    assert (power.is_known, power.standing) == (False, "unconfirmed")


def test_weights_by_format_add_up(client: Client, catalog: starter.Report) -> None:
    page = client.get("/catalog/models/llama-3.1-8b/")

    assert sum(group.count for group in page.context["groups"]) == 8_030_261_248
    assert next(form for form in page.context["weights"] if form.title == "BF16").total_bytes == 16_060_522_496


def test_the_list_answers_htmx_with_its_rows(client: Client, catalog: starter.Report) -> None:
    answer = client.get("/catalog/", {"q": "h200"}, headers={"hx-request": "true"})

    assert b"<html" not in answer.content
    assert b'id="rows"' in answer.content


def test_the_worklist_confirms_with_one_document(keeper: Client, catalog: starter.Report, administrator: User) -> None:
    claims = list(GpuSupport.objects.filter(platform__name="SYS-821GE-TNHR"))
    keys = [f"support-{claim.pk}" for claim in claims]

    answer = keeper.post(reverse("catalog:confirm"), {"claim": keys, "evidence": "maker's list, 12 Nov"})

    assert answer.status_code == 302
    for claim in claims:
        claim.refresh_from_db()
        assert claim.is_confirmed


def test_the_worklist_refuses_without_evidence(keeper: Client, catalog: starter.Report) -> None:
    claim = GpuSupport.objects.filter(platform__name="SYS-821GE-TNHR").first()
    assert claim is not None

    answer = keeper.post(reverse("catalog:confirm"), {"claim": [f"support-{claim.pk}"]})

    assert answer.status_code == 422


@pytest.mark.parametrize("key", ["support-", "x-1", "support-99999999999999999999", "support--1", ""])
def test_forged_claims_are_left_out(key: str, keeper: Client, catalog: starter.Report) -> None:
    answer = keeper.post(reverse("catalog:confirm"), {"claim": [key], "evidence": "letter"})

    assert answer.status_code == 422


def test_another_value_is_put_in_use_from_the_page(keeper: Client, catalog: starter.Report) -> None:
    fact = Fact.objects.get(part__slug="b200-sxm", field="memory_bandwidth_tb_s", value="7.7")

    keeper.post(reverse("catalog:choose_fact"), {"fact": fact.pk, "why": "driver"})

    assert Gpu.objects.get(slug="b200-sxm").memory_bandwidth_tb_s == 7.7


def test_platforms_without_power_are_on_the_list_of_unknown_facts(keeper: Client, catalog: starter.Report) -> None:
    rows = keeper.get("/catalog/unknown-facts/").context["rows"]

    assert sum(row.label == "Power at full load" for row in rows) == 42


def test_quotes_that_wait_put_a_claim_on_top(keeper: Client, catalog: starter.Report, monkeypatch: Any) -> None:
    from catalog import usage

    waiting = [usage.Touched("2026-0001", "/desk/1/", is_open=True)]
    monkeypatch.setattr(usage, "_finders", [lambda slugs: {"smc-sys-a21ge-nbrt": waiting}])

    first = keeper.get("/catalog/to-confirm/?kind=support").context["page"][0]

    assert "SYS-A21GE-NBRT" in first.title
    assert [quote.title for quote in first.waiting] == ["2026-0001"]


def test_evidence_is_handed_out_to_staff_only(client: Client, catalog: starter.Report, administrator: User) -> None:
    claim = GpuSupport.objects.filter(platform__name="SYS-821GE-TNHR").first()
    assert claim is not None
    file = SimpleUploadedFile("<letter>.pdf", b"%PDF-1.7 evidence")
    services.confirm([claim], actor=administrator, evidence="letter", evidence_file=file)
    address = reverse("catalog:evidence", args=[f"support-{claim.pk}"])

    assert client.get(address).status_code == 302
    client.force_login(administrator)
    answer = client.get(address)

    assert b"".join(answer.streaming_content) == b"%PDF-1.7 evidence"
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert client.get(reverse("catalog:evidence", args=["price-1"])).status_code == 404


def test_one_file_is_evidence_for_many(catalog: starter.Report, administrator: User) -> None:
    claims = list(GpuSupport.objects.filter(platform__name="SYS-821GE-TNHR"))
    file = SimpleUploadedFile("letter.pdf", b"%PDF-1.7")

    services.confirm(claims, actor=administrator, evidence="letter", evidence_file=file)

    assert len({claim.evidence_file.name for claim in claims}) == 1


@pytest.mark.parametrize(("kind", "model"), [("gpu", Gpu), ("platform", Platform)])
def test_every_part_can_be_compared_and_a_bare_new_one(
    kind: str, model: Any, client: Client, catalog: starter.Report
) -> None:
    fields = {"memory_gb": 80} if kind == "gpu" else {}
    model.objects.create(slug="bare", kind=kind, vendor="V", name="Bare", **fields)
    slugs = list(model.objects.exclude(slug="bare").values_list("slug", flat=True))

    for first in range(0, len(slugs), 4):
        page = client.get("/catalog/compare/", {kind: ["bare", *slugs[first : first + 4]]})
        assert page.status_code == 200
        assert "not known" in page.content.decode()


def test_a_selection_by_maker_opens_the_form_with_its_machine_and_without_an_earlier_model(
    client: Client, catalog: starter.Report
) -> None:
    client.get(reverse("quotes:prefill"), {"route": "service", "model_name": "llama-3.3-70b"})
    page = client.get("/catalog/selections/dell-h100/")
    ways = page.context["ways"]
    dells = GpuSupport.objects.filter(platform__vendor="Dell").values_list("gpu__slug", flat=True)
    taken = [slug for slug in ("h100-sxm", "h100-nvl", "h100-pcie") if slug in set(dells)]
    assert [way.fields for way in ways] == [(("gpu", slug), ("vendor", "Dell")) for slug in taken]
    assert ways
    assert ways[0].address.replace("&", "&amp;") in page.content.decode()

    form = client.get(ways[0].address, follow=True).context["form"]

    assert form["gpu"].value() == ways[0].fields[0][1]
    assert form["vendor"].value() == "Dell"
    assert not form["model_name"].value()


@pytest.mark.parametrize(("then", "gpu", "vendor"), [("amd", "mi300x", ""), ("llama", "", "")])
def test_another_selection_leaves_nothing_of_the_former_machine(
    then: str, gpu: str, vendor: str, client: Client, catalog: starter.Report
) -> None:
    former, following = by_slug("supermicro-h200"), by_slug(then)
    assert former
    assert following
    client.get(former.forms()[0].address)

    form = client.get(following.forms()[0].address, follow=True).context["form"]

    assert (form["gpu"].value() or "", form["vendor"].value() or "") == (gpu, vendor)


def test_every_selection_opens_a_form(client: Client, catalog: starter.Report) -> None:
    for selection in SELECTIONS:
        for way in selection.forms():
            assert way.fields
            assert client.get(way.address, follow=True).status_code == 200


@pytest.mark.parametrize("sort", ["units", "-units", "name", "-gpus", "nonsense"])
def test_a_selection_is_sorted_as_the_list_of_platforms_is(sort: str, client: Client, catalog: starter.Report) -> None:
    query = {"sort": sort, "platform": "dell-xe9680"}
    listed = client.get("/catalog/platforms/", query | {"vendor": "Dell"}).context["rows"]
    page = client.get("/catalog/selections/dell-h100/", query)
    selected = [row.platform.slug for row in page.context["rows"]]

    assert len(selected) > 1
    assert selected == [row.platform.slug for row in listed if row.platform.slug in selected]
    assert page.context["ticked"] == ["dell-xe9680"]


@pytest.mark.parametrize(
    ("address", "kind", "slug"),
    [("/catalog/", "gpu", "l40s"), ("/catalog/platforms/", "platform", "dell-xe9680")],
)
def test_ticks_filters_and_the_order_belong_to_one_form(
    address: str, kind: str, slug: str, client: Client, catalog: starter.Report
) -> None:
    page = client.get(address, {kind: slug, "q": "h200", "sort": "-name"}).content.decode()

    assert '<input type="hidden" name="sort" value="-name">' in page
    assert f'name="{kind}" value="{slug}" checked' in page
    assert 'form="rows" formaction="?"' in page
    assert page.count("<form") == client.get(address).content.decode().count("<form")


def test_comparing_no_platform_is_not_comparing_a_gpu(client: Client, catalog: starter.Report) -> None:
    page = client.get("/catalog/compare/", {"kind": "platform", "gpu": "h200-sxm"})

    assert page.context["kind"] == "platform"
    assert page.context["chosen"] == []


def test_a_lead_time_of_no_days_is_no_days(keeper: Client, catalog: starter.Report) -> None:
    gpu = Gpu.objects.get(slug="h200-nvl")
    Offer.objects.create(supplier="stock", part=gpu, lead_time_days=0, availability="in_stock")

    rows = worklists.ToConfirmList(kind="offer", text="stock")

    assert [row.detail for row in rows if row.claim.supplier == "stock"] == ["0 days, in stock"]


def test_evidence_is_words_or_a_link_of_the_web(keeper: Client, catalog: starter.Report) -> None:
    claim = GpuSupport.objects.filter(state="unconfirmed").first()
    assert claim is not None
    for link in (
        "javascript:alert(1)",
        "see JavaScript:alert(1)",
        "java\tscript:alert(1)",
        "ftp://x/y",
        "data:text/html,x",
    ):
        page = keeper.post(reverse("catalog:confirm"), {"claim": f"support-{claim.pk}", "evidence": link})
        claim.refresh_from_db()
        assert (page.status_code, claim.state) == (422, "unconfirmed"), link
    for words in ("https://maker.example/list.pdf", "Letter: 12.03.2026, data: sheet 4"):
        services.check_evidence(words)


def test_units_and_words_of_the_pages_are_russian(client: Client, catalog: starter.Report) -> None:
    russian = {"headers": {"accept-language": "ru"}}
    gpus = client.get("/catalog/", **russian).content.decode()  # type: ignore[arg-type]
    model = client.get("/catalog/models/llama-3.1-8b/", **russian).content.decode()  # type: ignore[arg-type]

    assert "GB/s" not in gpus
    assert "ГБ/с" in gpus
    assert "ГиБ" in model
    assert not re.search(r">\s*Gi?B\s*<", model)


def test_no_internal_remark_stands_in_a_fact(catalog: starter.Report) -> None:
    assert not Fact.objects.filter(value__icontains="see conflict").exists()
    assert not Platform.objects.filter(psu_redundancy__icontains="see conflict").exists()
