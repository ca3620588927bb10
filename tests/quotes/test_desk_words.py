"""What the desk says is right: every change between revisions, every refusal, each thing by its name and language."""

from __future__ import annotations

import re
from collections import defaultdict
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from django import forms
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import translation

from quotes import guards, links, services, summaries
from quotes.actors import Role
from quotes.models import LedgerEntry, PriceKind, Quote, QuoteEvent, Status
from quotes.presenter import engine_words, memory
from quotes.refusals import InvalidError
from quotes.templatetags.desk import event_detail
from quotes.views.desk.line_form import LineForm
from tests import makers

pytestmark = pytest.mark.django_db
TOO_LARGE = "9" * 23


@pytest.fixture
def desk(client: Client) -> Client:
    """The engineer's browser."""
    client.force_login(makers.make_user(Role.ENGINEER))
    return client


def difference(desk: Client, quote: Quote) -> str:
    """The page of what changed since the former revision."""
    return desk.get(reverse("quotes:difference", args=[quote.public_id])).content.decode()


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(
    ("field", "typed"),
    [
        *(("discount_percent", typed) for typed in ("101", "-5", "99.999", "many")),
        *(("tax_rate", typed) for typed in ("100", "-1", "20.125")),
        *(("quantity", typed) for typed in ("0", "-1", "1000000")),
        *((name, typed) for name in ("unit_price", "unit_cost") for typed in ("-1", "9" * 13, "1.005")),
    ],
)
def test_an_impossible_number_is_refused_with_its_range(desk: Client, field: str, typed: str, language: str) -> None:
    quote = makers.make_quote()
    line = quote.lines.get(kind="gpu")
    with translation.override(language):
        said = str(LineForm.base_fields[field].error_messages["max_value"])

    response = desk.post(
        reverse("quotes:line", args=[quote.public_id, line.public_id, "edit"]),
        {"description": "H200", "kind": "gpu", "quantity": "2", "price_kind": "firm", "unit_price": "1", "version": 1}
        | {field: typed},
        headers={"accept-language": language},
    )

    assert response.status_code == 422
    assert said[:40] in response.content.decode()


def every_form(kind: type[forms.BaseForm] = forms.BaseForm) -> set[type[forms.BaseForm]]:
    """All forms of ours that are loaded with the addresses."""
    found = {one for one in kind.__subclasses__() if one.__module__.split(".")[0] in ("quotes", "catalog", "accounts")}
    return found.union(*(every_form(one) for one in kind.__subclasses__()))


@pytest.mark.parametrize("language", ["en", "ru"])
def test_no_message_of_a_form_breaks_when_a_validator_fills_it_in(language: str) -> None:
    reverse("quotes:queue")
    found = every_form()

    with translation.override(language):
        for form in found:
            for field in getattr(form, "base_fields", {}).values():
                for message in field.error_messages.values():
                    assert isinstance(str(message) % defaultdict(int), str)

    assert LineForm in found


@pytest.mark.parametrize("name", ["quotes:choose", "quotes:link_revoke"])
def test_a_number_too_large_for_a_database_is_no_address(desk: Client, name: str) -> None:
    quote = makers.make_quote()
    address = reverse(name, args=[quote.public_id, 0]).replace("/0/", f"/{TOO_LARGE}/")

    assert desk.post(address).status_code == 404


@pytest.mark.parametrize(
    ("field", "value", "label"),
    [
        ("discount_percent", Decimal("10"), "Discount, %"),
        ("tax_rate", Decimal("7"), "Tax rate, %"),
        ("unit_cost", Decimal("12345.00"), "Our cost of one"),
    ],
)
def test_the_difference_names_what_changed_in_a_line(desk: Client, field: str, value: Decimal, label: str) -> None:
    second = services.revise(
        makers.make_quote(status=Status.SENT, settled=True), actor=makers.engineer(), reason="another deal"
    )
    assert label not in difference(desk, second)

    line = second.lines.get(kind="gpu")
    services.edit_line(line, actor=makers.engineer(), version=None, **{field: value})

    assert label in difference(desk, second)


