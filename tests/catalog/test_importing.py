"""Price lists: read as people write them, compared first, loaded all or nothing."""

import datetime
import io
from decimal import Decimal
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from catalog import importing, price_loading, services, starter, tables
from catalog.models import ExchangeRate, Offer, Part, Price

HEAD = "article;name;price;currency;condition;warranty;valid until\n"
MODULE = "ddr5-rdimm-64;RDIMM 64 GB;1 990,50;USD;new;36;31.12.2030\n"


def read(text: str, **asked: Any) -> importing.Plan:
    rows = tables.read(text.encode(), "list.csv")
    return importing.plan(rows, **{"supplier": "distributor A", **asked})


@pytest.mark.parametrize(
    ("written", "amount"),
    [
        ("1950", "1950"),
        ("1950.5", "1950.5"),
        ("1950,5", "1950.5"),
        ("1 950,50", "1950.50"),
        ("1\u00a0950,50", "1950.50"),
        ("1\u202f950,50", "1950.50"),
        ("1,950.50", "1950.50"),
        ("1.950,50", "1950.50"),
        ("12,345,678.90", "12345678.90"),
        ("12.345.678,90", "12345678.90"),
        ("$1,950.00", "1950.00"),
        ("1950,00 руб.", "1950.00"),
        (1950.5, "1950.5"),
        (1950, "1950"),
        ("−27000", "-27000"),
    ],
)
def test_prices_are_read_as_people_write_them(written: Any, amount: str) -> None:
    assert tables.amount(written) == Decimal(amount)


@pytest.mark.parametrize("written", ["1,950", "1.950", "по запросу", "", "1950 USD", "1-2", "٣"])
def test_what_is_no_number_or_two_is_refused(written: str) -> None:
    with pytest.raises(tables.Unreadable):
        tables.amount(written)


def test_the_other_rows_say_what_a_doubtful_number_is() -> None:
    mark = tables.usual_mark(["1,950", "12,50", "7"])

    assert tables.amount("1,950", mark) == Decimal("1.950")


@pytest.mark.parametrize("written", ["2026-12-31", "31.12.2026", datetime.datetime(2026, 12, 31, 10)])  # noqa: DTZ001
def test_days_are_read(written: Any) -> None:
    assert tables.day(written) == datetime.date(2026, 12, 31)


def test_a_day_that_does_not_exist_is_refused() -> None:
    with pytest.raises(tables.Unreadable, match="no such day"):
        tables.day("31.11.2026")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1251", "utf-16"])
def test_files_are_read_in_their_encodings(encoding: str) -> None:
    rows = tables.read("Артикул;Цена\nСервер;10\n".encode(encoding), "прайс.CSV")

    assert rows == [tables.Row(2, {"артикул": "Сервер", "цена": "10"})]


def test_line_numbers_are_those_of_the_file() -> None:
    rows = tables.read(b'article,price\n"two\nlines",1\n\nb,2\n', "l.csv")

    assert [row.line for row in rows] == [2, 5]


def test_workbooks_are_read() -> None:
    book = openpyxl.Workbook()
    book.active.append(["Article", "Price", "Valid until"])
    book.active.append(["h200-nvl", 31200.5, datetime.date(2030, 1, 1)])
    content = io.BytesIO()
    book.save(content)

    rows = tables.read(content.getvalue(), "list.xlsx")

    assert rows[0].line == 2
    assert rows[0].values["price"] == 31200.5


def test_yaml_is_read() -> None:
    rows = tables.read(b"- {article: a, price: 10}\n\n# ours\n- article: b\n  price: 1.5\n", "l.yaml")

    assert rows == [
        tables.Row(1, {"article": "a", "price": 10}),
        tables.Row(4, {"article": "b", "price": 1.5}),
    ]


