"""What is too large for a form is answered with a page in the reader's language, on every form, public or of staff."""

from __future__ import annotations

import pytest
from django.conf import LazySettings
from django.test import Client
from django.urls import reverse
from django.utils import translation

from quotes.actors import Role
from tests import makers

TEN_MB = "x" * (10 * 2**20)
FORMS = {
    "quotes:start": None,
    "quotes:check": None,
    "catalog:article": None,
    "account_login": None,
    "catalog:add_language_model": Role.CATALOG_ADMINISTRATOR,
    "catalog:price_list": Role.CATALOG_ADMINISTRATOR,
    "catalog:language_model_files": Role.CATALOG_ADMINISTRATOR,
    "admin:catalog_gpu_add": Role.CATALOG_ADMINISTRATOR,
    "admin:catalog_fact_changelist": Role.CATALOG_ADMINISTRATOR,
    "quotes:queue": Role.ENGINEER,
}


def client_of(role: Role | None, language: str = "en") -> Client:
    client = Client(enforce_csrf_checks=True, headers={"accept-language": language})
    if role:
        client.force_login(makers.make_user(role))
    return client


@pytest.mark.django_db
@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize("name", FORMS)
def test_ten_megabytes_are_answered_in_words(name: str, debug: bool, settings: LazySettings) -> None:
    settings.DEBUG = debug
    answer = client_of(FORMS[name]).post(reverse(name), {"config": TEN_MB})

    assert answer.status_code == 413
    assert "10.0 MB were sent; the text of a form has at most 2 MB" in answer.content.decode()
    assert len(answer.content) < 50_000


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["catalog:article", "admin:catalog_gpu_add"])
def test_the_answer_is_in_russian_for_who_reads_russian(name: str) -> None:
    with translation.override("ru"):
        answer = client_of(FORMS[name], "ru").post(reverse(name), {"config": TEN_MB})

    assert answer.status_code == 413
    assert "Для формы это слишком много" in answer.content.decode()


@pytest.mark.django_db
def test_a_body_in_one_piece_and_too_many_fields_are_answered_too() -> None:
    kind = "application/x-www-form-urlencoded"
    large = client_of(None).post(reverse("catalog:article"), f"article={TEN_MB}", content_type=kind)
    many = client_of(None).post(reverse("catalog:article"), {f"f{n}": "1" for n in range(3_000)})

    assert (large.status_code, many.status_code) == (413, 413)


@pytest.mark.django_db
def test_the_way_back_leads_to_the_form_and_never_to_another_site() -> None:
    ours, theirs = "http://testserver/catalog/article/?q=1", "https://elsewhere.example/"
    pages = [
        client_of(None).post(reverse("catalog:article"), {"article": TEN_MB}, headers={"referer": address})
        for address in (ours, theirs)
    ]

    assert f'href="{ours}"' in pages[0].content.decode()
    assert "elsewhere" not in pages[1].content.decode()