def test_our_cost_is_compared_and_frozen_nowhere(desk: Client) -> None:
    first = makers.make_quote(status=Status.SENT, settled=True)
    first.lines.update(unit_cost=Decimal("12345.00"))
    second = services.revise(first, actor=makers.engineer(), reason="another deal")
    second.lines.update(unit_cost=Decimal("54321.00"))

    assert "Our cost of one" in difference(desk, second)
    assert "unit_cost" not in str(first.snapshot)


def test_the_difference_shows_what_the_load_needs_and_what_is_paid(desk: Client) -> None:
    first = makers.make_quote(status=Status.SENT, settled=True)
    first.lines.update(tax_rate=20)
    second = services.revise(first, actor=makers.engineer(), reason="another deal")
    needed = summaries.summarize(second.estimate, second.chosen_rank)["memory_high_bytes"]

    text = difference(desk, second)

    assert "Gross total" in text
    assert f"{needed / 2**30:.1f}" in text


@pytest.mark.parametrize(
    ("former", "latter", "stands"),
    [
        (Status.SENT, Status.IN_REVIEW, True),
        (Status.SUPERSEDED, Status.SENT, False),
        (Status.DECLINED, Status.IN_REVIEW, False),
        (Status.SENT, Status.CANCELLED, False),
    ],
)
def test_only_a_revision_that_stands_is_said_to(desk: Client, former: str, latter: str, stands: bool) -> None:
    first = makers.make_quote(status=Status.SENT, settled=True)
    second = services.revise(first, actor=makers.engineer(), reason="another deal")
    Quote.objects.filter(pk=first.pk).update(status=former)
    Quote.objects.filter(pk=second.pk).update(status=latter, number=first.number)

    assert ("stays in force" in difference(desk, second)) is stands


def test_without_a_price_there_is_no_sum_anywhere(desk: Client) -> None:
    quote = makers.make_quote()
    quote.lines.update(price_kind=PriceKind.NONE, unit_price=None, net_amount=None)
    Quote.objects.filter(pk=quote.pk).update(net_total=0, tax_total=0, gross_total=0)

    page = desk.get(reverse("quotes:detail", args=[quote.public_id])).content.decode()
    export = desk.get(reverse("quotes:queue_csv")).content.decode()

    assert not re.search(r">\s*0\.00\b", page)
    assert "0.00" not in export
    assert quote.request.reference in export


def test_the_export_tells_moments_in_the_zone_of_the_queue(desk: Client) -> None:
    quote = makers.make_quote()

    assert quote.request.reference in desk.get(reverse("quotes:queue_csv")).content.decode()
    assert "+03:00" in desk.get(reverse("quotes:queue_csv")).content.decode()


def test_an_assumption_of_an_event_is_named_in_words() -> None:
    quote = makers.make_quote()
    entry = makers.make_entry(quote, key="limits.deadline_hours", label="deadline hours", value=72, unit="h")
    services.confirm(entry, actor=makers.engineer(), evidence="a letter")
    event = QuoteEvent.objects.get(kind="assumption.confirmed")

    with translation.override("ru"):
        assert "Срок, ч" in event_detail(event)
        assert "deadline" not in event_detail(event)


def test_every_row_without_a_maker_has_a_russian_name() -> None:
    rows: dict[str, Any] = yaml.safe_load(Path(settings.BASE_DIR, "catalog/data/components.yaml").read_text())
    own = [
        row["model"]
        for name in ("accessories", "services")
        for row in rows[name]
        if row["vendor"] in ("", "Sizewright")
    ]

    with translation.override("ru"):
        said = [engine_words.say(name) for name in own]

    assert len(own) > 3
    assert not set(said) & set(own)