def test_yaml_that_doubles_itself_is_answered() -> None:
    doubling = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40))
    rows = tables.read(b"- {article: h200-nvl, price: 1}\n- {x: &x [1], article: *x, price: {*x : 1}}\n", "l.yaml")

    assert [row.values.get("article") for row in rows] == ["h200-nvl", None]
    with pytest.raises(tables.Unreadable):
        tables.read(doubling.encode(), "l.yaml")


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"", "l.csv"),
        (b"article;price\n", "l.csv"),
        (b"PK not a workbook", "l.xlsx"),
        (b"a: [", "l.yaml"),
        (b"a: 1", "l.yaml"),
        (b"\x00\x01\x02;\x00\n1;2", "l.csv"),
        (b"x", "list.exe"),
    ],
)
def test_files_that_are_no_lists_are_answered(content: bytes, name: str) -> None:
    with pytest.raises(tables.Unreadable):
        tables.read(content, name)


def test_a_list_is_compared_without_writing(catalog: starter.Report) -> None:
    before = Price.objects.count()

    plan = read(HEAD + MODULE + "another thing;cable;5;USD;new;;\n")

    assert [row.price for row in plan.new] == [Decimal("1990.50")]
    assert plan.foreign == [(3, "another thing")]
    assert plan.faults == []
    assert Price.objects.count() == before


def test_faults_name_line_column_and_value(catalog: starter.Report) -> None:
    plan = read(HEAD + "h200-nvl;H200 NVL;по запросу;USD;new;;\nl40s;L40S;-5;XYZ;mint;;31.11.2026\n")

    found = {(fault.lines[0], fault.column): fault.value for fault in plan.faults}
    assert found[2, "price"] == "по запросу"
    assert found[3, "price"] == "-5"
    assert found[3, "currency"] == "XYZ"
    assert found[3, "condition"] == "mint"
    assert found[3, "valid_to"] == "31.11.2026"


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("price", "0,004"),
        ("price", "1" + "0" * 13),
        ("price", "-5"),
        ("tax rate", "150"),
        ("tax rate", "-1"),
        ("warranty", "40000"),
        ("lead time", "99999"),
        ("valid until", "31.11.2026"),
    ],
)
def test_values_that_no_column_holds_are_faults(column: str, value: str, catalog: starter.Report) -> None:
    row = {"article": "ddr5-rdimm-64", "price": "10", "currency": "USD", column: value}

    plan = importing.plan([tables.Row(2, row)], supplier="distributor A", decimal=",")

    assert [fault.value for fault in plan.faults] == [value]


def test_another_tax_rate_alone_is_a_change(catalog: starter.Report, administrator: User) -> None:
    head = "article;price;currency;tax;tax rate\n"
    price_loading.load(read(f"{head}ddr5-rdimm-64;10;USD;yes;20"), actor=administrator, file_name="a.csv")

    plan = read(f"{head}ddr5-rdimm-64;10;USD;yes;22")

    assert [change.row.tax_rate for change in plan.changed] == [Decimal("22.00")]


def test_a_currency_is_never_guessed(catalog: starter.Report) -> None:
    plan = read(HEAD + "h200-nvl;H200 NVL;31200;;new;;\n")

    assert "currency" in plan.faults[0].message


def test_two_prices_of_one_thing_are_a_fault(catalog: starter.Report) -> None:
    plan = read(HEAD + "SYS-521GE-TNRT;;27000;USD;new;;\nSYS-521GE-TNRT;;28400;USD;new;;\n")

    assert plan.faults[0].lines == (2, 3)


def test_two_conditions_are_two_offers(catalog: starter.Report) -> None:
    plan = read(HEAD + "SYS-521GE-TNRT;;27000;USD;new;;\nSYS-521GE-TNRT;;18400;USD;refurbished;;\n")

    assert len(plan.new) == 2


def test_a_loaded_price_is_unconfirmed_and_has_its_list_as_source(catalog: starter.Report, administrator: User) -> None:
    price_loading.load(read(HEAD + MODULE), actor=administrator, file_name="list.csv")

    price = Price.objects.get(offer__supplier="distributor A")
    assert (price.standing, price.valid_to) == ("unconfirmed", datetime.date(2030, 12, 31))
    assert "list.csv" in price.sources.get().title
    assert price.offer.warranty_months == 36
    assert price.history.get().history_user == administrator


