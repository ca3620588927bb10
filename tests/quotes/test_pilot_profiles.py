"""The profile that comes back: read strictly, compared with the whole load, used only for the load it measured."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from quotes import guards, links, services, snapshot
from quotes.actors import Role
from quotes.models import Mail, PilotResult, Quote, Status
from quotes.pilot import profile as profiles
from quotes.pilot.loads import compared, quoted_load
from quotes.refusals import ConflictError, InvalidError, NotAllowedError
from sizing.profile import LOAD
from tests import makers
from tests.quotes.pilot_reports import encoded, out_of_memory, report_of

pytestmark = pytest.mark.django_db

OTHER_LOADS = {
    "sequence_length": 1024,
    "micro_batch": 8,
    "gradient_accumulation": 1,
    "method": "lora",
    "weights": "bf16",
    "compute": "fp32",
    "parameters": 7_000_000_000,
    "optimizer": "adamw_8bit",
    "activation_checkpointing": "none",
    "attention": "eager",
    "packing": "packed",
    "lora_rank": 64,
    "lora_targets": "attention",
    "lora_kind": "dora",
    "lora_dtype": "bf16",
    "master_weights": "fp32",
    "gpus": 2,
    "sharding": "ddp",
}
CPU = {"kind": "cpu", "name": "cpu", "count": 0, "memory_bytes": 0, "capability": ""}

ASIDE_AND_USE = ("pilot_aside", "pilot_use")


@pytest.fixture
def quote(computed: Quote) -> Quote:
    """QLoRA of an 8B model on one L4, computed."""
    return computed


def read(report: dict[str, Any]) -> dict[str, Any]:
    """Read a report as an upload is read."""
    return profiles.read(encoded(report))


def reloaded(quote: Quote) -> Quote:
    """Read the quote with its estimate again."""
    return Quote.objects.select_related("estimate", "request", "issuer").get(pk=quote.pk)


def test_a_report_of_the_quoted_load_replaces_what_it_measured(quote: Quote) -> None:
    pilot = services.record_pilot(quote, profile=read(report_of(quoted_load(quote))), actor=makers.engineer())

    latest = reloaded(quote)
    assert pilot.mismatches == []
    assert latest.candidate["estimate"]["memory"]["allocated"]["expected"] == pytest.approx(13 * 2**30)  # type: ignore[index]
    assert latest.candidate["estimate"]["speed"]["step_seconds"] == pytest.approx(101.5)  # type: ignore[index]
    origins = dict(latest.ledger.values_list("key", "origin"))
    assert (origins["memory.allocated"], origins["speed.step_seconds"]) == ("measured", "measured")


@pytest.mark.parametrize("name", OTHER_LOADS)
def test_every_part_of_the_load_is_compared(name: str, quote: Quote) -> None:
    load = quoted_load(quote)

    mismatches = compared(load, read(report_of(load, **{name: OTHER_LOADS[name]})))

    assert mismatches == [{"name": name, "measured": OTHER_LOADS[name], "quoted": load[name]}]


def test_no_part_of_the_load_is_left_out_of_that_test() -> None:
    assert OTHER_LOADS.keys() | {"gpu"} == LOAD.keys()


@pytest.mark.parametrize(
    ("name", "gib", "slug"),
    [
        ("NVIDIA L4", 22.0, "l4"),
        ("NVIDIA H100 80GB HBM3", 79.1, "h100-sxm"),
        ("NVIDIA H100 PCIe", 79.1, "h100-pcie"),
        ("NVIDIA A100-SXM4-40GB", 39.4, "a100-sxm-40"),
        ("NVIDIA A100 80GB PCIe", 79.1, "a100-pcie-80"),
        ("NVIDIA H200 NVL", 139.8, "h200-nvl"),
        ("NVIDIA GeForce RTX 4090", 23.5, "rtx-4090"),
        ("AMD Instinct MI300X", 191.7, "mi300x"),
        ("NVIDIA L4", 11.0, "NVIDIA L4"),
        ("NVIDIA H100 80GB HBM3 MIG 3g.40gb", 39.6, "NVIDIA H100 80GB HBM3 MIG 3g.40gb"),
        ("Some card", 24.0, "Some card"),
    ],
)
def test_the_drivers_name_is_found_in_the_catalog(name: str, gib: float, slug: str, quote: Quote) -> None:
    device = {"kind": "cuda", "name": name, "memory_bytes": round(gib * 2**30)}

    assert read(report_of(quoted_load(quote), device=device))["gpu"] == slug


def test_a_run_without_a_gpu_is_kept_and_counts_for_none(quote: Quote) -> None:
    report = report_of(quoted_load(quote), device=CPU) | {"peak_bytes": None}

    pilot = services.record_pilot(quote, profile=read(report), actor=makers.engineer())

    assert [one["name"] for one in pilot.mismatches] == ["gpu"]
    assert reloaded(quote).estimate_id == quote.estimate_id


@pytest.mark.parametrize("device", [CPU | {"name": "l4"}, CPU | {"name": "NVIDIA L4", "memory_bytes": 23_600_000_000}])
def test_a_run_without_a_gpu_gives_no_figure_whatever_it_is_called(
    device: dict[str, Any], quote: Quote, client: Client
) -> None:
    load = quoted_load(quote)
    report = report_of(load, device=device) | {"step_seconds": {"median": 7.0, "p10": 6.9, "p90": 7.1}}
    pilot = services.receive_pilot(quote, profile=read(report), actor=makers.customer(quote))
    client.force_login(makers.make_user())

    response = client.post(reverse("quotes:pilot_use", args=[quote.public_id, pilot.public_id]))

    pilot.refresh_from_db()
    assert (response.status_code, pilot.is_taken, pilot.load_matches) == (302, True, False)
    assert (pilot.measured["peak_bytes"], pilot.measured["step_seconds"]) == (None, None)
    assert reloaded(quote).estimate_id == quote.estimate_id
    assert not reloaded(quote).ledger.filter(origin="measured").exists()


def test_a_profile_stored_as_measured_without_a_gpu_is_read_anew_when_it_is_used(quote: Quote) -> None:
    load = quoted_load(quote)
    profile = read(report_of(load, device=CPU | {"name": "l4"})) | {"gpu": "l4", "step_seconds": 7.0}
    pilot = services.receive_pilot(quote, profile=profile, actor=makers.customer(quote))
    assert pilot.load_matches

    used = services.use_pilot(pilot, quote=quote, actor=makers.engineer())

    assert [one["name"] for one in used.mismatches] == ["gpu"]
    assert reloaded(quote).estimate_id == quote.estimate_id


def test_a_gpu_that_only_calls_itself_by_the_catalogs_name_is_another_one(quote: Quote) -> None:
    load = quoted_load(quote)
    device = {"kind": "cuda", "name": "l4", "memory_bytes": 11 * 2**30}

    assert compared(load, read(report_of(load, device=device))) == [
        {"name": "gpu", "measured": "l4, 11.0 GiB", "quoted": "l4"}
    ]


def test_a_measured_load_is_not_carried_over_when_the_load_changes_later(quote: Quote) -> None:
    services.record_pilot(quote, profile=read(report_of(quoted_load(quote))), actor=makers.engineer())
    entry = reloaded(quote).ledger.select_related("quote__estimate").get(key="workload.lora.rank")

    services.change_assumption(entry, value=64, actor=makers.engineer())

    latest = reloaded(quote)
    allocated = latest.candidate["estimate"]["memory"]["allocated"]["expected"]  # type: ignore[index]
    assert allocated != pytest.approx(13 * 2**30)
    assert any("not carried over" in one for one in latest.estimate.output["warnings"])
    assert not latest.ledger.filter(key="memory.allocated").exists()


def test_running_out_of_memory_blocks_this_load_until_it_changes(quote: Quote, client: Client) -> None:
    profile = read(out_of_memory(quoted_load(quote)))

    pilot = services.record_pilot(quote, profile=profile, actor=makers.engineer())

    assert (pilot.load_matches, pilot.measured["outcome"]) == (True, "out_of_memory")
    assert "pilot" in [one.code for one in guards.blocking(reloaded(quote))]
    client.force_login(makers.make_user())
    page = client.get(reverse("quotes:detail", args=[quote.public_id])).content.decode()
    assert "Measured: the quoted load does not fit. Memory ran out at: Backward pass" in page
    other = next(one for one in quote.estimate.candidates if one["gpu"] != "l4")
    services.choose_candidate(reloaded(quote), rank=other["rank"], actor=makers.engineer(), drop=True)
    assert "pilot" not in [one.code for one in guards.blocking(reloaded(quote))]


def test_a_later_run_that_fits_lifts_the_block(quote: Quote) -> None:
    services.record_pilot(quote, profile=read(out_of_memory(quoted_load(quote))), actor=makers.engineer())

    services.record_pilot(reloaded(quote), profile=read(report_of(quoted_load(quote))), actor=makers.engineer())

    assert "pilot" not in [one.code for one in guards.blocking(reloaded(quote))]


def test_memory_that_ran_out_on_another_load_says_nothing(quote: Quote) -> None:
    report = out_of_memory(quoted_load(quote))
    report["load"]["micro_batch"] = 32
    report["load_sha256"] = profiles.identity(report["load"])

    services.record_pilot(quote, profile=read(report), actor=makers.engineer())

    assert "pilot" not in [one.code for one in guards.blocking(reloaded(quote))]


def broken(change: Any) -> bytes:
    """Write a report with one thing changed."""
    report = report_of({"gpu": "l4", "gpus": 1, "sharding": "none", "method": "lora"}, sequence_length=8, micro_batch=1)
    change(report)
    return encoded(report)


def put(*path: Any, value: Any) -> Any:
    """Change one value, deep inside."""

    def change(report: dict[str, Any]) -> None:
        node: Any = report
        for name in path[:-1]:
            node = node[name]
        node[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (put("schema", value="sizewright.pilot.profile/9"), "sizewright.pilot.profile/1"),
        (put("schema", value=None), "sizewright.pilot.profile/1"),
        (put("load", value=[]), "load"),
        (put("load", "micro_batch", value="4"), "load.micro_batch"),
        (put("load", "micro_batch", value=True), "load.micro_batch"),
        (put("load", "extra", value=1), "load"),
        (put("load", "lora_rank", value=8), "changed after the run"),
        (put("stages", 0, "allocated_peak_bytes", value=-1), "stages.0.allocated_peak_bytes"),
        (put("stages", 0, "seconds", value=1e10), "stages.0.seconds"),
        (put("stages", 0, "seconds", value=float("inf")), "“Infinity” is not a number"),
        (put("step_seconds", "median", value=float("nan")), "“NaN” is not a number"),
        (put("tokens_per_second", value=float("nan")), "“NaN” is not a number"),
        (put("loss", "last", value=float("-inf")), "“-Infinity” is not a number"),
        (put("weights", value="a\0b"), "a sign that cannot be stored"),
        (put("weights", value="\ud800"), "a sign that cannot be stored"),
        (put("load", "optimizer", value="\0"), "a sign that cannot be stored"),
        (put("step_seconds", "median", value={}), "step_seconds.median"),
        (put("stages", value=[{"stage": "load", "seconds": 1}] * 41), "stages"),
        (put("versions", value={"torch": {"a": 1}}), "versions.torch"),
        (put("outcome", "status", value="fine"), "outcome.status"),
        (put("loss", "first", value="<script>"), "loss.first"),
        (put("loss", value={"finite": True}), "loss.first"),
        (put("loss", value={"first": 2.1, "last": 1.9}), "loss.finite"),
        (put("loss", value={"finite": True, "first": None, "last": 1.9, "fell": True}), "loss.first"),
        (put("loss", value={"finite": False, "first": None, "last": 1.9, "fell": True}), "loss.last"),
        (put("step_seconds", "median", value=0), "step_seconds.median"),
        (put("step_seconds", "median", value=1e8), "step_seconds.median"),
        (put("step_seconds", "p10", value=0), "step_seconds.p10"),
        (put("step_seconds", value={}), "step_seconds.median"),
        (lambda report: report.pop("step_seconds"), "step_seconds"),
        (put("peak_bytes", value=0), "peak_bytes"),
        (put("tokens_per_second", value=0), "tokens_per_second"),
        (put("unknown", value=1), "outline"),
    ],
)
def test_a_damaged_report_is_refused_naming_the_place(change: Any, words: str) -> None:
    with pytest.raises(InvalidError) as refused:
        profiles.read(broken(change))

    assert refused.value.field == "file"
    assert words in refused.value.message


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[1, 2",
        b"[1]",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"a": ' + b"9" * 5000 + b"}",
        b'{"peak_gib": "many"}',
        b'{"peak_gib": NaN, "sequence_length": 1}',
        b'{"peak_gib": 1e999, "sequence_length": 1}',
        b'{"schema": "sizewright.pilot.profile/1"}',
        b" " * (profiles.LARGEST_BYTES + 1),
    ],
)
def test_what_is_no_profile_is_refused(content: bytes) -> None:
    with pytest.raises(InvalidError):
        profiles.read(content)


def upload(client: Client, address: str, content: bytes, *, name: str = "profile") -> Any:
    """Send a file."""
    return client.post(address, {name: SimpleUploadedFile("pilot-profile.json", content)})


def test_the_file_goes_before_the_fields_which_hold_the_quoted_load(client: Client, quote: Quote) -> None:
    client.force_login(makers.make_user())
    load = quoted_load(quote)
    fields = {name: load[name] for name in ("gpu", "sequence_length", "micro_batch")}
    file = SimpleUploadedFile("pilot-profile.json", encoded(report_of(load, sequence_length=512)))

    client.post(reverse("quotes:pilot", args=[quote.public_id]), {**fields, "file": file})

    pilot = PilotResult.objects.get(quote=quote)
    assert [one["name"] for one in pilot.mismatches] == ["sequence_length"]


def test_the_desk_shows_predicted_against_measured_by_stage(client: Client, quote: Quote) -> None:
    client.force_login(makers.make_user())
    address = reverse("quotes:pilot", args=[quote.public_id])

    taken = upload(client, address, encoded(report_of(quoted_load(quote))), name="file")
    refused = upload(client, address, b'{"schema": "x"}', name="file")

    page = client.get(reverse("quotes:detail", args=[quote.public_id])).content.decode()
    assert (taken.status_code, refused.status_code) == (302, 422)
    for words in ("12.6", "13.0", "within the band", "Backward pass", "it fell", "torch 2.13.0", "NVIDIA L4"):
        assert words in page


def test_the_differences_are_said_in_words(client: Client, quote: Quote) -> None:
    client.force_login(makers.make_user())
    report = report_of(quoted_load(quote), lora_rank=64, attention="eager")

    upload(client, reverse("quotes:pilot", args=[quote.public_id]), encoded(report), name="file")

    page = client.get(reverse("quotes:detail", args=[quote.public_id])).content.decode()
    for words in ("Another load was measured", "Rank of the adapters", "Attention", "plain (eager)"):
        assert words in page


def test_what_the_customer_uploads_waits_for_the_engineer(client: Client, quote: Quote) -> None:
    quote.request.assigned_to = makers.make_user(Role.ENGINEER)
    quote.request.save()
    _link, token = links.issue(quote.request)

    response = upload(client, reverse("quotes:pilot_upload", args=[token]), encoded(report_of(quoted_load(quote))))

    pilot = PilotResult.objects.get(quote=quote)
    assert response.status_code == 302
    assert (pilot.is_waiting, pilot.by_customer, pilot.load_matches) == (True, True, True)
    assert reloaded(quote).estimate_id == quote.estimate_id
    assert Mail.objects.filter(request=quote.request, template="measured").exists()
    assert "Your profile is with the engineer" in client.get(reverse("quotes:status", args=[token])).content.decode()
    assert snapshot.freeze(reloaded(quote))["pilots"] == []


def test_the_engineer_uses_what_the_customer_uploaded(client: Client, quote: Quote) -> None:
    profile = read(report_of(quoted_load(quote)))
    pilot = services.receive_pilot(quote, profile=profile, actor=makers.customer(quote))
    client.force_login(makers.make_user())

    response = client.post(reverse("quotes:pilot_use", args=[quote.public_id, pilot.public_id]))
    again = client.post(reverse("quotes:pilot_use", args=[quote.public_id, pilot.public_id]))

    pilot.refresh_from_db()
    assert (response.status_code, again.status_code) == (302, 404)
    assert (pilot.is_waiting, pilot.by_customer) == (False, True)
    assert reloaded(quote).estimate_id != quote.estimate_id
    assert len(snapshot.freeze(reloaded(quote))["pilots"]) == 1


def test_a_profile_of_a_sent_quote_is_used_in_the_next_revision() -> None:
    sent = makers.make_quote(status=Status.SENT, settled=True)
    profile = quoted_load(sent) | {"peak_gib": 40.0, "sequence_length": 1}
    pilot = services.receive_pilot(sent, profile=profile, actor=makers.customer(sent))

    with pytest.raises(ConflictError):
        services.use_pilot(pilot, quote=sent, actor=makers.engineer())
    revision = services.revise(sent, actor=makers.engineer(), reason="measured")
    used = services.use_pilot(pilot, quote=revision, actor=makers.engineer())

    assert (used.quote_id, used.is_waiting) == (revision.pk, False)


def test_customers_cannot_fill_the_desk(quote: Quote) -> None:
    profile = read(report_of(quoted_load(quote), sequence_length=64))
    for _upload in range(10):
        services.receive_pilot(quote, profile=profile, actor=makers.customer(quote))

    with pytest.raises(ConflictError):
        services.receive_pilot(quote, profile=profile, actor=makers.customer(quote))


def test_setting_a_profile_aside_makes_room_and_changes_nothing(client: Client, quote: Quote) -> None:
    profile = read(report_of(quoted_load(quote)))
    waiting = [services.receive_pilot(quote, profile=profile, actor=makers.customer(quote)) for _upload in range(10)]
    _link, token = links.issue(quote.request)
    client.force_login(makers.make_user())
    addresses = [reverse(f"quotes:{name}", args=[quote.public_id, waiting[0].public_id]) for name in ASIDE_AND_USE]

    page = client.get(reverse("quotes:detail", args=[quote.public_id])).content.decode()
    statuses = [client.post(one).status_code for one in (addresses[0], *addresses)]

    assert addresses[0] in page
    assert statuses == [302, 404, 404]
    latest = reloaded(quote)
    assert (latest.estimate_id, latest.version) == (quote.estimate_id, quote.version)
    assert snapshot.freeze(latest)["pilots"] == []
    assert latest.request.events.get(kind="pilot.set_aside").actor_role == Role.ENGINEER.value
    page = client.get(reverse("quotes:detail", args=[quote.public_id])).content.decode()
    assert "Set aside: nothing of it is used" in page
    assert addresses[0] not in page
    assert "set aside: it changes nothing" in client.get(reverse("quotes:status", args=[token])).content.decode()
    assert services.receive_pilot(quote, profile=profile, actor=makers.customer(quote)).is_waiting


def test_running_out_of_memory_that_was_set_aside_blocks_nothing(quote: Quote) -> None:
    profile = read(out_of_memory(quoted_load(quote)))
    pilot = services.receive_pilot(quote, profile=profile, actor=makers.customer(quote))

    services.set_pilot_aside(pilot, quote=quote, actor=makers.engineer())

    assert "pilot" not in [one.code for one in guards.blocking(reloaded(quote))]
    with pytest.raises(ConflictError):
        services.set_pilot_aside(pilot, quote=quote, actor=makers.engineer())
    with pytest.raises(ConflictError):
        services.use_pilot(pilot, quote=quote, actor=makers.engineer())


def test_a_profile_of_a_sent_quote_is_set_aside_without_a_revision(client: Client) -> None:
    sent = makers.make_quote(status=Status.SENT, settled=True)
    profile = quoted_load(sent) | {"peak_gib": 40.0, "sequence_length": 1}
    pilot = services.receive_pilot(sent, profile=profile, actor=makers.customer(sent))
    address = reverse("quotes:pilot_aside", args=[sent.public_id, pilot.public_id])
    client.force_login(makers.make_user())

    page = client.get(reverse("quotes:detail", args=[sent.public_id])).content.decode()
    response = client.post(address)

    assert address in page
    assert reverse("quotes:pilot_use", args=[sent.public_id, pilot.public_id]) not in page
    assert response.status_code == 302
    assert not PilotResult.objects.waiting_for(sent.request).exists()


def test_only_an_engineer_sets_a_profile_aside(quote: Quote) -> None:
    profile = read(report_of(quoted_load(quote)))
    pilot = services.receive_pilot(quote, profile=profile, actor=makers.customer(quote))

    for actor in (makers.approver(), makers.customer(quote)):
        with pytest.raises(NotAllowedError):
            services.set_pilot_aside(pilot, quote=quote, actor=actor)


def test_only_a_customer_uploads_for_a_customer(quote: Quote) -> None:
    with pytest.raises(NotAllowedError):
        services.receive_pilot(quote, profile=read(report_of(quoted_load(quote))), actor=makers.engineer())


@pytest.mark.parametrize("content", [b"", json.dumps({"peak_gib": 1, "sequence_length": 1}).encode(), b"[]"])
def test_the_private_page_takes_the_scripts_profile_only(content: bytes, client: Client, quote: Quote) -> None:
    _link, token = links.issue(quote.request)

    response = upload(client, reverse("quotes:pilot_upload", args=[token]), content)

    assert response.status_code == 422
    assert not PilotResult.objects.exists()
