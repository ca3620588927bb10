"""Pages that nobody wants to see are calm, clean and accessible."""

from collections.abc import Callable

from playwright.sync_api import Page, expect


def test_a_page_that_is_not_there_is_accessible_and_leads_on(
    page: Page, axe: Callable[[Page], list[str]], console: list[str]
) -> None:
    page.goto("/no-such-page/")

    expect(page.locator("h1")).to_have_count(1)
    assert axe(page) == []
    assert len(console) == 1
    assert "404" in console.pop()


def test_the_sign_in_page_is_accessible(page: Page, axe: Callable[[Page], list[str]]) -> None:
    page.goto("/accounts/login/")

    expect(page.locator("input[name=password]")).to_be_visible()
    assert axe(page) == []
