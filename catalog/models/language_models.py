"""Language models that customers train or serve."""

from __future__ import annotations

from django.core.validators import RegexValidator
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords

from catalog.models.bounds import WithinBounds
from catalog.models.parts import positive
from catalog.models.sources import Source


class LanguageModelQuerySet(models.QuerySet["LanguageModel"]):
    """Questions about language models."""

    def listed(self) -> LanguageModelQuerySet:
        """Those that people may choose."""
        return self.filter(is_listed=True)


class LanguageModel(WithinBounds):
    """One published model, e.g. Llama 3.1 8B, with its configuration as published and its exact parameter counts."""

    slug = models.CharField(
        _("short name"),
        max_length=80,
        unique=True,
        validators=[RegexValidator(r"^[a-z0-9][a-z0-9._-]*$", _("Small letters, digits, dots and dashes."))],
    )
    name = models.CharField(_("name"), max_length=160)
    maker = models.CharField(_("published by"), max_length=80, blank=True)
    family = models.CharField(_("family"), max_length=60, blank=True)
    hf_id = models.CharField(_("Hugging Face name"), max_length=160, blank=True)
    license = models.CharField(_("licence"), max_length=120, blank=True)
    context_length = models.PositiveIntegerField(_("context length"), null=True, blank=True)
    parameters = models.PositiveBigIntegerField(_("parameters"))
    active_parameters = models.PositiveBigIntegerField(_("parameters used per token"), null=True, blank=True)
    is_verified = models.BooleanField(_("compared with an independent source"), default=False)
    config = models.JSONField(_("configuration"), default=dict, editable=False)
    notes = models.TextField(_("notes"), blank=True)
    sources = models.ManyToManyField(Source, blank=True, related_name="language_models", verbose_name=_("sources"))
    is_listed = models.BooleanField(_("offered in the form"), default=True)
    edited_at = models.DateTimeField(_("edited by a person"), null=True, blank=True, editable=False)
    changed_at = models.DateTimeField(_("changed"), auto_now=True)

    objects = LanguageModelQuerySet.as_manager()
    history = HistoricalRecords()

    class Meta:
        ordering = ["maker", "family", "parameters", "name"]
        verbose_name = _("language model")
        verbose_name_plural = _("language models")
        constraints = [
            positive("language_model_counts_positive", "parameters", "active_parameters", "context_length"),
            models.CheckConstraint(
                condition=models.Q(active_parameters__lte=models.F("parameters")),
                name="language_model_active_within_all",
                violation_error_message=_("The parameters used per token are not more than all parameters."),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """The public page."""
        return reverse("catalog:language_model", args=[self.slug])

    @property
    def bf16_bytes(self) -> int:
        """Weights in 16 bit [byte]."""
        return 2 * self.parameters
