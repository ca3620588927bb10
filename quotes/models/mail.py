"""Letters on their way: written with the change they tell of, delivered by the task worker."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class Mail(models.Model):
    """One letter, e.g. "your estimate is ready"; the key makes sure that it is written once."""

    class State(models.TextChoices):
        """How far the letter got."""

        QUEUED = "queued"
        SENDING = "sending"
        SENT = "sent"
        FAILED = "failed"

    request = models.ForeignKey("quotes.Request", on_delete=models.CASCADE, related_name="mails")
    key = models.CharField(max_length=160, unique=True)
    template = models.CharField(max_length=60)
    context = models.JSONField(default=dict)
    to = models.EmailField()
    language = models.CharField(max_length=2, default="en")
    state = models.CharField(max_length=8, choices=State.choices, default=State.QUEUED)
    attempts = models.PositiveIntegerField(default=0)
    last_error = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    state_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["created_at", "pk"]
        indexes = [models.Index(fields=["state", "state_at"], name="mail_by_state")]

    def __str__(self) -> str:
        return f"{self.template} to {self.to}"
