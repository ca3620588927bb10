"""What a file really is, found from its bytes; names and declared types are not believed."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from dataclasses import dataclass
from typing import IO

from django.utils.translation import gettext as _

from quotes.refusals import InvalidError

LARGEST_BYTES = 10 * 2**20
LARGEST_UNPACKED_BYTES = 50_000_000
MOST_FILES = 10
LONGEST_NAME = 120
MAGIC = (
    (b"%PDF-", "application/pdf"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
)
OFFICE = {
    "word/document.xml": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xl/workbook.xml": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
ACTIVE = ("<svg", "<html", "<script", "<!doctype html", "<?xml")


@dataclass(frozen=True, slots=True)
class Checked:
    """A file that passed: its bytes, what they are, and their hash."""

    name: str
    content: bytes
    content_type: str
    sha256: str


def check(file: IO[bytes], *, name: str) -> Checked:
    """Read an upload and say what it is; refuse what is empty, too large, active or unknown."""
    content = file.read(LARGEST_BYTES + 1)
    if not content:
        raise InvalidError("attachments", _("“%(name)s” is empty") % {"name": name})
    if len(content) > LARGEST_BYTES:
        raise InvalidError(
            "attachments", _("“%(name)s” is larger than %(limit)s MiB") % {"name": name, "limit": LARGEST_BYTES >> 20}
        )
    if content.startswith(b"PK\x03\x04") and unpacked_bytes(content) > LARGEST_UNPACKED_BYTES:
        raise InvalidError(
            "attachments",
            _("“%(name)s” unpacks to more than %(limit)s MB. Save it as PDF or send only the sheet that matters.")
            % {"name": name, "limit": LARGEST_UNPACKED_BYTES // 10**6},
        )
    kind = sniff(content)
    if kind is None:
        raise InvalidError(
            "attachments",
            _("“%(name)s” is none of: PDF, PNG, JPEG, DOCX, XLSX, JSON, plain text. Save it as one of these.")
            % {"name": name},
        )
    return Checked(clean_name(name), content, kind, hashlib.sha256(content).hexdigest())


def sniff(content: bytes) -> str | None:
    """Give the type of some bytes, or None for what is not taken."""
    for start, kind in MAGIC:
        if content.startswith(start):
            return kind
    if content.startswith(b"PK\x03\x04"):
        return _office(content)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    if "\x00" in text or any(mark in text[:2000].lower() for mark in ACTIVE):
        return None
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return "text/plain"
    return "application/json"


def unpacked_bytes(content: bytes) -> int:
    """Give the size a ZIP container claims to unpack to, without unpacking it [byte]."""
    try:
        return sum(part.file_size for part in zipfile.ZipFile(io.BytesIO(content)).infolist())
    except zipfile.BadZipFile:
        return 0


def _office(content: bytes) -> str | None:
    try:
        names = set(zipfile.ZipFile(io.BytesIO(content)).namelist())
    except zipfile.BadZipFile:
        return None
    return next((kind for part, kind in OFFICE.items() if part in names), None)


def clean_name(name: str) -> str:
    """Keep the readable part of a file name: no folders, no control characters."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    return "".join(letter for letter in last if letter.isprintable())[-LONGEST_NAME:] or "file"