def test_a_new_price_replaces_the_former_and_keeps_it(catalog: starter.Report, administrator: User) -> None:
    price_loading.load(read(HEAD + MODULE), actor=administrator, file_name="a.csv")
    services.confirm(Price.objects.filter(offer__supplier="distributor A"), actor=administrator, evidence="a.csv")

    plan = read(HEAD + MODULE.replace("1 990,50", "2 050,50"))
    price_loading.load(plan, actor=administrator, file_name="b.csv")

    former, current = Price.objects.filter(offer__supplier="distributor A").order_by("pk")
    assert former.superseded_on is not None
    assert former.is_confirmed
    assert (current.amount_high, current.standing) == (Decimal("2050.50"), "unconfirmed")


def test_the_same_list_again_changes_nothing(catalog: starter.Report, administrator: User) -> None:
    price_loading.load(read(HEAD + MODULE), actor=administrator, file_name="a.csv")

    plan = read(HEAD + MODULE)

    assert (len(plan.unchanged), plan.changed, plan.new) == (1, [], [])
    assert price_loading.load(plan, actor=administrator, file_name="a.csv") == 0


def test_changed_terms_take_the_confirmation_of_an_offer_back(catalog: starter.Report, administrator: User) -> None:
    price_loading.load(read(HEAD + MODULE), actor=administrator, file_name="a.csv")
    services.confirm(Offer.objects.filter(supplier="distributor A"), actor=administrator, evidence="mail")

    price_loading.load(read(HEAD + MODULE.replace(";36;", ";12;")), actor=administrator, file_name="b.csv")

    offer = Offer.objects.get(supplier="distributor A")
    assert (offer.warranty_months, offer.state) == (12, "unconfirmed")


def test_a_list_with_one_fault_is_not_loaded(catalog: starter.Report, administrator: User) -> None:
    plan = read(HEAD + MODULE + "h200-nvl;H200 NVL;?;USD;new;;\n")

    with pytest.raises(ValidationError, match="Nothing was loaded"):
        price_loading.load(plan, actor=administrator, file_name="a.csv")
    assert not Price.objects.filter(offer__supplier="distributor A").exists()


def test_a_large_shift_is_loaded_only_when_somebody_looked(catalog: starter.Report, administrator: User) -> None:
    price_loading.load(read(HEAD + MODULE), actor=administrator, file_name="a.csv")
    plan = read(HEAD + MODULE.replace("1 990,50", "3 990,50"))

    with pytest.raises(ValidationError, match="line 2"):
        price_loading.load(plan, actor=administrator, file_name="b.csv")

    assert price_loading.load(plan, actor=administrator, file_name="b.csv", looked_at=[2]) == 1


def test_queries_do_not_grow_with_the_list(catalog: starter.Report, administrator: User) -> None:
    def queries(rows: int) -> int:
        parts = ["h200-nvl", "l40s", "h100-nvl", "ddr5-rdimm-64", "b200-sxm"][:rows]
        text = HEAD + "".join(f"{part};;1000;USD;new;;\n" for part in parts) + "other;;1;USD;;;\n" * rows
        with CaptureQueriesContext(connection) as captured:
            price_loading.load(read(text, supplier=f"s{rows}"), actor=administrator, file_name="l.csv")
        return len(captured)

    assert queries(5) == queries(2)


def test_a_list_goes_through_the_pages(keeper: Client, catalog: starter.Report) -> None:
    file = SimpleUploadedFile("list.csv", (HEAD + MODULE).encode("cp1251"))
    preview = keeper.post(reverse("catalog:price_list"), {"supplier": "distributor A", "file": file})
    assert not Price.objects.filter(offer__supplier="distributor A").exists()

    done = keeper.post(reverse("catalog:import_price_list"), {"token": preview.context["token"]})

    assert done.status_code == 302
    assert Price.objects.get(offer__supplier="distributor A").amount_high == Decimal("1990.50")
    again = keeper.post(reverse("catalog:import_price_list"), {"token": preview.context["token"]})
    assert again.url == reverse("catalog:price_list")


