"""The catalog administrator's day in a real browser, and a visitor who browses and compares."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from catalog import starter
from catalog.models import Gpu, GpuSupport, Price, SkuLine
from quotes import roles
from quotes.actors import Role

pytestmark = pytest.mark.django_db(transaction=True)

Axe = Callable[[Page], list[str]]
MakePage = Callable[..., Page]
ARTICLE = "SYS-821GE-TNHR-8xH200-2x8558-16x64GB"


@pytest.fixture
def catalog(transactional_db: None) -> None:
    starter.load()


@pytest.fixture
def keeper(page: Page, live_server: object, catalog: None) -> Page:
    from django.apps import apps

    roles.ensure(apps.get_app_config("catalog"))
    user = User.objects.create_user("keeper", is_staff=True)
    user.groups.add(Group.objects.get(name=Role.CATALOG_ADMINISTRATOR.value))
    client = Client()
    client.force_login(user)
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]  # type: ignore[attr-defined]
    )
    return page


def test_a_visitor_filters_opens_and_compares(page: Page, catalog: None, axe: Axe) -> None:
    page.goto("/catalog/")
    page.fill("#id_q", "h200")
    expect(page.locator("#rows tbody tr")).to_have_count(2)
    page.check("input[value=h200-sxm]")
    page.check("input[value=h200-nvl]")
    page.fill("#id_q", "l40s")
    expect(page.locator("#rows tbody tr")).to_have_count(1)
    page.check("input[value=l40s]")
    page.click("text=Compare the ticked ones")
    expect(page.locator("h1")).to_have_text("Side by side")
    expect(page.locator("thead th[scope=col] a")).to_have_count(3)
    assert axe(page) == []

    page.get_by_role("link", name="H200 SXM 141GB").click()

    expect(page.locator("h1")).to_have_text("NVIDIA H200 SXM 141GB")
    assert axe(page) == []


@pytest.mark.parametrize("scripted", [True, False])
def test_ticks_survive_showing_and_sorting(
    scripted: bool, browser: Browser, live_server: LiveServer, catalog: None
) -> None:
    context = browser.new_context(java_script_enabled=scripted, base_url=live_server.url)
    page = context.new_page()
    for address, kind, slug, column in (
        ("/catalog/", "gpu", "h200-sxm", "Power, W"),
        ("/catalog/platforms/", "platform", "dell-xe9680", "Height, U"),
    ):
        page.goto(address)
        box = page.locator(f"input[name={kind}][value={slug}]")
        box.check()
        page.get_by_role("button", name=column).click()
        expect(page).to_have_url(re.compile("sort="))
        expect(box).to_be_checked()
        page.fill("#id_q", "l40s" if kind == "gpu" else "supermicro")
        page.get_by_role("button", name="Show").click()
        expect(page.locator(f"label input[name={kind}][value={slug}]")).to_be_checked()
        page.get_by_role("button", name="Compare the ticked ones").click()
        expect(page.locator("h1")).to_have_text("Side by side")
        expect(page.locator("thead th[scope=col] a")).to_have_count(1)
    context.close()


@pytest.mark.parametrize("scripted", [True, False])
def test_a_selection_is_sorted_and_its_form_knows_the_machine(
    scripted: bool, make_page: MakePage, catalog: None
) -> None:
    page = make_page(java_script_enabled=scripted)
    page.goto("/catalog/selections/supermicro-h200/")
    box = page.locator("input[name=platform]").first
    box.check()
    slug = box.get_attribute("value")
    orders = []
    for way in ("ascending", "descending"):
        page.get_by_role("button", name="Height, U").click()
        expect(page.locator("th", has_text="Height, U")).to_have_attribute("aria-sort", way)
        orders.append([int(text) for text in page.locator("td[data-label='Height, U']").all_inner_texts()])
    assert orders == [sorted(orders[0]), sorted(orders[0], reverse=True)]
    assert orders[0] != orders[1]
    expect(page.locator(f"input[name=platform][value={slug}]")).to_be_checked()

    page.locator(".page-head a.button").first.click()

    expect(page.locator("[name=vendor]")).to_have_value("Supermicro")
    expect(page.locator("[name=gpu]")).to_have_value("h200-sxm")


BURSTING = """() => {
  const width = document.documentElement.clientWidth, found = []
  if (document.documentElement.scrollWidth > width) found.push(`scrolls to ${document.documentElement.scrollWidth}`)
  for (const cell of document.querySelectorAll("td[data-label]")) {
    const label = parseFloat(getComputedStyle(cell, "::before").blockSize)
    if (label > cell.getBoundingClientRect().height + 0.5) found.push(cell.dataset.label)
  }
  return found
}"""
PHONE_PAGES = (
    *("/catalog/", "/catalog/gpus/h200-sxm/", "/catalog/platforms/", "/catalog/platforms/dell-xe9680/"),
    *("/catalog/models/", "/catalog/models/deepseek-v3/", "/catalog/articles/", "/catalog/parts/cpu/"),
    *("/catalog/parts/switch/", "/catalog/selections/", "/catalog/selections/llama/"),
    "/catalog/selections/supermicro-h200/",
    "/catalog/compare/?gpu=h200-sxm&gpu=h200-nvl&gpu=mi300x",
    "/catalog/compare/?kind=platform&platform=smc-sys-821ge-tnhr&platform=dell-xe9680",
    "/catalog/article/?article=SYS-821GE-TNHR-8xH200-2x8558-16x64GB&method=qlora&model=llama-3.1-8b",
    "/catalog/article/?article=SYS-821GE-TNHR-8xH200-2x8558-16x64GB%0AAS-8125GS-TNHR 8xH2OO",
)


@pytest.mark.parametrize("locale", ["ru-RU", "en-US"])
def test_at_a_phone_no_page_is_wider_and_no_label_is_taller_than_its_place(
    locale: str, make_page: MakePage, catalog: None
) -> None:
    page = make_page(locale=locale, viewport={"width": 360, "height": 740})
    found = {}
    for address in PHONE_PAGES:
        page.goto(address)
        found[address] = page.evaluate(BURSTING)

    assert {address: bursting for address, bursting in found.items() if bursting} == {}


def test_a_visitor_checks_an_article(page: Page, catalog: None, axe: Axe) -> None:
    page.goto("/catalog/article/")
    page.fill("#id_article", ARTICLE)
    page.select_option("#id_method", "qlora")
    page.select_option("#id_model", "llama-3.1-8b")
    page.click("button[data-kind=primary]")

    expect(page.locator("#h-read")).to_contain_text("4 parts read")
    expect(page.locator(".verdict")).to_have_attribute("data-verdict", "fits")
    assert axe(page) == []


def test_a_gpu_and_a_platform_that_takes_it_are_added(keeper: Page) -> None:
    keeper.goto("/admin/catalog/gpu/add/")
    for name, value in {"vendor": "NVIDIA", "name": "X1 SXM", "memory_gb": "300"}.items():
        keeper.fill(f"#id_{name}", value)
    keeper.select_option("#id_socket", "sxm6")
    keeper.click("input[name=_save]")
    expect(keeper.locator(".messagelist .success")).to_be_visible()

    gpu = Gpu.objects.get(name="X1 SXM")
    keeper.goto("/admin/catalog/gpusupport/add/")
    keeper.locator("span[aria-labelledby*=platform-container]").click()
    keeper.locator(".select2-dropdown .select2-search__field").fill("A21GE")
    keeper.locator(".select2-results__option", has_text="SYS-A21GE-NBRT").click()
    keeper.locator("span[aria-labelledby*=id_gpu-container]").click()
    keeper.locator(".select2-dropdown .select2-search__field").fill("X1")
    keeper.locator(".select2-results__option", has_text="X1 SXM").click()
    keeper.select_option("#id_platform_socket", "sxm6")
    keeper.click("input[name=_save]")

    expect(keeper.locator(".messagelist .success")).to_be_visible()
    assert GpuSupport.objects.get(gpu=gpu).state == "unconfirmed"


def test_a_price_list_is_looked_at_and_loaded(keeper: Page, tmp_path: Path, axe: Axe) -> None:
    file = tmp_path / "прайс.csv"
    file.write_bytes("Артикул;Цена;Валюта\nh200-nvl;31 200,50;USD\nкабель;5;USD\n".encode("cp1251"))
    keeper.goto("/catalog/price-lists/")
    keeper.fill("#id_supplier", "distributor A")
    keeper.set_input_files("#id_file", file)
    keeper.click("button[data-kind=primary]")
    expect(keeper.locator("h1")).to_have_text("The list is read, nothing is loaded yet")
    assert axe(keeper) == []

    keeper.click("button[data-kind=primary]")

    expect(keeper).to_have_url(re.compile("/catalog/to-confirm/"))
    assert str(Price.objects.get(offer__supplier="distributor A").amount_high) == "31200.50"


def test_the_lines_of_an_article_are_confirmed_with_one_document(keeper: Page, axe: Axe) -> None:
    keeper.goto("/catalog/to-confirm/?kind=line&q=16x64gb")
    expect(keeper.locator("tbody tr")).to_have_count(7)
    assert axe(keeper) == []
    for box in keeper.locator("tbody input[type=checkbox]").all():
        box.check()
    keeper.fill("#id_evidence", "delivery specification 17")
    keeper.click("button[data-kind=primary]")

    expect(keeper.locator(".notice").first).to_contain_text("7 claims confirmed")
    assert SkuLine.objects.filter(sku__article=ARTICLE).confirmed().count() == 7
