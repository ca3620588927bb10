"""The packaged language models by name."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, replace
from functools import cache
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
}
_SUFFIXES: Final = (
    "instruct",
    "chat",
    "base",
    "hf",
    "it",
    "pt",
    "bf16",
    "fp8",
    "awq",
    "gptq",
    "gguf",
    "int4",
    "int8",
)
_FURTHER_NAMES: Final = {
    "deepseekv30324": "deepseek-v3",
    "deepseekv31": "deepseek-v3",
    "deepseekr10528": "deepseek-r1",
    "kimik20905": "kimi-k2",
    "mistral7bv02": "mistral-7b-v0.3",
    "mistral7b": "mistral-7b-v0.3",
    "mixtral": "mixtral-8x7b",
    "bloom": "bloom-176b",
    "mistrallarge": "mistral-large-2407",
    "mistralsmall": "mistral-small-24b-2501",
    "mistralnemo": "mistral-nemo-12b",
    "gigachat": "gigachat-20b-a3b",
    "yandexgpt5lite": "yandexgpt-5-lite-8b",
    "tlite": "t-lite-it-1.0",
    "tpro": "t-pro-it-2.0",
    "glm47flash": "glm-4.7-flash",
    "phi4mini": "phi-4-mini",
    "minimaxm2": "minimax-m2.5",
    "llama4maverick": "llama-4-maverick",
    "llama4scout": "llama-4-scout",
    "metallama38b": "llama-3-8b",
    "metallama370b": "llama-3-70b",
}
_LONGEST_NAME: Final = 200


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

    Case, punctuation, the organisation before a slash and endings such as ``-Instruct`` do not matter.

    Raises
    ------
    SizingError
        For an unknown name, with the closest known ones.
    """
    if not isinstance(name, str) or not name.strip() or len(name) > _LONGEST_NAME:
        raise SizingError(path, "A model's name is a short text such as {example}.", value=name, example="llama-3.1-8b")
    slug = _slugs().get(_key(name)) or _slugs().get(_bare(name))
    if slug is None:
        raise _unknown(name, path)
    return _load(slug)


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


def suggestions(name: str, *, limit: int = 3) -> tuple[str, ...]:
    """Slugs of the packaged models whose names come closest."""
    slugs = list(datafiles.language_models())
    wanted = _plain_words(name)
    scored = sorted(slugs, key=lambda slug: _distance(wanted, _plain_words(slug), name, slug))
    close = [slug for slug in scored if _distance(wanted, _plain_words(slug), name, slug) < 1]
    return tuple(close[:limit])


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
    """A name without organisation, case and punctuation."""
    return re.sub(r"[^a-z0-9]", "", name.strip().rstrip("/").rsplit("/", 1)[-1].lower())


def _bare(name: str) -> str:
    """A key without the endings that do not change a model's shape, and without the maker's prefix."""
    words = [word for word in re.split(r"[^a-z0-9.]+", name.strip().rstrip("/").rsplit("/", 1)[-1].lower()) if word]
    while len(words) > 1 and words[-1] in _SUFFIXES:
        words.pop()
    if len(words) > 1 and words[0] in ("meta", "google", "microsoft", "nvidia"):
        words = words[1:]
    return re.sub(r"[^a-z0-9]", "", "".join(words))


def _plain_words(name: str) -> tuple[str, frozenset[str]]:
    key = _bare(name)
    letters = re.match(r"[a-z]+", key)
    return (letters.group() if letters else ""), frozenset(re.findall(r"\d+", name))


def _distance(
    wanted: tuple[str, frozenset[str]], known: tuple[str, frozenset[str]], name: str, slug: str
) -> float:
    """0 for the same name; 1 and more for another family."""
    likeness = difflib.SequenceMatcher(None, _bare(name)[:60], _bare(slug)).ratio()
    if wanted[0] != known[0]:
        return 1.2 - likeness if likeness > 0.75 else 2 - likeness
    shared = len(wanted[1] & known[1]) / max(1, len(wanted[1] | known[1]))
    return 0.99 - (likeness + shared) / 2


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
    if re.fullmatch(r"[a-z]?\d[\dx.]*[bmk]", word) or re.fullmatch(r"\d+[bmk]", word):
        return word.upper().replace("X", "x")
    return word[:1].upper() + word[1:] if word[:1].isalpha() and not re.fullmatch(r"v\d[\d.]*", word) else word
