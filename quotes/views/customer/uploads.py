"""Files of the draft: config.json is read at once, the others wait until the request is sent."""

from __future__ import annotations

import json
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from catalog.limits import limited
from quotes import json_files
from quotes.forms import uploads as waiting
from quotes.forms.known_models import of_config
from quotes.forms.models import LONGEST_CONFIG_BYTES, read_config, reason_of
from quotes.forms.profiles import form_values, read_profile
from quotes.uploads import clean_name
from quotes.views.customer.drafts import Draft
from sizing.errors import SizingError

PROFILE = "profile"


def take_config(draft: Draft, file: UploadedFile[Any]) -> str:
    """Put a config.json into the draft; return the sentence that refuses it by its name, or nothing."""
    name = clean_name(file.name or "")
    try:
        config = read_config(file.read(LONGEST_CONFIG_BYTES), size_bytes=file.size or 0)
        of_config(config)
    except (ValidationError, SizingError) as error:
        why = reason_of(error) if isinstance(error, SizingError) else " ".join(error.messages)
        refusal = _("“%(name)s” is not used: %(why)s") % {"name": name, "why": why}
        draft.note_refused([(name, refusal)], tried=[name])
        return refusal
    draft.note_refused([], tried=[name])
    draft.keep({"config": json.dumps(config)})
    return ""


def take_files(draft: Draft, request: HttpRequest) -> list[waiting.Refused]:
    """Put uploads into the draft or take one out; return a sentence for each that was refused."""
    already = [waiting.Pending.of(stored) for stored in draft.files]
    dropped = request.POST.get("drop_file", "")
    for pending in already:
        if pending.key == dropped:
            waiting.drop(pending)
    kept = [pending for pending in already if pending.key != dropped]
    kind = request.POST.get("file_kind", "")
    offered = request.FILES.getlist("files")
    taken, refused = waiting.take(offered, kind=kind, already=kept)
    draft.files = [pending.as_json() for pending in [*kept, *taken]]
    refused += [unread for pending in taken if (unread := _take_profile(draft, pending))]
    tried = [pending.name for pending in already if pending.key == dropped]
    tried += [clean_name(file.name or "") for file in offered]
    draft.note_refused([(one.name, one.message) for one in refused], tried=tried)
    if any(pending.key == dropped and pending.kind == PROFILE for pending in already):
        draft.keep(dict.fromkeys(("profile_peak_gib", "profile_step_seconds", "profile_sequence_length"), ""))
    return refused


def _take_profile(draft: Draft, pending: waiting.Pending) -> waiting.Refused | None:
    """Put a measured profile's figures into the answers; say what it lacks, or nothing."""
    checked = waiting.read(pending) if pending.kind == PROFILE else None
    if checked is None or checked.content_type != "application/json":
        return None
    try:
        draft.keep(form_values(read_profile(checked.content), draft.values))
    except ValidationError as error:
        said = {"name": pending.name, "why": " ".join(error.messages)}
        text = _("“%(name)s” is attached, but not read as a profile: %(why)s") % said
        return waiting.Refused(pending.name, text)
    return None


def config_facts(text: str) -> str:
    """Describe the configuration in the draft in one line; nothing where there is none or it is wrong."""
    try:
        return of_config(json_files.load(text)).facts if text else ""
    except (ValueError, RecursionError, AttributeError):
        return ""


@login_not_required
@require_POST
@limited("upload", per_minute=30)
def config(request: HttpRequest) -> HttpResponse:
    """Read a config.json as soon as it is chosen, and have the estimate recounted."""
    draft = Draft(request)
    file = request.FILES.get("config_file")
    error = take_config(draft, file) if file else ""
    text = draft.values.get("config", "")
    context: dict[str, Any] = {
        "config_error": error,
        "config_facts": config_facts(text),
        "config_text": "" if error else text,
        "is_swap": True,
    }
    response = render(request, "quotes/customer/_config_file.html", context)
    if not error:
        response["HX-Trigger-After-Settle"] = "recount"
    return response


@login_not_required
@require_POST
@limited("upload", per_minute=30)
def files(request: HttpRequest) -> HttpResponse:
    """Take files as soon as they are chosen."""
    draft = Draft(request)
    context = {
        "file_errors": take_files(draft, request),
        "files": [waiting.Pending.of(stored) for stored in draft.files],
        "file_kinds": waiting.KINDS,
    }
    response = render(request, "quotes/customer/_files.html", context)
    if request.POST.get("file_kind") == PROFILE:
        is_expert = "depth=expert" in request.headers.get("HX-Current-URL", "")
        response["HX-Refresh" if is_expert else "HX-Trigger-After-Settle"] = "true" if is_expert else "recount"
    return response
