"""The app's door to the engine: asks in process, and says which engine and which catalog answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sizing
from catalog import specs
from sizing import contract, memory, profile
from sizing.case import Case
from sizing.hardware_data import HardwareCatalog

# Drivers keep some of a card's memory for themselves, ECC takes up to 6.25 %.
MEMORY_TOLERANCE = 0.08


@dataclass(frozen=True, slots=True)
class Answer:
    """What the engine answered and what is needed to ask it again."""

    asked: dict[str, Any]
    output: dict[str, Any]
    engine_version: str
    catalog_fingerprint: str


def recommend(asked: Mapping[str, Any]) -> Answer:
    """Ask for candidates over the catalog as it is now. Runs SQL where the catalog has changed."""
    return Answer(
        asked=dict(asked),
        output=contract.recommend(asked, hardware=specs.hardware_catalog()),
        engine_version=sizing.__version__,
        catalog_fingerprint=specs.fingerprint(),
    )


def recommend_over(asked: Mapping[str, Any], hardware: HardwareCatalog) -> dict[str, Any]:
    """Ask for candidates over a catalog that was kept."""
    return contract.recommend(asked, hardware=hardware)


def placed(asked: Mapping[str, Any], candidate: Mapping[str, Any]) -> Case:
    """Give the case a candidate stands for; raise SizingError where it is no training job. Runs SQL."""
    return contract.placed(asked, candidate, hardware=specs.hardware_catalog())


def load_of(case: Case) -> dict[str, str | int]:
    """Give what a measurement of a case depends on."""
    return profile.load_of(case)


def memory_by_phase(case: Case) -> dict[str, float]:
    """Give the predicted peaks by the phase of a run [byte]."""
    return memory.by_phase(case)


def gpu_named(text: str, memory_bytes: int) -> str | None:
    """Give the catalog's short name of a GPU as its driver names it; None where it is not one of the catalog's.

    Where a name fits several, the memory the driver reports [byte] decides, then the usual form factor. Runs SQL.
    """
    catalog = specs.hardware_catalog()
    named = catalog.names.read(text)
    gpus = [catalog.gpu(slug) for slug in named.slugs] if named else []
    near = [gpu for gpu in gpus if abs(memory_bytes / gpu.memory_bytes - 1) <= MEMORY_TOLERANCE]
    return near[0].slug if near else None


def is_short_name(text: str) -> bool:
    """Say whether a text is the catalog's own short name of a GPU. Runs SQL."""
    named = specs.hardware_catalog().names.read(text)
    return named is not None and text in named.slugs
