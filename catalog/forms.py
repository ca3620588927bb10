"""Forms of the catalog's pages."""

from __future__ import annotations

import datetime
import json
from typing import Any

from django import forms
from django.core.validators import FileExtensionValidator
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from catalog.models import LanguageModel
from catalog.money import currency_choices

EVIDENCE_BYTES = 10 * 2**20
EVIDENCE_KINDS = ["pdf", "png", "jpg", "jpeg", "txt", "eml", "xlsx", "docx"]


class RefuteForm(forms.Form):
    """What shows that a claim is wrong."""

    evidence = forms.CharField(
        label=_("Evidence"), max_length=500, help_text=_("A document with its date, a letter, a link.")
    )


class ConfirmForm(forms.Form):
    """The document that confirms claims, and until when it holds."""

    evidence = forms.CharField(
        label=_("Evidence"), max_length=500, help_text=_("A document with its date, a letter, a link.")
    )
    evidence_file = forms.FileField(
        label=_("Evidence file"), required=False, validators=[FileExtensionValidator(EVIDENCE_KINDS)]
    )
    valid_until = forms.DateField(
        label=_("Valid until"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text=_("After this day the confirmation is stale. Empty: it has no end."),
    )

    def clean_valid_until(self) -> datetime.date | None:
        """Refuse a confirmation that would have run out at once."""
        day: datetime.date | None = self.cleaned_data["valid_until"]
        if day is not None and day < timezone.localdate():
            raise forms.ValidationError(_("This day has passed. Give a day from today on."))
        return day

    def clean_evidence_file(self) -> Any:
        """Refuse a file that nobody would open."""
        file = self.cleaned_data["evidence_file"]
        if file is not None and file.size > EVIDENCE_BYTES:
            raise forms.ValidationError(_("The file is larger than 10 MB. Attach the page that matters."))
        return file


LONGEST_ARTICLE = 4_000


class ArticleForm(forms.Form):
    """An article that somebody holds and, if wanted, the job that it has to do."""

    METHODS = [
        ("", _("Only read it")),
        ("qlora", _("QLoRA")),
        ("lora", _("LoRA")),
        ("full", _("Full fine-tuning")),
    ]

    article = forms.CharField(
        label=_("Article or specification"),
        max_length=LONGEST_ARTICLE,
        error_messages={
            "required": _("Paste an article or a specification, for example SYS-821GE-TNHR-8xH200-2x8558-16x64GB."),
            "max_length": _(
                "This text has %(show_value)d characters; up to %(limit_value)d are read. Paste the composition only."
            ),
        },
    )
    method = forms.ChoiceField(label=_("For which job"), required=False, choices=METHODS)
    model = forms.ModelChoiceField(
        label=_("Model"),
        required=False,
        queryset=LanguageModel.objects.listed().order_by("name").defer("config"),
        to_field_name="slug",
        empty_label=_("Choose a model"),
    )
    sequence_length = forms.IntegerField(label=_("Sequence length"), required=False, min_value=1, max_value=10_000_000)

    def clean(self) -> dict[str, Any]:
        """Ask for a model where a method is named."""
        values: dict[str, Any] = super().clean() or {}
        if values.get("method") and not values.get("model") and "model" not in self.errors:
            self.add_error("model", _("Choose the model that is to be trained."))
        return values

    def request(self) -> dict[str, Any]:
        """What the engine is asked."""
        values = self.cleaned_data
        asked: dict[str, Any] = {"id": "article", "article": values["article"]}
        if values["method"]:
            length = {"sequence_length": values["sequence_length"]} if values["sequence_length"] else {}
            model = {"config": values["model"].config}
            asked["workload"] = {"task": "training", "method": values["method"], "model": model, **length}
        return asked


CONFIG_BYTES = 2 * 2**20


class LanguageModelForm(forms.Form):
    """A language model to add: its name and its config.json, pasted or uploaded."""

    name = forms.CharField(
        label=_("Name"), max_length=80, help_text=_("As its publisher writes it, e.g. Llama 3.1 8B.")
    )
    hf_id = forms.CharField(label=_("Hugging Face name"), max_length=160, required=False)
    maker = forms.CharField(label=_("Published by"), max_length=80, required=False)
    license = forms.CharField(label=_("Licence"), max_length=120, required=False)
    config_text = forms.CharField(
        label=_("config.json, pasted"),
        required=False,
        max_length=CONFIG_BYTES,
        widget=forms.Textarea(attrs={"rows": 8}),
    )
    config_file = forms.FileField(label=_("config.json, as a file"), required=False)

    def clean_config_file(self) -> Any:
        """Refuse what no configuration is as large as."""
        file = self.cleaned_data["config_file"]
        if file is not None and file.size > CONFIG_BYTES:
            raise forms.ValidationError(_("The file is larger than 2 MB: a config.json has a few kilobytes."))
        return file

    def clean(self) -> dict[str, Any]:
        """Read the configuration from wherever it was given."""
        values: dict[str, Any] = super().clean() or {}
        file, text = values.pop("config_file", None), values.pop("config_text", "")
        if not file and not text:
            if not self.errors:
                self.add_error("config_text", _("Paste the config.json or choose the file."))
            return values
        try:
            config = json.loads(file.read().decode("utf-8-sig") if file else text)
        except (ValueError, RecursionError):
            self.add_error("config_text", _("This is not JSON. Copy the whole file, from the first { to the last }."))
            return values
        if not isinstance(config, dict):
            self.add_error("config_text", _("A config.json is one object in braces."))
        values["config"] = config
        return values


class PriceListForm(forms.Form):
    """A supplier's price list to read."""

    supplier = forms.CharField(label=_("Supplier"), max_length=120)
    file = forms.FileField(label=_("Price list"), help_text=_("CSV, XLSX or YAML, up to 20,000 rows."))
    currency = forms.ChoiceField(
        label=_("Currency where a row names none"), required=False, choices=lambda: [("", "–"), *currency_choices()]
    )
    decimal = forms.ChoiceField(
        label=_("Numbers are written"),
        choices=[
            ("", _("as 1,950.00 or 1 950,00")),
            (".", _("with a decimal point")),
            (",", _("with a decimal comma")),
        ],
        required=False,
    )

    def clean_file(self) -> Any:
        """Refuse what is too large to be read at once."""
        file = self.cleaned_data["file"]
        if file.size > EVIDENCE_BYTES:
            raise forms.ValidationError(_("The file is larger than 10 MB. Split the list."))
        return file
