"""The script as it is handed out: the file of this folder with one load written into it."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from django.http import FileResponse

from quotes.pilot.offering import Offer
from quotes.refusals import ConflictError

FILE = Path(__file__).with_name("pilot_run.py")
PLACE = 'EMBEDDED = "null"\n'


@cache
def _parts() -> tuple[str, str]:
    before, place, after = FILE.read_text(encoding="utf-8").partition(PLACE)
    if not place:
        raise ValueError("the pilot script has no place for a load")
    return before, after


def with_load(workload: Mapping[str, Any]) -> bytes:
    """Give the script with a load put in.

    Names of models and quotes are other people's words, so nothing of the load becomes code: it is JSON in ASCII, each
    line of which is written as a Python string literal.
    """
    before, after = _parts()
    text = json.dumps(workload, ensure_ascii=True, allow_nan=False, indent=1, sort_keys=True)
    literals = "\n".join(f"    {line + chr(10)!r}" for line in text.split("\n"))
    return f"{before}EMBEDDED = (\n{literals}\n)\n{after}".encode()


def response(offer: Offer) -> FileResponse:
    """Give the script of an offer as a download that no browser opens or guesses the type of.

    Raises
    ------
    ConflictError
        With the reason, where the offer holds no load.
    """
    if offer.workload is None:
        raise ConflictError(offer.reason)
    content, name = with_load(offer.workload), filename(offer.workload["quote"])
    kind = "text/x-python; charset=utf-8"
    file = FileResponse(io.BytesIO(content), as_attachment=True, filename=name, content_type=kind)
    file["X-Content-Type-Options"] = "nosniff"
    file["Content-Security-Policy"] = "default-src 'none'; sandbox"
    file["Cache-Control"] = "private, no-store"
    return file


def filename(name: str) -> str:
    """Give a name for the download: letters, digits and dashes of the quote's number."""
    return f"pilot-{re.sub(r'[^A-Za-z0-9]+', '-', name).strip('-') or 'run'}.py"
