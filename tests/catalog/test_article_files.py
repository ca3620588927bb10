"""Articles from a file or many pasted lines: read into a table, kept or checked, hostile ones answered."""

from __future__ import annotations

import io
from typing import Any

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from catalog import starter
from catalog.models import Sku

ONE = "SYS-821GE-TNHR-8xH100-2x8480+-32x64GB"
TWO = "AS-8125GS-TNHR 8xH200 2x9654"
SPECIFICATION = "Server SYS-821GE-TNHR\n8x H200 SXM\n2x Xeon Platinum 8558\n16x 64GB DDR5-5600\n4x 7.68TB NVMe\n"


def sent(client: Client, content: bytes | str, name: str = "articles.txt", **asked: str) -> Any:
    file = SimpleUploadedFile(name, content.encode() if isinstance(content, str) else content)
    return client.post(reverse("catalog:article"), {"file": file, **asked})


def workbook(*rows: list[Any]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


LISTS = {
    "a text": ("a.txt", f"{ONE}\n\n{TWO}\n".encode()),
    "a text with a mark": ("a.txt", f"\ufeff{ONE}\r\n\r\n{TWO}".encode()),
    "a text of Windows": ("a.TXT", f"{ONE}\n\n{TWO}\nкабель".encode("cp1251")),
    "a table with headings": ("a.csv", f"Цена;Артикул\n;\n1;{ONE}\n2;{TWO}\n".encode("cp1251")),
    "a table without headings": ("a.csv", f"{ONE}\n\n{TWO}\n".encode()),
    "a workbook": ("a.xlsx", workbook(["№", "Article"], [1, ONE], [2, TWO])),
}


@pytest.mark.parametrize(("name", "content"), LISTS.values(), ids=LISTS.keys())
def test_a_file_of_articles_is_read_into_a_table(
    name: str, content: bytes, client: Client, catalog: starter.Report
) -> None:
    rows = sent(client, content, name).context["rows"]

    assert [row.article for row in rows][:2] == [ONE, TWO]
    assert {part.title for part in rows[0].parts} >= {"Supermicro SYS-821GE-TNHR", "NVIDIA H100 SXM5 80GB"}
    assert "Drives" in {str(asked.label) for asked in rows[0].asked}


def test_line_numbers_are_those_of_the_file(client: Client, catalog: starter.Report) -> None:
    assert [row.line for row in sent(client, f"\n{ONE}\n\n{TWO}").context["rows"]] == [2, 4]


def test_pasted_lines_are_read_into_a_table_too(client: Client, catalog: starter.Report) -> None:
    page = client.post(reverse("catalog:article"), {"article": f"{ONE}\n{TWO}"})

    assert [row.article for row in page.context["rows"]] == [ONE, TWO]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("spec.txt", SPECIFICATION.encode()),
        (
            "spec.csv",
            "Компонент;Кол-во\nSYS-821GE-TNHR;1\nH200 SXM;8\nXeon Platinum 8558;2\nDDR5-5600 64GB;16\n".encode(),
        ),
        (
            "spec.xlsx",
            workbook(
                ["Item", "Qty"], ["SYS-821GE-TNHR", 1], ["H200 SXM", 8.0], ["Xeon Platinum 8558", 2], ["64GB", 16]
            ),
        ),
    ],
)
def test_a_specification_is_read_as_one_server(
    name: str, content: bytes, client: Client, catalog: starter.Report
) -> None:
    lines = {line.kind: line for line in sent(client, content, name).context["lines"]}

    assert lines["platform"].title == "Supermicro SYS-821GE-TNHR"
    assert (lines["gpu"].title, lines["gpu"].quantity) == ("NVIDIA H200 SXM 141GB", 8)
    assert (lines["cpu"].quantity, lines["memory"].quantity) == (2, 16)


def test_how_lines_belong_together_can_be_said(client: Client, catalog: starter.Report) -> None:
    assert len(sent(client, SPECIFICATION, layout="list").context["rows"]) == 5
    assert "lines" in sent(client, f"{ONE}\n{TWO}", layout="one").context


