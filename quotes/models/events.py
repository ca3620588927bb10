"""What happened, in order: the audit trail."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from quotes.models.append_only import AppendOnly, AppendOnlyQuerySet
from quotes.models.texts import ReadableChar, ReadableJson, ReadableText


class QuoteEvent(AppendOnly):
    """One change, e.g. `line.confirmed` by an engineer; written once, read for ever."""

    request = models.ForeignKey("quotes.Request", on_delete=models.CASCADE, related_name="events")
    quote = models.ForeignKey("quotes.Quote", null=True, blank=True, on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(max_length=60)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    actor_name = ReadableChar(max_length=200)
    actor_role = models.CharField(max_length=24)
    reason = ReadableText(blank=True)
    change = ReadableJson(default=dict)
    at = models.DateTimeField(default=timezone.now)

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [
            models.Index(fields=["request", "-at"], name="event_by_request"),
            models.Index(fields=["at", "id"], name="event_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.at:%Y-%m-%d %H:%M}"
