"""The review page, by GET and POST as a person uses it."""

from __future__ import annotations

import html
import json
from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from catalog import services as catalog_services
from catalog.models import Offer, Part, Price
from quotes import services
from quotes.actors import Role
from quotes.models import Confirmation, Quote, Status
from quotes.transitions import Move
from tests import makers

pytestmark = pytest.mark.django_db
REASON = "The supplier names the article of the bridge in the invoice."


@pytest.fixture
def desk(client: Client) -> Client:
    """The engineer's browser."""
    client.force_login(makers.make_user(Role.ENGINEER))
    return client


def address(quote: Quote) -> str:
    """The review page of a quote."""
    return reverse("quotes:detail", args=[quote.public_id])


def row_address(quote: Quote, row: object, action: str) -> str:
    """A panel of a row."""
    name = "quotes:line" if type(row).__name__ == "QuoteLine" else "quotes:assumption"
    return reverse(name, args=[quote.public_id, row.public_id, action])  # type: ignore[attr-defined]


def test_the_review_shows_answer_ledger_candidates_lines_and_what_blocks(desk: Client) -> None:
    quote = makers.make_quote()

    text = desk.get(address(quote)).content.decode()

    for words in ("ООО «Заказчик»", "H200 NVL", "Micro-batch", "too small", "SYS-521GE-TNRT", "4 reasons"):
        assert words in text


def test_a_line_is_confirmed_with_evidence(desk: Client) -> None:
    quote = makers.make_quote()
    line = quote.lines.first()
    panel = row_address(quote, line, "confirm")
    assert "What it rests on" in desk.get(panel).content.decode()

    response = desk.post(
        panel, {"evidence": "supplier's letter of 27 November", "valid_until": "", "version": line.version}
    )

    line.refresh_from_db()
    assert response.status_code == 302
    assert line.confirmation == Confirmation.CONFIRMED
    assert line.confirmed_by == makers.make_user(Role.ENGINEER)


def test_a_waiver_needs_twenty_letters_and_keeps_what_was_typed(desk: Client) -> None:
    quote = makers.make_quote()
    panel = row_address(quote, quote.lines.first(), "waive")

    response = desk.post(panel, {"reason": "because", "party": "us", "version": 1})

    assert response.status_code == 422
    assert "because" in response.content.decode()


def test_the_second_of_two_edits_sees_both_values(desk: Client) -> None:
    quote = makers.make_quote()
    line = quote.lines.last()
    services.edit_line(line, actor=makers.engineer(), version=1, unit_price=Decimal("30500"), price_kind="firm")

    data = {
        "description": line.description,
        "kind": "gpu",
        "quantity": "2",
        "price_kind": "firm",
        "unit_price": "29999",
        "version": 1,
    }
    response = desk.post(row_address(quote, line, "edit"), data)

    text = response.content.decode()
    assert response.status_code == 409
    assert "30,500.00" in text
    assert "29,999.00" in text
    assert "Price of one, without tax" in text
    assert "unit_price" not in text
    assert "net_amount" not in text


@pytest.mark.parametrize(("typed", "stored"), [("9,99", "9.99"), ("9.99", "9.99"), ("1 234,50", "1234.50")])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_prices_are_read_with_comma_and_point(desk: Client, typed: str, stored: str, language: str) -> None:
    quote = makers.make_quote()
    desk.cookies.load({"django_language": language})
    data = {
        "description": "Installation",
        "kind": "service",
        "quantity": "1",
        "price_kind": "firm",
        "unit_price": typed,
    }

    response = desk.post(reverse("quotes:line_new", args=[quote.public_id]), data)

    assert response.status_code == 302, response.content.decode()
    assert str(quote.lines.get(description="Installation").unit_price) == stored


def test_several_lines_are_confirmed_on_one_document(desk: Client) -> None:
    quote = makers.make_quote()
    panel = reverse("quotes:lines_confirm", args=[quote.public_id])
    assert "H200 NVL" in desk.get(panel).content.decode()

    rows = [str(line.public_id) for line in quote.lines.all()]
    refused = desk.post(panel, {"lines": [], "evidence": "price list of 26 November"})
    told = {"lines": rows, "evidence": "price list of 26 November"}
    blind = desk.post(panel, told)
    assert (blind.status_code, quote.lines.filter(confirmation=Confirmation.CONFIRMED).count()) == (400, 0)
    seen = json.dumps({str(line.public_id): line.version for line in quote.lines.all()})
    desk.post(panel, told | {"seen": seen})

    assert refused.status_code == 422
    assert set(quote.lines.values_list("confirmation", flat=True)) == {Confirmation.CONFIRMED}