def test_what_was_not_understood_gets_a_proposal(client: Client, catalog: starter.Report) -> None:
    rows = sent(client, f"SYS-821GE-TNHR 8xH2OO 2x8558\n{TWO} кабель").context["rows"]

    assert [(proposal.text, proposal.meant) for proposal in rows[0].proposals] == [("8xH2OO", "H200")]
    assert rows[1].unread == ["кабель"]
    assert rows[1].proposals == []


def test_each_article_is_checked_against_the_job(client: Client, catalog: starter.Report) -> None:
    rows = sent(client, f"{ONE}\n{TWO}", method="qlora", model="llama-3.1-8b").context["rows"]

    assert [row.verdict["word"] for row in rows] == ["fits", "fits"]
    alone = client.get(rows[0].address).context
    assert alone["verdict"]["word"] == "fits"
    assert alone["article"] == ONE


def test_a_pasted_article_gets_an_address_of_its_own(client: Client, catalog: starter.Report) -> None:
    answer = client.post(reverse("catalog:article"), {"article": ONE, "method": "qlora", "model": "llama-3.1-8b"})

    assert answer.status_code == 302
    assert client.get(answer["Location"]).context["verdict"]["word"] == "fits"


def test_the_ticked_ones_are_kept_unconfirmed(keeper: Client, catalog: starter.Report) -> None:
    rows = sent(keeper, f"{ONE}\n{TWO}\nкабель и стойка").context["rows"]
    assert [row.may_be_kept for row in rows] == [True, True, False]

    keeper.post(reverse("catalog:keep_article"), {"article": [row.article for row in rows[:2]]})

    kept = Sku.objects.filter(article__in=[ONE, TWO])
    assert kept.count() == 2
    assert {line.state for sku in kept for line in sku.lines.all()} == {"unconfirmed"}
    assert [row.is_kept for row in sent(keeper, f"{ONE.lower()}\n{TWO}").context["rows"]] == [True, True]


def test_one_that_is_there_does_not_hold_up_the_others(keeper: Client, catalog: starter.Report) -> None:
    there = "SYS-821GE-TNHR-8xH200-2x8558-16x64GB"

    answer = keeper.post(reverse("catalog:keep_article"), {"article": [there, ONE, TWO]}, follow=True)

    assert Sku.objects.filter(article__in=[ONE, TWO]).count() == 2
    assert "already" in answer.content.decode()


def test_a_specification_is_kept_under_a_name(keeper: Client, catalog: starter.Report) -> None:
    text = SPECIFICATION + "with rails and cables\n" * 20
    page = sent(keeper, text, layout="one")

    keeper.post(reverse("catalog:keep_article"), {"article": page.context["specification"], "name": "OUR-8xH200"})

    sku = Sku.objects.get(article="OUR-8xH200")
    assert "Server SYS-821GE-TNHR\n8x H200 SXM" in sku.notes
    assert sku.lines.get(kind="gpu").quantity == 8


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"article": ""},
        {"article": "\x00"},
        {"article": "\u202e"},
        {"article": "x" * 4001},
        {"article": ["8xH200"] * 101},
        {"article": ["a", "b"], "name": "one"},
        {"article": ONE, "name": "x" * 301},
    ],
)
def test_what_was_never_read_is_not_kept(given: dict[str, Any], keeper: Client, catalog: starter.Report) -> None:
    before = Sku.objects.count()

    assert keeper.post(reverse("catalog:keep_article"), given, follow=True).status_code == 200
    assert Sku.objects.count() == before


HOSTILE: dict[str, tuple[str, bytes]] = {
    "nothing": ("a.txt", b""),
    "spaces": ("a.txt", b" \n\t\r\n"),
    "a page": ("a.html", b"<script>alert(1)</script>"),
    "no ending": ("article", b"8xH200"),
    "zeros": ("a.txt", b"\x00" * 1000),
    "zeros in a table": ("a.csv", b"a;b\n\x00;1"),
    "no workbook": ("a.xlsx", b"PK\x03\x04 not a workbook"),
    "a line of ten megabytes": ("a.txt", b"8xH200 " * 1_400_000),
    "a file of eleven megabytes": ("a.txt", b"8xH200 " * 1_700_000),
    "101 articles": ("a.txt", b"SYS-821GE-TNHR 8xH200\n" * 101),
    "too much to read": ("a.txt", (b"8x" * 480 + b"\n") * 50),
    "a cell of a megabyte": ("a.csv", b"article\n" + b"x" * 2**20),
}


