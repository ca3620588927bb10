"""Files on the public forms: each is taken or refused with a sentence, and waits until the request is sent."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.uploadedfile import UploadedFile
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from quotes import uploads
from quotes.refusals import InvalidError
from quotes.storage import private_storage

MOST_FILES = 5
KINDS = (
    ("article", gettext_lazy("Article or offer")),
    ("specification", gettext_lazy("Specification")),
    ("requirements", gettext_lazy("Requirements document")),
    ("profile", gettext_lazy("Profile of memory and time")),
)
WEIGHTS = (".safetensors", ".bin", ".pt", ".pth", ".gguf", ".ckpt", ".h5", ".onnx")
FOLDER = "pending"
KEEP_DAYS = 30


@dataclass(frozen=True, slots=True)
class Pending:
    """A file that waits in a draft: what it is for, its name, true type and size, and where it lies."""

    kind: str
    name: str
    content_type: str
    size_bytes: int
    sha256: str
    key: str

    @classmethod
    def of(cls, stored: dict[str, Any]) -> Pending:
        """Read one from the session."""
        return cls(**{name: stored[name] for name in cls.__slots__})

    def as_json(self) -> dict[str, Any]:
        """Write one for the session."""
        return {name: getattr(self, name) for name in self.__slots__}

    @property
    def path(self) -> str:
        """Where the bytes lie, out of reach of any address."""
        return f"{FOLDER}/{self.key}"


@dataclass(frozen=True, slots=True)
class Refused:
    """A file that was not taken, or not read: its name, and a sentence that names it and says why."""

    name: str
    message: str

    def __str__(self) -> str:
        return self.message


def take(
    files: Iterable[UploadedFile[Any]], *, kind: str, already: Sequence[Pending]
) -> tuple[list[Pending], list[Refused]]:
    """Store what may be kept and say why the rest may not, a sentence for each file."""
    taken: list[Pending] = []
    refused: list[Refused] = []
    for file in files:
        name = uploads.clean_name(file.name or "")
        if len(already) + len(taken) >= MOST_FILES:
            said = {"name": name, "limit": MOST_FILES}
            text = _("“%(name)s”: at most %(limit)s files are taken. Put the rest into one document.") % said
            refused.append(Refused(name, text))
            continue
        if name.lower().endswith(WEIGHTS):
            text = _("“%(name)s”: weights are not needed. Send config.json instead.") % {"name": name}
            refused.append(Refused(name, text))
            continue
        try:
            checked = uploads.check(file, name=name)
        except InvalidError as refusal:
            refused.append(Refused(name, refusal.message))
            continue
        if any((one.sha256, one.name) == (checked.sha256, checked.name) for one in (*already, *taken)):
            continue
        taken.append(_store(checked, kind=kind if kind in dict(KINDS) else "specification"))
    return taken, refused


def _store(checked: uploads.Checked, *, kind: str) -> Pending:
    pending = Pending(kind, checked.name, checked.content_type, len(checked.content), checked.sha256, uuid.uuid4().hex)
    private_storage().save(pending.path, ContentFile(checked.content))
    return pending


def drop(pending: Pending) -> None:
    """Delete a file that waits."""
    private_storage().delete(pending.path)


def read(pending: Pending) -> uploads.Checked | None:
    """Read a file that waits, as the request takes it; None where it has been cleared away."""
    storage = private_storage()
    if not storage.exists(pending.path):
        return None
    with storage.open(pending.path, "rb") as file:
        return uploads.Checked(pending.name, file.read(), pending.content_type, pending.sha256)


def clear_waiting(*, days: int = KEEP_DAYS) -> int:
    """Delete waiting files of drafts that nobody sent within a month; return how many."""
    storage = private_storage()
    if not storage.exists(FOLDER):
        return 0
    until = timezone.now() - timedelta(days=days)
    paths = [f"{FOLDER}/{name}" for name in storage.listdir(FOLDER)[1]]
    old = [path for path in paths if storage.get_modified_time(path) < until]
    for path in old:
        storage.delete(path)
    return len(old)
