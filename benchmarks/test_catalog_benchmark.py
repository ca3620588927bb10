"""What the catalog costs as it grows: lists of 10,000 rows, and the engine's view of the tables."""

from __future__ import annotations

from typing import Any

import pytest

ROWS = 10_000
HEAD = "article;name;price;currency;condition\n"


@pytest.fixture
def catalog(db: None) -> None:
    """Load the starter catalog."""
    from catalog import starter

    starter.load()


def price_list() -> bytes:
    """Write a list of 10,000 rows, 2 % of which are ours."""
    ours = ("h200-nvl", "l40s", "h100-nvl", "ddr5-rdimm-64", "b200-sxm", "SYS-521GE-TNRT")
    lines = [f"{ours[n // 50 % 6]};;{1000 + n};USD;{'new' if n < 300 else 'used'}" for n in range(0, 600, 50)]
    return (HEAD + "\n".join([*lines, *(f"other-{n};thing;{n},50;USD;new" for n in range(ROWS - len(lines)))])).encode()


def test_a_price_list_of_ten_thousand_rows_is_compared(benchmark: Any, catalog: None) -> None:
    from catalog import importing, tables

    content = price_list()
    plan = benchmark(lambda: importing.plan(tables.read(content, "list.csv"), supplier="distributor"))

    assert plan.rows == ROWS


def test_a_price_list_of_ten_thousand_articles_is_loaded(benchmark: Any, catalog: None) -> None:
    from django.db import transaction

    from catalog import importing, price_loading, tables

    make_articles()
    content = (HEAD + "\n".join(f"S-{n};;{1000 + n},50;USD;new" for n in range(ROWS))).encode()

    def load() -> int:
        with transaction.atomic():
            plan = importing.plan(tables.read(content, "list.csv"), supplier="distributor")
            count = price_loading.load(plan, actor=None, file_name="list.csv")
            transaction.set_rollback(True)
        return count

    assert benchmark.pedantic(load, rounds=3) == ROWS


def test_the_hardware_is_built_from_the_tables(benchmark: Any, catalog: None) -> None:
    from catalog import specs

    def build() -> str:
        specs._last = None
        return specs.fingerprint()

    assert benchmark(build)


def test_the_hardware_is_given_while_nothing_changes(benchmark: Any, catalog: None) -> None:
    from catalog import specs

    specs.hardware_catalog()

    assert benchmark(specs.hardware_catalog)


def test_a_list_of_ten_thousand_articles(benchmark: Any, catalog: None) -> None:
    from django.test import Client

    make_articles()
    client = Client()

    assert benchmark(lambda: client.get("/catalog/articles/")).status_code == 200


def test_the_admins_list_of_ten_thousand_articles(benchmark: Any, catalog: None) -> None:
    from django.contrib.auth.models import User
    from django.test import Client

    make_articles()
    client = Client()
    client.force_login(User.objects.create_superuser("administrator"))

    assert benchmark(lambda: client.get("/admin/catalog/sku/")).status_code == 200


def make_articles() -> None:
    """Make 10,000 articles."""
    from catalog.models import Sku

    Sku.objects.bulk_create(Sku(slug=f"s{n}", article=f"S-{n}", article_folded=f"s-{n}") for n in range(ROWS))


def test_the_worklist_over_ten_thousand_articles(benchmark: Any, catalog: None) -> None:
    from django.contrib.auth.models import User
    from django.test import Client

    from catalog.models import Part, Sku, SkuLine

    make_articles()
    part = Part.objects.get(slug="h200-nvl")
    SkuLine.objects.bulk_create(
        SkuLine(sku=sku, kind="gpu", part=part, quantity=8) for sku in Sku.objects.filter(article__startswith="S-")
    )
    quote_naming("h200-nvl")
    client = Client()
    client.force_login(User.objects.create_superuser("administrator"))

    assert benchmark(lambda: client.get("/catalog/to-confirm/")).status_code == 200


def quote_naming(slug: str) -> None:
    """Make an open quote with a line of a part: every article with that part waits for confirmation."""
    from quotes.models import Status
    from tests import makers

    makers.make_line(makers.make_quote(status=Status.IN_REVIEW), catalog_ref=slug)