def test_lines_at_a_price_the_catalog_confirms_are_ticked_on_its_evidence(desk: Client) -> None:
    call_command("load_catalog", verbosity=0)
    quote = makers.make_quote()
    parts = Part.objects.filter(slug__in=["rail-kit", "pm9a3", "epyc-9354"])
    lines = [makers.make_line(quote, catalog_ref=part.slug, price=Decimal("99.50")) for part in parts]
    until = quote.issuer.today() + timedelta(days=9)
    for part, amount in zip(parts, ("99.50", "99.50", "80.00"), strict=True):
        offer = Offer.objects.create(part=part, supplier="the supplier", condition="new")
        days = {"as_of": "2026-11", "valid_from": makers.yesterday()}
        price = Price.objects.create(
            offer=offer, amount_low=amount, amount_high=amount, currency="USD", includes_tax=False, **days
        )
        catalog_services.confirm([price], actor=None, evidence="price list of 27 November", valid_until=until)

    form = desk.get(reverse("quotes:lines_confirm", args=[quote.public_id])).context["panel"].form

    assert form.initial["lines"] == [line.public_id for line in lines[:2]]
    assert (form.initial["evidence"], form.initial["valid_until"]) == ("price list of 27 November", until)


def test_a_price_is_set_with_quoted_chosen_and_an_edit_leaves_the_kind(desk: Client) -> None:
    quote = makers.make_quote()
    edit = row_address(quote, quote.lines.get(kind="platform"), "edit")

    assert f"{edit}?price=firm" in desk.get(address(quote)).content.decode()
    assert desk.get(f"{edit}?price=firm").context["panel"].form.initial["price_kind"] == "firm"
    assert desk.get(edit).context["panel"].form.initial["price_kind"] == "none"


def test_lines_of_another_quote_are_not_confirmed_with_these(desk: Client) -> None:
    quote, other = makers.make_quote(), makers.make_quote()
    rows = [str(other.lines.first().public_id)]

    response = desk.post(
        reverse("quotes:lines_confirm", args=[quote.public_id]), {"lines": rows, "evidence": "a letter"}
    )

    assert response.status_code == 422
    assert other.lines.first().confirmation == Confirmation.OPEN


def test_a_colleague_reads_and_must_take_over_before_editing(client: Client) -> None:
    quote = makers.make_quote()
    services.confirm(quote.lines.first(), actor=makers.engineer(), evidence="a letter")
    client.force_login(makers.make_user(Role.ENGINEER, name="colleague"))
    assert "Take it over" in client.get(address(quote)).content.decode()

    refused = client.post(row_address(quote, quote.lines.last(), "confirm"), {"evidence": "a letter", "version": 1})
    client.post(reverse("quotes:assign", args=[quote.public_id]), {"take": "1"})
    taken = client.post(row_address(quote, quote.lines.last(), "confirm"), {"evidence": "a letter", "version": 1})

    assert (refused.status_code, taken.status_code) == (403, 302)


def test_choosing_another_candidate_replaces_its_lines_and_keeps_typed_ones(desk: Client) -> None:
    quote = makers.make_quote()
    services.add_line(quote, actor=makers.engineer(), description="Installation", kind="service", quantity=Decimal(1))
    quote.refresh_from_db()

    desk.post(reverse("quotes:choose", args=[quote.public_id, 1]), {"seen": quote.version})

    quote.refresh_from_db()
    assert quote.chosen_rank == 1
    assert [line.description for line in quote.lines.all()][-1] == "Installation"
    assert quote.lines.get(kind="gpu").quantity == 1


def test_a_stale_choice_of_a_candidate_is_refused(desk: Client) -> None:
    quote = makers.make_quote()
    services.choose_candidate(quote, rank=1, actor=makers.engineer())

    response = desk.post(reverse("quotes:choose", args=[quote.public_id, 2]), {"seen": quote.version})

    quote.refresh_from_db()
    assert (response.status_code, quote.chosen_rank) == (409, 1)


def test_settled_lines_go_only_when_ticked(desk: Client) -> None:
    quote = makers.make_quote(settled=True)
    choose = reverse("quotes:choose", args=[quote.public_id, 1])

    asked = desk.post(choose, {"seen": quote.version})

    quote.refresh_from_db()
    panel = asked.content.decode().split('id="panel"')[1].split("</form>")[0]
    assert (asked.status_code, quote.chosen_rank) == (409, 2)
    assert "H200 NVL" in panel and 'name="drop"' in panel
    assert desk.post(choose, {"seen": quote.version, "drop": "on"}).status_code == 302
    quote.refresh_from_db()
    assert quote.chosen_rank == 1


