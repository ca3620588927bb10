"""Configurations of many language models: a ZIP archive or a folder, read without believing what it says of itself.

Nothing is unpacked to disk. A file that cannot be read is given with the reason, so that a person sees it on the list.
"""

from __future__ import annotations

import io
import json
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml
from django.utils.translation import gettext as _

from catalog.model_names import Named, names_of, parts_of
from catalog.tables import Unreadable

MOST_ENTRIES = 20_000
MOST_MODELS = 200
DEEPEST = 8
LARGEST_BYTES = 2 * 2**20
LARGEST_TOGETHER_BYTES = 32 * 2**20
LARGEST_RATIO = 200
CARD_BYTES = 16 * 2**10


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of an archive or folder: its path, how to read so many bytes of it, and why not to."""

    path: str
    size_bytes: int
    read: Callable[[int], bytes]
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One configuration with the names that its path gives, or the reason why it was not read."""

    path: str
    named: Named
    config: dict[str, Any] = field(default_factory=dict)
    license: str = ""
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What an archive or a folder holds: configurations, and how many other files were passed over."""

    files: tuple[ModelFile, ...]
    passed_over: int


def read_archive(content: bytes, *, name: str) -> Reading:
    """Configurations of a ZIP archive.

    Raises
    ------
    Unreadable
        For what is no archive, holds no configuration, or holds too much.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            infos = archive.infolist()
            if len(infos) > MOST_ENTRIES:
                raise Unreadable(
                    _("The archive has more than %s files. Pack the config.json files only.") % MOST_ENTRIES
                )
            entries = [_archived(archive, info) for info in infos if not info.is_dir()]
            return _read(entries, root=name.rsplit(".", 1)[0])
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError, struct.error) as error:
        raise Unreadable(_("This is not a ZIP archive that can be read. Pack the folder again.")) from error


def read_folder(folder: Path) -> Reading:
    """Configurations below a folder; links that lead out of it are refused.

    Raises
    ------
    Unreadable
        For a folder without configurations, or with too much in it.
    """
    root = folder.resolve()
    entries = []
    for place, _folders, files in os.walk(root):
        entries += [_stored(root, Path(place) / name) for name in sorted(files)]
        if len(entries) > MOST_ENTRIES:
            raise Unreadable(_("The folder has more than %s files. Name a smaller one.") % MOST_ENTRIES)
    return _read(entries, root=root.name)


def _archived(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Entry:
    def read(most_bytes: int) -> bytes:
        with archive.open(info) as file:
            return file.read(most_bytes)

    refusal = ""
    if stat.S_ISLNK(info.external_attr >> 16):
        refusal = _("a link, not a file")
    elif info.flag_bits & 0x1:
        refusal = _("protected by a password")
    elif info.file_size > LARGEST_RATIO * max(info.compress_size, 1) and info.file_size > LARGEST_BYTES // 32:
        refusal = _("unpacks to far more than a configuration holds")
    return Entry(_written(info), info.file_size, read, refusal)


def _written(info: zipfile.ZipInfo) -> str:
    """Path of an entry; without the mark of UTF-8 it is UTF-8 all the same, or what Russian systems write."""
    if info.flag_bits & 0x800:
        return info.filename
    try:
        raw = info.filename.encode("cp437")
    except UnicodeEncodeError:
        return info.filename
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp866", errors="replace")


def _stored(root: Path, path: Path) -> Entry:
    def read(most_bytes: int) -> bytes:
        with path.open("rb") as file:
            return file.read(most_bytes)

    shown = path.relative_to(root).as_posix().encode("utf-8", errors="replace").decode()
    if not path.resolve().is_relative_to(root) or not path.is_file():
        return Entry(shown, 0, read, _("a link that leads elsewhere"))
    return Entry(shown, path.stat().st_size, read)


def _read(entries: list[Entry], *, root: str) -> Reading:
    placed: dict[tuple[str, ...], Entry] = {}
    for entry in entries:
        if parts := parts_of(entry.path):
            is_twice = parts in placed
            placed[parts] = replace(entry, refusal=_("twice in the archive: keep one of them")) if is_twice else entry
    hostile = [entry for entry in entries if not parts_of(entry.path) and entry.path.endswith(".json")]
    chosen = list(_configurations(placed))
    if not chosen and not hostile:
        raise Unreadable(_("There is no config.json in it, and no other file of a model."))
    if len(chosen) + len(hostile) > MOST_MODELS:
        raise Unreadable(_("There are more than %s configurations in it. Split them.") % MOST_MODELS)
    names = names_of(chosen, root=root)
    files, room = [], LARGEST_TOGETHER_BYTES
    for parts in chosen:
        card = placed.get((*parts[:-1], "README.md"))
        read = _model_file(parts, placed[parts], names[parts], card, room)
        room -= placed[parts].size_bytes if read.config else 0
        files.append(read)
    files += [_refused(entry.path, _("a path that leads out of its folder, or none")) for entry in hostile]
    return Reading(tuple(files), len(entries) - len(files))


def _configurations(placed: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Paths of configurations: each `config.json` that lies in no other model's folder, and JSON files on their own."""
    paths = sorted(placed)
    folders = {parts[:-1] for parts in paths if parts[-1] == "config.json"}
    for parts in paths:
        above = {parts[:depth] for depth in range(len(parts) - 1)}
        if above & folders or not parts[-1].lower().endswith(".json"):
            continue
        if parts[-1] == "config.json" or (parts[:-1] not in folders and not _is_beside(parts[-1])):
            yield parts


def _is_beside(name: str) -> bool:
    """Whether a file is one that lies beside a configuration in a published model."""
    others = (
        "tokenizer",
        "generation_config",
        "special_tokens",
        "preprocessor",
        "processor",
        "adapter",
        "added_tokens",
    )
    return name.startswith((*others, "vocab", "params", "chat_template", ".")) or name.endswith(".index.json")


def _refused(path: str, reason: str, named: Named | None = None) -> ModelFile:
    shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in path)[:200]
    return ModelFile(shown, named or Named(name=shown[-80:]), refusal=reason)


def _model_file(parts: tuple[str, ...], entry: Entry, named: Named, card: Entry | None, room: int) -> ModelFile:
    path = "/".join(parts)
    if entry.refusal:
        return _refused(path, entry.refusal, named)
    if len(parts) > DEEPEST:
        return _refused(path, _("more than %s folders deep") % DEEPEST, named)
    if entry.size_bytes > min(LARGEST_BYTES, room):
        return _refused(path, _("larger than a configuration: a config.json has a few kilobytes"), named)
    try:
        config = json.loads(entry.read(LARGEST_BYTES + 1).decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return _refused(path, _("not JSON"), named)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError):
        return _refused(path, _("damaged: it cannot be unpacked"), named)
    if not isinstance(config, dict):
        return _refused(path, _("not a configuration: one object in braces is expected"), named)
    return ModelFile(path[:200], named, config, license_of(card))


def license_of(card: Entry | None) -> str:
    """Licence that a model's card names in its head; empty where there is no card or it names none."""
    if card is None or card.refusal:
        return ""
    try:
        text = card.read(CARD_BYTES).decode("utf-8-sig", errors="ignore")
        head = yaml.safe_load(text.split("---", 2)[1]) if text.startswith("---") and text.count("---") > 1 else {}
    except (
        yaml.YAMLError,
        ValueError,
        RecursionError,
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        RuntimeError,
        OSError,
    ):
        return ""
    named = (head.get("license_name") or head.get("license")) if isinstance(head, dict) else ""
    return named[:120] if isinstance(named, str) and named.isprintable() else ""
