"""Fixtures of the quotes: a computed quote is made once for a module, and every test rolls back what it did to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.db import transaction

if TYPE_CHECKING:
    from quotes.models import Quote


@pytest.fixture(scope="module")
def computed_pk(django_db_setup: None, django_db_blocker: Any) -> Iterator[int]:
    """A quote the engine has computed over the starter catalog: QLoRA of an 8B model on one L4."""
    from tests.quotes.test_requests import submit

    with django_db_blocker.unblock(), transaction.atomic():
        call_command("load_catalog", verbosity=0)
        yield submit()[0].quotes.get().pk
        transaction.set_rollback(True)


@pytest.fixture
def computed(computed_pk: int, db: None) -> Quote:
    """The computed quote, read anew."""
    from quotes.models import Quote

    return Quote.objects.select_related("estimate", "request", "issuer").get(pk=computed_pk)