def test_confirming_several_refuses_and_names_the_line_that_changed(desk: Client) -> None:
    quote = makers.make_quote()
    address = reverse("quotes:lines_confirm", args=[quote.public_id])
    shown = html.unescape(desk.get(address).content.decode().split('name="seen" value="')[-1].split('"')[0])
    changed, other = quote.lines.last(), quote.lines.first()
    services.edit_line(changed, actor=makers.engineer(), version=1, unit_price=Decimal("1"), price_kind="firm")
    told = {"evidence": "the price list of 27 November", "seen": shown}

    refused = desk.post(address, {**told, "lines": [str(changed.public_id), str(other.public_id)]})

    assert refused.status_code == 409
    assert changed.name in refused.content.decode() and other.name not in refused.content.decode()
    assert set(quote.lines.values_list("confirmation", flat=True)) == {Confirmation.OPEN}
    assert desk.post(address, {**told, "lines": [str(other.public_id)]}).status_code == 302


def test_an_unknown_candidate_is_refused(desk: Client) -> None:
    quote = makers.make_quote()

    assert desk.post(reverse("quotes:choose", args=[quote.public_id, 99]), {"seen": 1}).status_code == 422


def test_the_way_from_review_to_sent(desk: Client) -> None:
    quote = makers.make_quote(settled=True)
    desk.post(reverse("quotes:move", args=[quote.public_id, "submit"]), seen_by(desk, quote, "submit"))
    boss = Client()
    boss.force_login(makers.make_user(Role.APPROVER))
    boss.post(reverse("quotes:move", args=[quote.public_id, "approve"]), seen_by(boss, quote, "approve"))
    quote.refresh_from_db()
    makers.make_document(quote)

    response = desk.post(reverse("quotes:move", args=[quote.public_id, "send"]), seen_by(desk, quote, "send"))

    quote.refresh_from_db()
    assert response.status_code == 302
    assert quote.status == Status.SENT
    assert quote.number in desk.get(address(quote)).content.decode()


def seen_by(browser: Client, quote: Quote, slug: str) -> dict[str, str]:
    """What the form of a move on the review page sends, as the person has it open."""
    text = browser.get(address(quote)).content.decode()
    form = text.split(f'action="{reverse("quotes:move", args=[quote.public_id, slug])}"')[1].split("</form>")[0]
    return {"seen": form.split('name="seen" value="')[1].split('"')[0]}


def test_nobody_approves_what_was_changed_since_the_page_was_opened(desk: Client) -> None:
    quote = makers.make_quote(status=Status.READY, settled=True)
    boss = Client()
    boss.force_login(makers.make_user(Role.APPROVER))
    approve, back = (reverse("quotes:move", args=[quote.public_id, slug]) for slug in ("approve", "return"))
    window_a = seen_by(boss, quote, "approve")
    assert boss.post(back, {"reason": "the discount is missing", **window_a}).status_code == 302
    line = quote.lines.last()
    services.edit_line(line, actor=makers.engineer(), version=line.version, unit_price=Decimal("1"))
    services.confirm(line, actor=makers.engineer(), evidence="the price list of 27 November")
    submitted = reverse("quotes:move", args=[quote.public_id, "submit"])
    assert desk.post(submitted, seen_by(desk, quote, "submit")).status_code == 302

    refused = boss.post(approve, window_a)

    quote.refresh_from_db()
    assert refused.status_code == 409
    assert "changed since you opened it" in refused.content.decode()
    assert quote.status == Status.READY
    assert boss.post(approve, seen_by(boss, quote, "approve")).status_code == 302


@pytest.mark.parametrize("seen", [{}, {"seen": ""}, {"seen": "x"}, {"seen": "-1"}])
@pytest.mark.parametrize("name", ["move", "choose", "catalog_take"])
def test_what_does_not_say_which_version_was_seen_is_refused(desk: Client, name: str, seen: dict[str, str]) -> None:
    quote = makers.make_quote(settled=True)
    more: list[object] = {"move": ["submit"], "choose": [1], "catalog_take": []}[name]

    response = desk.post(reverse(f"quotes:{name}", args=[quote.public_id, *more]), seen)

    quote.refresh_from_db()
    assert response.status_code == 400
    assert "which version of the quote" in response.content.decode()
    assert (quote.status, quote.chosen_rank) == (Status.IN_REVIEW, 2)


@pytest.mark.parametrize("action", ["confirm", "waive", "refute", "reopen", "edit", "remove"])
def test_a_row_is_not_changed_by_what_does_not_say_its_version(desk: Client, action: str) -> None:
    quote = makers.make_quote()
    line = quote.lines.last()

    response = desk.post(row_address(quote, line, action), {"evidence": "a letter", "reason": "x" * 30})

    assert response.status_code == 400
    line.refresh_from_db()
    assert line.version == 1


