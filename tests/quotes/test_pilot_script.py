"""The script that is handed out: which loads it is offered for, and what is written into it."""

from __future__ import annotations

import ast
import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from quotes import engine, links, services
from quotes.models import Estimate, Quote, Status
from quotes.pilot import offering, script
from quotes.pilot.loads import quoted_load, script_offer
from quotes.pilot.steps import steps_of
from tests import makers

HOSTILE = (
    'x"\n"""\nimport os; os.system("id")\n#',
    "'''+__import__('os').system('id')+'''",
    "\\",
    "\\N{BULLET} {0} %s",
    "\u2028\u2029\x85\x0c\x1c",
    'EMBEDDED = "null"\n',
    "Модель «8B» 模型",
    "\ud800",
)


def embedded(content: bytes) -> Any:
    """Give what the script holds as its load, read without running it."""
    tree = ast.parse(content.decode("utf-8"))
    values = [
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "EMBEDDED"
    ]
    (value,) = values
    return json.loads(ast.literal_eval(value))


@pytest.mark.parametrize("text", HOSTILE)
def test_no_name_becomes_code(text: str) -> None:
    workload = {"quote": text, "model": {"title": text, "hf_id": text, "config": {text: [text, None, True, 1.5]}}}

    content = script.with_load(workload)

    assert embedded(content) == workload
    plain, own = ast.parse(script.FILE.read_text()), ast.parse(content)
    assert [type(node) for node in own.body] == [type(node) for node in plain.body]
    changed = [one for one, other in zip(plain.body, own.body, strict=True) if ast.dump(one) != ast.dump(other)]
    assert len(changed) == 1


def test_a_load_that_is_no_json_is_not_written() -> None:
    with pytest.raises(ValueError):
        script.with_load({"load": float("nan")})


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("SW-2026-0147/2", "pilot-SW-2026-0147-2.py"),
        ('../a"b\r\nc', "pilot-a-b-c.py"),
        ("Я", "pilot-run.py"),
    ],
)
def test_the_download_has_a_plain_name(name: str, expected: str) -> None:
    assert script.filename(name) == expected


@pytest.mark.parametrize(
    ("seconds", "steps"), [(None, (20, 180)), (0.1, (20, 180)), (104.6, (3, 14)), (10_000, (3, 7)), (20, (9, 81))]
)
def test_a_run_takes_about_half_an_hour(seconds: float | None, steps: tuple[int, int]) -> None:
    assert steps_of(seconds) == steps


def offered(change: dict[str, Any], *, limits: dict[str, Any] | None = None) -> offering.Offer:
    """Give the offer for the engine's first candidate of a job."""
    job = {"task": "training", "model": {"name": "llama-3.1-8b"}, "sequence_length": 1024, "dataset_tokens": 1e7}
    asked = {"workload": job | {"method": "lora"} | change, "limits": limits or {}}
    answer = engine.recommend(asked)
    estimate = Estimate(input=asked, output=answer.output)
    return offering.offer(estimate, estimate.recommended, name="R-1")


ONE_GPU = {"gpu": "h200-nvl", "max_gpus": {"must": 1}}


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"method": "qlora"},
        {"method": "full", "model": {"name": "llama-3.2-1b"}},
        {"method": "full", "optimizer": "adamw_8bit", "model": {"name": "llama-3.2-1b"}},
        {"lora": {"rank": 8, "targets": ["q_proj", "v_proj"], "kind": "dora"}},
        {"weights": "fp32"},
    ],
)
def test_what_plain_transformers_runs_is_offered(change: dict[str, Any], computed: Quote) -> None:
    found = offered(change, limits=ONE_GPU)

    assert found.reason == ""
    assert found.workload is not None
    load, model = found.workload["load"], found.workload["model"]
    assert (load["sequence_length"], load["gpus"], load["sharding"]) == (1024, 1, "none")
    assert model["hf_id"].startswith("meta-llama/")
    assert model["config"]["model_type"] == "llama"


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"method": "pretraining"}, "from scratch"),
        ({"method": "full", "framework": "torchtitan"}, "TorchTitan"),
        ({"model": {"name": "mixtral-8x7b"}}, "experts"),
        ({"model": {"name": "t5-small"}, "sequence_length": 512}, "continue text"),
        ({"model": {"parameters": 8e9}}, "Only the size"),
        ({"method": "full", "optimizer": "muon"}, "muon"),
        ({"loss": "chunked"}, "Loss"),
        ({"compute": "fp16"}, "FP16"),
        ({"activation_checkpointing": "selective"}, "Recomputation"),
    ],
)
def test_what_it_cannot_run_is_said_with_the_reason(change: dict[str, Any], word: str, computed: Quote) -> None:
    found = offered(change)

    assert found.workload is None
    assert word in found.reason


def test_a_plan_for_several_gpus_is_offered_as_what_it_is(computed: Quote) -> None:
    found = offered({"method": "full"}, limits={"gpu": "h200-nvl", "min_gpus": 2})

    assert found.is_open
    assert found.gpus == found.workload["load"]["gpus"]  # type: ignore[index]


@pytest.mark.django_db
def test_a_service_has_no_script(client: Client) -> None:
    quote = makers.make_quote()
    client.force_login(makers.make_user())

    response = client.get(reverse("quotes:desk_pilot_script", args=[quote.public_id]))

    assert response.status_code == 409
    assert "there is no load to run" in response.content.decode()


def body_of(response: Any) -> bytes:
    """Read a download."""
    return b"".join(response.streaming_content)


def test_the_desk_hands_out_the_quoted_load(client: Client, computed: Quote) -> None:
    client.force_login(makers.make_user())

    response = client.get(reverse("quotes:desk_pilot_script", args=[computed.public_id]))

    assert response.status_code == 200
    assert response["Content-Disposition"] == f'attachment; filename="pilot-{computed.request.reference}.py"'
    assert response["X-Content-Type-Options"] == "nosniff"
    assert embedded(body_of(response))["load"] == quoted_load(computed)


def test_the_private_page_hands_out_the_same_script(client: Client, computed: Quote) -> None:
    _link, token = links.issue(computed.request)

    page = client.get(reverse("quotes:status", args=[token])).content.decode()
    response = client.get(reverse("quotes:pilot_script", args=[token]))

    assert reverse("quotes:pilot_script", args=[token]) in page
    assert embedded(body_of(response))["load"] == quoted_load(computed)


def test_the_customer_gets_no_choice_that_is_in_preparation(computed: Quote) -> None:
    other = next(one for one in computed.estimate.candidates if one["gpu"] != computed.candidate["gpu"])  # type: ignore[index]
    services.choose_candidate(computed, rank=other["rank"], actor=makers.engineer(), drop=True)
    computed.refresh_from_db()

    ours, theirs = script_offer(computed), script_offer(computed, for_customer=True)
    computed.status = Status.SENT
    sent = script_offer(computed, for_customer=True)

    assert ours.workload["load"]["gpu"] == other["gpu"]  # type: ignore[index]
    assert theirs.workload["load"]["gpu"] != other["gpu"]  # type: ignore[index]
    assert sent.workload["load"]["gpu"] == other["gpu"]  # type: ignore[index]


def test_a_closed_link_hands_out_nothing(client: Client, computed: Quote) -> None:
    link, token = links.issue(computed.request)
    services.revoke_link(link, actor=makers.engineer())

    assert client.get(reverse("quotes:pilot_script", args=[token])).status_code == 410
