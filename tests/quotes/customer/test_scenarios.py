"""What customers want, typed into the form as they would say it, leads to the expected kind of answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from django.test import Client
from django.urls import reverse

from quotes.models import Request
from tests.catalog.conftest import catalog, loaded

if TYPE_CHECKING:
    from catalog.starter import Report

__all__ = ["catalog", "loaded"]

GB = 10**9
# A card sold as 48 GB has 45 to 48 GiB: the name is met with a little to spare.
NAMED_MEMORY = 1.05
SCENARIOS = yaml.safe_load(Path("tests/data/scenarios.yaml").read_text(encoding="utf-8"))
SENT = [one for one in SCENARIOS if "refused" not in one]
READ = [one for one in SCENARIOS if "article" in one]
REFUSED = [one for one in SCENARIOS if "refused" in one]


def type_in(client: Client, scenario: Mapping[str, Any]) -> Any:
    """Answer the first questions and the form, the expert view where something is asked there; give the last page."""
    way = scenario["way"]
    client.post(reverse("quotes:start"), {"route": way, "when": "none"})
    address = reverse("quotes:form", kwargs={"route": way})
    if scenario.get("expert"):
        client.post(address, scenario["plain"] | {"go": "expert"})
        return client.post(f"{address}?depth=expert", scenario["expert"] | {"go": "check"})
    return client.post(address, scenario["plain"] | {"go": "check"})


def send(client: Client) -> str:
    """Send what was typed and give the text of the private page."""
    sent = client.post(reverse("quotes:check"), {"email": "anna@customer.example", "consent": "1"})
    return client.get(sent.headers["Location"]).content.decode()


def gpus(one: Mapping[str, Any]) -> int:
    """Number of GPUs of a candidate."""
    return int(one["gpus_per_node"] * one["nodes"])


def is_like(one: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Say whether a candidate is of the kind that is spoken of."""
    return (
        one["gpu"] in wanted.get("gpu_in", [one["gpu"]])
        and wanted.get("min_nodes", 1) <= one["nodes"]
        and gpus(one) <= wanted.get("max_gpus", gpus(one))
        and wanted.get("platform", "") in one["platform"].lower()
        and wanted.get("offload") in (None, one["estimate"]["plan"].get("offload", "none"))
    )


def label_faults(found: list[dict[str, Any]], check: Mapping[str, Any]) -> Iterator[str]:
    """Say what is wrong with the candidate of a label."""
    one = next((one for one in found if check["label"] in one["labels"]), None)
    if one is None:
        yield f"nothing is called {check['label']}"
    elif gpus(one) > check.get("max_gpus", gpus(one)):
        yield f"{check['label']} takes {gpus(one)} GPUs"
    elif one["estimate"]["memory"]["capacity"] > check.get("max_gpu_memory_gb", 10**6) * GB * NAMED_MEMORY:
        yield f"{check['label']} takes a larger GPU than is needed"


def faults(output: Mapping[str, Any], check: Mapping[str, Any]) -> Iterator[str]:
    """Say what an answer lacks of one check."""
    found = output.get("candidates", [])
    if "label" in check:
        yield from label_faults(found, check)
    if "any" in check and not any(is_like(one, check["any"]) for one in found):
        yield f"no candidate like {check['any']}"
    if "none" in check and any(is_like(one, check["none"]) for one in found):
        yield f"an impossible candidate like {check['none']}"
    if "rejected" in check and not any(check["rejected"] in json.dumps(one).lower() for one in output["rejected"]):
        yield f"nothing is rejected for {check['rejected']}"
    if "route" in check and output["route"]["task"] != check["route"]:
        yield f"the way is {output['route']}"
    if check.get("no_candidates") and any(one.get("does_the_job", True) for one in found):
        yield "something is said to do the job"
    if "article_read" in check and not all(part in json.dumps(output).lower() for part in check["article_read"]):
        yield f"not read of the article: {check['article_read']}"
    yield from (f"{name} is empty" for name in check.get("filled", []) if not output.get(name))


@pytest.mark.django_db
@pytest.mark.parametrize("scenario", SENT, ids=[one["id"] for one in SENT])
def test_what_a_customer_types_leads_to_the_expected_answer(
    client: Client, catalog: Report, scenario: dict[str, Any]
) -> None:
    assert type_in(client, scenario).headers.get("Location") == reverse("quotes:check")

    page = send(client)

    output = Request.objects.get().estimates.get().output
    assert [fault for check in scenario["checks"] for fault in faults(output, check)] == []
    assert [words for words in scenario.get("page", []) if words not in page] == []
    assert [words for words in scenario.get("hidden", []) if words in page] == []


@pytest.mark.django_db
@pytest.mark.parametrize("scenario", REFUSED, ids=[one["id"] for one in REFUSED])
def test_a_model_that_does_not_exist_is_asked_about(client: Client, catalog: Report, scenario: dict[str, Any]) -> None:
    answer = type_in(client, scenario)

    assert answer.status_code == 422
    assert [words for words in scenario["refused"] if words not in answer.content.decode()] == []
    assert not Request.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("scenario", READ, ids=[one["id"] for one in READ])
def test_an_article_is_judged_for_the_job_where_it_is_typed(
    client: Client, catalog: Report, scenario: dict[str, Any]
) -> None:
    type_in(client, scenario)

    page = client.get(reverse("quotes:article_check"), {"article": scenario["plain"]["article"]}).content.decode()

    assert [words for words in scenario["article"] if words not in page] == []
