"""Forms of the catalog's pages."""

from __future__ import annotations

import datetime
import json
from typing import Any

from django import forms
from django.core.validators import FileExtensionValidator
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from catalog.article_files import (
    LONGEST_ARTICLE,
    LONGEST_TOGETHER,
    MOST_ARTICLES,
    lines_of_file,
    lines_of_text,
    shown_lines,
)
from catalog.intake import LONGEST_KEPT
from catalog.models import LanguageModel
from catalog.money import currency_choices
from catalog.services import check_evidence
from catalog.tables import Unreadable

EVIDENCE_BYTES = 10 * 2**20
EVIDENCE_KINDS = ["pdf", "png", "jpg", "jpeg", "txt", "eml", "xlsx", "docx"]


class RefuteForm(forms.Form):
    """What shows that a claim is wrong."""

    evidence = forms.CharField(
        label=_("Evidence"),
        max_length=500,
        help_text=_("A document with its date, a letter, a link."),
        validators=[check_evidence],
    )


class ConfirmForm(forms.Form):
    """The document that confirms claims, and until when it holds."""

    evidence = forms.CharField(
        label=_("Evidence"),
        max_length=500,
        help_text=_("A document with its date, a letter, a link."),
        validators=[check_evidence],
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


_EMPTY = _("Paste an article or a specification, for example SYS-821GE-TNHR-8xH200-2x8558-16x64GB, or choose a file.")
_TOO_LONG = _("A specification is read up to 4,000 characters. Keep the composition only.")


class ArticleForm(forms.Form):
    """Articles that somebody holds, pasted or in a file, and, if wanted, the job that they have to do."""

    METHODS = [
        ("", _("Only read it")),
        ("qlora", _("QLoRA")),
        ("lora", _("LoRA")),
        ("full", _("Full fine-tuning")),
    ]
    LAYOUTS = [
        ("", _("as they look")),
        ("list", _("one article each")),
        ("one", _("one specification together")),
    ]

    article = forms.CharField(label=_("Article or specification"), required=False, max_length=LONGEST_TOGETHER)
    file = forms.FileField(
        label=_("Or a file"),
        required=False,
        validators=[FileExtensionValidator(["txt", "csv", "tsv", "xlsx"])],
        help_text=_("TXT, CSV or XLSX: one article a line, up to 100, or one specification."),
    )
    layout = forms.ChoiceField(label=_("Several lines are"), required=False, choices=LAYOUTS)
    method = forms.ChoiceField(label=_("For which job"), required=False, choices=METHODS)
    model = forms.ModelChoiceField(
        label=_("Model"),
        required=False,
        queryset=LanguageModel.objects.listed().order_by("name").defer("config"),
        to_field_name="slug",
        empty_label=_("Choose a model"),
    )
    sequence_length = forms.IntegerField(label=_("Sequence length"), required=False, min_value=1, max_value=10_000_000)

    def clean_file(self) -> Any:
        """Refuse what no list of articles is as large as."""
        file = self.cleaned_data["file"]
        if file is not None and file.size > EVIDENCE_BYTES:
            raise forms.ValidationError(_("The file is larger than 10 MB. Keep the lines with the composition only."))
        return file

    def clean(self) -> dict[str, Any]:
        """Read the lines from wherever they were given, and ask for a model where a method is named."""
        values: dict[str, Any] = super().clean() or {}
        if values.get("method") and not values.get("model") and "model" not in self.errors:
            self.add_error("model", _("Choose the model that is to be trained."))
        if "article" in self.errors or "file" in self.errors:
            return values
        file, text = values.get("file"), values.get("article", "")
        if not file and not text:
            self.add_error("article", _EMPTY)
            return values
        try:
            values["lines"] = lines_of_file(file.read(), file.name) if file else lines_of_text(text)
        except Unreadable as error:
            self.add_error("file" if file else "article", str(error))
            return values
        return values

    def refuse_length(self, text: str) -> bool:
        """Refuse a specification that is too long to be read, where its lines belong together."""
        if len(text) <= LONGEST_ARTICLE:
            return False
        self.add_error("file" if self.cleaned_data["file"] else "article", _TOO_LONG)
        return True

    def request(self, article: str) -> dict[str, Any]:
        """What the engine is asked about one article."""
        values = self.cleaned_data
        asked: dict[str, Any] = {"id": "article", "article": article}
        if values["method"]:
            length = {"sequence_length": values["sequence_length"]} if values["sequence_length"] else {}
            model = {"config": values["model"].config}
            asked["workload"] = {"task": "training", "method": values["method"], "model": model, **length}
        return asked


class KeepForm(forms.Form):
    """Articles to keep, or one specification and the article to keep it under."""

    article = forms.Field(widget=forms.MultipleHiddenInput)
    name = forms.CharField(label=_("Article"), required=False, max_length=LONGEST_KEPT)

    def clean_article(self) -> list[str]:
        """Refuse what was never read: too many texts, too long ones, invisible signs."""
        texts = [shown_lines(text) for text in self.cleaned_data["article"]]
        if len(texts) > MOST_ARTICLES or any(len(text) > LONGEST_ARTICLE for text in texts):
            raise forms.ValidationError(_TOO_LONG)
        if not all(texts):
            raise forms.ValidationError(_EMPTY)
        return texts

    def clean(self) -> dict[str, Any]:
        """Let a name stand for one text only."""
        values: dict[str, Any] = super().clean() or {}
        if values.get("name") and len(values.get("article", [])) > 1:
            self.add_error("name", _("One name is for one specification."))
        return values

    def messages(self) -> list[str]:
        """What is wrong, as sentences."""
        return [str(message) for messages in self.errors.values() for message in messages]


CONFIG_BYTES = 2 * 2**20
LONGEST_CONTEXT = 100_000_000


class LanguageModelForm(forms.Form):
    """A language model to add: its name and its config.json, pasted or uploaded."""

    name = forms.CharField(
        label=_("Name"), max_length=80, help_text=_("As its publisher writes it, e.g. Llama 3.1 8B.")
    )
    hf_id = forms.CharField(label=_("Hugging Face name"), max_length=160, required=False)
    maker = forms.CharField(label=_("Published by"), max_length=80, required=False)
    license = forms.CharField(label=_("Licence"), max_length=120, required=False)
    context = forms.IntegerField(
        label=_("Context length, tokens"),
        required=False,
        min_value=1,
        max_value=LONGEST_CONTEXT,
        help_text=_("Empty: as the configuration says."),
    )
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


class ModelArchiveForm(forms.Form):
    """Configurations of many language models, in one archive."""

    file = forms.FileField(
        label=_("ZIP archive"),
        validators=[FileExtensionValidator(["zip"])],
        help_text=_("Up to 10 MB and 200 models."),
    )

    def clean_file(self) -> Any:
        """Refuse what no collection of configurations is as large as."""
        file = self.cleaned_data["file"]
        if file.size > EVIDENCE_BYTES:
            raise forms.ValidationError(_("The archive is larger than 10 MB. Pack the config.json files only."))
        return file


class AddedForm(forms.Form):
    """What a person adds to one configuration of many."""

    license = forms.CharField(label=_("Licence"), max_length=120, required=False)
    context = forms.IntegerField(
        label=_("Context length, tokens"), required=False, min_value=1, max_value=LONGEST_CONTEXT
    )


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
