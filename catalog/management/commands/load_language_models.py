from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalog import model_files, model_loading
from catalog.tables import Unreadable

LARGEST_ARCHIVE_BYTES = 100 * 2**20
WORDS = {"new": "read", "known": "already there", "refused": "refused"}


class Command(BaseCommand):
    """Load language models from a folder of configurations; what cannot be sized is listed with the reason."""

    help = "Load language models from a folder, or a ZIP archive, of Hugging Face config.json files."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the folder and the option to look only."""
        parser.add_argument("folder", type=Path, help="a folder such as meta-llama/Llama-3.1-8B/config.json, or a ZIP")
        parser.add_argument("--dry-run", action="store_true", help="show what would be loaded and write nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        """Show the table, then load."""
        folder: Path = options["folder"]
        try:
            plan = model_loading.plan(_read(folder))
        except Unreadable as error:
            raise CommandError(str(error)) from error
        for row in plan.rows:
            self.stdout.write("  ".join(_cells(row)).rstrip())
        self.stdout.write(", ".join(f"{word} {len(plan.of(state))}" for state, word in WORDS.items()))  # type: ignore[arg-type]
        if options["dry_run"]:
            self.stdout.write("Nothing was loaded.")
            return
        loaded = model_loading.load(plan, actor=None, name=folder.name)
        self.stdout.write(f"Loaded {len(loaded)}." if loaded else "Nothing was loaded.")


def _read(path: Path) -> model_files.Reading:
    if path.is_dir():
        return model_files.read_folder(path)
    if not path.is_file():
        raise CommandError(f"There is no folder or archive {path}.")
    if path.stat().st_size > LARGEST_ARCHIVE_BYTES:
        raise CommandError("The archive is larger than 100 MB. Pack the config.json files only.")
    return model_files.read_archive(path.read_bytes(), name=path.name)


def _cells(row: model_loading.Row) -> list[str]:
    model = row.model
    counted = f"{model.parameters:,}" if model else ""
    context = f"context {model.context_length:,}" if model and model.context_length else ""
    license = model.license if model else ""
    return [f"{WORDS[row.state]:13}", f"{row.file.path:60}", f"{counted:>19}", context, license, row.reason]
