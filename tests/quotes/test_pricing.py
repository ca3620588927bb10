"""Money adds up to the cent, whatever the order, and the table of the documentation is true."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.money import round_money
from quotes import pricing, snapshot
from quotes.models import Issuer, PriceKind, QuoteLine
from tests import makers

PAGE = Path(__file__).parents[2] / "docs" / "quotes" / "rounding.md"
CENT = Decimal("0.01")


def line(quantity: str, price: str | None, discount: str = "0", tax: str = "0") -> QuoteLine:
    """A line that is not stored."""
    made = QuoteLine(
        quantity=Decimal(quantity),
        unit_price=None if price is None else Decimal(price),
        discount_percent=Decimal(discount),
        tax_rate=Decimal(tax),
        price_kind=PriceKind.NONE if price is None else PriceKind.FIRM,
    )
    made.net_amount = pricing.net_amount(
        quantity=made.quantity, unit_price=made.unit_price, discount_percent=made.discount_percent, currency="USD"
    )
    return made


def documented() -> list[tuple[QuoteLine, Decimal]]:
    """The rows of the documentation's table with the net they claim."""
    rows = re.findall(r"^\| \d+ \| (\S+) \| (\S+) \| (\S+) \| (\S+) \| (\S+) \|$", PAGE.read_text(), re.MULTILINE)
    return [(line(quantity, price, discount, tax), Decimal(net)) for quantity, price, discount, tax, net in rows]


def test_the_documented_table_is_what_the_program_computes() -> None:
    rows = documented()
    text = PAGE.read_text()

    assert [one.net_amount for one, _net in rows] == [net for _one, net in rows]
    per_rate = pricing.add_up([one for one, _net in rows], currency="USD", rounding=Issuer.TaxRounding.PER_RATE)
    per_line = pricing.add_up([one for one, _net in rows], currency="USD", rounding=Issuer.TaxRounding.PER_LINE)
    for claim in (f"Net {per_rate.net}", f"together {per_rate.tax}", f"gross {per_rate.gross}", f"= {per_line.tax}"):
        assert claim in text
    assert f"= {per_rate.discount}" in text


@pytest.mark.parametrize(
    ("amount", "rounded"), [("0.005", "0.01"), ("0.015", "0.02"), ("2.675", "2.68"), ("1.004999", "1.00")]
)
def test_exact_halves_go_up(amount: str, rounded: str) -> None:
    assert round_money(Decimal(amount), "USD") == Decimal(rounded)


def test_a_missing_price_is_counted_and_never_zero() -> None:
    sums = pricing.add_up([line("1", "10"), line("1", None)], currency="USD", rounding="rate")

    assert (sums.net, sums.lines_priced, sums.lines_total, sums.is_complete) == (Decimal("10.00"), 1, 2, False)


def test_lines_without_a_discount_add_nothing_to_the_printed_discount() -> None:
    sums = pricing.add_up([line("3", "0.335"), line("1", "1", "10")], currency="USD", rounding="rate")

    assert sums.discount == Decimal("0.10")


money = st.decimals(min_value=0, max_value=10**6, places=2)
lines = st.lists(
    st.builds(
        lambda quantity, price, discount, tax: line(str(quantity), str(price), str(discount), str(tax)),
        st.decimals(min_value=Decimal("0.01"), max_value=1000, places=2),
        money,
        st.decimals(min_value=0, max_value=100, places=2),
        st.sampled_from([0, 10, 20, 22]),
    ),
    max_size=12,
)


@settings(max_examples=60, deadline=None)
@given(lines, st.sampled_from(["rate", "line"]))
def test_totals_are_the_same_in_any_order_and_add_up(rows: list[QuoteLine], rounding: str) -> None:
    sums = pricing.add_up(rows, currency="USD", rounding=rounding)
    turned = pricing.add_up(list(reversed(rows)), currency="USD", rounding=rounding)

    assert sums == turned
    assert sums.net == sum((one.net_amount for one in rows if one.net_amount is not None), Decimal(0))
    assert sums.gross == sums.net + sums.tax
    assert sums.tax == sum((share.amount for share in sums.taxes), Decimal(0))
    assert all(amount == amount.quantize(CENT) for amount in (sums.net, sums.tax, sums.gross))


@pytest.mark.django_db
def test_page_list_and_snapshot_show_one_stored_total() -> None:
    quote = makers.make_quote()
    makers.make_line(quote, description="fraction", quantity=Decimal("2.33"), price=Decimal("24.99"))
    from quotes.services.preparing import refresh_totals

    refresh_totals(quote)
    quote.refresh_from_db()

    frozen = snapshot.freeze(quote)["totals"]
    assert frozen["net"] == str(quote.net_total) == str(pricing.totals(quote).net)


@pytest.mark.django_db
def test_a_margin_under_the_floor_blocks() -> None:
    from quotes import guards

    quote = makers.make_quote(settled=True)
    quote.lines.filter(kind="gpu").update(unit_cost=Decimal("30000"))
    quote.issuer.margin_floor_percent = Decimal(10)

    assert pricing.margin_percent(quote) == Decimal("3.2")
    assert [guard.code for guard in guards.blocking(quote)] == ["margin"]
