"""The frozen PDF: bytes, their hash, and the snapshot they were rendered from."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from quotes.models.append_only import AppendOnly, AppendOnlyQuerySet
from quotes.models.requests import Language
from quotes.storage import private_storage


def document_path(document: Document, filename: str) -> str:
    """Name a document by its id, so that nothing is ever written over."""
    return f"documents/{document.request.public_id}/{document.public_id}.pdf"


class Document(AppendOnly):
    """One rendered PDF, e.g. the short form of SW-2026-0147/1 in Russian; rendered once, served as stored."""

    class Kind(models.TextChoices):
        """What the document says about itself."""

        PRELIMINARY = "preliminary", _("Preliminary estimate, not an offer")
        DRAFT = "draft", _("Draft")
        SHORT = "short", _("Quote")
        FULL = "full", _("Quote with the full calculation")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    request = models.ForeignKey("quotes.Request", on_delete=models.PROTECT, related_name="documents")
    quote = models.ForeignKey("quotes.Quote", null=True, blank=True, on_delete=models.PROTECT, related_name="documents")
    estimate = models.ForeignKey("quotes.Estimate", null=True, blank=True, on_delete=models.PROTECT)
    kind = models.CharField(max_length=12, choices=Kind.choices)
    language = models.CharField(max_length=2, choices=Language.choices)
    file = models.FileField(storage=private_storage, upload_to=document_path, max_length=200)
    size_bytes = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64, db_index=True)
    snapshot = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now)

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["quote", "kind", "language"],
                condition=Q(kind__in=["short", "full"]),
                name="issued_document_rendered_once",
            ),
            models.UniqueConstraint(
                fields=["estimate", "language"],
                condition=Q(kind="preliminary"),
                name="preliminary_document_rendered_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.language} {self.sha256[:12]}"

    @property
    def download_name(self) -> str:
        """Give the file name a download carries, e.g. ``SW-2026-0147-1-ru.pdf``."""
        number = self.snapshot.get("number")
        stem = f"{number}-{self.snapshot.get('revision')}" if number else self.snapshot.get("reference", "estimate")
        mark = "" if self.kind == self.Kind.SHORT else f"-{self.kind}"
        return f"{stem}{mark}-{self.language}.pdf"
