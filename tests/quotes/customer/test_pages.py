"""The customer's pages: from two questions to a request, keeping what was typed."""

from __future__ import annotations

import io
import json
import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from quotes.forms.models import LONGEST_CONFIG_BYTES
from quotes.forms.uploads import clear_waiting
from quotes.models import Request

pytestmark = pytest.mark.django_db

ANSWERS = {
    "model_name": "llama-3.1-8b",
    "method": "qlora",
    "dataset_amount": "10",
    "dataset_unit": "million_tokens",
    "epochs": "2",
    "sequence_length": "2048",
    "when": "in",
    "deadline_amount": "7",
    "deadline_unit": "days",
}
CONTACT = {"email": "anna@customer.example", "organization": "ООО «Заказчик»", "consent": "1"}


def form_address(way: str = "adapters", depth: str = "plain") -> str:
    return reverse("quotes:form", kwargs={"route": way}) + f"?depth={depth}"


def fill(client: Client, **changes: str) -> Any:
    return client.post(form_address(), ANSWERS | {"go": "check"} | changes)


def test_the_first_question_leads_to_its_form_and_keeps_the_deadline(client: Client) -> None:
    answer = client.post(
        reverse("quotes:start"), {"route": "full", "when": "in", "deadline_amount": "3", "deadline_unit": "weeks"}
    )

    assert answer.headers["Location"] == reverse("quotes:form", kwargs={"route": "full"})
    page = client.get(answer.headers["Location"]).content.decode()
    assert re.search(r'name="deadline_amount"[^>]*value="3"', page)


def test_the_method_is_never_guessed(client: Client) -> None:
    answer = client.post(reverse("quotes:start"), {"when": "none"})

    assert answer.status_code == 422
    assert "error-summary" in answer.content.decode()


def test_not_knowing_leads_to_an_engineer(client: Client) -> None:
    answer = client.post(reverse("quotes:start"), {"route": "unknown", "when": "none"})

    assert answer.headers["Location"] == reverse("quotes:discuss")


def test_another_way_keeps_what_was_typed(client: Client) -> None:
    client.post(form_address(), ANSWERS | {"go": "save"})

    page = client.get(form_address("full")).content.decode()

    assert re.search(r'name="model_name"[^>]*value="llama-3.1-8b"', page)


def test_moving_to_the_expert_view_and_back_loses_nothing(client: Client) -> None:
    answer = client.post(form_address(), ANSWERS | {"go": "expert"})
    assert answer.headers["Location"].endswith("?depth=expert")
    client.post(form_address(depth="expert"), ANSWERS | {"micro_batch": "4", "go": "plain"})
    client.post(form_address(), ANSWERS | {"epochs": "3", "go": "expert"})

    page = client.get(form_address(depth="expert")).content.decode()

    assert re.search(r'name="micro_batch"[^>]*value="4"', page)
    assert re.search(r'name="epochs"[^>]*value="3"', page)


def test_without_javascript_the_calculate_button_shows_the_estimate(client: Client) -> None:
    answer = client.post(form_address(), ANSWERS | {"go": "calculate"})

    assert answer.status_code == 200
    assert "GiB" in answer.content.decode()


def test_errors_are_summed_up_and_linked_to_their_fields(client: Client) -> None:
    answer = fill(client, sequence_length="0", rack_power_kw="9000")
    page = answer.content.decode()

    assert answer.status_code == 422
    assert 'href="#id_sequence_length"' in page
    assert 'href="#id_rack_power_kw"' in page
    assert re.search(r'value="9000"[^>]*aria-invalid="true"', page)


def test_the_preview_falls_back_to_the_last_valid_value_and_says_so(client: Client) -> None:
    preview = reverse("quotes:preview", kwargs={"route": "adapters"})
    client.post(preview, ANSWERS, headers={"HX-Request": "true"})

    page = client.post(preview, ANSWERS | {"sequence_length": "oops"}, headers={"HX-Request": "true"}).content.decode()

    assert "shown for 2048" in page
    assert "“oops” is not counted" in page
    assert 'id="preview"' in page
    assert 'id="announce"' in page


def test_an_empty_preview_says_what_is_missing(client: Client) -> None:
    page = client.post(reverse("quotes:preview", kwargs={"route": "service"}), {}).content.decode()

    assert "Still needed" in page


