"""GPU names as people spell them: "H100 SXM5 80GB", "A100-80G", "RTX PRO 6000 Blackwell SE"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from sizing.hardware import Gpu
from sizing.units import GB, GIB

LOOK_ALIKES = str.maketrans("аАеЕоОрРсСхХуУкКмМтТнНвВіІ×✕✖﹡∗·", "aAeEoOpPcCxXyYkKmMtTnHbBiIxxx***")
"""Cyrillic letters and signs that are drawn like Latin ones; same length, so positions stay."""

_GLUED = re.compile(r"(?<=[a-z0-9])(?=(?:sxm\d?|pcie|nvl|oam|hgx)\b)|(?<=[a-z])(?=\d+gi?b?\b)|(?<=[hbv]\d{3})(?=\d+gb)")
_APART = re.compile(r"(?<=\d\d)\s+(?=gi?b?(?![a-z0-9]))")
_PART = re.compile(r"[a-z0-9]+")
_MEMORY = re.compile(r"(\d{2,3})(?:gi?b?|гб)$")
_VARIANT = {
    "sxm": "sxm", "sxm2": "sxm", "sxm3": "sxm", "sxm4": "sxm", "sxm5": "sxm", "sxm6": "sxm", "hgx": "sxm",
    "pcie": "pcie", "pci": "pcie", "nvl": "nvl", "oam": "oam", "se": "se", "server": "se", "ws": "ws",
    "workstation": "ws", "maxq": "ws",
}  # fmt: skip
_NICKNAMES = {"rtxpro6000": ("pro6000", "rtxpro6000blackwell", "rtx6000pro"), "rtx6000ada": ("6000ada",),
              "rtx5090": ("5090",), "rtx4090": ("4090",), "rtx3090": ("3090",), "gaudi3": ("hl325l",)}  # fmt: skip
_LONGEST_RUN = 4
_ROUNDING_GB = 1.5


@dataclass(frozen=True, slots=True)
class Named:
    """What a text names: candidate slugs, best first, and whether only one reading is left."""

    slugs: tuple[str, ...]
    family: str
    is_certain: bool


class GpuNames:
    """Finds GPUs of a catalog by the names people give them."""

    def __init__(self, gpus: Iterable[Gpu]) -> None:
        self._families: dict[str, list[Gpu]] = {}
        self._slugs: set[str] = set()
        for gpu in gpus:
            self._slugs.add(gpu.slug)
            family = family_of_slug(gpu)
            for name in (family, *_NICKNAMES.get(family, ())):
                self._families.setdefault(name, []).append(gpu)

    def read(self, text: str) -> Named | None:
        """What GPU a text names, None where it names none or contradicts itself ("H100 141GB")."""
        lowered = text[:200].translate(LOOK_ALIKES).strip().lower()
        if lowered in self._slugs:
            return Named((lowered,), lowered, True)
        joined = _APART.sub("", lowered.replace("гб", "gb").replace("max-q", "maxq"))
        parts = _PART.findall(_GLUED.sub(" ", joined))
        family = self._family(parts)
        if family is None:
            return None
        found = self._families[family]
        variants = {_VARIANT[part] for part in parts if part in _VARIANT}
        found = _by_variant(found, variants)
        sizes = [int(match[1]) for part in parts if (match := _MEMORY.match(part))]
        if sizes and found:
            found = [gpu for gpu in found if _has_memory(gpu, sizes[0])]
        if not found:
            return None
        ordered = sorted(found, key=_preference)
        return Named(tuple(gpu.slug for gpu in ordered), family, len(ordered) == 1)

    def _family(self, parts: list[str]) -> str | None:
        for length in range(min(_LONGEST_RUN, len(parts)), 0, -1):
            for start in range(len(parts) - length + 1):
                name = "".join(parts[start : start + length])
                if name in self._families:
                    return name
        return None


def family_of_slug(gpu: Gpu) -> str:
    """The chip's name without form factor and memory: ``a100-sxm-80`` is ``a100``."""
    memory = str(round(gpu.marketed_memory_gb))
    parts = [part for part in gpu.slug.split("-") if part not in _VARIANT]
    if len(parts) > 1 and parts[-1] == memory and gpu.socket:
        parts.pop()
    return "".join(parts)


def _by_variant(gpus: list[Gpu], variants: set[str]) -> list[Gpu]:
    if not variants:
        return gpus
    exact = [gpu for gpu in gpus if variants & {_VARIANT[p] for p in gpu.slug.split("-") if p in _VARIANT}]
    return exact or [gpu for gpu in gpus if any((gpu.socket or "").startswith(v) for v in variants)] or (
        gpus if len(gpus) == 1 and not variants & {"sxm", "nvl", "oam", "pcie"} else []
    )  # fmt: skip


def _has_memory(gpu: Gpu, size_gb: int) -> bool:
    """Whether a printed size is this GPU's in one of the three ways people print it."""
    printed = {gpu.marketed_memory_gb, gpu.memory_bytes / GIB, gpu.memory_bytes / GB}
    printed |= {float(value) for c in gpu.conflicts if c.field == "memory_gb" for value, _ in c.values
                if isinstance(value, int | float) and value > gpu.marketed_memory_gb / 2 + 1}  # fmt: skip
    return any(abs(size_gb - value) <= _ROUNDING_GB for value in printed)


def _preference(gpu: Gpu) -> tuple[int, float]:
    order = ("sxm", "oam", "superchip", "pcie")
    rank = next((place for place, start in enumerate(order) if (gpu.socket or "").startswith(start)), len(order))
    return rank * 2 + ("ws" in gpu.slug.split("-")), -gpu.marketed_memory_gb


def squashed(name: str) -> str:
    """A name without case, spaces, dashes and look-alike letters."""
    return "".join(sign for sign in name[:200].translate(LOOK_ALIKES).lower() if sign.isalnum() or sign == "+")
