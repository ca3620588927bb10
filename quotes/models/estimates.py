"""What the engine was asked and what it answered, kept so that it can be asked again."""

from __future__ import annotations

import uuid
from typing import Any

from django.db import models
from django.utils import timezone


class Estimate(models.Model):
    """One recommendation of the engine: input, output, engine version and catalog fingerprint."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    request = models.ForeignKey("quotes.Request", on_delete=models.CASCADE, related_name="estimates")
    request_version = models.ForeignKey("quotes.RequestVersion", on_delete=models.PROTECT, related_name="estimates")
    input = models.JSONField()
    output = models.JSONField()
    engine_version = models.CharField(max_length=40)
    catalog_fingerprint = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["created_at", "pk"]

    def __str__(self) -> str:
        return f"estimate {self.public_id}"

    @property
    def candidates(self) -> list[dict[str, Any]]:
        """Give the candidates in the engine's order; none where the engine refused the input."""
        return list(self.output.get("candidates") or [])

    @property
    def rejected(self) -> list[dict[str, Any]]:
        """Give what was rejected, each with its reason."""
        return list(self.output.get("rejected") or [])

    @property
    def error(self) -> dict[str, str] | None:
        """Give the engine's refusal ``{"field", "message"}``, or None where it answered."""
        found = self.output.get("error")
        return dict(found) if found else None

    def candidate(self, rank: int | None) -> dict[str, Any] | None:
        """Give the candidate of a rank, e.g. 1."""
        return next((item for item in self.candidates if item.get("rank") == rank), None)

    @property
    def recommended(self) -> dict[str, Any] | None:
        """Give the candidate labelled recommended, else the first that does the job."""
        marked = (item for item in self.candidates if "recommended" in (item.get("labels") or []))
        able = (item for item in self.candidates if item.get("does_the_job") is not False)
        return next(marked, next(able, None))
