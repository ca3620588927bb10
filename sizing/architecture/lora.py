"""Adapters (LoRA, DoRA): which matrices get one, and how many parameters that makes.

Checked against PEFT 0.21.2 with transformers 5.24 on 23 models.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal

from sizing.architecture.layers import ATTENTION, EXPERT, ROUTER, Linear
from sizing.architecture.shape import Architecture, Note
from sizing.errors import SizingError

ExpertBehaviour = Literal["fused", "per_expert", "none"]

ALL_LINEAR: Final = "all-linear"
ATTENTION_ONLY: Final = "attention"
MOST_RANK: Final = 65_536
_OUTSIDE: Final = -1

_PARTS: Final[dict[str, frozenset[str]]] = {
    "q": frozenset({"q_proj", "query", "q", "wq", "q_b_proj"}),
    "k": frozenset({"k_proj", "key", "k", "wk"}),
    "v": frozenset({"v_proj", "value", "v", "wv"}),
    "o": frozenset({"o_proj", "out_proj", "o", "wo", "attn.c_proj", "attention.output.dense", "dense"}),
    "gate": frozenset({"gate_proj", "w1", "wi_0"}),
    "up": frozenset({"up_proj", "w3", "wi_1", "wi", "fc1", "fc_in", "c_fc", "dense_h_to_4h", "intermediate.dense"}),
    "down": frozenset({"down_proj", "w2", "wo", "fc2", "fc_out", "c_proj", "dense_4h_to_h", "output.dense"}),
}
_FUSED_PARTS: Final[dict[str, frozenset[str]]] = {
    "qkv_proj": frozenset("qkv"),
    "c_attn": frozenset("qkv"),
    "query_key_value": frozenset("qkv"),
    "Wqkv": frozenset("qkv"),
    "wqkv": frozenset("qkv"),
    "W_pack": frozenset("qkv"),
    "in_proj_qkv": frozenset("qkv"),
    "in_proj_qkvz": frozenset("qkv"),
    "kv_b_proj": frozenset("kv"),
    "gate_up_proj": frozenset({"gate", "up"}),
    "experts.gate_up_proj": frozenset({"gate", "up"}),
    "experts.down_proj": frozenset({"down"}),
}


@dataclass(frozen=True, slots=True)
class Adapter:
    """Adapters on one kind of matrix in one group of layers.

    Parameters
    ----------
    linear : Linear
        The matrix that is wrapped.
    group : int
        Index of the group in ``Architecture.layers``; -1 for a matrix outside the layers.
    layers : int
        Layers that have it [–].
    rank : int
        Rank of each adapter, which for fused experts can differ from the rank that was asked for [–].
    pieces : int
        Matrices that a fused one is wrapped as: 1, or 2 for gate and up apart [–].
    """

    linear: Linear
    group: int
    layers: int
    rank: int
    kind: str = "lora"
    pieces: int = 1

    @property
    def parameters_per_layer(self) -> int:
        """Adapter parameters in one layer [–]."""
        outputs = self.linear.outputs // self.pieces
        matrices = self.linear.copies * self.pieces
        magnitude = outputs if self.kind == "dora" else 0
        return matrices * (self.rank * (self.linear.inputs + outputs) + magnitude)

    @property
    def parameters(self) -> int:
        """Adapter parameters in all layers [–]."""
        return self.layers * self.parameters_per_layer


@dataclass(frozen=True, slots=True)
class Adapters:
    """All adapters of a run."""

    parts: tuple[Adapter, ...]
    notes: tuple[Note, ...] = ()
    parameters: int = field(init=False)
    modules: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", sum(part.parameters for part in self.parts))
        modules = sum(part.layers for part in self.parts if not part.linear.fused)
        object.__setattr__(self, "modules", modules)

    def in_group(self, group: int) -> tuple[Adapter, ...]:
        """Adapters on the matrices of one group of layers."""
        return tuple(part for part in self.parts if part.group == group)

    @property
    def flops_per_token(self) -> float:
        """Forward FLOPs that the adapters add for one token [FLOP]."""
        return sum(
            2.0
            * part.layers
            * part.rank
            * part.linear.active
            * part.pieces
            * (part.linear.inputs + part.linear.outputs // part.pieces)
            for part in self.parts
        )


def adapter_parameters(
    architecture: Architecture,
    rank: int,
    targets: str | Iterable[str],
    *,
    kind: str = "lora",
    expert_behaviour: ExpertBehaviour = "fused",
) -> int:
    """Trainable parameters of adapters; see `adapters` [–]."""
    return adapters(architecture, rank, targets, kind=kind, expert_behaviour=expert_behaviour).parameters


def adapters(
    architecture: Architecture,
    rank: int,
    targets: str | Iterable[str],
    *,
    kind: str = "lora",
    expert_behaviour: ExpertBehaviour = "fused",
    path: str = "workload.lora",
) -> Adapters:
    """Adapters on a model.

    Parameters
    ----------
    rank : int
        Inner dimension [–].
    targets : str or iterable of str
        ``all-linear`` (as PEFT understands it), ``attention``, or names of modules.
    kind : str
        ``lora`` (two factors) or ``dora`` (also a magnitude for each output); others count as ``lora``.
    expert_behaviour : str
        How experts are wrapped: ``fused`` as PEFT 0.21.2 does with transformers 5 (the gate-and-up tensor gets twice
        the rank under ``all-linear``; shared experts and dense first layers are left out), ``per_expert`` as with
        transformers 4 (each expert's three matrices), ``none`` (experts stay without).

    Raises
    ------
    SizingError
        For a rank or a target that cannot be.

    References
    ----------
    .. [1] E. Hu et al., LoRA: Low-Rank Adaptation of Large Language Models, 2021: r (inputs + outputs) each.
    .. [2] S. Liu et al., DoRA: Weight-Decomposed Low-Rank Adaptation, 2024.
    """
    _check_rank(rank, path)
    wanted = targets if isinstance(targets, str) else tuple(targets)
    return _adapters(architecture, rank, wanted, kind, expert_behaviour, path)


def _check_rank(rank: object, path: str) -> None:
    if isinstance(rank, bool) or not isinstance(rank, int) or not 1 <= rank <= MOST_RANK:
        message = "A rank is a whole number from 1 to {most}, not {value}."
        raise SizingError(f"{path}.rank", message, value=rank, most=MOST_RANK)


@lru_cache(maxsize=512)
def _adapters(
    model: Architecture,
    rank: int,
    targets: str | tuple[str, ...],
    kind: str,
    behaviour: ExpertBehaviour,
    path: str,
) -> Adapters:
    if targets == ALL_LINEAR:
        parts = _all_linear(model, rank, kind, behaviour)
    elif targets == ATTENTION_ONLY:
        parts = [_adapter(found, rank, kind) for found in _found(model) if found[0].role == ATTENTION]
        parts = [part for part in parts if part.group != _OUTSIDE]
    else:
        names = (targets,) if isinstance(targets, str) else targets
        return _named(model, rank, names, kind, behaviour, path)
    return Adapters(tuple(parts))


type Found = tuple[Linear, int, int]


def _found(model: Architecture) -> list[Found]:
    """Every kind of matrix with its group and how many layers have it."""
    inside = [(linear, i, group.count) for i, group in enumerate(model.layers) for linear in group.linears]
    return inside + [(linear, _OUTSIDE, 1) for linear in model.outer_linears]


def _adapter(found: Found, rank: int, kind: str, *, pieces: int = 1) -> Adapter:
    linear, group, layers = found
    return Adapter(linear, group, layers, rank, kind, pieces)


def _all_linear(model: Architecture, rank: int, kind: str, behaviour: ExpertBehaviour) -> list[Adapter]:
    converted = any(group.moe and group.moe.wrapped_by_all_linear for group in model.layers)
    parts = []
    for found in _found(model):
        role = found[0].role
        if behaviour == "fused" and converted:
            if role in (ATTENTION, ROUTER, EXPERT):
                parts.append(_fused(found, rank, kind))
        elif role == EXPERT:
            if behaviour == "per_expert":
                parts.append(_adapter(found, rank, kind, pieces=_pieces(found[0])))
        elif role != ROUTER or behaviour == "per_expert" or not found[0].fused:
            parts.append(_adapter(found, rank, kind))
    return parts


def _fused(found: Found, rank: int, kind: str) -> Adapter:
    """PEFT gives a tensor that holds gate and up twice the rank."""
    return _adapter(found, rank * _pieces(found[0]), kind)


def _pieces(linear: Linear) -> int:
    return 2 if linear.name == "experts.gate_up_proj" else 1


def _named(
    model: Architecture, rank: int, names: tuple[str, ...], kind: str, behaviour: ExpertBehaviour, path: str
) -> Adapters:
    _check_names(names, path)
    parts: list[Adapter] = []
    notes: list[Note] = []
    for found in _found(model):
        linear = found[0]
        if any(_is_called(linear.name, name) for name in names):
            pieces = _pieces(linear) if behaviour == "per_expert" else 1
            parts.append(_adapter(found, rank, kind, pieces=pieces))
        elif linear.role == EXPERT and behaviour != "none" and _is_part(linear.name, names):
            per_expert = behaviour == "per_expert"
            parts.append(
                _adapter(found, rank, kind, pieces=_pieces(linear)) if per_expert else _fused(found, rank, kind)
            )
    if not parts:
        parts = [_adapter(found, rank, kind) for found in _found(model) if _is_part(found[0].name, names)]
        message = "This model has no {names}; the matrices that do their work ({found}) get the adapters."
        found_names = ", ".join(sorted({part.linear.name for part in parts}))
        notes.append(Note("lora_targets", message, (("names", ", ".join(names)[:200]), ("found", found_names))))
    if not parts:
        known = ", ".join(sorted({found[0].name for found in _found(model)}))
        raise SizingError(
            f"{path}.targets",
            "{model} has no module called {value}. It has: {known}.",
            value=", ".join(names),
            model=model.name,
            known=known,
        )
    return Adapters(tuple(parts), tuple(notes))


def _check_names(names: tuple[object, ...], path: str) -> None:
    if not names or len(names) > 100 or not all(isinstance(name, str) and name for name in names):
        raise SizingError(
            f"{path}.targets", "Targets are all-linear, attention, or a list of module names.", value=names
        )


def _is_called(name: str, target: str) -> bool:
    """Whether PEFT's matching by the end of a module's path finds the name."""
    return name == target or name.endswith(f".{target}") or target.endswith(f".{name}")


def _is_part(name: str, targets: tuple[str, ...]) -> bool:
    """Whether a matrix does the work of one of the names, under whatever name of its own."""
    own = _FUSED_PARTS.get(name) or {part for part, names in _PARTS.items() if name in names}
    short = [target.rsplit(".", 1)[-1] for target in targets]
    asked = {part for part, names in _PARTS.items() if names.intersection(short)}
    asked |= {part for target in short for part in _FUSED_PARTS.get(target, ())}
    return bool(asked & own)