@pytest.mark.parametrize("way", ["adapters", "full", "scratch", "service", "documents"])
@pytest.mark.parametrize("depth", ["plain", "expert"])
def test_each_form_opens_in_both_depths(client: Client, way: str, depth: str) -> None:
    page = client.get(form_address(way, depth))

    assert page.status_code == 200
    assert "style=" not in page.content.decode()


def test_a_way_that_does_not_exist_is_not_found(client: Client) -> None:
    assert client.get(form_address("sideways")).status_code == 404


@pytest.mark.parametrize(
    "content, words",
    [
        (b"", "empty"),
        (b"{}", "neither layers"),
        (b"not json", "not JSON"),
        (b"x" * (LONGEST_CONFIG_BYTES + 1), "at most 256 KB"),
        (b"\xff\xfe\x00", "not JSON"),
    ],
)
def test_a_config_file_that_is_no_model_is_refused_and_the_rest_is_kept(
    client: Client, content: bytes, words: str
) -> None:
    file = SimpleUploadedFile("config.json", content or b" ")
    answer = client.post(form_address(), ANSWERS | {"go": "calculate", "config_file": file})
    page = answer.content.decode()

    assert words in page
    assert re.search(r'name="dataset_amount"[^>]*value="10"', page)


def test_a_config_file_of_100_megabytes_is_refused_without_reading_it_all(client: Client) -> None:
    file = io.BytesIO(b"{" + b" " * 100_000_000)
    file.name = "config.json"

    page = client.post(reverse("quotes:config"), {"config_file": file}).content.decode()

    assert "at most 256 KB" in page


def test_a_config_file_is_read_and_described(client: Client) -> None:
    config = {"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "intermediate_size": 128,
              "num_attention_heads": 4, "vocab_size": 100}  # fmt: skip
    file = SimpleUploadedFile("config.json", json.dumps(config).encode())

    answer = client.post(reverse("quotes:config"), {"config_file": file})

    assert "2 layers" in answer.content.decode()
    assert 'id="id_config"' in answer.content.decode()
    assert answer.headers["HX-Trigger-After-Settle"] == "recount"


def test_files_are_taken_by_content_and_can_be_removed(client: Client) -> None:
    good = SimpleUploadedFile("offer.pdf", b"%PDF-1.7\nbody")
    bad = SimpleUploadedFile("offer2.pdf", b"MZ\x00\x01\x02")
    weights = SimpleUploadedFile("model.safetensors", b"123")

    page = client.post(
        reverse("quotes:files"), {"files": [good, bad, weights], "file_kind": "article"}
    ).content.decode()

    assert "offer.pdf" in page
    assert "offer2.pdf” is none of" in page
    assert "weights are not needed" in page
    key = re.search(r'name="drop_file" value="(\w+)"', page)
    assert key
    assert "offer.pdf" not in client.post(reverse("quotes:files"), {"drop_file": key[1]}).content.decode()


def test_no_more_than_five_files_are_taken(client: Client) -> None:
    files = [SimpleUploadedFile(f"{n}.txt", b"text") for n in range(7)]

    page = client.post(reverse("quotes:files"), {"files": files}).content.decode()

    assert page.count('name="drop_file"') == 5
    assert "at most 5 files" in page


def test_models_are_found_as_one_types(client: Client) -> None:
    page = client.get(reverse("quotes:models"), {"model_name": "llama 3.3"}).content.decode()

    assert "Llama 3.3 70B" in page


def test_an_article_is_read_as_one_types(client: Client) -> None:
    client.post(form_address(), ANSWERS | {"go": "save"})

    page = client.get(
        reverse("quotes:article_check"), {"article": "SYS-821GE-TNHR-8xH200-2x8558-16x64GB"}
    ).content.decode()

    assert "8xH200" in page
    assert "Not stated:" in page
    assert "data-verdict" in page


def test_a_saved_link_brings_the_answers_back_in_another_browser(client: Client) -> None:
    client.post(form_address(), ANSWERS | {"go": "save", "email": "secret@customer.example"})
    page = client.get(reverse("quotes:saved")).content.decode()
    link = re.search(r"http://testserver(/size/saved/[^<\s]+)", page)
    assert link

    other = Client()
    answer = other.get(link[1])

    assert answer.headers["Location"] == reverse("quotes:form", kwargs={"route": "adapters"})
    assert re.search(r'name="sequence_length"[^>]*value="2048"', other.get(form_address()).content.decode())


def test_a_damaged_saved_link_says_so(client: Client) -> None:
    assert client.get(reverse("quotes:restore", kwargs={"token": "abc"})).status_code == 410


