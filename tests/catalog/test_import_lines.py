"""Imports in the admin: the line of the file that a message names, and numbers that no column holds."""

import re
from typing import Any

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from catalog import starter
from catalog.formats import Csv, Xlsx, Yaml
from catalog.models import Cpu
from catalog.resources import resource_for


def workbook(*rows: list[Any]) -> bytes:
    import io

    book = openpyxl.Workbook()
    for number, row in enumerate(rows, start=1):
        for column, value in enumerate(row, start=1):
            book.active.cell(number, column, value)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


GOOD, BAD = "xeon-platinum-8558", "xeon-platinum-8558p"
FILES = {
    "csv": (Csv, f"slug,tdp_w\n\n{GOOD},330\n\n\n{BAD},many\n".encode(), 6),
    "csv with a long cell": (Csv, f'slug,tdp_w,notes\n{GOOD},330,"a\nb"\n\n{BAD},many,x\n'.encode(), 5),
    "xlsx": (Xlsx, workbook(["slug", "tdp_w"], [], [GOOD, 330], [], [BAD, "many"]), 5),
    "yaml": (Yaml, f"- slug: {GOOD}\n  tdp_w: 330\n\n- slug: {BAD}\n  tdp_w: many\n".encode(), 4),
}


@pytest.mark.parametrize(("kind", "content", "line"), FILES.values(), ids=FILES.keys())
def test_a_message_names_the_line_of_the_file(
    kind: Any, content: bytes, line: int, catalog: starter.Report, administrator: Any
) -> None:
    result = resource_for(Cpu)().import_data(kind().create_dataset(content), dry_run=True, user=administrator)

    found = [number for number, _errors in result.row_errors()] + [row.number for row in result.invalid_rows]
    assert found == [line]


def test_the_page_says_the_line(keeper: Client, catalog: starter.Report) -> None:
    file = SimpleUploadedFile("cpus.csv", FILES["csv"][1], content_type="text/csv")
    page = keeper.get(reverse("admin:catalog_cpu_import"))
    csv = next(value for value, label in page.context["form"].fields["format"].choices if label == "csv")

    preview = keeper.post(reverse("admin:catalog_cpu_import"), {"import_file": file, "format": csv, "resource": 0})

    assert re.findall(r"<td>(\d+) </td>\s*<td class=\"errors\">", preview.content.decode()) == ["6"]


@pytest.mark.parametrize("value", ["1" + "0" * 30, "9" * 400, "-1"])
@pytest.mark.parametrize("column", ["tdp_w", "cores"])
def test_a_number_that_no_column_holds_is_refused_in_words(
    column: str, value: str, catalog: starter.Report, administrator: Any
) -> None:
    data = Csv().create_dataset(f"slug,{column}\n{GOOD},{value}\n".encode())

    result = resource_for(Cpu)().import_data(data, dry_run=True, user=administrator)

    assert result.base_errors == []
    assert [number for number, _errors in result.row_errors()] + [row.number for row in result.invalid_rows] == [2]