def test_a_stale_return_is_refused_with_its_reason_unwritten(desk: Client) -> None:
    quote = makers.make_quote(status=Status.READY, settled=True)
    back = reverse("quotes:move", args=[quote.public_id, "return"])
    panel = desk.get(back).content.decode().split('id="panel"')[1]
    seen = panel.split('name="seen" value="')[1].split('"')[0]
    services.move(quote, to=Move.RETURN, actor=makers.approver(), reason="the discount is missing")
    services.move(quote, to=Move.SUBMIT, actor=makers.engineer())

    assert desk.post(back, {"reason": "one more thing", "seen": seen}).status_code == 409

    quote.refresh_from_db()
    assert quote.status == Status.READY


def test_a_blocked_submit_answers_409_and_says_why(desk: Client) -> None:
    quote = makers.make_quote()

    response = desk.post(reverse("quotes:move", args=[quote.public_id, "submit"]), {"seen": quote.version})

    assert response.status_code == 409
    assert "Micro-batch" in response.content.decode()


def test_a_script_is_sent_back_to_the_page_with_the_refusal(desk: Client) -> None:
    quote = makers.make_quote()

    submit = reverse("quotes:move", args=[quote.public_id, "submit"])
    response = desk.post(submit, {"seen": quote.version}, headers={"HX-Request": "true"})

    assert response.status_code == 409
    assert response["HX-Redirect"] == address(quote)


@pytest.mark.parametrize("slug", ["supersede", "accept", "decline", "ask", "nonsense"])
def test_moves_that_are_not_the_staffs_have_no_address(desk: Client, slug: str) -> None:
    quote = makers.make_quote(status=Status.SENT)

    assert desk.post(reverse("quotes:move", args=[quote.public_id, slug])).status_code == 404


def test_a_question_makes_the_quote_wait_and_the_answer_brings_it_back(desk: Client) -> None:
    quote = makers.make_quote()
    key = "storage.copies"
    page = desk.get(reverse("quotes:ask", args=[quote.public_id]) + f"?key={key}")
    assert "copies" in page.content.decode()

    desk.post(reverse("quotes:ask", args=[quote.public_id]), {"question": "How many copies?", "ledger_key": key})
    quote.refresh_from_db()
    assert quote.status == Status.AWAITING_CUSTOMER
    services.answer_clarification(
        quote.clarifications.get(), actor=makers.customer(quote), answer="three, on two sites"
    )

    quote.refresh_from_db()
    assert quote.status == Status.IN_REVIEW
    assert quote.ledger.get(key=key).customer_says == "three, on two sites"


def test_internal_notes_stay_off_the_customers_side(desk: Client) -> None:
    quote = makers.make_quote(status=Status.SENT, settled=True)
    desk.post(reverse("quotes:note", args=[quote.public_id]), {"text": "discount possible"})
    from quotes import links

    _link, token = links.issue(quote.request)

    assert "discount possible" in desk.get(address(quote)).content.decode()
    assert "discount possible" not in desk.get(reverse("quotes:status", args=[token])).content.decode()


def test_the_difference_of_two_revisions_names_what_changed(desk: Client) -> None:
    first = makers.make_quote(status=Status.SENT, settled=True)
    second = services.revise(first, actor=makers.engineer(), reason="new price list")
    line = second.lines.get(kind="gpu")
    services.edit_line(line, actor=makers.engineer(), version=None, unit_price=Decimal("30000"), price_kind="firm")

    text = desk.get(reverse("quotes:difference", args=[second.public_id])).content.decode()

    assert "Price of one" in text
    assert "unit_price" not in text
    assert "60,000.00" in text


def test_a_link_can_be_closed_and_issued_again(desk: Client) -> None:
    from quotes import links

    quote = makers.make_quote()
    _link, token = links.issue(quote.request)
    desk.post(reverse("quotes:link_new", args=[quote.public_id]))

    former, latest = links.find(token), links.token_of(quote.request)
    assert former is not None
    assert not former.is_open
    assert latest is not None

    desk.post(reverse("quotes:link_revoke", args=[quote.public_id, 1]))
    assert links.token_of(quote.request) is None


def test_the_audit_is_exported_oldest_first(desk: Client) -> None:
    quote = makers.make_quote()
    services.confirm(quote.lines.first(), actor=makers.engineer(), evidence="a letter")

    lines = desk.get(reverse("quotes:audit", args=[quote.public_id])).content.decode().splitlines()

    assert '"request.assigned"' in lines[0]
    assert '"line.confirmed"' in lines[-1]


def test_a_past_day_is_no_validity(desk: Client) -> None:
    quote = makers.make_quote()
    day = makers.yesterday() - timedelta(days=1)

    response = desk.post(
        row_address(quote, quote.lines.first(), "confirm"),
        {"evidence": "a letter", "valid_until": day.isoformat(), "version": 1},
    )

    assert response.status_code == 422
