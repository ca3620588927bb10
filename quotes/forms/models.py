"""The model in the form: a name out of the list, a config.json, or a bare number of parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from quotes import json_files
from quotes.forms import numbers
from quotes.forms.fields import Number, Text
from quotes.forms.known_models import find, known, of_config
from quotes.forms.sections import SectionForm
from quotes.presenter import engine_words
from sizing.errors import SizingError

LONGEST_CONFIG_BYTES = 256 * 1024
DEEPEST = 12
MOST_KEYS = 2000
FIELD_PATH = re.compile(r"\b(?:workload\.)?model\.(?:config\.)?(?=\w)")
SHAPE_KEYS = ("num_hidden_layers", "n_layers", "n_layer", "num_layers", "hidden_size", "d_model", "n_embd", "dim")


class ModelForm(SectionForm):
    """Which model: at least one of name, configuration or number of parameters; `ask_at` carries the error."""

    ask_at: ClassVar[str] = "model_name"

    model_name = Text(
        kind="model",
        max_length=120,
        label=_("Which model"),
        short=_("Model"),
        help_text=_("A name or a Hugging Face address. An unknown name is asked about, not accepted"),
    )
    config = Text(
        kind="config",
        max_length=LONGEST_CONFIG_BYTES,
        label=_("Text of config.json"),
        short="config.json",
        help_text=_("More exact than a name: layers, heads and vocabulary are read from it"),
    )
    parameters_billion = Number(
        low=0.001,
        high=20_000,
        unit=_("billion"),
        width="w4",
        label=_("Only the number of parameters"),
        short=_("Parameters"),
        help_text=_("If neither name nor configuration is at hand"),
        action=_("Give billions: 7 for a model of seven billion parameters."),
    )

    def clean_model_name(self) -> str:
        """Refuse a name nobody knows and offer the nearest ones."""
        typed = str(self.cleaned_data.get("model_name") or "").strip()
        if not typed or known(typed) or self.data.get("config") or self.data.get("parameters_billion"):
            found = known(typed) if typed else None
            return found.slug if found else typed
        nearest = ", ".join(model.label for model in find(typed)[:3])
        if nearest:
            raise ValidationError(
                _(
                    "We do not know “%(value)s”. Did you mean %(nearest)s? "
                    "Otherwise give config.json or the number of parameters."
                ),
                code="unknown_model",
                params={"value": typed, "nearest": nearest},
            )
        raise ValidationError(
            _("We do not know “%(value)s”. Give its config.json or the number of parameters, or choose from the list."),
            code="unknown_model",
            params={"value": typed},
        )

    def clean_config(self) -> dict[str, Any] | None:
        """Read the pasted configuration, or say why it is not one."""
        text = str(self.cleaned_data.get("config") or "").strip()
        if not text:
            return None
        config = read_config(text.encode())
        try:
            of_config(config)
        except SizingError as refused:
            raise ValidationError(
                _("This model cannot be sized: %(reason)s"), code="not_sizable", params={"reason": reason_of(refused)}
            ) from refused
        return config

    def clean(self) -> dict[str, Any]:
        """Ask for the model once, where nothing names it."""
        cleaned = super().clean() or {}
        named = any(cleaned.get(name) for name in ("model_name", "config", "parameters_billion", "layers"))
        wrong = any(name in self.errors for name in ("model_name", "config", "parameters_billion", "layers"))
        if not named and not wrong:
            self.add_error(self.ask_at, _("Name the model, or give its config.json or its number of parameters."))
        return cleaned


def reason_of(refused: SizingError) -> str:
    """Give the engine's reason in the reader's language, names of fields without the path before them."""
    return engine_words.say(FIELD_PATH.sub("", refused.text))


def read_config(content: bytes, *, size_bytes: int | None = None) -> dict[str, Any]:
    """Read a Hugging Face config.json; raise ValidationError with a sentence where it is not one.

    The checks run before and after parsing, so that a huge or deeply nested file costs nothing. `size_bytes` is the
    size of the file where only its beginning was read.
    """
    size = len(content) if size_bytes is None else size_bytes
    if size <= LONGEST_CONFIG_BYTES and not content.strip():
        raise ValidationError(
            _("The file is empty. Choose the config.json that lies beside the weights."), code="empty"
        )
    if size > LONGEST_CONFIG_BYTES:
        raise ValidationError(
            _(
                "A config.json has at most %(limit)s KB, this one %(size)s KB. "
                "Weights are not needed: choose config.json alone."
            ),
            code="too_large",
            params={
                "limit": numbers.say(LONGEST_CONFIG_BYTES // 1024),
                "size": numbers.say(size // 1024),
            },
        )
    if content.count(b"[") + content.count(b"{") > MOST_KEYS or _depth(content) > DEEPEST:
        raise ValidationError(_("This JSON is nested too deeply to be the config.json of a model."), code="nested")
    try:
        parsed = json_files.load(content)
    except (ValueError, RecursionError) as error:
        raise ValidationError(
            _("This is not JSON: %(reason)s. Paste the whole file, from { to }."),
            code="not_json",
            params={"reason": str(error)[:120]},
        ) from error
    return _check_shape(parsed)


def _depth(content: bytes) -> int:
    depth = deepest = 0
    for byte in content:
        if byte in b"{[":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"}]":
            depth -= 1
    return deepest


def _check_shape(parsed: Any) -> dict[str, Any]:
    if not isinstance(parsed, dict):
        raise ValidationError(
            _("This JSON is not an object with named fields, so it is not the config.json of a model."),
            code="not_object",
        )
    bodies: list[Mapping[str, Any]] = [parsed, *(v for v in parsed.values() if isinstance(v, dict))]
    found = [(key, body[key]) for body in bodies for key in SHAPE_KEYS if key in body]
    if not found:
        raise ValidationError(
            _(
                "This JSON has neither layers nor a hidden size, so it is not the config.json of a language model. "
                "Look beside the weights for the file of that name."
            ),
            code="not_a_model",
        )
    wrong = next(((key, value) for key, value in found if isinstance(value, bool) or not isinstance(value, int)), None)
    if wrong:
        raise ValidationError(
            _("“%(key)s” must be a whole number, given %(value)s. Correct it or choose the original file."),
            code="wrong_type",
            params={"key": wrong[0], "value": str(wrong[1])[:40]},
        )
    return parsed
