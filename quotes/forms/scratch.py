"""Training from scratch: architecture, data, steps, deadline."""

from __future__ import annotations

from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _

from quotes.forms.fields import Flag, Number
from quotes.forms.limits import LIMITS
from quotes.forms.sections import Section
from quotes.forms.training import BATCH, CHECKPOINTS, DATA, MEMORY, PROFILE, SOFTWARE, TrainingForm


class ScratchForm(TrainingForm):
    """A new model: architecture, data, steps, deadline."""

    title: ClassVar[Any] = _("Training from scratch")
    ask_at: ClassVar[str] = "layers"
    sections: ClassVar[tuple[Section, ...]] = (
        Section(
            "model",
            _("Architecture"),
            plain=(
                ("layers", "hidden_size", "mlp_size"),
                ("query_heads", "kv_heads", "vocabulary"),
                "tied_embeddings",
                "parameters_billion",
                "config",
            ),
            expert=("model_name",),
            lead=_(
                "Give the layers, the size alone, or a config.json. "
                "A known model of the same shape can be named in the expert view."
            ),
        ),
        DATA,
        BATCH,
        MEMORY,
        CHECKPOINTS,
        SOFTWARE,
        PROFILE,
        *LIMITS,
    )

    layers = Number(low=1, high=1000, whole=True, width="w4", label=_("Layers"))
    hidden_size = Number(low=16, high=200_000, whole=True, width="w4", label=_("Hidden size"))
    mlp_size = Number(low=16, high=1_000_000, whole=True, width="w4", label=_("MLP size"))
    query_heads = Number(low=1, high=1024, whole=True, width="w4", label=_("Query heads"))
    kv_heads = Number(low=1, high=1024, whole=True, width="w4", label=_("KV heads"))
    vocabulary = Number(low=16, high=10_000_000, whole=True, width="w6", label=_("Vocabulary"))
    tied_embeddings = Flag(
        label=_("Input and output embeddings are one matrix"),
        help_text=_("Usual below about 7 billion parameters"),
        short=_("Tied embeddings"),
    )

    def clean(self) -> dict[str, Any]:
        """Ask for every part of an architecture that was begun, and for heads that divide it."""
        cleaned = super().clean()
        parts = ("layers", "hidden_size", "query_heads", "vocabulary")
        if any(cleaned.get(name) for name in parts) and not cleaned.get("config"):
            for name in parts:
                if not cleaned.get(name) and name not in self.errors:
                    self.add_error(name, _("Needed together with the other parts of the architecture."))
        hidden, heads, kv = (cleaned.get(name) for name in ("hidden_size", "query_heads", "kv_heads"))
        if hidden and heads and hidden % heads:
            self.add_error("query_heads", _("The hidden size must divide by the number of query heads."))
        if heads and kv and heads % kv:
            self.add_error("kv_heads", _("The number of query heads must divide by the number of KV heads."))
        return cleaned
