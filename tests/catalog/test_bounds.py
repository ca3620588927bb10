"""Numbers that cannot be meant: refused in words by every form and every import of the admin, on both databases."""

from __future__ import annotations

from typing import Any

import pytest
import tablib
from django.apps import apps
from django.db import models
from django.forms.models import model_to_dict
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalog import starter
from catalog.models import ExchangeRate
from catalog.models.bounds import MOST_OF_ANYTHING, bounds_of, is_bounded
from catalog.resources import resource_for

TABLES = (
    "gpu", "platform", "cpu", "memorymodule", "drive", "nic", "switch", "accessory", "service", "gpusupport",
    "skuline", "offer", "price", "exchangerate", "languagemodel",
)  # fmt: skip
HOSTILE = ("-1", "1" + "0" * 20, "NaN", "1e400", "-1e400", "Infinity", "9" * 400, "٣٤e٩٩", "1_0e9_0")
READ_ONLY = {"languagemodel": {"parameters", "active_parameters", "context_length"}}


def numbers_of(table: str) -> list[str]:
    """Names of the columns of a table in which a person types a number."""
    fields: Any = apps.get_model("catalog", table)._meta.concrete_fields
    kinds = models.IntegerField | models.FloatField | models.DecimalField
    typed = [field for field in fields if isinstance(field, kinds) and field.editable and not field.primary_key]
    return [field.name for field in typed if not field.remote_field]


def impossible(names: list[str], value: str) -> list[str]:
    """The columns in which a value cannot be meant: a temperature may be below zero."""
    return [name for name in names if not (value == "-1" and name.endswith("_c"))]


def a_row(table: str) -> Any:
    row = apps.get_model("catalog", table)._default_manager.order_by("pk").first()
    if row is None:
        row = ExchangeRate.objects.create(base="USD", quote="RUB", rate=90, on=timezone.localdate(), source="bank")
    return row


def typed_into(client: Client, row: Any, **values: str) -> Any:
    """Open a row's page, change a field and save."""
    address = reverse(f"admin:catalog_{row._meta.model_name}_change", args=[row.pk])
    page = client.get(address)
    forms = [page.context["adminform"].form]
    for inline in page.context["inline_admin_formsets"]:
        forms += [inline.formset.management_form, *inline.formset.forms]
    fields = [form[name] for form in forms for name in form.fields]
    sent = {one.html_name: one.value() for one in fields}
    sent = {name: value for name, value in sent.items() if value is not None and value is not False and value != ""}
    return client.post(address, {**sent, **values})


@pytest.mark.parametrize("table", TABLES)
def test_a_form_answers_impossible_numbers_in_words(table: str, keeper: Client, catalog: starter.Report) -> None:
    row = a_row(table)
    before = model_to_dict(row)
    names = [name for name in numbers_of(table) if name not in READ_ONLY.get(table, ())]

    for value in HOSTILE:
        hit = impossible(names, value)
        answer = typed_into(keeper, row, **dict.fromkeys(hit, value)) if hit else None
        if answer is None:
            continue
        said = answer.context["adminform"].form.errors if answer.status_code == 200 else {}

        # What only the table itself refuses, e.g. a price below zero, is said above the form.
        assert said.keys() >= set(hit) or said.get("__all__"), value
        assert "onstraint" not in str(said), value
    assert model_to_dict(type(row)._default_manager.get(pk=row.pk)) == before
    assert typed_into(keeper, row, **dict.fromkeys(names, "0")).status_code in (200, 302)


@pytest.mark.parametrize("table", TABLES)
def test_an_import_answers_impossible_numbers_in_words(table: str, catalog: starter.Report) -> None:
    row = a_row(table)
    before = model_to_dict(row)
    resource = resource_for(type(row))()
    whole = resource.export(type(row)._default_manager.filter(pk=row.pk))

    for value in (*HOSTILE, "0"):
        for name in impossible(numbers_of(table), value):
            if name not in whole.headers:
                continue
            data = tablib.Dataset(headers=whole.headers)
            cells = zip(whole.headers, whole[0], strict=True)
            data.append([value if header == name else cell for header, cell in cells])
            result = resource.import_data(data, dry_run=value == "0")

            errors = [str(one.error) for _line, found in result.row_errors() for one in found]
            assert not result.has_errors(), (name, value, errors)
            if value != "0":
                assert result.has_validation_errors(), (name, value)
    assert model_to_dict(type(row)._default_manager.get(pk=row.pk)) == before


@pytest.mark.parametrize("table", TABLES)
def test_what_the_starter_catalog_holds_is_within_bounds(table: str, catalog: starter.Report) -> None:
    for row in apps.get_model("catalog", table)._default_manager.all():
        row.clean_fields()


def test_a_slip_of_the_unit_is_told_with_range_and_unit(keeper: Client, catalog: starter.Report) -> None:
    gpu = apps.get_model("catalog", "gpu").objects.get(slug="h200-sxm")

    answer = typed_into(keeper, gpu, tdp_w="1000000000")

    assert "from 0 to 20,000" in answer.context["adminform"].form.errors["tdp_w"][0]
    assert "(W)" in answer.context["adminform"].form.errors["tdp_w"][0]


def test_a_part_of_a_whole_number_is_refused_by_an_import_and_not_cut_off(catalog: starter.Report) -> None:
    gpu = apps.get_model("catalog", "gpu").objects.filter(slug="h200-sxm")
    resource = resource_for(gpu.model)()
    whole = resource.export(gpu)
    cells = dict(zip(whole.headers, whole[0], strict=True)) | {"memory_reported_mib": "143771.5"}

    result = resource.import_data(tablib.Dataset([*cells.values()], headers=[*cells]), dry_run=True)

    [row] = result.invalid_rows
    assert "a whole number is expected" in str(row.error)


def test_every_bound_is_far_above_what_is_sold(catalog: starter.Report) -> None:
    for table in TABLES:
        model = apps.get_model("catalog", table)
        for field in model._meta.concrete_fields:
            most = model._default_manager.aggregate(most=models.Max(field.name))["most"] if is_bounded(field) else None
            if most is not None and not field.name.endswith(("_c", "_percent")):
                assert most * 2 <= bounds_of(field.name)[1], field.name
    assert bounds_of("anything") == (0, MOST_OF_ANYTHING)
