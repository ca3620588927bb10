"""Makers of rows, and the cast every test uses: customer, stranger, engineer, colleague, approver, and the others."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import Group, User
from django.utils import timezone

from quotes import links, pricing, snapshot
from quotes.actors import Actor, Role
from quotes.models import (
    Confirmation,
    Document,
    Estimate,
    Issuer,
    LedgerEntry,
    PriceKind,
    Quote,
    QuoteLine,
    Request,
    RequestVersion,
    Status,
)
from quotes.services import store_document
from quotes.services.recording import refresh_search

GIB = 2**30
ASKED: dict[str, Any] = {
    "workload": {
        "task": "training",
        "method": "qlora",
        "model": {"name": "llama-3.1-8b"},
        "sequence_length": 2048,
        "dataset_tokens": 10_000_000,
        "epochs": 2,
    },
    "limits": {"deadline_hours": {"must": 168}, "rack_power_watts": {"must": 12_000}},
}


def make_candidate(
    rank: int = 1, *, label: str = "recommended", fits: bool = True, gpu: str = "h200-nvl"
) -> dict[str, Any]:
    """Write a candidate as the engine answers one; the figures are round so that tests can be read."""
    high = 60 * GIB if fits else 160 * GIB
    memory = {
        "per_gpu": {"weights": 20 * GIB, "activations": 15 * GIB, "optimizer": 5 * GIB},
        "allocated": {"expected": 40 * GIB, "low": 38 * GIB, "high": 50 * GIB},
        "reserved": {"expected": 44 * GIB, "low": 40 * GIB, "high": 55 * GIB},
        "device": {"expected": 48 * GIB, "low": 44 * GIB, "high": high},
        "capacity": 140 * GIB,
        "fits": fits,
    }
    speed = {"seconds_to_result": 36_000, "low": {"seconds_to_result": 30_000}, "high": {"seconds_to_result": 50_000}}
    return {
        "rank": rank,
        "labels": [label],
        "platform": "sys-521ge-tnrt",
        "platform_title": "Supermicro SYS-521GE-TNRT",
        "sku": None,
        "gpu": gpu,
        "gpu_name": "H200 NVL",
        "gpus_per_node": rank,
        "nodes": 1,
        "interconnect": "nvlink-bridge" if rank > 1 else "pcie",
        "conditional": [],
        "estimate": {"memory": memory, "speed": speed, "assumptions": []},
        "facility": {"power_watts": {"expected": 2400, "low": 2100, "high": 2900}, "power_is_derived": True},
        "price": {"low": 50_000.0, "high": 62_000.0, "currency": "USD", "lines_priced": 1, "lines_total": 2},
        "lines": [
            {"kind": "platform", "slug": "sys-521ge-tnrt", "text": "SYS-521GE-TNRT", "quantity": 1},
            {
                "kind": "gpu",
                "slug": gpu,
                "text": "H200 NVL",
                "quantity": rank,
                "low": 28_000,
                "high": 31_000,
                "currency": "USD",
                "source": "price list",
                "as_of": "2026-11",
            },
        ],
        "reasons_for": ["does the job"],
        "reasons_against": [],
    }


def make_output(**extra: Any) -> dict[str, Any]:
    """Write an answer of the engine with two candidates, one rejected, one decisive assumption and one other."""
    decisive = {
        "key": "workload.micro_batch",
        "label": "micro batch",
        "value": 1,
        "unit": "sequences",
        "low": 1,
        "high": 4,
        "why": "none was stated",
        "source": "usual practice",
        "origin": "assumed",
        "decisive": True,
        "moves": {"high": {"value": 4, "device_high_bytes": 150 * GIB, "seconds_high": 40_000, "does_the_job": False}},
    }
    other = {**decisive, "key": "storage.copies", "label": "copies", "decisive": False, "moves": None, "value": 2}
    rejected = [{"platform": "x", "platform_title": "X", "gpu": "l40s", "gpu_name": "L40S", "message": "too small"}]
    output = {
        "candidates": [make_candidate(1, label="smallest"), make_candidate(2)],
        "rejected": rejected,
        "questions": [decisive],
        "assumptions": [decisive, other],
        "warnings": [],
    }
    return output | extra


def make_user(role: Role | None = Role.ENGINEER, *, name: str = "", **fields: Any) -> User:
    """Make a person with a role."""
    email = f"{name or (role.value.replace(' ', '.') if role else 'nobody')}@example.com"
    found = User.objects.filter(username=email).first()
    if found is not None:
        return found
    user = User.objects.create_user(username=email, email=email, password="long-enough-1", first_name=name, **fields)
    if role is not None:
        user.groups.add(Group.objects.get_or_create(name=role.value)[0])
    return user


def engineer(name: str = "") -> Actor:
    """The engineer, or a named colleague."""
    return Actor.of_user(make_user(Role.ENGINEER, name=name))


def approver() -> Actor:
    """The approver."""
    return Actor.of_user(make_user(Role.APPROVER))


def customer(quote: Quote) -> Actor:
    """The customer of a quote, by a link."""
    link, _token = links.issue(quote.request)
    return Actor.of_link(link)


def make_request(**fields: Any) -> Request:
    """Make a request with its first version."""
    count = 5001 + Request.objects.count()  # above what the counter draws
    defaults: dict[str, Any] = {
        "reference": f"R-2026-{count:04d}",
        "route": "qlora",
        "organization": "ООО «Заказчик»",
        "contact_name": "Anna Schmidt",
        "email": "anna@customer.example",
    }
    request = Request.objects.create(**(defaults | fields))
    RequestVersion.objects.create(request=request, number=1, answers={})
    return request


def make_estimate(request: Request, *, output: Mapping[str, Any] | None = None) -> Estimate:
    """Make an estimate of a request's first version."""
    return Estimate.objects.create(
        request=request,
        request_version=request.versions.get(number=1),
        input=copy.deepcopy(ASKED),
        output=dict(output or make_output()),
        engine_version="0.1.0",
        catalog_fingerprint="f" * 64,
    )


