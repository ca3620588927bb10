"""What one layer of a language model is made of: its matrices, its attention, its feed-forward part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

ATTENTION = "attention"
MLP = "mlp"
EXPERT = "expert"
SHARED_EXPERT = "shared_expert"
ROUTER = "router"
HEAD = "head"


@dataclass(frozen=True, slots=True)
class Linear:
    """One kind of weight matrix inside a layer, under the name that its module has in Hugging Face transformers.

    Parameters
    ----------
    inputs, outputs : int
        Width of what goes in and of what comes out [–].
    bias : bool
        Whether each copy also has ``outputs`` bias values.
    copies : int
        How many such matrices the layer holds; more than one only for experts [–].
    active : float
        How many of the copies work on one token [–].
    role : str
        ``attention``, ``mlp``, ``expert``, ``shared_expert``, ``router`` or ``head``.
    fused : bool
        The copies lie in one three-dimensional tensor (or the matrix is a bare parameter), so that tools which
        look for linear modules, such as PEFT and bitsandbytes, do not see them.
    convolution : bool
        The weight is kept as inputs x outputs (GPT-2's Conv1D).
    """

    name: str
    inputs: int
    outputs: int
    bias: bool = False
    copies: int = 1
    active: float = 1
    role: str = ATTENTION
    fused: bool = False
    convolution: bool = False

    @property
    def elements(self) -> int:
        """Weights of one copy, without its bias [–]."""
        return self.inputs * self.outputs

    @property
    def weights(self) -> int:
        """Weights of all copies, without biases [–]."""
        return self.copies * self.inputs * self.outputs

    @property
    def biases(self) -> int:
        """Bias values of all copies [–]."""
        return self.copies * self.outputs if self.bias else 0

    @property
    def parameters(self) -> int:
        """Weights and biases of all copies [–]."""
        return self.weights + self.biases

    @property
    def active_weights(self) -> float:
        """Weights that one token is multiplied with [–]."""
        return self.active * self.inputs * self.outputs

    @property
    def active_parameters(self) -> float:
        """Weights and biases that one token uses [–]."""
        return self.active * (self.elements + (self.outputs if self.bias else 0))


@dataclass(frozen=True, slots=True)
class LinearState:
    """Constant memory of a linear-attention (gated delta rule) layer."""

    key_heads: int
    value_heads: int
    key_head_dim: int
    value_head_dim: int
    convolution: int

    @property
    def channels(self) -> int:
        """Channels that pass through the short convolution [–]."""
        return 2 * self.key_heads * self.key_head_dim + self.value_heads * self.value_head_dim

    @property
    def recurrent_elements(self) -> int:
        """Elements of the recurrent state of one sequence [–]."""
        return self.value_heads * self.key_head_dim * self.value_head_dim

    @property
    def convolution_elements(self) -> int:
        """Elements of the convolution's memory of one sequence [–]."""
        return self.channels * self.convolution


@dataclass(frozen=True, slots=True)
class Attention:
    """Shape of one attention block.

    Parameters
    ----------
    kind : str
        ``mha``, ``gqa``, ``mqa``, ``mla`` or ``linear``.
    heads, kv_heads, head_dim, v_head_dim : int
        Query heads, key/value heads, width of a query/key head and of a value head [–].
    window : int or None
        Tokens that a sliding or chunked layer looks back at; None is the whole context [tokens].
    projection : str
        ``separate`` for q, k and v matrices; ``fused`` for one matrix.
    qk_norm : str
        ``none``, ``head`` (over each head) or ``full`` (over the whole projection).
    rotary : bool
        Queries and keys are rotated, which makes new tensors of them.
    upcast : bool
        The written-out (eager) softmax runs in 32 bit.
    kv_lora_rank, q_lora_rank, rope_dim, nope_dim : int
        Ranks and widths of multi-head latent attention [–].
    index_dim : int
        Width of a sparse-attention indexer's own key, kept in the cache beside the latent [–].
    """

    kind: str
    heads: int
    kv_heads: int
    head_dim: int
    v_head_dim: int
    window: int | None = None
    projection: str = "separate"
    qk_norm: str = "none"
    rotary: bool = True
    upcast: bool = True
    softcap: bool = False
    bias: bool = False
    sinks: bool = False
    causal: bool = True
    cross: bool = False
    kv_lora_rank: int = 0
    q_lora_rank: int = 0
    rope_dim: int = 0
    nope_dim: int = 0
    index_heads: int = 0
    index_dim: int = 0
    index_top_k: int = 0
    output_gate: bool = False
    state: LinearState | None = None

    @property
    def query_width(self) -> int:
        """Width of all queries together [–]."""
        return self.heads * self.head_dim

    @property
    def key_width(self) -> int:
        """Width of all keys together [–]."""
        return self.kv_heads * self.head_dim

    @property
    def value_width(self) -> int:
        """Width of all values together [–]."""
        return self.kv_heads * self.v_head_dim

    @property
    def output_width(self) -> int:
        """Width of what attention hands to its output projection [–]."""
        return self.heads * self.v_head_dim


@dataclass(frozen=True, slots=True)
class Mlp:
    """A dense feed-forward block: ``swiglu``, ``geglu``, ``gelu``, ``gelu_python`` (HF's gelu_new) or ``relu``."""

    kind: str
    width: int
    gated: bool
    fused: bool = False
    parallel: bool = False


@dataclass(frozen=True, slots=True)
class Moe:
    """A mixture of experts.

    Parameters
    ----------
    shared_width : int
        Width of everything that each token passes beside its routed experts; 0 where there is none [–].
    wrapped_by_all_linear : bool
        PEFT turns ``all-linear`` into adapters on the fused expert tensors of this family.
    wide_router : bool
        The router computes in 32 bit.
    """

    experts: int
    top_k: int
    expert_width: int
    kind: str = "swiglu"
    shared_width: int = 0
    wrapped_by_all_linear: bool = False
    wide_router: bool = False


@dataclass(frozen=True, slots=True)
class LayerGroup:
    """All layers of one shape, wherever they stand in the model.

    Parameters
    ----------
    positions : tuple of int
        Where the layers stand, counted from 0 within their stack.
    norms : int
        Norms over the hidden width in each layer [–].
    norm_parameters, other_parameters : int
        Parameters of one layer's norms, and of what is neither norm nor matrix (sinks, biases of position,
        convolutions) [–].
    stack : str
        ``decoder`` or ``encoder``.
    """

    positions: tuple[int, ...]
    attention: Attention | None
    mlp: Mlp | None
    moe: Moe | None
    linears: tuple[Linear, ...]
    norms: int = 2
    norm_kind: str = "rms"
    norm_parameters: int = 0
    other_parameters: int = 0
    cross_attention: Attention | None = None
    stack: str = "decoder"
    parameters: int = field(init=False)
    active_parameters: float = field(init=False)
    linear_parameters: int = field(init=False)
    matmul_parameters: float = field(init=False)

    def __post_init__(self) -> None:
        kept = self.norm_parameters + self.other_parameters
        put = object.__setattr__
        put(self, "parameters", kept + sum(linear.parameters for linear in self.linears))
        put(self, "active_parameters", kept + sum(linear.active_parameters for linear in self.linears))
        put(self, "linear_parameters", sum(linear.weights for linear in self.linears))
        put(self, "matmul_parameters", sum(linear.active_weights for linear in self.linears))

    @property
    def count(self) -> int:
        """How many layers the group has [–]."""
        return len(self.positions)

    @property
    def is_layer_norm(self) -> bool:
        """Whether the norms are layer norms (with or without bias or weight) and not RMS norms."""
        return self.norm_kind in ("layer", "layer_bias", "plain")

    def by_role(self, *roles: str) -> Iterator[Linear]:
        """Matrices of one layer that have one of the roles."""
        return (linear for linear in self.linears if linear.role in roles)

    def parameters_of(self, *roles: str) -> int:
        """Parameters of one layer's matrices with one of the roles [–]."""
        return sum(linear.parameters for linear in self.by_role(*roles))
