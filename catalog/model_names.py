"""What the path of a configuration says of its model: a name, and who publishes it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from catalog.starter.sync import read

Parts = tuple[str, ...]
_WORD = re.compile(r"[A-Za-z0-9][\w.-]{0,78}")
_DRIVE = re.compile(r"[A-Za-z]:")
_CACHED = "models--"


@dataclass(frozen=True, slots=True)
class Named:
    """Names of a model, e.g. Llama 3.1 8B of ``meta-llama/Llama-3.1-8B``, published by Meta."""

    name: str
    hf_id: str = ""
    maker: str = ""


@cache
def publishers() -> dict[str, str]:
    """Who stands behind a Hugging Face name, by that name in small letters."""
    makers: dict[str, str] = read("language_models.yaml")["makers"]
    return {account.casefold(): maker for account, maker in makers.items()}


def parts_of(path: str) -> Parts | None:
    """Folders and name of a path; None for one that leads out of its archive, or holds signs that nobody sees."""
    plain = path.replace("\\", "/")
    if plain.startswith("/") or _DRIVE.match(plain) or not plain.isprintable() or len(plain) > 1000:
        return None
    parts = tuple(part for part in plain.split("/") if part not in ("", "."))
    return parts if parts and ".." not in parts else None


def names_of(paths: Sequence[Parts], *, root: str) -> dict[Parts, Named]:
    """Names for the paths of several configurations.

    ``meta-llama/Llama-3.1-8B/config.json`` names publisher and model; so does a Hugging Face cache. One folder around
    everything is taken for a publisher only where it is one that the catalog knows.
    """
    around = {parts[0] for parts in paths if len(parts) > 1}
    is_wrapped = len(paths) > 1 and len(around) == 1 and all(len(parts) > 1 for parts in paths)
    return {parts: _named(parts, root=root, wrapper=around if is_wrapped else set()) for parts in paths}


def _named(parts: Parts, *, root: str, wrapper: set[str]) -> Named:
    for part in parts:
        if part.startswith(_CACHED) and part.count("--") >= 2:
            account, _dashes, model = part.removeprefix(_CACHED).partition("--")
            return _of(model, account)
    if parts[-1] != "config.json":
        account = parts[-2] if len(parts) > 1 and parts[-2].casefold() in publishers() else ""
        return _of(parts[-1].rsplit(".", 1)[0], account)
    if len(parts) == 1:
        return _of(root, "")
    account = parts[-3] if len(parts) > 2 else ""
    is_wrapper = len(parts) == 3 and account in wrapper and account.casefold() not in publishers()
    return _of(parts[-2], "" if is_wrapper else account)


def _of(model: str, account: str) -> Named:
    name = " ".join(re.sub(r"[-_\s]+", " ", model).split())[:80]
    is_hosted = bool(account) and _WORD.fullmatch(account) is not None and _WORD.fullmatch(model) is not None
    maker = publishers().get(account.casefold(), account[:80])
    return Named(name, f"{account}/{model}" if is_hosted else "", maker)
