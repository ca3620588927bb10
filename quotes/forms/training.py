"""Requirements for training: adapters, full fine-tuning, from scratch."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from quotes.forms import choices, numbers
from quotes.forms.fields import Choice, Number, Text
from quotes.forms.known_models import known
from quotes.forms.limits import LimitsForm
from quotes.forms.models import ModelForm
from quotes.forms.sections import Section

WE_CHOOSE = choices.WE_CHOOSE
LONGEST_SEQUENCE = 16_777_216

MODEL = Section("model", _("Model"), plain=("model_name", "config"), expert=("parameters_billion",))
DATA = Section(
    "data",
    _("Data and training"),
    plain=(
        ("dataset_amount", "dataset_unit"),
        "pages_per_document",
        "dataset_language",
        ("epochs", "steps"),
        "sequence_length",
        "parallel_experiments",
    ),
)
BATCH = Section(
    "batch",
    _("Batch and precision"),
    plain=(("global_batch", "optimizer"),),
    expert=("micro_batch", "gradient_accumulation", "weights", "compute", "master_weights", "packing"),
    folded=True,
)
MEMORY = Section(
    "memory",
    _("Memory against time"),
    plain=(),
    expert=(
        "activation_checkpointing",
        "attention",
        "loss",
        "sharding",
        "offload",
        "tensor",
        "pipeline",
        "context",
        "expert",
    ),
)
CHECKPOINTS = Section(
    "checkpoints",
    _("Checkpoints"),
    plain=(("checkpoint_every", "checkpoint_unit"), "checkpoints_kept"),
    folded=True,
)
SOFTWARE = Section("software", _("Software"), plain=(("framework", "framework_version"),), folded=True)
PROFILE = Section(
    "profile",
    _("Measured on a running project"),
    plain=(),
    expert=("profile_peak_gib", "profile_step_seconds", "profile_sequence_length"),
)


class TrainingForm(LimitsForm, ModelForm):
    """What every kind of training has in common."""

    dataset_amount = Number(
        low=0.001,
        high=1e15,
        width="w6",
        label=_("Amount of data"),
        short=_("Dataset"),
        action=_("Choose another unit or correct the number."),
    )
    dataset_unit = Choice(choices=choices.DATA_UNITS, initial="million_tokens", label=_("Counted in"))
    dataset_language = Choice(
        choices=choices.TEXT_LANGUAGES,
        empty=_("not stated"),
        label=_("Language of the texts"),
        short=_("Text language"),
        help_text=_("Russian needs about half as many tokens again as English"),
    )
    pages_per_document = Number(
        low=0.1,
        high=100_000,
        unit=_("pages"),
        width="w4",
        label=_("Pages in a document"),
        short=_("Pages a document"),
        help_text=_("only where documents are counted"),
        action=_("Give the mean."),
    )
    epochs = Number(
        low=0.01,
        high=1000,
        width="w4",
        label=_("Passes over the data"),
        short=_("Epochs"),
        action=_("Usual are 1 to 5."),
    )
    steps = Number(
        low=1,
        high=1e9,
        whole=True,
        width="w6",
        label=_("Or a number of steps"),
        short=_("Steps"),
        help_text=_("steps win over passes"),
        action=_("Leave it empty to count from the data."),
    )
    sequence_length = Number(
        low=1,
        high=LONGEST_SEQUENCE,
        whole=True,
        unit=_("tokens"),
        width="w6",
        label=_("Sequence length"),
        help_text=_(
            "The longest example the model sees whole. "
            "A contract of 10 pages: about 4,000 tokens in English, 6,500 in Russian"
        ),
        action=_("Shorten it or choose another model."),
    )
    parallel_experiments = Number(
        low=1,
        high=1000,
        whole=True,
        width="w4",
        label=_("How many experiments run at the same time"),
        short=_("Parallel experiments"),
        action=_("Count only those that run side by side."),
    )
    global_batch = Number(
        low=1,
        high=1_000_000,
        whole=True,
        unit=_("seq."),
        width="w6",
        label=_("Batch over all GPUs"),
        short=_("Global batch"),
        action=_("Usual are 16 to 4,096 sequences."),
    )
    micro_batch = Number(
        low=1,
        high=65_536,
        whole=True,
        unit=_("seq."),
        width="w4",
        label=_("Micro-batch"),
        action=_("Usual are 1 to 16 sequences."),
    )
    gradient_accumulation = Number(
        low=1,
        high=1_000_000,
        whole=True,
        unit=_("steps"),
        width="w4",
        label=_("Gradient accumulation"),
        short=_("Accumulation"),
        action=_("Give the number of micro-batches a step."),
    )
    optimizer = Choice(choices=choices.OPTIMIZERS, empty=WE_CHOOSE, label=_("Optimizer"))
    weights = Choice(
        choices=choices.BASE_WEIGHTS, empty=WE_CHOOSE, label=_("Format of the weights"), short=_("Base weights")
    )
    compute = Choice(
        choices=choices.COMPUTE, empty=WE_CHOOSE, label=_("Precision of the calculation"), short=_("Compute")
    )
    master_weights = Choice(
        choices=choices.MASTER, empty=WE_CHOOSE, label=_("Master copy of the weights"), short=_("Master weights")
    )
    packing = Choice(choices=choices.PACKING, empty=WE_CHOOSE, label=_("Packing of examples"), short=_("Packing"))
    activation_checkpointing = Choice(
        choices=choices.CHECKPOINTING,
        empty=WE_CHOOSE,
        label=_("Recomputation of activations"),
        short=_("Activation checkpointing"),
    )
    attention = Choice(choices=choices.ATTENTION, empty=WE_CHOOSE, label=_("Attention"))
    loss = Choice(choices=choices.LOSS, empty=WE_CHOOSE, label=_("Loss"))
    sharding = Choice(choices=choices.SHARDING, empty=WE_CHOOSE, label=_("Sharding"))
    offload = Choice(choices=choices.OFFLOAD, empty=WE_CHOOSE, label=_("Offload to host memory"), short=_("Offload"))
    tensor = Number(low=1, high=1024, whole=True, width="w4", label=_("Tensor parallelism"))
    pipeline = Number(low=1, high=1024, whole=True, width="w4", label=_("Pipeline parallelism"))
    context = Number(low=1, high=1024, whole=True, width="w4", label=_("Context parallelism"))
    expert = Number(low=1, high=1024, whole=True, width="w4", label=_("Expert parallelism"))
    checkpoint_every = Number(
        low=1,
        high=1e9,
        whole=True,
        width="w4",
        label=_("Save a checkpoint every"),
        short=_("Checkpoint every"),
        action=_("Give minutes or steps between two checkpoints."),
    )
    checkpoint_unit = Choice(
        choices=[("steps", _("steps")), ("minutes", _("minutes"))],
        initial="steps",
        label=_("Unit of the interval"),
        short=_("Interval in"),
    )
    checkpoints_kept = Number(
        low=1,
        high=10_000,
        whole=True,
        width="w4",
        label=_("Checkpoints kept"),
        action=_("Each takes room on the drives; usual are 2 to 10."),
    )
    framework = Choice(choices=choices.FRAMEWORKS, empty=_("not decided yet"), label=_("Framework"))
    framework_version = Text(
        max_length=60,
        width="w6",
        label=_("Version"),
        short=_("Framework version"),
    )
    profile_peak_gib = Number(
        low=0.1,
        high=100_000,
        unit=_("GiB"),
        width="w4",
        label=_("Peak memory on a GPU"),
        short=_("Peak memory, measured"),
        action=_("Give what nvidia-smi showed at the peak."),
    )
    profile_step_seconds = Number(
        low=0.0001,
        high=100_000,
        unit=_("s"),
        width="w4",
        label=_("Time of a step"),
        short=_("Step time, measured"),
        action=_("Give seconds of one optimizer step."),
    )
    profile_sequence_length = Number(
        low=1,
        high=LONGEST_SEQUENCE,
        whole=True,
        unit=_("tokens"),
        width="w4",
        label=_("At a sequence length of"),
        short=_("at sequence length"),
        action=_("A measurement holds only for the load it was made with."),
    )

    def clean(self) -> dict[str, Any]:
        """Check answers against each other: the model's longest sequence, a batch that divides."""
        cleaned = super().clean()
        self._check_sequence(cleaned)
        measured = cleaned.get("profile_peak_gib") or cleaned.get("profile_step_seconds")
        if measured and not cleaned.get("profile_sequence_length") and "profile_sequence_length" not in self.errors:
            self.add_error("profile_sequence_length", _("Say at which sequence length this was measured."))
        micro, whole = cleaned.get("micro_batch"), cleaned.get("global_batch")
        if micro and whole and whole % micro:
            self.add_error(
                "global_batch",
                ValidationError(
                    _("The batch of %(batch)s does not divide into micro-batches of %(micro)s. Make it a multiple."),
                    code="not_multiple",
                    params={"batch": numbers.say(whole), "micro": numbers.say(micro)},
                ),
            )
        return cleaned

    def _check_sequence(self, cleaned: dict[str, Any]) -> None:
        length = cleaned.get("sequence_length")
        model = known(cleaned.get("model_name") or "")
        if length and model and model.sequence_limit and length > model.sequence_limit and not cleaned.get("config"):
            self.add_error(
                "sequence_length",
                ValidationError(
                    _("The model takes at most %(limit)s tokens, given %(value)s. Shorten it or choose another model."),
                    code="too_long",
                    params={"limit": numbers.say(model.sequence_limit), "value": numbers.say(length)},
                ),
            )
