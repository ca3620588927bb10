"""Bytes that one token leaves behind in one layer until its backward pass, and the working set of that pass.

The counts follow what autograd saves, operation by operation; for the Hugging Face model code they agree with the closed
forms that were measured with saved-tensor hooks (see docs/engine/memory.md). Other kernels are variations of the same
list: a fused norm keeps its 16-bit input instead of an fp32 copy, a compiled layer drops what one kernel can redo.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sizing.architecture.layers import Attention, LayerGroup
from sizing.architecture.lora import Adapter
from sizing.memory.behaviours import Behaviour
from sizing.workload import Training

HALF: Final = 2
SINGLE: Final = 4
STATISTIC: Final = 4
WITHOUT_ROTATION: Final = frozenset({"mpt", "gpt2", "gpt_bigcode", "bloom", "opt", "bert", "t5"})

_QKV: Final = frozenset({"q_proj", "k_proj", "v_proj", "c_attn", "query_key_value", "qkv_proj", "Wqkv", "W_pack"})


@dataclass(frozen=True, slots=True)
class LayerBytes:
    """What one layer holds for one token on a GPU that has the whole layer [byte/token].

    Parameters
    ----------
    residual, parallel : float
        Saved tensors over the hidden width (replicated under tensor parallelism unless the sequence is divided), and
        tensors over heads, intermediate width and experts (divided by tensor parallelism).
    checkpoint : float
        What stays of the layer under full recomputation: its input.
    selected_residual, selected_parallel : float
        What stays under selective recomputation.
    transient_residual, transient_parallel : float
        Temporaries at the peak of this layer's backward pass beyond the saved set.
    """

    residual: float
    parallel: float
    checkpoint: float
    selected_residual: float
    selected_parallel: float
    transient_residual: float
    transient_parallel: float


@dataclass(frozen=True, slots=True)
class Setting:
    """What decides how a layer is saved, apart from its shape."""

    element: float
    trained: bool
    adapter_bytes: float
    copies_adapter_input: bool
    attention: str
    compiled: bool
    fp32_residual: bool
    casts_weights: bool
    kernels: str
    dropout: float
    keeps_quantised_inputs: bool
    keeps_fused_qkv: bool
    rotary: bool
    hides_products: bool
    expands_keys: bool
    selective: str
    sequence: int


def setting(
    job: Training, behaviour: Behaviour, *, context: int = 1, autocast: bool, raised: bool, rotary: bool = True
) -> Setting:
    """The setting of a job on a stack.

    Parameters
    ----------
    autocast : bool
        fp32 parameters are cast for each product, and the residual stream stays fp32.
    raised : bool
        Norms and tables are kept in fp32 beside quantized matrices, so that the residual stream is fp32.
    rotary : bool
        Queries and keys are rotated into tensors of their own.
    """
    adapter = SINGLE if job.lora is not None and job.lora.dtype == "fp32" else HALF
    quantised = job.method == "qlora" or job.weights in ("nf4", "nf4_double_quant", "int8", "gptq_int4")
    return Setting(
        element=SINGLE if job.compute == "fp32" else HALF,
        trained=job.lora is None,
        adapter_bytes=adapter,
        copies_adapter_input=adapter == SINGLE,
        attention=job.attention,
        compiled=job.compile,
        fp32_residual=raised or autocast,
        casts_weights=autocast,
        expands_keys=behaviour.expands_keys,
        rotary=rotary,
        hides_products=job.compute == "nvfp4",
        kernels="fused" if job.compile or behaviour.kernels == "fused" else "eager",
        dropout=behaviour.dropout if job.lora is not None else 0.0,
        keeps_quantised_inputs=behaviour.keeps_quantised_inputs and quantised,
        keeps_fused_qkv=behaviour.keeps_fused_qkv,
        selective=behaviour.selective,
        sequence=job.sequence_length // context,
    )


@lru_cache(maxsize=4096)
def layer_bytes(hidden: int, group: LayerGroup, adapters: tuple[Adapter, ...], how: Setting) -> LayerBytes:
    """Saved bytes and temporaries of one layer of a group.

    Parameters
    ----------
    hidden : int
        Width of the residual stream [–].
    adapters : tuple of Adapter
        Adapters on the group's matrices; empty in full training.
    """
    wanted = {adapter.linear.name for adapter in adapters}
    norms = _norms(hidden, group, how)
    inputs = _shared_inputs(hidden, group, wanted, how)
    extra_residual, extra_parallel = _adapter_inputs(adapters, how)
    if how.keeps_quantised_inputs:
        extra_residual += _quantised_inputs(group, how)
    attention = _attention(hidden, group, wanted, how) if group.attention is not None else 0.0
    mlp = _mlp(group, wanted, how) + (_experts(hidden, group, how) if group.moe else 0.0)
    cross = _cross(hidden, group, how)
    transient_residual, transient_parallel = _transient(hidden, group, how)
    selected_residual, selected_parallel = _selected(hidden, group, how, norms + inputs, attention + mlp)
    return LayerBytes(
        residual=norms + inputs + extra_residual,
        parallel=attention + cross + mlp + extra_parallel,
        checkpoint=(SINGLE if how.fp32_residual else how.element) * hidden,
        selected_residual=selected_residual,
        selected_parallel=selected_parallel,
        transient_residual=transient_residual,
        transient_parallel=transient_parallel,
    )


def _norms(hidden: int, group: LayerGroup, how: Setting) -> float:
    """Inputs, statistics and normalized values that the norms over the hidden width keep."""
    parallel = group.mlp is not None and group.mlp.parallel
    if group.norm_kind == "layer":
        inputs = 1 if parallel else group.norms
        return inputs * how.element * hidden + group.norms * 2 * STATISTIC + _fp32_residual(hidden, group, how)
    if how.kernels == "fused":
        return group.norms * (how.element * hidden + STATISTIC)
    normalised = how.element * hidden if how.trained else 0.0
    return group.norms * (SINGLE * hidden + STATISTIC + normalised)


def _fp32_residual(hidden: int, group: LayerGroup, how: Setting) -> float:
    return group.norms * (SINGLE - how.element) * hidden if how.fp32_residual else 0.0


def _shared_inputs(hidden: int, group: LayerGroup, wanted: set[str], how: Setting) -> float:
    """Norm outputs that products keep because a weight gradient needs them."""
    if not how.trained and how.copies_adapter_input:
        return 0.0
    feeds = 0
    attention = [linear.name for linear in group.by_role("attention") if linear.inputs == hidden]
    feeds += how.trained or any(name in wanted for name in attention if name != "o_proj")
    first = [linear.name for linear in group.by_role("mlp", "shared_expert") if linear.inputs == hidden]
    feeds += bool(first) and (how.trained or any(name in wanted for name in first))
    return feeds * how.element * hidden


def _adapter_inputs(adapters: tuple[Adapter, ...], how: Setting) -> tuple[float, float]:
    """What adapters keep of their own: inner activations, fp32 or dropped-out copies of their inputs."""
    residual = parallel = 0.0
    for adapter in adapters:
        linear = adapter.linear
        active = linear.active * adapter.pieces
        parallel += how.adapter_bytes * adapter.rank * active
        copied = 0.0
        if how.copies_adapter_input:
            copied = SINGLE * linear.inputs
        if how.dropout:
            copied = max(copied, how.element * linear.inputs) + linear.inputs
        if linear.role in ("expert",):
            parallel += copied * active
        elif linear.name in ("o_proj", "down_proj"):
            parallel += copied
        else:
            residual += copied
    return residual, parallel


def _quantised_inputs(group: LayerGroup, how: Setting) -> float:
    """Copies of the inputs of 4-bit products; query, key and value share one matrix here."""
    kept = 0.0
    for linear in group.linears:
        if linear.role != "router" and linear.name not in ("k_proj", "v_proj"):
            kept += how.element * linear.inputs * linear.active
    return kept


def _attention(hidden: int, group: LayerGroup, wanted: set[str], how: Setting) -> float:
    attention = group.attention
    assert_attention = attention
    if assert_attention is None:
        return 0.0
    if attention.kind == "mla":
        return _latent_attention(attention, how)
    if attention.kind == "linear":
        return _linear_attention(attention, how)
    queries, keys, values = attention.query_width, attention.key_width, attention.value_width
    size = how.element
    norm = _qk_norm(attention, how)
    expands = how.attention == "eager" or how.expands_keys
    if expands and attention.heads != attention.kv_heads:
        keys, values = queries, attention.output_width
    kept = size * (queries + keys + values) + norm
    if how.rotary and (how.keeps_fused_qkv or attention.projection == "fused"):
        kept += size * (queries + keys)
    output_kept = how.trained or "o_proj" in wanted or how.attention != "eager"
    kept += size * attention.output_width * output_kept
    if how.attention == "eager":
        window = min(how.sequence, attention.window or how.sequence)
        scores = attention.heads * how.sequence
        kept += (SINGLE + size + (size if attention.softcap else 0.0)) * scores if window else 0.0
    else:
        kept += STATISTIC * attention.heads
    if how.attention == "eager" and not how.trained:
        return kept
    return kept


def _qk_norm(attention: Attention, how: Setting) -> float:
    if attention.qk_norm == "none":
        return 0.0
    width = attention.query_width + attention.key_width
    heads = attention.heads + attention.kv_heads
    if how.kernels == "fused":
        return how.element * width + STATISTIC * heads
    return (SINGLE + (how.element if how.trained else 0.0)) * width + STATISTIC * heads


def _latent_attention(attention: Attention, how: Setting) -> float:
    """Multi-head latent attention: latents, their norms, expanded keys and values, output."""
    size = how.element
    latents = attention.q_lora_rank + attention.kv_lora_rank + attention.rope_dim
    expanded = attention.heads * (2 * attention.head_dim + 2 * attention.v_head_dim)
    projections = attention.heads * (attention.head_dim + attention.nope_dim + attention.v_head_dim)
    norm = SINGLE if how.kernels == "eager" else size
    statistics = STATISTIC * (attention.heads + 2)
    return latents * (norm + 2 * size) + size * (expanded + (projections if how.kernels == "eager" else 0)) + statistics


def _linear_attention(attention: Attention, how: Setting) -> float:
    """Gated delta rule: projected and convolved channels, gates and output."""
    state = attention.state
    channels = state.channels if state is not None else attention.query_width * 3
    return how.element * (3 * channels + 3 * attention.output_width)


def _mlp(group: LayerGroup, wanted: set[str], how: Setting) -> float:
    mlp = group.mlp
    if mlp is None:
        return 0.0
    last = {"down_proj", "c_proj", "dense_4h_to_h", "fc2", "w2", "wo", "output.dense"}
    adapted_last = bool(wanted & last)
    product = how.trained or (adapted_last and not how.copies_adapter_input)
    return _gated(mlp.width, mlp.gated, mlp.kind, how, product=product)


def _gated(width: float, gated: bool, kind: str, how: Setting, *, product: bool) -> float:
    size = how.element
    if gated:
        kept = 2 if how.kernels == "fused" else 3
        return size * width * (kept + product)
    if kind == "relu":
        return size * width
    if kind == "gelu_python" and how.kernels == "eager":
        return size * width * 5 + size * width * product
    return size * width * (1 + product)


def _experts(hidden: int, group: LayerGroup, how: Setting) -> float:
    """Routed and shared experts: each token's top-k copies of the feed-forward part, and the routing."""
    moe = group.moe
    if moe is None:
        return 0.0
    size = how.element
    gated = "glu" in moe.kind
    inner = _gated(moe.expert_width, gated, moe.kind, how, product=how.trained)
    moved = (2 if how.trained else 1) * size * hidden
    routing = STATISTIC * moe.experts + 12 * moe.top_k
    shared = _gated(moe.shared_width, gated, moe.kind, how, product=how.trained)
    return moe.top_k * (inner + moved + 28) + routing + shared


