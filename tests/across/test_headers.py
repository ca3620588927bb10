"""Every answer carries the headers that keep other people's scripts and frames out."""

import pytest
from django.test import Client

PAGES = ["/", "/accounts/login/", "/accounts/password/reset/", "/health/", "/no-such-page/"]


def policy(header: str) -> dict[str, list[str]]:
    """Split a content security policy into its directives."""
    words = (directive.split() for directive in header.split(";") if directive.strip())
    return {name: values for name, *values in words}


@pytest.mark.django_db
@pytest.mark.parametrize("address", PAGES)
def test_the_content_security_policy_is_strict(client: Client, address: str) -> None:
    response = client.get(address, follow=True)

    directives = policy(response.headers["Content-Security-Policy"])
    assert directives["default-src"] == ["'self'"]
    assert directives["object-src"] == directives["base-uri"] == directives["frame-ancestors"] == ["'none'"]
    assert directives["form-action"] == ["'self'"]
    assert directives["script-src"][0] == "'self'"
    assert all(source.startswith("'nonce-") for source in directives["script-src"][1:])
    assert "unsafe" not in response.headers["Content-Security-Policy"]


@pytest.mark.django_db
@pytest.mark.parametrize("address", PAGES)
def test_other_sites_learn_and_embed_nothing(client: Client, address: str) -> None:
    response = client.get(address, follow=True)

    assert response.headers["X-Frame-Options"] == "DENY"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "same-origin"
    assert response.headers["Cross-Origin-Opener-Policy"] == "same-origin"


@pytest.mark.django_db
@pytest.mark.parametrize("address", PAGES)
def test_pages_carry_no_inline_script_style_or_handler(client: Client, address: str) -> None:
    page = client.get(address, follow=True).content.decode()

    assert " style=" not in page
    assert "<style" not in page
    assert "onclick=" not in page
    assert "javascript:" not in page


@pytest.mark.django_db
def test_health_answers_without_an_account(client: Client) -> None:
    response = client.get("/health/")

    assert response.status_code == 200
    assert response.json() == {"status": "ok"}


@pytest.mark.django_db
def test_the_admin_sends_a_stranger_to_the_one_sign_in(client: Client) -> None:
    response = client.get("/admin/login/")

    assert response.status_code == 302
    assert response.headers["Location"].startswith("/accounts/login/")


@pytest.mark.django_db
def test_nobody_signs_up_by_himself(client: Client) -> None:
    answer = client.post(
        "/accounts/signup/",
        {"username": "stranger", "email": "s@example.org", "password1": "Zx9-lamp-oak", "password2": "Zx9-lamp-oak"},
    )

    assert answer.status_code in {200, 403}
    assert "_auth_user_id" not in client.session
