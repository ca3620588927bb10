"""What the page of a language model shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy

from catalog.models import Gpu, LanguageModel
from catalog.references import Need
from sizing.architecture import kv, quantised
from sizing.architecture.config import from_config
from sizing.architecture.shape import Architecture
from sizing.errors import SizingError

FORMATS = ("fp32", "bf16", "fp8", "int8", "nf4", "nf4_double_quant", "awq", "mxfp4")
_GROUPS = (
    ("embeddings", gettext_lazy("Token table and positions")),
    ("attention", gettext_lazy("Attention")),
    ("mlp", gettext_lazy("Feed-forward")),
    ("experts", gettext_lazy("Experts, with the shared one and the router")),
    ("norms", gettext_lazy("Norms")),
    ("other", gettext_lazy("Other")),
    ("head", gettext_lazy("Output matrix")),
)


@dataclass(frozen=True, slots=True)
class Group:
    """Parameters of one part of a model."""

    label: Any
    count: int
    percent: float


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of a model in one number format."""

    title: str
    total_bytes: float
    bits: float
    source: str
    percent_of_bf16: float

    @property
    def gigabytes(self) -> float:
        """Size in decimal gigabytes, as disks and downloads count."""
        return self.total_bytes / 1e9


@dataclass(frozen=True, slots=True)
class ByGpu:
    """What each method needs on one kind of GPU."""

    gpu: Gpu
    needs: tuple[Need, ...]


def shape_of(model: LanguageModel) -> Architecture | None:
    """The engine's reading of a model's configuration; None where it refuses it."""
    try:
        return from_config(model.config, name=model.slug)
    except SizingError:
        return None


def groups_of(shape: Architecture) -> list[Group]:
    """Exact parameter counts by part; they add up to all parameters."""
    counts = shape.counts
    together = {
        "embeddings": counts.embeddings + counts.positions,
        "experts": counts.experts + counts.shared_experts + counts.router,
    }
    rows = [(label, together.get(name, getattr(counts, name))) for name, label in _GROUPS]
    return [Group(label, count, 100 * count / counts.total) for label, count in rows if count]


def weights_of(shape: Architecture) -> list[Weights]:
    """Bytes of the weights by number format, scales included."""
    base = quantised.weight_bytes(shape, "bf16").total
    rows = []
    for name in FORMATS:
        size, form = quantised.weight_bytes(shape, name).total, quantised.FORMATS[name]
        rows.append(Weights(form.title, size, 8 * size / shape.parameters, form.source, 100 * size / base))
    return rows


def cache_bytes_per_token(shape: Architecture) -> float | None:
    """KV cache of one more token in BF16; None where the model keeps none."""
    try:
        return kv.bytes_per_token(shape)
    except SizingError:
        return None


def by_gpu(needs: Iterable[Need]) -> list[ByGpu]:
    """Needs grouped by GPU, in the order they come. Runs one query."""
    grouped: dict[str, list[Need]] = {}
    for need in needs:
        grouped.setdefault(need.gpu, []).append(need)
    gpus = {gpu.slug: gpu for gpu in Gpu.objects.filter(slug__in=list(grouped))}
    return [ByGpu(gpus[slug], tuple(rows)) for slug, rows in grouped.items() if slug in gpus]
