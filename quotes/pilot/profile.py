"""The profile the pilot script writes: read from a file, checked as a whole, never trusted in a part."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from jsonschema import Draft202012Validator, ValidationError

from quotes import engine, json_files
from quotes.refusals import InvalidError
from sizing.profile import LOAD, PROFILE

SCHEMA = "sizewright.pilot.profile/1"
LARGEST_BYTES = 256 * 1024
GIB = 2**30
OUT_OF_MEMORY = "out_of_memory"
NO_GPU = "cpu"

Schema = dict[str, Any]
BYTES: Schema = {"type": "integer", "minimum": 0, "maximum": 2**60}
SECONDS: Schema = {"type": "number", "minimum": 0, "maximum": 1e9}
POSITIVE: Schema = {"type": "number", "exclusiveMinimum": 0, "maximum": 1e12}
COUNT: Schema = {"type": "integer", "minimum": 0, "maximum": 2**53}
VALUE: Schema = {"type": "number", "minimum": -1e9, "maximum": 1e9}
NOTHING: Schema = {"type": "null"}
SHA256: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}


def _text(longest: int) -> Schema:
    return {"type": "string", "maxLength": longest}


def _object(properties: Schema, *, required: tuple[str, ...] = ()) -> Schema:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


STAGE = _object(
    {
        "stage": _text(40),
        "seconds": SECONDS,
        "allocated_peak_bytes": BYTES,
        "reserved_peak_bytes": BYTES,
        "device_used_bytes": BYTES,
        "host_rss_bytes": BYTES,
    },
    required=("stage", "seconds"),
)
FLAG: Schema = {"type": "boolean"}
LOSS: Schema = _object(
    {"first": {}, "last": {}, "finite": FLAG, "fell": FLAG}, required=("finite", "first", "last", "fell")
)
LOSS |= {
    "if": {"properties": {"finite": {"const": True}}},
    "then": {"properties": {"first": VALUE, "last": VALUE}},
    "else": {"properties": {"first": NOTHING, "last": NOTHING}},
}
PEAK = PROFILE["peak_gib"].schema()
# A run that ended well has a figure, within what the engine takes: nothing is kept that nobody could use.
ENDED_WELL: Schema = {
    "required": ["step_seconds"],
    "properties": {
        "peak_bytes": {"minimum": PEAK["minimum"] * GIB, "maximum": PEAK["maximum"] * GIB},
        "step_seconds": {"properties": {"median": PROFILE["step_seconds"].schema()}},
    },
}
# The device's own words stand for the GPU here, and may be longer than a name of the catalog.
DOCUMENT = _object(
    {
        "schema": {"const": SCHEMA},
        "quote": _text(80),
        "written_at": _text(40),
        "asked_sha256": SHA256,
        "load_sha256": SHA256,
        "load": _object(
            {name: field.schema() for name, field in LOAD.items()} | {"gpu": _text(120)},
            required=("gpu", "gpus", "sharding", "method", "sequence_length", "micro_batch"),
        ),
        "device": _object(
            {
                "kind": {"enum": ["cuda", "cpu"]},
                "name": _text(120),
                "count": COUNT,
                "memory_bytes": BYTES,
                "capability": _text(20),
            },
            required=("kind", "name", "memory_bytes"),
        ),
        "model": _object({"type": _text(80), "trained_parameters": COUNT}),
        "weights": _text(300),
        "data": _object({"source": _text(40), "rows": COUNT, "filled_share": SECONDS}),
        "stages": {"type": "array", "maxItems": 40, "items": STAGE},
        "step_seconds": _object({"median": POSITIVE, "p10": POSITIVE, "p90": POSITIVE}, required=("median",)),
        "steps": _object({"warmup": COUNT, "measured": COUNT, "seed": COUNT}),
        "tokens_per_second": POSITIVE,
        "peak_bytes": {"type": ["integer", "null"], "minimum": 0, "maximum": 2**60},
        "checkpoint_bytes": BYTES,
        "run_seconds": SECONDS,
        "loss": LOSS,
        "versions": {"type": "object", "maxProperties": 30, "additionalProperties": _text(80)},
        "outcome": _object(
            {"status": {"enum": ["ok", OUT_OF_MEMORY]}, "stage": _text(40), "message": _text(500)},
            required=("status",),
        ),
    },
    required=("schema", "asked_sha256", "load_sha256", "load", "device", "stages", "outcome"),
)
DOCUMENT |= {"if": {"properties": {"outcome": {"properties": {"status": {"const": "ok"}}}}}, "then": ENDED_WELL}
PLAIN_FIELDS = {name: field.schema() for name, field in PROFILE.items()}
PLAIN = Draft202012Validator({"type": "object", "properties": PLAIN_FIELDS})
VALIDATOR = Draft202012Validator(DOCUMENT)


def identity(load: Mapping[str, Any]) -> str:
    """Give the SHA-256 of a load, as the script counts it."""
    text = json.dumps(load, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def parse(content: bytes) -> dict[str, Any]:
    """Read a JSON object of bounded size that can be stored; raise InvalidError where it is none."""
    if len(content) > LARGEST_BYTES:
        raise InvalidError("file", _("A profile is never that large: 256 KiB at most"))
    try:
        found = json_files.load(content)
    except json_files.UnstorableError as error:
        raise InvalidError("file", _("This is no profile: %(reason)s") % {"reason": error}) from error
    except (ValueError, RecursionError) as error:
        raise InvalidError("file", _("This is no profile: the file is not JSON")) from error
    if not isinstance(found, dict):
        raise InvalidError("file", _("This is no profile: a JSON object is needed"))
    return found


def read(content: bytes) -> dict[str, Any]:
    """Read a file: the script's profile, or a plain object with the load's names, ``peak_gib``, ``step_seconds``.

    Raises
    ------
    InvalidError
        For the field ``file``, with what is wrong.
    """
    found = parse(content)
    if "schema" in found:
        return checked(found)
    wrong = next(iter(PLAIN.iter_errors(found)), None)
    if wrong is not None:
        raise InvalidError("file", _damaged(wrong))
    return {name: found[name] for name in PLAIN_FIELDS if found.get(name) is not None}


def _damaged(wrong: ValidationError) -> str:
    path = [str(one) for one in wrong.absolute_path]
    if wrong.validator == "required" and isinstance(wrong.instance, dict):
        required: Any = wrong.validator_value
        path += [next(str(name) for name in required if name not in wrong.instance)]
    place = ".".join(path) or _("its outline")
    return _("The profile is damaged at “%(place)s”") % {"place": place[:120]}


def checked(report: dict[str, Any]) -> dict[str, Any]:
    """Give the script's report as a profile of a load; raise InvalidError naming what is wrong.

    Returns
    -------
    dict
        As `of_report`.
    """
    if report.get("schema") != SCHEMA:
        asked = {"found": str(report.get("schema"))[:60], "known": SCHEMA}
        raise InvalidError("file", _("The profile’s form is “%(found)s”; “%(known)s” is read") % asked)
    wrong = next(iter(VALIDATOR.iter_errors(report)), None)
    if wrong is not None:
        raise InvalidError("file", _damaged(wrong))
    if report["load_sha256"] != identity(report["load"]):
        raise InvalidError("file", _("The profile was changed after the run: its load is not the one that ran"))
    return of_report(report)


def of_report(report: dict[str, Any]) -> dict[str, Any]:
    """Give a report that was checked as a profile of a load. Runs SQL.

    Returns
    -------
    dict
        The load by its names, ``gpu`` as the catalog's short name where the driver's name and memory are known there,
        else as the driver says it; ``peak_gib`` [GiB] and ``step_seconds`` [s] where a GPU was measured; ``report``,
        the file. A run without a GPU is a run on ``cpu`` and measures nothing, whatever it says its name is.
    """
    device, load = report["device"], dict(report["load"])
    if device["kind"] != "cuda":
        return load | {"gpu": NO_GPU, "report": report}
    profile = load | {"gpu": _gpu_of(device), "report": report}
    if report["outcome"]["status"] == "ok":
        figures = {
            "peak_gib": (report.get("peak_bytes") or 0) / GIB,
            "step_seconds": (report.get("step_seconds") or {}).get("median"),
        }
        profile |= {name: value for name, value in figures.items() if value}
    return profile


def _gpu_of(device: Mapping[str, Any]) -> str:
    """Name a GPU; one that only calls itself by a short name of the catalog keeps its memory beside the name."""
    name, memory_bytes = str(device["name"]), device["memory_bytes"]
    known = engine.gpu_named(name, memory_bytes)
    if known is None and engine.is_short_name(name):
        return f"{name}, {memory_bytes / GIB:.1f} GiB"
    return known or name


def is_without_gpu(profile: Mapping[str, Any]) -> bool:
    """Say whether the script ran without a GPU; such a profile holds no figure."""
    device = (profile.get("report") or {}).get("device") or {}
    return bool(device) and device.get("kind") != "cuda"


def outcome_of(profile: Mapping[str, Any]) -> dict[str, Any]:
    """Give how a run ended; a profile typed by hand ended well."""
    return ((profile.get("report") or {}).get("outcome")) or {"status": "ok"}
