"""A machine has one name everywhere: all GPUs of all servers, and in how many servers."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from quotes import snapshot, summaries
from quotes.actors import Role
from quotes.presenter.machine_names import gpus_of, server_of
from quotes.presenter.paper import paper
from tests import makers

pytestmark = pytest.mark.django_db
MACHINE = {"gpu_name": "H200 SXM 141GB", "platform_title": "The platform", "gpus_per_node": 8, "nodes": 4}
REJECTED = MACHINE | {"platform": "x", "gpu": "h200-sxm", "cause": "power", "message": "Cooling: air only."}


@pytest.mark.parametrize(("language", "said"), [("en", "in 4 servers"), ("ru", "в 4 серверах")])
def test_gpus_are_counted_in_all_and_servers_named(language: str, said: str) -> None:
    with translation.override(language):
        assert gpus_of(MACHINE) == "32\u00a0× H200 SXM 141GB"
        assert server_of(MACHINE) == f"The platform, {said}"
        assert server_of(MACHINE | {"nodes": 1}) == "The platform"
        assert gpus_of({"gpu": "l40s"}) == "l40s"


def test_desk_and_document_count_a_rejected_machine_as_the_customers_page_does(client: Client) -> None:
    output = makers.make_output(rejected=[REJECTED])
    output["candidates"] = [one | {"nodes": 2} for one in output["candidates"]]
    quote = makers.make_quote(output=output)
    quote.summary = summaries.summarize(quote.estimate, quote.chosen_rank)
    quote.save()
    client.force_login(makers.make_user(Role.ENGINEER))

    page = client.get(reverse("quotes:detail", args=[quote.public_id])).content.decode()
    queue = client.get(reverse("quotes:queue"), {"view": "all"}).content.decode()
    drawn = paper(snapshot.freeze(quote), kind="full", digest="0" * 64)

    rejected = page.partition('id="rejected"')[2]
    assert "32\u00a0× H200 SXM 141GB, The platform, in 4 servers" in rejected
    assert "4\u00a0× H200 NVL" in page.partition('id="candidates"')[0]
    assert "4\u00a0×" in queue
    assert "in 2 servers" in queue
    section = str(next(one for one in drawn.sections if one.key == "alternatives")).replace("\\xa0", " ")
    assert "32 × H200 SXM" in section
    assert "The platform, in 4 servers" in section
