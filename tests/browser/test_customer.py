"""A customer finds the way to a private page: with a mouse, by keyboard, on a phone, without JavaScript."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import routine

pytestmark = pytest.mark.django_db(transaction=True)

Axe = Callable[[Page], list[str]]
MakePage = Callable[..., Page]
SHAPE = (
    b'{"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "intermediate_size": 128,'
    b' "num_attention_heads": 4, "vocab_size": 100}'
)


def open_form(page: Page, way: str = "adapters") -> None:
    page.goto("/")
    page.check(f"input[value={way}]")
    page.click("button[data-kind=primary]")
    expect(page.locator("#requirements")).to_be_visible()


def describe(page: Page) -> None:
    page.fill("#id_model_name", "llama-3.1-8b")
    page.fill("#id_dataset_amount", "10")
    page.fill("#id_epochs", "2")
    page.fill("#id_sequence_length", "2048")


def test_from_the_first_question_to_the_private_page(page: Page, axe: Axe) -> None:
    open_form(page)
    describe(page)
    expect(page.locator("#preview .figure__value").first).to_contain_text("GiB")
    expect(page.locator("#announce")).to_contain_text("Estimate updated")

    routine.send(page)

    expect(page.locator("h1")).to_contain_text("Sent.")
    assert axe(page) == []


def test_a_wrong_answer_keeps_the_last_estimate_and_is_linked(page: Page, axe: Axe, console: list[str]) -> None:
    open_form(page)
    describe(page)
    expect(page.locator("#preview .figure__value").first).to_contain_text("GiB")
    page.fill("#id_sequence_length", "9 000 000")
    expect(page.locator("#preview .notice")).to_contain_text("shown for 2048")

    page.click("button[data-kind=primary]")

    expect(page.locator(".error-summary a")).to_have_attribute("href", "#id_sequence_length")
    expect(page.locator("#id_sequence_length")).to_be_focused()
    assert axe(page) == []
    assert len(console) == 1
    assert "422" in console.pop()


def test_the_expert_view_keeps_everything(page: Page, axe: Axe) -> None:
    open_form(page)
    describe(page)
    page.click("button[value=expert]")
    expect(page.locator("#id_sequence_length")).to_have_value("2048")
    page.fill("#id_micro_batch", "2")
    assert axe(page) == []

    page.click("button[value=plain]")
    page.click("button[value=expert]")

    expect(page.locator("#id_micro_batch")).to_have_value("2")


def test_a_model_is_chosen_from_what_is_found(page: Page) -> None:
    open_form(page)
    page.locator("#id_model_name").press_sequentially("llama 3.3")
    page.click("#model-found button")

    expect(page.locator("#id_model_name")).to_have_value("Llama 3.3 70B")
    expect(page.locator("#model-found")).to_contain_text("billion parameters")


def test_a_config_file_is_read_when_it_is_chosen(page: Page) -> None:
    open_form(page)
    page.set_input_files(
        "#id_config_file",
        {
            "name": "config.json",
            "mimeType": "application/json",
            "buffer": SHAPE,
        },
    )

    expect(page.locator("#config-field .file")).to_contain_text("2 layers")
    expect(page.locator("#preview .figure__value").first).to_contain_text("GiB")


def test_without_javascript_the_same_form_works_in_steps(make_page: MakePage) -> None:
    page = make_page(java_script_enabled=False)
    open_form(page)
    describe(page)
    page.click("button[value=calculate]")
    expect(page.locator("#preview .figure__value").first).to_contain_text("GiB")

    routine.send(page)

    expect(page.locator("h1")).to_contain_text("Sent.")


def test_without_javascript_a_config_file_goes_with_any_button(make_page: MakePage) -> None:
    page = make_page(java_script_enabled=False)
    open_form(page)
    page.set_input_files("#id_config_file", {"name": "config.json", "mimeType": "application/json", "buffer": SHAPE})

    page.click("button[value=expert]")

    expect(page.locator("#config-field .file")).to_contain_text("2 layers")
    expect(page.locator("#preview .figure__value").first).to_contain_text("GiB")


def test_a_keystroke_sends_answers_and_no_files(page: Page) -> None:
    open_form(page)
    page.set_input_files("#id_files", {"name": "offer.txt", "mimeType": "text/plain", "buffer": b"eight cards"})
    expect(page.locator("#files-field .file")).to_contain_text("offer.txt")

    with page.expect_request(re.compile("/preview/")) as recount:
        page.fill("#id_model_name", "llama-3.1-8b")

    assert recount.value.headers["content-type"].startswith("application/x-www-form-urlencoded")
    assert "llama-3.1-8b" in (recount.value.post_data or "")


def test_the_whole_way_by_keyboard(page: Page) -> None:
    page.goto("/")
    page.locator("input[value=adapters]").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.locator("#requirements")).to_be_visible()
    page.locator("#id_model_name").focus()
    page.keyboard.type("llama-3.1-8b")
    page.locator("#id_dataset_amount").focus()
    page.keyboard.type("10")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/size/check/"))
    page.locator("#id_email").focus()
    page.keyboard.type("anna@customer.example")
    page.locator("#id_consent").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")

    expect(page).to_have_url(re.compile("/r/[^/]{43}/"))


@pytest.mark.parametrize("way", ["adapters", "full", "scratch", "service", "documents"])
def test_each_form_fits_a_phone_and_is_accessible(phone: Page, axe: Axe, way: str) -> None:
    open_form(phone, way)

    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    assert axe(phone) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("locale", ["en-US", "ru-RU"])
@pytest.mark.parametrize("address", ["/", "/discuss/", "/accuracy/", "/privacy/", "/size/adapters/?depth=expert"])
def test_public_pages_are_accessible(make_page: MakePage, axe: Axe, address: str, locale: str, scheme: str) -> None:
    page = make_page(locale=locale, color_scheme=scheme)

    page.goto(address)

    expect(page.locator("h1")).to_have_count(1)
    assert axe(page) == []


def test_the_language_is_switched_in_the_header(page: Page) -> None:
    page.goto("/privacy/")

    page.click("text=Русский")

    expect(page.locator("html")).to_have_attribute("lang", "ru")
    expect(page).to_have_url(re.compile("/privacy/$"))


@pytest.mark.parametrize("width", [360, 1280])
def test_the_whole_way_in_russian_is_accessible(make_page: MakePage, axe: Axe, width: int) -> None:
    page = make_page(locale="ru-RU", viewport={"width": width, "height": 900})
    open_form(page)
    describe(page)
    expect(page.locator("#preview .figure__value").first).to_contain_text("ГиБ")
    page.click("button[data-kind=primary]")
    expect(page.locator("h1")).to_have_text("Проверьте ответы перед отправкой")
    assert axe(page) == []
    page.fill("#id_email", "anna@customer.example")
    page.check("#id_consent")
    page.click("button[data-kind=primary]")
    expect(page.locator("h1")).to_contain_text("Отправлено.")

    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_going_back_over_a_suggestion_by_keyboard_picks_nothing(page: Page) -> None:
    open_form(page)
    page.fill("#id_model_name", "GPT-4")
    expect(page.locator("#model-found button").first).to_be_visible()
    page.focus("#id_model_name")
    page.keyboard.press("Tab")
    expect(page.locator("#model-found button").first).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("Llama 3.1 8B")
    page.keyboard.press("Tab")
    expect(page.locator("#preview")).not_to_contain_text("Which model")

    page.reload()

    expect(page.locator("#id_model_name")).to_have_value("Llama 3.1 8B")


def test_a_chosen_config_file_outlives_further_answers(page: Page) -> None:
    open_form(page)
    page.set_input_files(
        "#id_config_file",
        {"name": "config.json", "mimeType": "application/json", "buffer": SHAPE},
    )
    expect(page.locator("#config-field .file")).to_contain_text("2 layers")
    page.fill("#id_sequence_length", "512")
    expect(page.locator("#preview .figure__value").first).to_contain_text("GiB")

    page.reload()

    expect(page.locator("#config-field .file")).to_contain_text("2 layers")
