"""Forget what is personal in requests that came to nothing."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from catalog import held
from quotes import purging
from quotes.forms import uploads


class Command(BaseCommand):
    """Meant to be run daily; issued quotes are kept."""

    help = "Forget contacts, messages and files of old requests of which no quote was issued"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the age."""
        parser.add_argument("--days", type=int, default=settings.PERSONAL_DATA_DAYS)

    def handle(self, *args: Any, days: int, **options: Any) -> None:
        """Forget and say how many."""
        self.stdout.write(f"Forgotten: {purging.forget_old(days=days)}")
        self.stdout.write(f"Files of drafts deleted: {uploads.clear_waiting()}")
        self.stdout.write(f"Uploads to the catalog that nobody loaded deleted: {held.clear()}")