def make_quote(
    *,
    status: str = Status.IN_REVIEW,
    settled: bool = False,
    request: Request | None = None,
    output: Mapping[str, Any] | None = None,
    **fields: Any,
) -> Quote:
    """Make a quote with two lines and two assumptions; `settled`: everything is confirmed and priced."""
    request = request or make_request()
    issuer = Issuer.ensure()
    estimate = make_estimate(request, output=output)
    numbered = status not in (Status.DRAFT, Status.IN_REVIEW, Status.AWAITING_CUSTOMER, Status.READY, Status.CANCELLED)
    defaults: dict[str, Any] = {
        "status": status,
        "chosen_rank": 2,
        "currency": "USD",
        "author": make_user(Role.ENGINEER),
        "number": f"SW-2026-{900 + Quote.objects.count():04d}" if numbered else None,
        "valid_until": issuer.today() + timedelta(days=14) if numbered else None,
    }
    quote = Quote.objects.create(request=request, estimate=estimate, issuer=issuer, **(defaults | fields))
    state = Confirmation.CONFIRMED if settled else Confirmation.OPEN
    platform_price = PriceKind.INCLUDED if settled else PriceKind.NONE
    make_line(quote, description="SYS-521GE-TNRT", kind="platform", confirmation=state, price_kind=platform_price)
    make_line(
        quote, description="H200 NVL", kind="gpu", quantity=Decimal(2), price=Decimal("31000"), confirmation=state
    )
    make_entry(quote, key="workload.micro_batch", label="micro batch", decisive=True, confirmation=state)
    make_entry(quote, key="storage.copies", label="copies", value=2)
    refresh_search(request)
    return quote


def make_line(quote: Quote, *, price: Decimal | None = None, **fields: Any) -> QuoteLine:
    """Make a line with or without a price."""
    defaults: dict[str, Any] = {
        "position": quote.lines.count() + 1,
        "description": "a line",
        "quantity": Decimal(1),
        "discount_percent": Decimal(0),
        "price_kind": PriceKind.NONE if price is None else PriceKind.FIRM,
        "unit_price": price,
    }
    values = defaults | fields
    values["net_amount"] = pricing.net_amount(
        quantity=values["quantity"],
        unit_price=price,
        discount_percent=values["discount_percent"],
        currency=quote.currency,
    )
    return QuoteLine.objects.create(quote=quote, **values)


def make_entry(quote: Quote, **fields: Any) -> LedgerEntry:
    """Make an assumption."""
    defaults: dict[str, Any] = {"key": "workload.micro_batch", "label": "micro batch", "value": 1, "unit": "sequences"}
    return LedgerEntry.objects.create(quote=quote, position=quote.ledger.count() + 1, **(defaults | fields))


def make_document(quote: Quote, *, kind: str = Document.Kind.SHORT, content: bytes = b"%PDF-1.7 bytes") -> Document:
    """Store a document of a quote."""
    return store_document(
        request=quote.request,
        quote=quote,
        kind=kind,
        language=quote.request.language,
        content=content,
        snapshot=snapshot.of(quote),
    )


def yesterday() -> Any:
    """The day before today."""
    return timezone.localdate() - timedelta(days=1)
