"""What every test stands on: an environment of its own, set before Django reads the settings."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import time_machine

from scripts.compile_messages import compile_all

VAR_DIR = Path(tempfile.mkdtemp(prefix="sizewright-tests-"))
os.environ |= {
    "DJANGO_SETTINGS_MODULE": "config.settings",
    "ENV_FILE": "",
    "DEBUG": "true",
    "SECRET_KEY": "for-tests-only-" + "0123456789" * 5,
    "VAR_DIR": str(VAR_DIR),
    "TIME_ZONE": "Asia/Kolkata",
    "EMAIL_URL": "memorymail://",
    "DATABASE_POOL_SIZE": "0",
    "LOG_LEVEL": "WARNING",
}


def pytest_configure(config: pytest.Config) -> None:
    """Translate, and hash passwords fast: no test guards a secret."""
    compile_all()
    from django.conf import settings

    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def pytest_unconfigure(config: pytest.Config) -> None:
    """Throw away uploads and the test database."""
    shutil.rmtree(VAR_DIR, ignore_errors=True)


@pytest.fixture(autouse=True)
def empty_cache() -> Iterator[None]:
    """Give each test rate limits that nobody has used yet."""
    from django.core.cache import cache

    cache.clear()
    yield
    cache.clear()


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Start each test in English: a test that ends in Russian must not decide the next one's words."""
    from django.utils import translation

    translation.activate("en")
    yield
    translation.deactivate()


@pytest.fixture
def still_clock() -> Iterator[None]:
    """Stop the clock for what is counted by the minute: no minute may end between two tries."""
    with time_machine.travel(datetime.now(UTC), tick=False):
        yield
