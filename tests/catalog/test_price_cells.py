"""What cells of a price list say beside their number: currencies of formats, quantities, and numbers too large."""

import datetime
import io
from decimal import Decimal
from typing import Any

import openpyxl
import pytest
from django.core.exceptions import ValidationError

from catalog import importing, starter, tables
from catalog.cell_formats import currency_of_format
from catalog.models import ExchangeRate

ARTICLE = "ddr5-rdimm-64"


def plan(*rows: list[Any], number_format: str = "General") -> importing.Plan:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for cell in (cell for row in book.active.iter_rows(min_row=2) for cell in row):
        if isinstance(cell.value, int | float):
            cell.number_format = number_format
    content = io.BytesIO()
    book.save(content)
    return importing.plan(tables.read(content.getvalue(), "list.xlsx"), supplier="distributor A")


@pytest.mark.parametrize(
    ("number_format", "word"),
    [
        ('#,##0.00 "₽"', "₽"),
        ("[$€-407] #,##0.00", "€"),
        ("#,##0.00\\ [$€-1]", "€"),
        ('_-* #,##0.00\\ "руб."_-;-* #,##0.00\\ "руб."_-', "руб."),
        ("[$USD] #,##0.00", "USD"),
        ("[$-419]#,##0.00\\ \\₽", "₽"),
        ("#,##0.00", ""),
        ("[$-409]d mmm yyyy", ""),
        ('#,##0 "шт"', ""),
        ('"$"#,##0.00" €"', ""),
    ],
)
def test_a_format_names_its_currency(number_format: str, word: str) -> None:
    assert currency_of_format(number_format) == word


@pytest.mark.parametrize(("number_format", "code"), [('#,##0.00 "₽"', "RUB"), ("[$€-407] #,##0.00", "EUR")])
def test_the_currency_of_the_format_is_the_prices(number_format: str, code: str, catalog: starter.Report) -> None:
    result = plan(["article", "price"], [ARTICLE, 1990.5], number_format=number_format)

    assert [(row.price, row.currency) for row in result.new] == [(Decimal("1990.50"), code)]


def test_a_format_that_contradicts_the_column_is_a_fault(catalog: starter.Report) -> None:
    result = plan(["article", "price", "currency"], [ARTICLE, 1990.5, "USD"], number_format='#,##0.00 "₽"')

    assert [fault.column for fault in result.faults] == ["currency"]


def test_a_format_that_each_country_shows_in_its_own_currency_names_none(catalog: starter.Report) -> None:
    result = plan(["article", "price"], [ARTICLE, 1990.5], number_format='"$"#,##0.00_);("$"#,##0.00)')

    assert result.new == []
    assert [fault.column for fault in result.faults] == ["currency"]


@pytest.mark.parametrize(
    ("headings", "cells"),
    [
        (["цена", "кол-во", "сумма"], [100, 8, 800]),
        (["цена", "кол-во"], [100, 8]),
        (["стоимость", "кол-во"], [100, 1]),
        (["unit price", "qty"], [100, "8 pcs"]),
        (["price", "qty"], [100, "in stock"]),
        (["price", "qty", "total"], [100, 0, 0]),
    ],
)
def test_a_price_of_one_piece_is_read_beside_its_quantity(
    headings: list[str], cells: list[Any], catalog: starter.Report
) -> None:
    result = plan(["article", "currency", *headings], [ARTICLE, "USD", *cells])

    assert [row.price for row in result.new] == [Decimal(100)]


@pytest.mark.parametrize(
    ("headings", "cells"),
    [
        (["стоимость", "кол-во"], [800, 8]),
        (["amount", "qty"], [800, 8]),
        (["price", "qty", "total"], [800, 8, 800]),
        (["price", "qty"], [100, 10**9]),
        (["price", "qty"], [100, -4]),
        (["price", "qty"], [100, 1.5]),
    ],
)
def test_a_price_that_could_be_of_all_pieces_is_a_fault(
    headings: list[str], cells: list[Any], catalog: starter.Report
) -> None:
    result = plan(["article", "currency", *headings], [ARTICLE, "USD", *cells])

    assert result.new == []
    assert [(fault.lines, fault.column) for fault in result.faults] == [((2,), "quantity")]


@pytest.mark.parametrize("price", [10**30, 1e30, "9" * 31, "1e30", -5, "inf"])
def test_a_price_that_nobody_asks_is_a_fault_of_its_line(price: Any, catalog: starter.Report) -> None:
    result = plan(["article", "price", "currency"], [], [ARTICLE, price, "USD"])

    assert [(fault.lines, fault.column) for fault in result.faults] == [((3,), "price")]


def rate(base: str, quote: str, value: str) -> ExchangeRate:
    made = ExchangeRate(base=base, quote=quote, rate=Decimal(value), on=datetime.date(2020, 1, 6), source="bank")
    made.full_clean()
    made.save()
    return made


@pytest.mark.parametrize("value", ["80.10", "0.0125", "1"])
def test_directions_of_a_day_that_contradict_each_other_are_refused(value: str, db: None) -> None:
    rate("GBP", "JPY", "0.0125" if value == "0.0125" else "50")

    with pytest.raises(ValidationError) as refused:
        rate("JPY", "GBP", value)

    assert "is entered already" in refused.value.message_dict["rate"][0]


def test_directions_of_a_day_that_agree_are_taken(db: None) -> None:
    rate("GBP", "JPY", "80")
    rate("JPY", "GBP", "0.0126")

    assert ExchangeRate.objects.filter(on=datetime.date(2020, 1, 6)).count() == 2
