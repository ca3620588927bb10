"""Changing a ready model: adapters beside it, or all of its parameters."""

from __future__ import annotations

from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _

from quotes.forms import choices
from quotes.forms.fields import Choice, Number
from quotes.forms.limits import LIMITS
from quotes.forms.sections import Section
from quotes.forms.training import BATCH, CHECKPOINTS, DATA, MEMORY, MODEL, PROFILE, SOFTWARE, WE_CHOOSE, TrainingForm


class AdaptersForm(TrainingForm):
    """LoRA or QLoRA: frozen base, small trained addition."""

    title: ClassVar[Any] = _("Requirements for adapting a model")
    sections: ClassVar[tuple[Section, ...]] = (
        MODEL,
        Section(
            "method",
            _("Method"),
            plain=("method", ("lora_rank", "lora_targets")),
            expert=("adapter_dtype",),
        ),
        DATA,
        BATCH,
        MEMORY,
        CHECKPOINTS,
        SOFTWARE,
        PROFILE,
        *LIMITS,
    )

    method = Choice(
        choices=[("qlora", "QLoRA"), ("lora", "LoRA"), ("auto", _("Choose for me"))],
        kind="list",
        initial="auto",
        hints={
            "qlora": _("The base in 4 bits (NF4): 75 % less memory for weights. The rest takes as much as before"),
            "lora": _("The base in BF16: two bytes a parameter for weights alone"),
            "auto": _("Written down as an assumption; an engineer confirms it with you"),
        },
        label=_("Method"),
    )
    lora_rank = Number(
        low=1,
        high=65_536,
        whole=True,
        width="w4",
        label=_("Adapter rank"),
        action=_("Usual are 8 to 256."),
    )
    lora_targets = Choice(choices=choices.TARGETS, empty=WE_CHOOSE, label=_("Target layers"))
    adapter_dtype = Choice(
        choices=choices.ADAPTER_DTYPES, empty=WE_CHOOSE, label=_("Format of the adapter"), short=_("Adapter format")
    )


class FullForm(TrainingForm):
    """All parameters of a ready model."""

    title: ClassVar[Any] = _("Requirements for full fine-tuning")
    sections: ClassVar[tuple[Section, ...]] = (
        MODEL,
        Section("method", _("What is trained"), plain=("trainable", "trainable_billion")),
        DATA,
        BATCH,
        MEMORY,
        CHECKPOINTS,
        SOFTWARE,
        PROFILE,
        *LIMITS,
    )

    trainable = Choice(
        choices=[("all", _("all parameters")), ("part", _("only a part of the layers"))],
        kind="row",
        initial="all",
        label=_("Trainable parameters"),
    )
    trainable_billion = Number(
        low=0.001,
        high=20_000,
        unit=_("billion"),
        width="w4",
        label=_("How many of them are trained"),
        short=_("Trained parameters"),
        help_text=_("only where a part is trained; we size for all and say so"),
        action=_("Give billions of parameters."),
    )
