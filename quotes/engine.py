"""The app's door to the engine: asks in process, and says which engine and which catalog answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sizing
from catalog import specs
from sizing import contract


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