def test_the_preview_says_how_the_tax_was_read(keeper: Client, catalog: starter.Report) -> None:
    file = SimpleUploadedFile("list.csv", "article;price;currency;с НДС\nddr5-rdimm-64;1990;USD;20%\n".encode())

    page = keeper.post(reverse("catalog:price_list"), {"supplier": "distributor A", "file": file})

    assert "with tax, 20 %" in page.content.decode()


def test_a_forged_preview_is_refused(keeper: Client, catalog: starter.Report) -> None:
    answer = keeper.post(reverse("catalog:import_price_list"), {"token": "forged"})

    assert answer.url == reverse("catalog:price_list")


@pytest.mark.parametrize(
    ("heading", "given", "includes", "rate"),
    [
        ("НДС", "20", None, "20"),
        ("НДС", "20 %", None, "20"),
        ("НДС", "20,5%", None, "20.5"),
        ("НДС", "0%", None, "0"),
        ("НДС", "да", True, None),
        ("НДС", "no", False, None),
        ("НДС", "", None, None),
        ("НДС", "в т.ч. 20%", True, "20"),
        ("НДС", "НДС 22%", None, "22"),
        ("НДС", "20% (в т.ч.)", True, "20"),
        ("НДС", "Без НДС", False, None),
        ("с НДС", "1", True, None),
        ("с НДС", "нет", False, None),
        ("с НДС", "20%", True, "20"),
        ("includes tax", "no", False, None),
        ("tax rate", "20", None, "20"),
        ("ставка НДС", "0", None, "0"),
        ("ставка НДС", "20%", None, "20"),
    ],
)
def test_a_column_of_the_tax_holds_a_word_or_the_rate(
    heading: str, given: str, includes: bool | None, rate: str | None, catalog: starter.Report
) -> None:
    plan = read(f"article;price;currency;{heading}\nddr5-rdimm-64;1990;USD;{given}\n")

    assert plan.faults == []
    assert (plan.new[0].includes_tax, plan.new[0].tax_rate) == (includes, Decimal(rate) if rate else None)


@pytest.mark.parametrize(
    ("heading", "price", "given", "reason"),
    [
        ("с НДС", "1990", "20", "the rate, or a price with tax"),
        ("с НДС", "1990", "2388", "from 0 to 100"),
        ("НДС", "100", "20", "the rate or the amount"),
        ("НДС", "60", "10", "the rate or the amount"),
        ("НДС", "1990", "0,2", "a share or a percentage"),
        ("ставка НДС", "1990", "0.2", "a share or a percentage"),
        ("НДС", "1990", "0", "a rate, or yes or no"),
        ("НДС", "1990", "1", "a rate, or yes or no"),
        ("НДС", "1990", "maybe", "write yes or no"),
        ("ставка НДС", "1990", "да", "write yes or no"),
        ("НДС", "1990", "20% 22%", "write yes or no"),
        ("НДС", "1990", "120%", "from 0 to 100"),
    ],
)
def test_a_tax_that_could_be_two_things_is_a_fault_of_its_line(
    heading: str, price: str, given: str, reason: str, catalog: starter.Report
) -> None:
    plan = read(f"article;price;currency;{heading}\n\nddr5-rdimm-64;{price};USD;{given}\n")

    assert [fault.lines for fault in plan.faults] == [(3,)]
    assert reason in plan.faults[0].message
    assert plan.new == []


@pytest.mark.parametrize(
    ("headings", "cells", "includes", "rate"),
    [
        ("price;с НДС;НДС", "1990;да;20%", True, "20"),
        ("price;НДС;ставка НДС", "1990;без НДС;22", False, "22"),
        ("Цена с НДС", "1990", True, None),
        ("Цена без НДС;НДС", "1990;20%", False, "20"),
        ("price incl. VAT;VAT", "1990;20", True, "20"),
    ],
)
def test_columns_of_the_tax_add_up(
    headings: str, cells: str, includes: bool, rate: str | None, catalog: starter.Report
) -> None:
    plan = read(f"article;currency;{headings}\nddr5-rdimm-64;USD;{cells}\n")

    assert plan.faults == []
    assert (plan.new[0].includes_tax, plan.new[0].tax_rate) == (includes, Decimal(rate) if rate else None)


