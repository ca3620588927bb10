"""The packaged language models by name."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any, Final

from sizing import datafiles
from sizing.architecture.config import from_config
from sizing.architecture.shape import Architecture
from sizing.errors import SizingError, shown

_TITLES: Final = {
    "glm": "GLM",
    "gpt2": "GPT-2",
    "gpt": "GPT",
    "oss": "OSS",
    "neox": "NeoX",
    "opt": "OPT",
    "t5": "T5",
    "mt5": "mT5",
    "bge": "BGE",
    "qwq": "QwQ",
    "olmo": "OLMo",
    "bloom": "BLOOM",
    "bert": "BERT",
    "deepseek": "DeepSeek",
    "codellama": "CodeLlama",
    "gigachat": "GigaChat",
    "yandexgpt": "YandexGPT",
    "smollm2": "SmolLM2",
    "tinyllama": "TinyLlama",
    "minimax": "MiniMax",
    "minilm": "MiniLM",
    "e5": "E5",
    "saiga": "Saiga",
    "it": "it",
    "xl": "XL",
    "xxl": "XXL",
    "moe": "MoE",
}
_TRAINING: Final = ("instruct", "chat", "hf", "it", "pt")
_SUFFIXES: Final = (*_TRAINING, "base", "bf16", "fp8", "awq", "gptq", "gguf", "int4", "int8")
_FURTHER_NAMES: Final = {
    "deepseekv30324": "deepseek-v3",
    "deepseekv3.1": "deepseek-v3",
    "deepseekr10528": "deepseek-r1",
    "kimik20905": "kimi-k2",
    "mistralnemo": "mistral-nemo-12b",
    "llama4maverick17b": "llama-4-maverick",
    "llama4scout17b": "llama-4-scout",
}
"""Releases of the same shape under another name."""

_LONGEST_NAME: Final = 200
_NAMES_REMEMBERED: Final = 256
_ALIKE: Final = 0.75


@dataclass(frozen=True, slots=True)
class ModelName:
    """A packaged model, for lists."""

    slug: str
    title: str
    hf_id: str
    family: str
    parameters: int
    active_parameters: int
    verified: bool
    encoder: bool
    sources: tuple[str, ...]


def by_name(name: str, *, path: str = "model.name") -> Architecture:
    """The packaged model of a name.

    Case, punctuation, the organization before a slash and endings such as ``-Instruct`` do not matter.

    Raises
    ------
    SizingError
        For an unknown name, with the closest known ones.
    """
    _check(name, path)
    slug = _slugs().get(_key(name)) or _slugs().get(_bare(name, _SUFFIXES))
    if slug is None:
        raise _unknown(name, path)
    return _load(slug)


def _check(name: object, path: str) -> None:
    if not isinstance(name, str) or not name.strip() or len(name) > _LONGEST_NAME:
        raise SizingError(path, "A model's name is a short text such as {example}.", value=name, example="llama-3.1-8b")


@cache
def names() -> tuple[ModelName, ...]:
    """All packaged models, by title."""
    found = []
    for slug, document in datafiles.language_models().items():
        model = _load(slug)
        encoder = all(group.stack == "encoder" for group in model.layers)
        found.append(
            ModelName(
                slug,
                model.title,
                model.hf_id,
                model.family,
                model.parameters,
                model.active_parameters,
                model.verified,
                encoder,
                tuple(f"{source['provenance']}: {source['key']}" for source in document["sources"]),
            )
        )
    return tuple(sorted(found, key=lambda model: model.title.lower()))


@lru_cache(maxsize=_NAMES_REMEMBERED)
def suggestions(name: str, *, limit: int = 3) -> tuple[str, ...]:
    """Slugs of the packaged models whose names come closest."""
    scored = sorted((_distance(name, slug), slug) for slug in datafiles.language_models())
    return tuple(slug for distance, slug in scored if distance < 1)[:limit]


@cache
def _load(slug: str) -> Architecture:
    document = datafiles.language_models()[slug]
    model = from_config(document["config"], name=slug)
    return replace(model, title=_title(slug), hf_id=document["hf_id"], verified=bool(document["verified"]))


@cache
def _slugs() -> MappingProxyType[str, str]:
    """Keys of all spellings to slugs; the plainest spelling wins."""
    models: MappingProxyType[str, Any] = datafiles.language_models()
    keys: dict[str, str] = {}
    for slug, document in models.items():
        keys[_key(slug)] = slug
        keys[_key(document["hf_id"])] = slug
    for slug, document in models.items():
        for spelling in (slug, document["hf_id"]):
            keys.setdefault(_bare(spelling), slug)
    for key, slug in _FURTHER_NAMES.items():
        keys.setdefault(key, slug)
    return MappingProxyType(keys)


def _key(name: str) -> str:
    """A name without organization, case and punctuation; 1.3 and 13 stay different."""
    return _joined(_last(name))


def _bare(name: str, endings: tuple[str, ...] = _TRAINING) -> str:
    """A key without the words that do not change a model's shape, and without the maker's prefix."""
    words = [word for word in re.split(r"[^a-z0-9.]+", _last(name)) if word]
    if len(words) > 1 and words[0] in ("meta", "google", "microsoft", "nvidia"):
        words = words[1:]
    kept = words[:1] + [word for word in words[1:] if word not in endings]
    return _joined(" ".join(kept))


def _last(name: str) -> str:
    return name.strip().rstrip("/").rsplit("/", 1)[-1].lower()


def _joined(name: str) -> str:
    return re.sub(r"[^a-z0-9.]|(?<!\d)\.|\.(?!\d)", "", name)


def _distance(name: str, slug: str) -> float:
    """How far a name is from a slug: below 1 for the same family, 1 and more for another."""
    compared = difflib.SequenceMatcher(None, _bare(name)[:60], _bare(slug))
    if _family(name) != _family(slug):
        # Most models are of another family, and a bound on the likeness is much cheaper than the likeness.
        may_be_alike = compared.real_quick_ratio() > _ALIKE and compared.quick_ratio() > _ALIKE
        likeness = compared.ratio() if may_be_alike else 0.0
        return 1.2 - likeness if likeness > _ALIKE else 2 - likeness
    likeness = compared.ratio()
    versions, sizes = _numbers(name), _numbers(slug)
    same = len(versions[0] & sizes[0]) / max(1, len(versions[0] | sizes[0]))
    near = 0.0
    if versions[1] and sizes[1]:
        near = min(versions[1], sizes[1]) / max(versions[1], sizes[1])
    return 0.99 - (likeness + 2 * same + near) / 4


def _family(name: str) -> str:
    letters = re.match(r"[a-z]+", _last(name))
    return letters.group() if letters else ""


def _numbers(name: str) -> tuple[frozenset[str], float]:
    """Version numbers in a name, and its size in billions (0 without one)."""
    lower = name.lower()
    size = re.search(r"(?<![\d.a-z])(\d{1,5}(?:\.\d{1,3})?)([bm])(?![a-z0-9])", lower)
    rest = lower.replace(size.group(), " ") if size else lower
    billions = float(size.group(1)) * (1 if size.group(2) == "b" else 0.001) if size else 0.0
    return frozenset(re.findall(r"\d+(?:\.\d+)?", rest)), billions


def _unknown(name: str, path: str) -> SizingError:
    close = suggestions(name)
    if not close:
        return SizingError(
            path,
            "There is no packaged model called {value}. Give its config.json or its number of parameters.",
            value=name,
        )
    return SizingError(
        path,
        "There is no packaged model called {value}. Did you mean {suggestions}? Otherwise give its config.json.",
        value=name,
        suggestions=shown(", ".join(close)),
    )


def _title(slug: str) -> str:
    words = [_TITLES.get(word) or _sized(word) for word in slug.split("-")]
    return " ".join(words)


def _sized(word: str) -> str:
    if re.fullmatch(r"[a-z]?\d[\dx.]*[bmk]", word):
        return word.upper().replace("X", "x")
    if re.fullmatch(r"v\d[\d.]*", word):
        return word.upper() if "." not in word else word
    return word[:1].upper() + word[1:]
