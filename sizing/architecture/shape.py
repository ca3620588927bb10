"""A whole model's shape, and its parameters by group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sizing.architecture.layers import (
    ATTENTION,
    EXPERT,
    HEAD,
    MLP,
    ROUTER,
    SHARED_EXPERT,
    Attention,
    LayerGroup,
    Linear,
    LinearState,
    Mlp,
    Moe,
)

__all__ = [
    "Architecture",
    "Attention",
    "LayerGroup",
    "Linear",
    "LinearState",
    "Mlp",
    "Moe",
    "Note",
    "ParameterCounts",
]


@dataclass(frozen=True, slots=True)
class Note:
    """Something that the reader had to suppose about a model, as a template with named parameters."""

    key: str
    message: str
    params: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """The message in English with its parameters put in."""
        return self.message.format(**dict(self.params))


@dataclass(frozen=True, slots=True)
class ParameterCounts:
    """Parameters by group; the groups add up to ``total`` [–]."""

    embeddings: int
    positions: int
    attention: int
    mlp: int
    experts: int
    shared_experts: int
    router: int
    norms: int
    other: int
    head: int

    @property
    def total(self) -> int:
        """All parameters, a tied head counted once [–]."""
        return (
            self.embeddings
            + self.positions
            + self.attention
            + self.mlp
            + self.experts
            + self.shared_experts
            + self.router
            + self.norms
            + self.other
            + self.head
        )


@dataclass(frozen=True, slots=True)
class Architecture:
    """Shape of a language model.

    Parameters
    ----------
    layers : tuple of LayerGroup
        Layers by shape, encoder and decoder alike.
    embedding_parameters, position_parameters : int
        The token table; learned positions and segment types [–].
    outer_parameters : int
        Parameters outside the layers that are neither table nor head nor norm, such as a pooler's [–].
    outer_linears : tuple of Linear
        Matrices outside the layers, without the head.
    final_norm_parameters : int
        Norms outside the layers [–].
    head_parameters : int
        Weights of the output matrix, whether it is shared with the token table or not; 0 without a head [–].
    head_bias : int
        Bias values of the output matrix [–].
    tied : bool
        The head is the token table.
    verified, exact : bool
        ``verified``: the packaged shape was compared with an independent source. ``exact``: counts follow from a
        full configuration, not from a supposed shape.
    """

    name: str
    family: str
    hidden_size: int
    vocab_size: int
    layers: tuple[LayerGroup, ...]
    embedding_parameters: int
    head_parameters: int
    tied: bool
    position_parameters: int = 0
    final_norm_parameters: int = 0
    final_norm_kind: str = "rms"
    outer_parameters: int = 0
    outer_linears: tuple[Linear, ...] = ()
    head_bias: int = 0
    max_positions: int | None = None
    encoder_decoder: bool = False
    verified: bool = False
    exact: bool = True
    dropout: float = 0.0
    logit_softcap: bool = False
    embedding_norm: bool = False
    mtp_layers: int = 0
    native_dtype: str | None = None
    native_quantisation: str | None = None
    title: str = ""
    hf_id: str = ""
    notes: tuple[Note, ...] = ()
    counts: ParameterCounts = field(init=False, compare=False)
    layer_count: int = field(init=False, compare=False)
    parameters: int = field(init=False, compare=False)
    active_parameters: int = field(init=False, compare=False)
    matmul_parameters: int = field(init=False, compare=False)
    largest_parameters: int = field(init=False, compare=False)
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        put = object.__setattr__
        counts = self._count()
        put(self, "counts", counts)
        put(self, "layer_count", sum(group.count for group in self.layers))
        put(self, "parameters", counts.total)
        inactive = sum(group.count * (group.parameters - group.active_parameters) for group in self.layers)
        put(self, "active_parameters", round(counts.total - inactive))
        layers = sum(group.count * group.matmul_parameters for group in self.layers)
        outer = sum(linear.active_weights for linear in self.outer_linears)
        put(self, "matmul_parameters", round(layers + outer + self.head_parameters))
        tensors = [linear.weights if linear.fused else linear.elements for linear in self.linears()]
        put(self, "largest_parameters", max([self.embedding_parameters, self.head_parameters, *tensors]))
        put(self, "_hash", hash((self.name, self.family, self.hidden_size, self.parameters, self.layers)))

    def __hash__(self) -> int:
        return self._hash

    def _count(self) -> ParameterCounts:
        def of(*roles: str) -> int:
            return sum(group.count * group.parameters_of(*roles) for group in self.layers)

        return ParameterCounts(
            embeddings=self.embedding_parameters,
            positions=self.position_parameters,
            attention=of(ATTENTION),
            mlp=of(MLP),
            experts=of(EXPERT),
            shared_experts=of(SHARED_EXPERT),
            router=of(ROUTER),
            norms=self.final_norm_parameters + sum(g.count * g.norm_parameters for g in self.layers),
            other=self.outer_parameters
            + sum(linear.parameters for linear in self.outer_linears)
            + sum(g.count * g.other_parameters for g in self.layers),
            head=self.head_bias + (0 if self.tied else self.head_parameters),
        )

    @property
    def parameters_with_separate_head(self) -> int:
        """Parameters of a file that stores the head apart from the token table [–]."""
        return self.parameters + (self.head_parameters if self.tied else 0)

    @property
    def parameters_without_head(self) -> int:
        """Parameters without an output matrix of its own [–]."""
        return self.parameters - (0 if self.tied else self.head_parameters)

    @property
    def parameters_without_embeddings(self) -> int:
        """Parameters without token table, positions and a separate head's weights [–]."""
        return self.parameters_without_head - self.embedding_parameters - self.position_parameters

    @property
    def active_without_lookup(self) -> int:
        """Parameters that one token uses, without tables that are only looked up [–]."""
        table = 0 if self.tied else self.embedding_parameters
        return self.active_parameters - table - self.position_parameters

    @property
    def is_moe(self) -> bool:
        """Whether any layer routes tokens to experts."""
        return any(group.moe is not None for group in self.layers)

    @property
    def layer_parameters(self) -> int:
        """Parameters of all layers [–]."""
        return sum(group.count * group.parameters for group in self.layers)

    @property
    def largest_layer_parameters(self) -> int:
        """Parameters of the largest layer [–]."""
        return max((group.parameters for group in self.layers), default=0)

    @property
    def head(self) -> Linear | None:
        """The output matrix, if the model has one."""
        if not self.head_parameters:
            return None
        outputs = self.head_parameters // self.hidden_size
        return Linear("lm_head", self.hidden_size, outputs, bias=bool(self.head_bias), role=HEAD)

    def linears(self) -> Iterator[Linear]:
        """Every kind of matrix once, without the head."""
        for group in self.layers:
            yield from group.linears
        yield from self.outer_linears
