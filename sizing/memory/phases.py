"""Memory by the phase of a run, in which a pilot measures it."""

from __future__ import annotations

from sizing.case import Case
from sizing.memory.estimate import candidates
from sizing.speed import programs

LOADED, PASSES, STEP = "load", "passes", "optimizer_step"


def by_phase(case: Case) -> dict[str, float]:
    """Live bytes on the fullest GPU in the phases that a run can tell apart [byte].

    ``load`` is the weights alone, ``passes`` the largest moment of forward and backward pass once optimizer states are
    there (the loss spans both, so that they are one), ``optimizer_step`` the moment of the step.
    """
    moments = candidates(programs.as_run(case))
    inside = [one.total for one in moments if one.name not in ("optimizer step", "model load")]
    step = [one.total for one in moments if one.name == "optimizer step"]
    return {LOADED: max(one.weights for one in moments), PASSES: max(inside), STEP: max(step)}