def test_a_page_of_the_catalog_opens_a_prefilled_form(client: Client) -> None:
    answer = client.get(reverse("quotes:prefill"), {"route": "service", "model_name": "llama-3.3-70b"})

    assert "llama-3.3-70b" in client.get(answer.headers["Location"]).content.decode()


def test_the_check_page_tells_apart_what_was_said_and_what_was_assumed(client: Client) -> None:
    assert fill(client).headers["Location"] == reverse("quotes:check")

    page = client.get(reverse("quotes:check")).content.decode()

    assert "10 million tokens" in page
    assert "What we took for ourselves" in page
    assert "Micro-batch" in page


def test_the_check_page_sends_back_what_is_not_complete(client: Client) -> None:
    client.post(form_address(), {"go": "save"})

    assert client.get(reverse("quotes:check")).headers["Location"] == reverse(
        "quotes:form", kwargs={"route": "adapters"}
    )


def test_a_request_is_sent_and_opened_by_its_private_link(client: Client) -> None:
    fill(client)

    answer = client.post(reverse("quotes:check"), CONTACT)

    assert answer.status_code == 302
    request = Request.objects.get()
    assert request.route == "qlora"
    assert request.consented_at is not None
    assert request.versions.get().answers["sequence_length"] == 2048
    page = client.get(answer.headers["Location"])
    assert "CALCULATED, NOT AN OFFER" in page.content.decode()


def test_a_second_click_makes_no_second_request(client: Client) -> None:
    fill(client)
    key = re.search(r'name="key" value="([^"]+)"', client.get(reverse("quotes:check")).content.decode())
    assert key
    first = client.post(reverse("quotes:check"), CONTACT | {"key": key[1]})
    fill(client)

    second = client.post(reverse("quotes:check"), CONTACT | {"key": key[1]})

    assert Request.objects.count() == 1
    assert first.headers["Location"] == second.headers["Location"]


@pytest.mark.parametrize("missing", ["email", "consent"])
def test_address_and_consent_are_needed(client: Client, missing: str) -> None:
    fill(client)

    answer = client.post(reverse("quotes:check"), {name: value for name, value in CONTACT.items() if name != missing})

    assert answer.status_code == 422
    assert f'href="#id_{missing}"' in answer.content.decode()
    assert not Request.objects.exists()


def test_a_bot_that_fills_the_hidden_field_gets_nothing(client: Client) -> None:
    fill(client)

    client.post(reverse("quotes:check"), CONTACT | {"website": "http://spam.example"})

    assert not Request.objects.exists()


def test_a_short_request_takes_a_sentence_and_a_file(client: Client) -> None:
    file = SimpleUploadedFile("spec.txt", b"one rack, twelve kilowatts")
    answer = client.post(
        reverse("quotes:discuss"),
        CONTACT | {"message": "We want to tune a model", "files": [file], "file_kind": "specification"},
    )

    assert answer.status_code == 302
    request = Request.objects.get()
    assert request.route == "discuss"
    assert request.message == "We want to tune a model"
    assert [one.name for one in request.attachments.all()] == ["spec.txt"]
    assert client.get(answer.headers["Location"]).status_code == 200


@pytest.mark.usefixtures("still_clock")
def test_too_many_tries_are_told_when_to_come_back(client: Client) -> None:
    codes = [client.post(reverse("quotes:discuss"), {}).status_code for _try in range(12)]

    assert codes[-1] == 429
    assert codes[0] == 422


@pytest.mark.parametrize("name", ["start", "discuss", "accuracy", "privacy"])
def test_public_pages_open_in_both_languages(client: Client, name: str) -> None:
    for language in ("en", "ru"):
        page = client.get(reverse(f"quotes:{name}"), headers={"Accept-Language": language})
        assert page.status_code == 200
        assert f'<html lang="{language}"' in page.content.decode()


def test_a_paste_of_megabytes_gets_a_page_that_says_what_to_do(client: Client) -> None:
    answer = client.post(form_address(), ANSWERS | {"config": "x" * 3_000_000})

    assert answer.status_code == 413
    assert "choose it as a file" in answer.content.decode()


def test_a_date_is_counted_back_step_by_step(client: Client) -> None:
    year = timezone.localdate().year + 1
    fill(client, when="date", deadline_date=f"{year}-12-01")

    page = client.get(reverse("quotes:check")).content.decode()

    assert "Delivery, assumed" in page
    assert "Left for the run" in page


