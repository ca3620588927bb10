"""What customers attach: a profile counts as measured, a bomb is refused, the reason of a refusal is said."""

from __future__ import annotations

import html
import io
import json
import re
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from quotes.forms.uploads import clear_waiting
from quotes.models import Request
from tests.quotes.customer.test_pages import ANSWERS, CONTACT, fill, form_address

pytestmark = pytest.mark.django_db

PROFILE = {"peak_gib": 61.5, "step_seconds": 3.25, "sequence_length": 2048, "micro_batch": 2}


def upload(client: Client, profile: object) -> str:
    file = SimpleUploadedFile("profile.json", json.dumps(profile).encode())
    return client.post(reverse("quotes:files"), {"files": [file], "file_kind": "profile"}).content.decode()


def test_an_uploaded_profile_reaches_the_engine_as_measured(client: Client) -> None:
    upload(client, PROFILE)
    page = client.post(reverse("quotes:preview", kwargs={"route": "adapters"}), ANSWERS).content.decode()
    assert 'data-status="measured"' in page
    assert "61.5" in page

    fill(client)
    assert "measured" in client.get(reverse("quotes:check")).content.decode()
    client.post(reverse("quotes:check"), CONTACT)

    workload = Request.objects.get().estimates.get().input["workload"]
    assert workload["profile"] == {"peak_gib": 61.5, "step_seconds": 3.25, "sequence_length": 2048}
    assert workload["micro_batch"] == 2


@pytest.mark.parametrize(
    "profile, words",
    [
        ({"peak_gib": 60}, "lacks sequence_length"),
        ({"sequence_length": 2048}, "lacks peak_gib or step_seconds"),
        ({"peak_gib": "much", "sequence_length": 1}, "must be a positive number"),
        ([1], "object with named figures"),
        ({"peak_gib": 60, "sequence_length": 1, "other": float("nan")}, "is a JSON file"),
        ({"peak_gib": 10**400, "sequence_length": 1}, "is a JSON file"),
    ],
)
def test_a_profile_that_cannot_be_used_says_what_it_lacks(client: Client, profile: object, words: str) -> None:
    page = upload(client, profile)

    assert words in page
    assert "profile_peak_gib" not in client.session["draft"]["values"]


@pytest.mark.parametrize("odd", ["NaN", "-Infinity", "1e999", "9" * 400, r'"\u0000"', r'"\ud800"', r'{"\u0000": 1}'])
def test_a_config_that_no_database_takes_is_refused(client: Client, odd: str) -> None:
    text = f'{{"num_hidden_layers": 2, "hidden_size": 64, "more": [{odd}]}}'

    chosen = client.post(reverse("quotes:config"), {"config_file": SimpleUploadedFile("config.json", text.encode())})
    typed = fill(client, config=text)

    assert "This is not JSON" in chosen.content.decode()
    assert typed.status_code == 422
    assert "This is not JSON" in typed.content.decode()


def test_removing_the_profile_removes_its_figures(client: Client) -> None:
    key = re.search(r'name="drop_file" value="(\w+)"', upload(client, PROFILE))
    assert key

    client.post(reverse("quotes:files"), {"drop_file": key[1]})

    assert client.session["draft"]["values"]["profile_peak_gib"] == ""


def test_a_workbook_that_unpacks_to_too_much_is_refused(client: Client) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("xl/workbook.xml", b"")
        book.writestr("xl/sheet.xml", b"0" * 50_000_001)

    file = SimpleUploadedFile("offer.xlsx", packed.getvalue())
    page = client.post(reverse("quotes:files"), {"files": [file]}).content.decode()

    assert "unpacks to more than 50 MB" in page
    assert client.session["draft"]["files"] == []


def test_the_same_file_twice_is_kept_once_under_its_base_name(client: Client) -> None:
    for _time in range(2):
        file = SimpleUploadedFile("x.txt", b"text")
        file._name = "..\\secret/offer.txt"
        client.post(reverse("quotes:files"), {"files": [file]})

    assert [one["name"] for one in client.session["draft"]["files"]] == ["offer.txt"]


def test_a_bad_config_file_is_in_the_summary_with_its_reason(client: Client) -> None:
    bad = {"model_type": "llama", "num_hidden_layers": -4, "hidden_size": 64, "num_attention_heads": 4}
    file = SimpleUploadedFile("config.json", json.dumps(bad).encode())

    page = client.post(form_address(), ANSWERS | {"go": "check", "config_file": file}).content.decode()

    summary = page[page.index("error-summary") : page.index("</ul>", page.index("error-summary"))]
    assert 'href="#id_config_file"' in summary
    assert "num_hidden_layers" in summary
    assert "model.config" not in page


def choose(client: Client, *files: SimpleUploadedFile, kind: str = "specification") -> str:
    return client.post(reverse("quotes:files"), {"files": list(files), "file_kind": kind}).content.decode()


def sent_page(client: Client) -> str:
    fill(client)
    sent = client.post(reverse("quotes:check"), CONTACT)
    return html.unescape(client.get(sent.headers["Location"]).content.decode())


def test_what_was_taken_and_what_was_not_is_named_before_and_after_sending(client: Client) -> None:
    choose(client, SimpleUploadedFile("offer.txt", b"eight cards"), SimpleUploadedFile("tool.exe", b"MZ\x00\x90"))
    fill(client)

    check = html.unescape(client.get(reverse("quotes:check")).content.decode())
    page = sent_page(client)

    for shown in (check, page):
        assert "offer.txt" in shown
        assert "“tool.exe” is none of" in shown
    assert Request.objects.get().attachments.get().name == "offer.txt"


def test_every_file_beyond_the_limit_is_named(client: Client) -> None:
    many = [SimpleUploadedFile(f"part-{number}.txt", f"part {number}".encode()) for number in range(7)]

    answer = html.unescape(choose(client, *many))

    assert "“part-5.txt”: at most 5 files" in answer
    assert "“part-6.txt”: at most 5 files" in answer


def test_a_file_that_is_taken_at_the_second_try_is_no_longer_refused(client: Client) -> None:
    choose(client, SimpleUploadedFile("offer.txt", b""))
    choose(client, SimpleUploadedFile("offer.txt", b"eight cards"))

    assert "Files that were not taken" not in sent_page(client)


def test_a_configuration_that_is_refused_is_called_by_its_name(client: Client) -> None:
    file = SimpleUploadedFile("my-model.json", b"[]")

    answer = html.unescape(client.post(reverse("quotes:config"), {"config_file": file}).content.decode())

    assert "“my-model.json” is not used: " in answer
    assert "“my-model.json” is not used: " in sent_page(client)


def test_a_file_that_waited_too_long_is_said_to_be_gone(client: Client) -> None:
    choose(client, SimpleUploadedFile("offer.txt", b"eight cards"))
    clear_waiting(days=-1)

    assert "“offer.txt” waited too long" in sent_page(client)