@pytest.mark.parametrize("panel", ["detail", "lines_confirm", "edit"])
def test_a_line_has_its_russian_name_wherever_the_desk_names_it(desk: Client, panel: str) -> None:
    quote = makers.make_quote()
    rails = makers.make_line(quote, description="Rack rail kit", kind="accessory")
    services.confirm(rails, actor=makers.engineer(), evidence="the letter of the supplier")
    services.reopen(rails, actor=makers.engineer())
    address = reverse("quotes:line", args=[quote.public_id, rails.public_id, "edit"])
    if panel != "edit":
        address = reverse(f"quotes:{panel}", args=[quote.public_id])
    desk.cookies["django_language"] = "ru"

    page = desk.get(address).content.decode()

    shown = re.sub(r"<input[^>]*>|<form[^>]*>", "", page)
    assert "Комплект рельсов для стойки" in shown
    assert "Rack rail kit" not in shown


def test_a_margin_is_written_as_the_page_writes_numbers() -> None:
    quote = makers.make_quote(settled=True)
    quote.lines.filter(kind="gpu").update(unit_cost=Decimal("30009.50"))
    quote.issuer.margin_floor_percent = Decimal("12.50")

    with translation.override("ru"):
        found = [guard.title for guard in guards.blocking(quote)]

    assert found == ["Маржа 3,2 %, порог 12,5 %"]


def test_less_than_a_share_of_the_time_is_said_in_russian() -> None:
    with translation.override("ru"):
        said = engine_words.say("At the upper band it is ready after less than 1% of the time given.")

    assert said == "По верхней границе готово быстрее чем за 1\u00a0% данного времени."


@pytest.mark.parametrize(
    ("name", "inside"), [("Контекст CUDA", "контекст CUDA"), ("KV cache", "KV cache"), ("Логиты", "логиты")]
)
def test_abbreviations_stay_what_they_are_inside_a_list(name: str, inside: str) -> None:
    assert memory.uncapped(name) == inside


def test_the_customer_is_you_on_their_own_page_and_reads_the_zone(client: Client) -> None:
    quote = makers.make_quote(status=Status.AWAITING_CUSTOMER)
    asked = services.ask(quote, actor=makers.engineer(), question="How many users?")
    services.answer_clarification(asked, actor=makers.customer(quote), answer="Eighty")
    token = links.token_of(quote.request) or links.issue(quote.request)[1]

    page = client.get(reverse("quotes:status", args=[token])).content.decode()

    assert "stated by you" in page
    assert "stated by the customer" not in page
    assert "(Europe/Moscow)" in page


@pytest.mark.parametrize("act", [services.confirm, services.refute])
def test_evidence_on_a_quote_is_words_or_a_link_of_the_web(act: Any) -> None:
    line = makers.make_quote(status=Status.IN_REVIEW).lines.all()[0]

    with pytest.raises(InvalidError):
        act(line, actor=makers.engineer(), evidence="javascript:alert(1)")

    act(line, actor=makers.engineer(), evidence="https://maker.example/list.pdf")


@pytest.mark.parametrize(
    ("language", "typed", "value", "read"),
    [
        ("en", "1,024", 2048, 1024),
        ("ru", "1,024", 2048, 1024),
        ("ru", "2 048", 1024, 2048),
        ("en", "1,024", 0.5, 1024),
        ("ru", "1,5", 0.5, 1.5),
        ("en", "2k", 1024, 2000),
        ("ru", "336", 12.0, 336),
    ],
)
def test_a_number_is_read_as_the_form_reads_it(language: str, typed: str, value: float, read: float) -> None:
    with translation.override(language):
        assert services.parse_value(LedgerEntry(value=value), typed) == read


@pytest.mark.parametrize("typed", ["many", "1e400", "inf", "nan", "9" * 500, "--1"])
def test_what_is_no_number_is_refused(typed: str) -> None:
    with pytest.raises(InvalidError):
        services.parse_value(LedgerEntry(value=1024), typed)
