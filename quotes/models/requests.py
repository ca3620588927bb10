"""What the customer said: the request, its versions, its links and its attachments."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from quotes.models.texts import ReadableChar, ReadableJson, ReadableText
from quotes.storage import private_storage

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser


class Route(models.TextChoices):
    """Which parameters change: the first question of the form."""

    LORA = "lora", _("LoRA")
    QLORA = "qlora", _("QLoRA")
    FULL = "full", _("Full fine-tuning")
    SCRATCH = "scratch", _("Training from scratch")
    SERVICE = "service", _("Service")
    DOCUMENTS = "documents", _("Answers over documents")
    DISCUSS = "discuss", _("To be discussed")


class Language(models.TextChoices):
    """Languages a customer can be answered in."""

    ENGLISH = "en", "English"
    RUSSIAN = "ru", "Русский"


class RequestQuerySet(models.QuerySet["Request"]):
    """Which requests?"""

    def visible_to(self, user: AbstractBaseUser | AnonymousUser) -> RequestQuerySet:
        """Keep what this person may read: engineers, approvers and auditors read all, nobody else any."""
        from quotes.actors import DESK_READERS, roles_of

        return self if roles_of(user) & DESK_READERS else self.none()

    def found_by(self, text: str) -> RequestQuerySet:
        """Keep requests that contain every word of a search, in any case and alphabet."""
        words = text.casefold().replace("ё", "е").split()
        return self.filter(*(Q(search_text__contains=word) for word in words))


class Request(models.Model):
    """What a customer asked for, e.g. R-2026-0412: QLoRA of Llama 3.3 70B, ready within a week."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    reference = models.CharField(max_length=20, unique=True)
    route = models.CharField(max_length=16, choices=Route.choices)
    language = models.CharField(max_length=2, choices=Language.choices, default=Language.ENGLISH)
    contact_name = ReadableChar(max_length=200, blank=True)
    organization = ReadableChar(max_length=200, blank=True)
    email = models.EmailField(blank=True)
    phone = ReadableChar(max_length=40, blank=True)
    consented_at = models.DateTimeField(null=True, blank=True)
    message = ReadableText(blank=True)
    assigned_to = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="assigned_requests"
    )
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="entered_requests"
    )
    copied_from = models.ForeignKey(
        "quotes.Quote", null=True, blank=True, on_delete=models.PROTECT, related_name="copies"
    )
    due_on = models.DateField(null=True, blank=True)
    idempotency_key = models.CharField(max_length=64, null=True, blank=True, unique=True)
    merged_into = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="merged", editable=False
    )
    merged_at = models.DateTimeField(null=True, blank=True, editable=False)
    link_leads_on = models.BooleanField(default=False, editable=False)
    email_folded = models.CharField(max_length=254, blank=True, db_index=True, editable=False)
    organization_folded = models.CharField(max_length=200, blank=True, db_index=True, editable=False)
    search_text = models.TextField(blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    objects = RequestQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(condition=~Q(merged_into=models.F("pk")), name="request_not_merged_into_itself"),
        ]

    def __str__(self) -> str:
        return self.reference

    @property
    def customer_name(self) -> str:
        """Say who asks: the organization, else the person, else the reference."""
        return self.organization or self.contact_name or self.email or self.reference

    @property
    def contact_lines(self) -> list[str]:
        """Give name and organization, e-mail and phone, each on its line; what is not known takes none."""
        named = ", ".join(filter(None, (self.contact_name, self.organization)))
        return [one for one in (named, self.email, self.phone) if one]

    @property
    def latest_version(self) -> RequestVersion | None:
        """Give the answers that count now. Runs SQL unless versions are prefetched."""
        versions = sorted(self.versions.all(), key=lambda version: version.number)
        return versions[-1] if versions else None


class RequestVersion(models.Model):
    """One state of the customer's answers, e.g. version 2 after a question was answered."""

    request = models.ForeignKey(Request, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    answers = ReadableJson(default=dict)
    why = ReadableChar(max_length=240, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["request", "number"], name="request_version_number_once")]

    def __str__(self) -> str:
        return f"{self.request_id} v{self.number}"


class CustomerLinkQuerySet(models.QuerySet["CustomerLink"]):
    """Which links?"""

    def open(self) -> CustomerLinkQuerySet:
        """Keep links that still open their request."""
        return self.filter(revoked_at=None, expires_at__gt=timezone.now())


class CustomerLink(models.Model):
    """A private address that opens one request; only the SHA-256 of its token is kept."""

    request = models.ForeignKey(Request, on_delete=models.CASCADE, related_name="links")
    nonce = models.CharField(max_length=64)
    token_sha256 = models.CharField(max_length=64, unique=True)
    issued_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    issued_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT)

    objects = CustomerLinkQuerySet.as_manager()

    class Meta:
        ordering = ["-issued_at"]

    def __str__(self) -> str:
        return f"link of {self.request_id}"

    @property
    def is_open(self) -> bool:
        """Say whether the link still opens its request."""
        return self.revoked_at is None and self.expires_at > timezone.now()


def attachment_path(attachment: Attachment, filename: str) -> str:
    """Name a stored upload by its id alone: nothing of the customer's file name reaches the disk."""
    return f"attachments/{attachment.request.public_id}/{attachment.public_id}"


class Attachment(models.Model):
    """A file the customer or the engineer added, e.g. a specification; served as a download only."""

    class Kind(models.TextChoices):
        """What the file is for."""

        ARTICLE = "article", _("Article or offer")
        SPECIFICATION = "specification", _("Specification")
        REQUIREMENTS = "requirements", _("Requirements document")
        PROFILE = "profile", _("Profile of a run")
        CONFIG = "config", _("Model configuration")

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    request = models.ForeignKey(Request, on_delete=models.CASCADE, related_name="attachments")
    kind = models.CharField(max_length=16, choices=Kind.choices)
    name = ReadableChar(max_length=200)
    content_type = models.CharField(max_length=100)
    size_bytes = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    file = models.FileField(storage=private_storage, upload_to=attachment_path, max_length=200)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["created_at", "pk"]

    def __str__(self) -> str:
        return str(self.name)


class InternalNote(models.Model):
    """A remark among staff; it lives apart from everything a customer can read."""

    request = models.ForeignKey(Request, on_delete=models.CASCADE, related_name="internal_notes")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT)
    text = ReadableText()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["created_at"]

    def __str__(self) -> str:
        return str(self.text)[:60]