@pytest.mark.parametrize(("name", "content"), HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_file_is_refused_with_a_sentence(
    name: str, content: bytes, client: Client, catalog: starter.Report
) -> None:
    page = sent(client, content, name)

    assert page.status_code == 200
    assert page.context["form"].errors
    assert b"<script>alert" not in page.content


def test_signs_that_nobody_sees_are_left_out(client: Client, catalog: starter.Report) -> None:
    rows = sent(client, f"\u202e\ufeff{ONE}\x07\x1b[31m\n<b>{TWO}</b>\u2066").context["rows"]

    assert rows[0].article == f"{ONE} [31m"
    assert [part.title for part in rows[1].parts][:1] == ["Supermicro AS-8125GS-TNHR"]


def test_letters_that_look_alike_are_read(client: Client, catalog: starter.Report) -> None:
    rows = sent(client, f"SYS-821GЕ-ТNНR 8х Н200 2х8558\n{TWO}").context["rows"]

    assert {part.title for part in rows[0].parts} >= {"Supermicro SYS-821GE-TNHR", "NVIDIA H200 SXM 141GB"}


def test_a_long_line_of_a_list_is_named_and_the_others_are_read(client: Client, catalog: starter.Report) -> None:
    rows = sent(client, f"{ONE}\n{'x' * 1500}\n{TWO}").context["rows"]

    assert [bool(row.fault) for row in rows] == [False, True, False]


def test_a_sheet_that_claims_a_million_rows_is_read_at_once(client: Client, catalog: starter.Report) -> None:
    import zipfile

    given, changed = io.BytesIO(workbook([ONE], [TWO])), io.BytesIO()
    with zipfile.ZipFile(given) as old, zipfile.ZipFile(changed, "w") as new:
        for part in old.namelist():
            new.writestr(part, old.read(part).replace(b'ref="A1:A2"', b'ref="A1:XFD1048576"'))

    assert len(sent(client, changed.getvalue(), "a.xlsx").context["rows"]) == 2


def test_a_workbook_that_unpacks_to_too_much_is_refused(client: Client, catalog: starter.Report) -> None:
    import zipfile

    content = io.BytesIO(workbook([ONE]))
    with zipfile.ZipFile(content, "a", zipfile.ZIP_DEFLATED) as book:
        book.writestr("xl/more.xml", b"0" * 101_000_000)

    assert sent(client, content.getvalue(), "a.xlsx").context["form"].errors["file"]


def test_queries_do_not_grow_with_the_articles(client: Client, catalog: starter.Report) -> None:
    def count(times: int) -> int:
        text = "\n".join(f"{ONE}-{number}x3.84TB" for number in range(2, 2 + times))
        sent(client, text)
        with CaptureQueriesContext(connection) as queries:
            sent(client, text)
        return len(queries)

    assert count(20) == count(2)


@pytest.mark.usefixtures("still_clock")
def test_too_many_checks_are_told_when_to_come_back(client: Client, catalog: starter.Report) -> None:
    answers = [client.get(reverse("catalog:article")) for _try in range(61)]

    assert [answer.status_code for answer in answers] == [200] * 60 + [429]
    assert int(answers[-1].headers["Retry-After"]) <= 60


def test_a_pasted_table_counts_by_its_column(client: Client, catalog: starter.Report) -> None:
    table = "SYS-521GE-TNRT\t1\nNVIDIA H200 NVL\t8\nIntel Xeon Platinum 8558\t2\n64GB DDR5 RDIMM\t16"
    lines = {line.kind: line for line in sent(client, table).context["lines"]}

    assert (lines["gpu"].title, lines["gpu"].quantity) == ("NVIDIA H200 NVL 141GB", 8)
    assert (lines["cpu"].quantity, lines["memory"].quantity) == (2, 16)


@pytest.mark.parametrize("heading", ["", "Артикул\tКол-во\n"])
def test_a_column_of_quantities_is_no_part_of_an_article(heading: str, client: Client, catalog: starter.Report) -> None:
    rows = sent(client, f"{heading}{ONE}\t2\n{TWO}\t3 шт.").context["rows"]

    assert [row.article for row in rows] == [ONE, TWO]
    assert [row.line for row in rows] == ([2, 3] if heading else [1, 2])
