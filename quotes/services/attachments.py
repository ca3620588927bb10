"""Files of a request: checked by content, stored where no web server reaches."""

from __future__ import annotations

from typing import Any

from django.core.files.base import ContentFile
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils.translation import gettext as _

from quotes import uploads
from quotes.actors import Actor
from quotes.models import Attachment, Request
from quotes.refusals import InvalidError
from quotes.services.recording import record


@transaction.atomic
def attach(request: Request, *, file: UploadedFile[Any] | uploads.Checked, kind: str, actor: Actor) -> Attachment:
    """Add one file to a request."""
    if request.attachments.count() >= uploads.MOST_FILES:
        raise InvalidError("attachments", _("No more than %(most)s files to a request") % {"most": uploads.MOST_FILES})
    checked = file if isinstance(file, uploads.Checked) else uploads.check(file, name=file.name or "")
    attachment = Attachment(
        request=request,
        kind=kind,
        name=checked.name,
        content_type=checked.content_type,
        size_bytes=len(checked.content),
        sha256=checked.sha256,
    )
    attachment.file.save(checked.name, ContentFile(checked.content), save=False)
    attachment.save()
    change = {"name": checked.name, "kind": kind, "bytes": len(checked.content), "sha256": checked.sha256}
    record(request, kind="attachment.added", actor=actor, change=change)
    return attachment
