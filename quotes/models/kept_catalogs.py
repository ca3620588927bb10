"""The catalog as it stood when an estimate was made, kept so that the estimate can be made again."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from quotes.models.append_only import AppendOnly, AppendOnlyQuerySet


class KeptCatalog(AppendOnly):
    """One state of the catalog: its fingerprint, and its rows as compressed JSON with their own SHA-256."""

    fingerprint = models.CharField(max_length=64, unique=True)
    content = models.BinaryField()
    sha256 = models.CharField(max_length=64)
    engine_version = models.CharField(max_length=40)
    created_at = models.DateTimeField(default=timezone.now)

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        ordering = ["created_at", "pk"]

    def __str__(self) -> str:
        return f"catalog {self.fingerprint[:12]}"