@pytest.mark.parametrize(
    ("headings", "cells"),
    [
        ("price;с НДС;НДС", "1990;да;без НДС"),
        ("price;НДС;ставка НДС", "1990;20%;22"),
        ("Цена с НДС;НДС", "1990;без НДС"),
    ],
)
def test_columns_of_the_tax_that_contradict_each_other_are_a_fault(
    headings: str, cells: str, catalog: starter.Report
) -> None:
    plan = read(f"article;currency;{headings}\nddr5-rdimm-64;USD;{cells}\n")

    assert [fault.lines for fault in plan.faults] == [(2,)]
    assert "different things" in plan.faults[0].message


def test_a_percentage_of_a_workbook_is_read_as_the_sheet_shows_it(catalog: starter.Report) -> None:
    book = openpyxl.Workbook()
    book.active.append(["article", "price", "currency", "НДС"])
    book.active.append(["ddr5-rdimm-64", 1990, "USD", 0.2])
    book.active["D2"].number_format = "0%"
    content = io.BytesIO()
    book.save(content)

    plan = importing.plan(tables.read(content.getvalue(), "list.xlsx"), supplier="distributor A")

    assert (plan.faults, plan.new[0].tax_rate) == ([], Decimal(20))


def test_a_rate_above_all_is_a_fault(catalog: starter.Report) -> None:
    assert [fault.column for fault in read("article;price;currency;tax\nddr5-rdimm-64;1;USD;200 %\n").faults] == ["tax"]


@pytest.mark.parametrize(
    "text",
    [
        "!!python/object/apply:os.system [echo]",
        "- !!python/object/apply:os.system [echo]",
        "- article: !!python/name:os.system x",
        "- !row {article: a}",
    ],
)
def test_yaml_with_objects_of_a_program_is_not_plain_yaml(text: str) -> None:
    with pytest.raises(tables.Unreadable, match="not plain YAML"):
        tables.read(text.encode(), "list.yaml")


def test_the_preview_is_russian_and_says_once_what_to_look_at(keeper: Client, catalog: starter.Report) -> None:
    russian = {"accept-language": "ru"}
    load = reverse("catalog:import_price_list")

    def look(price: str) -> Any:
        file = SimpleUploadedFile("list.csv", f"article;price;currency\nh200-nvl;{price};USD\n".encode())
        return keeper.post(reverse("catalog:price_list"), {"supplier": "A", "file": file}, headers=russian)

    first = look("30000")
    assert "unknown" not in first.content.decode()
    keeper.post(load, {"token": first.context["token"]})
    refused = keeper.post(load, {"token": look("90000").context["token"]}, headers=russian)

    assert refused.status_code == 409
    assert refused.content.decode().count(refused.context["refused"][0]) == 1
    fault = look("abc").content.decode()
    assert ">Цена</td>" in fault
    assert ">price</td>" not in fault


@pytest.mark.parametrize(
    ("row", "column"),
    [
        ({"valid until": "31.12.2020"}, "valid_to"),
        ({"price": "999999999999.999"}, "price"),
        ({"name": "a\x00b"}, "article"),
        ({"price": "=B2*1.2"}, "price"),
        ({"currency": "EUR", "price": "100 $"}, "currency"),
    ],
)
def test_what_the_database_would_refuse_is_a_fault_of_its_line(
    row: dict[str, str], column: str, catalog: starter.Report
) -> None:
    values = {"article": "ddr5-rdimm-64", "price": "10", "currency": "USD", **row}

    plan = importing.plan([tables.Row(7, values)], supplier="distributor A", decimal=".")

    assert [(fault.lines, fault.column) for fault in plan.faults] == [((7,), column)]


