"""The language models the form knows: found as one types, named exactly when accepted, described in a line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from quotes.forms import numbers
from sizing.architecture import packaged
from sizing.architecture.config import from_config
from sizing.architecture.shape import Architecture
from sizing.errors import SizingError

MOST_FOUND = 8
BILLION = 1e9
_ADDRESS = re.compile(r"^https?://(www\.)?huggingface\.co/", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class KnownModel:
    """One model of the list, e.g. llama-3.3-70b: its slug, its name for people, its longest sequence [token]."""

    slug: str
    label: str
    sequence_limit: int | None
    facts: str


def known(name: str) -> KnownModel | None:
    """Return the model of this name, address or slug, whatever its spaces and case; None if there is none."""
    try:
        shape = packaged.by_name(_ADDRESS.sub("", name.strip()).strip("/"))
    except SizingError:
        return None
    return _described(shape)


def find(text: str) -> list[KnownModel]:
    """Return models whose name holds every word typed, else those spelled nearly alike."""
    words = [word for word in re.split(r"[\s_/-]+", _ADDRESS.sub("", text.strip()).casefold()) if word]
    if not words:
        return []
    named = [m for m in packaged.names() if not m.encoder]
    found = [m.slug for m in named if all(word in f"{m.slug} {m.hf_id} {m.title}".casefold() for word in words)]
    slugs = sorted(found, key=lambda slug: (len(slug), slug)) or list(packaged.suggestions(text, limit=MOST_FOUND))
    return [_described(packaged.by_name(slug)) for slug in slugs[:MOST_FOUND]]


def all_labels() -> list[str]:
    """Return the names of all models that answer in words, for the list of suggestions."""
    return [model.title for model in packaged.names() if not model.encoder]


def of_config(config: Mapping[str, Any]) -> KnownModel:
    """Describe the model of a config.json; raises SizingError where it cannot be sized."""
    return _described(from_config(config))


def _described(shape: Architecture) -> KnownModel:
    return KnownModel(
        slug=shape.name, label=shape.title or shape.name, sequence_limit=shape.max_positions, facts=facts(shape)
    )


def facts(shape: Architecture) -> str:
    """Say a model's shape in one line: parameters, active ones where experts rest, layers, size, vocabulary."""
    parts = [
        _("%(count)s billion parameters") % {"count": numbers.say(round(shape.parameters / BILLION, 2))},
    ]
    if shape.active_parameters < shape.parameters:
        active = numbers.say(round(shape.active_parameters / BILLION, 2))
        parts.append(_("%(count)s billion of them active for a token") % {"count": active})
    parts += [
        _("%(count)s layers") % {"count": numbers.say(shape.layer_count)},
        _("hidden size %(size)s") % {"size": numbers.say(shape.hidden_size)},
        _("vocabulary %(size)s") % {"size": numbers.say(shape.vocab_size)},
    ]
    if shape.max_positions:
        parts.append(_("sequences up to %(limit)s tokens") % {"limit": numbers.say(shape.max_positions)})
    return ", ".join(parts)