def _cross(hidden: int, group: LayerGroup, how: Setting) -> float:
    cross = group.cross_attention
    if cross is None:
        return 0.0
    size = how.element
    kept = size * (cross.query_width + cross.key_width + cross.value_width + cross.output_width)
    scores = (SINGLE + size) * cross.heads * how.sequence if how.attention == "eager" else STATISTIC * cross.heads
    return kept + scores + size * hidden


def _transient(hidden: int, group: LayerGroup, how: Setting) -> tuple[float, float]:
    """Temporaries of the layer's backward peak, which lies in the feed-forward part.

    Gradient of the layer's output, of the product, the activation and the up branch; in full training the saved product
    is gone by then.
    """
    size = how.element
    width = group.mlp.width if group.mlp is not None else 0
    gated = group.mlp.gated if group.mlp is not None else True
    if group.moe is not None:
        share = group.moe.top_k / max(1, group.moe.experts)
        width = max(width, round(group.moe.expert_width * share), group.moe.shared_width)
        gated = "glu" in group.moe.kind
    gradients = (3 if gated else 2) - (1 if how.trained else 0)
    if how.kernels == "fused" and gated:
        gradients -= 1 if not how.trained else 0
    scores = 0.0
    if how.attention == "eager" and group.attention is not None:
        scores = (SINGLE + size) * group.attention.heads * how.sequence
    return size * hidden, max(size * width * gradients, scores)


def _selected(hidden: int, group: LayerGroup, how: Setting, residual: float, parallel: float) -> tuple[float, float]:
    """What selective recomputation keeps of a layer."""
    attention = group.attention
    if attention is None:
        return residual, parallel
    if how.selective == "attention":
        dropped = 0.0
        if how.attention == "eager":
            dropped = (SINGLE + how.element) * attention.heads * how.sequence
        return residual, parallel - dropped
    products = [linear for linear in group.linears if linear.role != "router"]
    kept = [] if how.hides_products else [linear for place, linear in enumerate(products) if place % 2 == 0]
    inner = sum(how.element * linear.outputs * linear.active for linear in kept if linear.outputs != hidden)
    outer = sum(how.element * linear.outputs * linear.active for linear in kept if linear.outputs == hidden)
    core = how.element * attention.output_width + STATISTIC * attention.heads
    return how.element * hidden + outer, inner + core