@pytest.mark.parametrize(
    ("heading", "price", "currency", "includes"),
    [
        ("Цена, ₽", "1 000,50", "RUB", None),
        ("Цена, руб.", "1 000,50", "RUB", None),
        ("Цена (руб. с НДС)", "1 000,50", "RUB", True),
        ("Price USD", "1 000,50", "USD", None),
        ("Цена", "1 000,50 ₽", "RUB", None),
        ("Цена", "$1 000,50", "USD", None),
        ("Цена", "1 000,50 EUR", "EUR", None),
        ("Цена", "1 000,50 руб.", "RUB", None),
    ],
)
def test_the_currency_is_read_from_heading_and_cell(
    heading: str, price: str, currency: str, includes: bool | None, catalog: starter.Report
) -> None:
    plan = read(f"Артикул;{heading}\nddr5-rdimm-64;{price}\n", currency="CNY")

    assert plan.faults == []
    assert (plan.new[0].price, plan.new[0].currency, plan.new[0].includes_tax) == (
        Decimal("1000.50"),
        currency,
        includes,
    )


@pytest.mark.parametrize("headings", ["Артикул;Сумма за всё", "Позиция;Цена"])
def test_a_list_without_prices_or_articles_offers_no_load(
    headings: str, keeper: Client, catalog: starter.Report
) -> None:
    file = SimpleUploadedFile("list.csv", f"{headings}\nh200-nvl;1\n".encode())

    page = keeper.post(reverse("catalog:price_list"), {"supplier": "A", "currency": "USD", "file": file})

    assert page.status_code == 422
    assert headings.split(";")[0].casefold() in page.content.decode()


def test_every_row_is_in_some_count(catalog: starter.Report) -> None:
    row = "ddr5-rdimm-64;10;USD\n"

    plan = read("article;price;currency\n" + row + row + "h200-nvl;;USD\nother;1;USD\nl40s;x;USD\n")

    counts = [plan.new, plan.repeated, plan.unpriced, plan.foreign, plan.faults]
    assert [len(rows) for rows in counts] == [1, 1, 1, 1, 1]


def test_a_formula_without_its_value_is_a_fault(catalog: starter.Report) -> None:
    book = openpyxl.Workbook()
    book.active.append(["article", "price", "currency"])
    book.active.append(["ddr5-rdimm-64", "=100*1.2", "USD"])
    content = io.BytesIO()
    book.save(content)

    plan = importing.plan(tables.read(content.getvalue(), "list.xlsx"), supplier="distributor A")

    assert [(fault.lines, fault.value) for fault in plan.faults] == [((2,), "=100*1.2")]


def test_more_large_shifts_than_ticks_are_looked_at_together(
    keeper: Client, catalog: starter.Report, administrator: User
) -> None:
    slugs = [f"module-{number}" for number in range(501)]
    Part.objects.bulk_create([Part(slug=slug, kind="memory", vendor="V", name=slug) for slug in slugs])

    def text(price: int) -> str:
        return "article;price;currency\n" + "".join(f"{slug};{price};USD\n" for slug in slugs)

    price_loading.load(read(text(100)), actor=administrator, file_name="a.csv")
    file = SimpleUploadedFile("list.csv", text(200).encode())
    page = keeper.post(reverse("catalog:price_list"), {"supplier": "distributor A", "file": file})
    token, load = page.context["token"], reverse("catalog:import_price_list")

    refused = keeper.post(load, {"token": token})
    done = keeper.post(load, {"token": token, "looked_at_all": "501"})

    assert "Rises: 501, the largest 100 %" in page.content.decode()
    assert (refused.status_code, done.status_code) == (409, 302)
    assert Price.objects.filter(offer__supplier="distributor A").current().count() == 501


def test_a_rate_of_a_currency_in_itself_is_refused_in_words(db: None) -> None:
    rate = ExchangeRate(base="USD", quote="USD", rate=1, on=datetime.date(2026, 1, 1), source="bank")

    with pytest.raises(ValidationError) as refused:
        rate.full_clean()

    assert refused.value.message_dict == {"quote": ["A rate is between two currencies. Choose another one here."]}
