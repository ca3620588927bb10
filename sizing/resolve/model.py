"""The model of a request, whichever way it is given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sizing import architecture
from sizing.architecture.shape import Architecture
from sizing.assumptions import Assumption, Ledger
from sizing.errors import SizingError


def read(workload: Mapping[str, Any], ledger: Ledger) -> Architecture:
    """The model's shape; what its reader had to suppose goes into the ledger.

    Raises
    ------
    SizingError
        Where no model is named or the named one is not known.
    """
    given = workload.get("model")
    if given is None:
        raise SizingError("workload.model", "{field} is missing: give a name, a config or a number of parameters")
    if isinstance(given, str):
        given = {"name": given}
    shape = architecture.read(given)
    for note in shape.notes:
        ledger.assume(Assumption(f"workload.model.{note.key}", note.text, "", note.text, "the model's configuration"))
    if not shape.exact:
        why = "a typical shape of this size; a config.json makes it exact"
        if given.get("config") is not None:
            why = "the model family is not known, so the counts are an estimate; a known architecture makes them exact"
        ledger.assume(Assumption("workload.model.shape", shape.name, "", why, "interpolated between published models"))
    return shape
