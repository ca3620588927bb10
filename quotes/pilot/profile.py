"""The profile the pilot script writes: read from a file, checked as a whole, never trusted in a part."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from jsonschema import Draft202012Validator, ValidationError

from quotes import engine
from quotes.refusals import InvalidError
from sizing.profile import LOAD, PROFILE

SCHEMA = "sizewright.pilot.profile/1"
LARGEST_BYTES = 256 * 1024
GIB = 2**30
OUT_OF_MEMORY = "out_of_memory"

Schema = dict[str, Any]
BYTES: Schema = {"type": "integer", "minimum": 0, "maximum": 2**60}
SECONDS: Schema = {"type": "number", "minimum": 0, "maximum": 1e9}
COUNT: Schema = {"type": "integer", "minimum": 0, "maximum": 2**53}
LOSS: Schema = {"type": ["number", "null"], "minimum": -1e9, "maximum": 1e9}
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
        "step_seconds": _object({"median": SECONDS, "p10": SECONDS, "p90": SECONDS}, required=("median",)),
        "steps": _object({"warmup": COUNT, "measured": COUNT, "seed": COUNT}),
        "tokens_per_second": {"type": "number", "minimum": 0, "maximum": 1e12},
        "peak_bytes": {"type": ["integer", "null"], "minimum": 0, "maximum": 2**60},
        "checkpoint_bytes": BYTES,
        "run_seconds": SECONDS,
        "loss": _object({"first": LOSS, "last": LOSS, "finite": {"type": "boolean"}, "fell": {"type": "boolean"}}),
        "versions": {"type": "object", "maxProperties": 30, "additionalProperties": _text(80)},
        "outcome": _object(
            {"status": {"enum": ["ok", OUT_OF_MEMORY]}, "stage": _text(40), "message": _text(500)},
            required=("status",),
        ),
    },
    required=("schema", "asked_sha256", "load_sha256", "load", "device", "stages", "outcome"),
)
PLAIN_FIELDS = {name: field.schema() for name, field in PROFILE.items()}
PLAIN = Draft202012Validator({"type": "object", "properties": PLAIN_FIELDS})
VALIDATOR = Draft202012Validator(DOCUMENT)


def identity(load: Mapping[str, Any]) -> str:
    """Give the SHA-256 of a load, as the script counts it."""
    text = json.dumps(load, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def parse(content: bytes) -> dict[str, Any]:
    """Read a JSON object of bounded size; raise InvalidError where it is none."""
    if len(content) > LARGEST_BYTES:
        raise InvalidError("file", _("A profile is never that large: 256 KiB at most"))
    try:
        found = json.loads(content)
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
    place = ".".join(str(one) for one in wrong.absolute_path) or _("its outline")
    return _("The profile is damaged at “%(place)s”") % {"place": place[:120]}


def checked(report: dict[str, Any]) -> dict[str, Any]:
    """Give the script's report as a profile of a load; raise InvalidError naming what is wrong.

    Returns
    -------
    dict
        The load by its names, ``gpu`` as the catalog's short name where the driver's name is known there, else as the
        driver says it; ``peak_gib`` [GiB] and ``step_seconds`` [s] where they were measured; ``report``, the file.
    """
    if report.get("schema") != SCHEMA:
        asked = {"found": str(report.get("schema"))[:60], "known": SCHEMA}
        raise InvalidError("file", _("The profile’s form is “%(found)s”; “%(known)s” is read") % asked)
    wrong = next(iter(VALIDATOR.iter_errors(report)), None)
    if wrong is not None:
        raise InvalidError("file", _damaged(wrong))
    load, device = report["load"], report["device"]
    if report["load_sha256"] != identity(load):
        raise InvalidError("file", _("The profile was changed after the run: its load is not the one that ran"))
    on_gpu = device["kind"] == "cuda"
    known = engine.gpu_named(device["name"], device["memory_bytes"]) if on_gpu else None
    profile: dict[str, Any] = load | {"gpu": known or device["name"], "report": report}
    if report["outcome"]["status"] == "ok":
        if on_gpu and report.get("peak_bytes"):
            profile["peak_gib"] = report["peak_bytes"] / GIB
        profile["step_seconds"] = (report.get("step_seconds") or {}).get("median")
    return profile


def outcome_of(profile: Mapping[str, Any]) -> dict[str, Any]:
    """Give how a run ended; a profile typed by hand ended well."""
    return ((profile.get("report") or {}).get("outcome")) or {"status": "ok"}
