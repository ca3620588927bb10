"""The database can be brought up to date and back."""

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

OURS = ["catalog", "quotes"]


@pytest.mark.django_db
def test_no_migration_is_missing() -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)


@pytest.mark.django_db
def test_every_migration_can_be_undone() -> None:
    migrations = MigrationExecutor(connection).loader.disk_migrations

    one_way = [
        f"{app}.{name}: {operation.describe()}"
        for (app, name), migration in migrations.items()
        if app in OURS
        for operation in migration.operations
        if not operation.reversible
    ]

    assert one_way == []


def test_our_apps_are_installed() -> None:
    assert [label for label in OURS if not apps.is_installed(label)] == []
