"""Derivations of the memory figures."""

from __future__ import annotations

from sizing.case import Case, Step


def explain(case: Case) -> tuple[Step, ...]:
    """One step for each component."""
    return ()
