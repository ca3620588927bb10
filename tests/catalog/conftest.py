"""The starter catalog, loaded once for a module and rolled back after it, and the people who keep it.

Django is not ready when this file is read, so its models are imported where they are used.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client

    from catalog.starter import Report


@pytest.fixture(scope="module")
def loaded(django_db_setup: None, django_db_blocker: Any) -> Iterator[Report]:
    """Load the starter catalog for the tests of one module."""
    from django.db import transaction

    from catalog import starter

    with django_db_blocker.unblock(), transaction.atomic():
        yield starter.load()
        transaction.set_rollback(True)


@pytest.fixture
def catalog(loaded: Report, db: None) -> Report:
    """Give a test the starter catalog and a transaction of its own."""
    return loaded


def _person(name: str, group: str) -> User:
    from django.contrib.auth.models import Group, User

    user = User.objects.create_user(name, is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    return user


@pytest.fixture
def administrator(db: None) -> User:
    """The catalog administrator."""
    return _person("catalog-administrator", "catalog administrator")


@pytest.fixture
def engineer(db: None) -> User:
    """A sales engineer."""
    return _person("engineer", "sales engineer")


@pytest.fixture
def keeper(client: Client, administrator: User) -> Client:
    """A browser in which the catalog administrator is signed in."""
    client.force_login(administrator)
    return client
