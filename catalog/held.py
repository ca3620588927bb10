"""Uploads that wait between a preview and its loading: in private storage for a day, named by a signed token."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.core import signing
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

SECONDS = 24 * 3600
PRICE_LISTS, MODEL_ARCHIVES = "price-lists", "model-archives"
FOLDERS = (PRICE_LISTS, MODEL_ARCHIVES)


class GoneError(Exception):
    """The token is not ours, or too old, or its file was loaded already."""


@dataclass(frozen=True, slots=True)
class Held:
    """An upload that was looked at: where it lies, its bytes, and what was said with it."""

    path: str
    content: bytes
    said: dict[str, Any]

    def drop(self) -> None:
        """Delete the file: it was loaded."""
        default_storage.delete(self.path)


def keep(folder: str, content: bytes, **said: Any) -> str:
    """Keep an upload and give the token that names it."""
    path = default_storage.save(f"{folder}/upload", ContentFile(content))
    return signing.dumps({"path": path, "said": said}, salt=f"catalog.{folder}")


def take(folder: str, token: str) -> Held:
    """Give the upload of a token.

    Raises
    ------
    GoneError
        Where there is none, or none any more.
    """
    try:
        named = signing.loads(token, salt=f"catalog.{folder}", max_age=SECONDS)
        with default_storage.open(named["path"]) as file:
            return Held(named["path"], file.read(), named["said"])
    except (signing.BadSignature, FileNotFoundError) as error:
        raise GoneError from error


def clear() -> int:
    """Delete what nobody loaded while its token was good; return how many."""
    until = timezone.now() - timedelta(seconds=SECONDS)
    paths = [
        f"{folder}/{name}"
        for folder in FOLDERS
        if default_storage.exists(folder)
        for name in default_storage.listdir(folder)[1]
    ]
    old = [path for path in paths if default_storage.get_modified_time(path) < until]
    for path in old:
        default_storage.delete(path)
    return len(old)
