"""Check a PDF: is it ours, unaltered, and does the calculation in it still come out the same?"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from quotes import verifying


class Command(BaseCommand):
    """Ends with an error where anything is not in order."""

    help = "Check the hash and the attached calculation of a quote's PDF"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the file."""
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        """Check one file."""
        try:
            content = file.read_bytes()
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}") from error
        verdict = verifying.verify(content)
        for line in verdict.lines:
            self.stdout.write(line)
        if not verdict.is_in_order:
            raise CommandError("Not in order")