def test_comparing_deadlines_shows_several_counts_of_gpus(client: Client) -> None:
    page = client.post(form_address(), ANSWERS | {"go": "calculate", "when": "compare"}).content.decode()

    assert "sooner</caption>" in page


def test_a_stated_parallelism_gets_as_many_gpus_as_it_needs(client: Client) -> None:
    answers = ANSWERS | {"go": "calculate", "tensor": "2", "sharding": "fsdp"}

    page = client.post(form_address(depth="expert"), answers).content.decode()

    assert "2 × H100" in page or "2 × L40S" in page


def test_files_of_drafts_that_nobody_sent_are_deleted_after_a_month(client: Client) -> None:
    client.post(reverse("quotes:files"), {"files": [SimpleUploadedFile("a.txt", b"text")]})

    assert clear_waiting() == 0
    with time_machine.travel(timezone.now() + timedelta(days=31)):
        assert clear_waiting() >= 1


def test_a_recount_takes_answers_and_presses_no_button(client: Client) -> None:
    client.post(reverse("quotes:files"), {"files": [SimpleUploadedFile("a.txt", b"text")]})
    kept = client.session["draft"]["files"]
    pressed = {"pick_model": "gpt2", "go": "drop_config", "drop_file": kept[0]["key"]}
    config = json.dumps({"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4})
    typed = ANSWERS | {"model_name": "Llama 3.1 8B", "config": config}
    again = SimpleUploadedFile("a.txt", b"text")

    client.post(reverse("quotes:preview", kwargs={"route": "adapters"}), typed | pressed | {"files": [again]})

    draft = client.session["draft"]
    assert draft["values"]["model_name"] == "Llama 3.1 8B"
    assert draft["values"]["config"] == config
    assert draft["files"] == kept


def test_pressing_a_suggestion_picks_the_model_without_javascript(client: Client) -> None:
    client.post(form_address(), ANSWERS | {"pick_model": "gpt2"})

    assert client.session["draft"]["values"]["model_name"] == "GPT-2"


def previewed(client: Client, **changes: str) -> str:
    address = reverse("quotes:preview", kwargs={"route": "adapters"})
    return client.post(address, ANSWERS | changes).content.decode()


def test_the_preview_says_what_the_last_answer_changed_in_memory_and_time(client: Client) -> None:
    previewed(client)

    page = previewed(client, dataset_amount="20", sequence_length="4096")

    assert page.count("by the last answer") == 2
    assert "Before the last answer" not in page


def test_the_preview_names_the_class_of_gpu_it_left(client: Client) -> None:
    previewed(client)

    page = previewed(client, model_name="llama-3.3-70b")

    assert "Before the last answer: 1\u00a0× L40S 48GB" in page
    assert "by the last answer" not in page


def test_without_javascript_calculate_says_what_changed_too(client: Client) -> None:
    client.post(form_address(), ANSWERS | {"go": "calculate"})

    page = client.post(form_address(), ANSWERS | {"go": "calculate", "sequence_length": "8192"}).content.decode()

    assert "by the last answer" in page


def test_limits_that_do_not_touch_the_work_leave_the_estimate_as_it_is(client: Client) -> None:
    previewed(client)

    page = previewed(client, rack_power_kw="10", budget="60 000")

    assert "figure__value" in page
    assert "last answer" not in page


@pytest.mark.usefixtures("still_clock")
def test_the_first_requests_in_a_minute_are_counted_like_the_others(client: Client) -> None:
    answers = [client.post(reverse("quotes:check"), {}).status_code for _time in range(11)]

    assert answers == [302] * 10 + [429]


def test_a_short_request_is_not_said_to_be_calculated(client: Client) -> None:
    sent = client.post(reverse("quotes:discuss"), CONTACT | {"message": "A server for our model"}, follow=True)

    page = sent.content.decode()

    assert "An engineer reads it and answers you" in page
    assert "A server for our model" in page
    assert "CALCULATED" not in page
    assert "keeps every limit" not in page


def test_a_form_that_cannot_be_told_from_a_forged_one_is_refused_on_a_page_of_ours() -> None:
    refused = Client(enforce_csrf_checks=True).post(
        reverse("quotes:discuss"), CONTACT, headers={"accept-language": "ru"}
    )

    assert refused.status_code == 403
    page = refused.content.decode()
    assert "Отправить не получилось" in page
    assert "masthead" in page
