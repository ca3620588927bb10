"""What a chosen machine is conditional on: which sentences of the engine become points of a quote."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from quotes.models.ledger import CONDITION
from quotes.presenter.engine_words import is_of_price


def texts_of(candidate: Mapping[str, Any] | None) -> list[str]:
    """Give the conditions of a candidate that somebody has to settle; prices and budgets a quote says of its own lines.

    Each once, in the engine's order.
    """
    found = dict.fromkeys(str(text) for text in (candidate or {}).get("conditional") or [])
    return [text for text in found if not is_of_price(text)]


def key_of(text: str, candidate: Mapping[str, Any]) -> str:
    """Give the key a condition has in the ledger: the same sentence on the same machine is the same point."""
    machine = [str(candidate.get(name)) for name in ("platform", "gpu", "gpus_per_node", "nodes")]
    return CONDITION + hashlib.sha256("|".join([*machine, text]).encode()).hexdigest()[:16]


def is_of_support(text: str, candidate: Mapping[str, Any]) -> bool:
    """Say whether a condition is that the platform's support of the GPU is not confirmed, which the catalog can be."""
    said = f"Support of {candidate.get('gpu_name')} in {candidate.get('platform_title')} is not confirmed"
    return text.startswith(said)
