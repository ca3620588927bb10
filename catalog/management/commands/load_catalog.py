from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from catalog import starter


class Command(BaseCommand):
    """Load the starter catalog; running it again changes nothing that a person has edited."""

    help = "Load the reviewed starter catalog. Rows that somebody edited stay as they are and are reported."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the one option."""
        parser.add_argument("--overwrite", action="store_true", help="replace edits with what the files say")

    def handle(self, *args: Any, **options: Any) -> None:
        """Load and report."""
        report = starter.load(overwrite=options["overwrite"])
        for title, counts in (("Created", report.created), ("Updated", report.updated)):
            if counts:
                self.stdout.write(f"{title}: " + ", ".join(f"{name} {count}" for name, count in counts.items()))
        if report.is_quiet:
            self.stdout.write("The catalog is up to date.")
        if report.differences and options["verbosity"] > 0:
            self.stdout.write(f"Left as edited ({len(report.differences)}), --overwrite replaces them:")
            for difference in report.differences:
                self.stdout.write(f"  {difference}")
