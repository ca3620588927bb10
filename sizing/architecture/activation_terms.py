"""The terms of a layer's saved activations.

A matrix keeps its input when its weights are trained or a 16-bit adapter reads it; a pointwise product keeps both
factors; a norm keeps a 32-bit copy of its input. Symbols: h hidden width, e bytes of an element, a heads, s sequence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sizing.architecture.layers import ATTENTION, EXPERT, MLP, SHARED_EXPERT, Attention, LayerGroup, Linear, Moe
from sizing.architecture.lora import Adapter
from sizing.architecture.recipe import Recipe, Term
from sizing.architecture.shape import Architecture

_OUTPUTS: Final = ("o_proj", "out_proj", "dense", "attn.c_proj", "attention.output.dense", "o")
_LATENTS: Final = ("q_b_proj", "kv_b_proj", "indexer.wq_b")
_DOWNS: Final = ("down_proj", "fc2", "fc_out", "c_proj", "dense_4h_to_h", "output.dense", "wo", "w2")
_STATISTIC: Final = 4


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer with all that its saved activations depend on.

    ``sequence`` is 0 where kernels keep neither scores nor masks.
    """

    model: Architecture
    group: LayerGroup
    recipe: Recipe
    adapted: tuple[Adapter, ...]
    single: bool
    sequence: int

    @property
    def hidden(self) -> int:
        """Hidden width [–]."""
        return self.model.hidden_size

    def reads_input(self, linear: Linear) -> bool:
        """Whether the matrix keeps the tensor it is given: it is trained, or a 16-bit adapter shares it."""
        if self.recipe.lora is None:
            return True
        own_copy = self.recipe.lora.dtype_bytes == 4
        return not own_copy and any(adapter.linear == linear for adapter in self.adapted)


def terms(layer: Layer) -> Iterator[Term]:
    """Everything that a layer keeps, term by term."""
    yield norms(layer)
    yield block_inputs(layer)
    if layer.group.attention is not None:
        yield from attention_terms(layer, layer.group.attention)
    if layer.group.cross_attention is not None:
        yield kernel(layer, layer.group.cross_attention, "cross_attention")
    yield from feed_forward(layer)
    yield adapter_inputs(layer)
    yield adapter_middles(layer)
    yield dropout(layer)


def source(linear: Linear) -> str:
    """Which tensor a matrix reads: ``hidden_attention``, ``hidden_mlp``, ``attention``, ``latent`` or ``inner``."""
    if linear.role == ATTENTION:
        if linear.name in _OUTPUTS:
            return "attention"
        return "latent" if linear.name in _LATENTS else "hidden_attention"
    last = linear.name.rsplit(".", 1)[-1]
    is_down = last in _DOWNS or linear.name in _DOWNS
    if linear.role == EXPERT:
        return "expert_inner" if is_down else "expert"
    return "inner" if is_down else "hidden_mlp"


def norm_bytes(kind: str, width: int, recipe: Recipe, *, after: bool = False) -> float:
    """One norm: e h or 4 h for its input, 4 for its statistic, and the normalized values if its weight is trained."""
    residual = recipe.element_bytes if after else recipe.residual_bytes
    if kind.startswith(("layer", "plain")):
        statistics = 2 * (recipe.residual_bytes if recipe.on_cpu else _STATISTIC)
        return residual * width + statistics
    if recipe.fused_norm:
        return residual * width + _STATISTIC
    normalized = 4 if kind in ("rms_plus_one", "rms_after") else residual
    return 4 * width + _STATISTIC + (0 if recipe.frozen else normalized * width)


def norms(layer: Layer) -> Term:
    """Norms over the hidden width; the first two (one where the blocks run side by side) read the residual."""
    group, recipe = layer.group, layer.recipe
    kind = group.norm_kind
    if kind == "rms_after":
        total = group.norms * norm_bytes(kind, layer.hidden, recipe, after=True)
    else:
        before = min(2, group.norms)
        total = before * norm_bytes(kind, layer.hidden, recipe)
        total += (group.norms - before) * norm_bytes(kind, layer.hidden, recipe, after=True)
    if group.mlp is not None and group.mlp.parallel and group.norms == 2 and group.is_layer_norm:
        total -= recipe.residual_bytes * layer.hidden
    weights = 4.0 * layer.hidden * group.norms if kind == "rms_plus_one" else 0.0
    return Term("norms", total, weights)


def _kept_inputs(layer: Layer, tensor: str, width: int) -> float:
    """Once e h for all matrices that read a tensor; a cast for each of them under autocast with 32-bit residuals."""
    readers = [linear for linear in layer.group.linears if source(linear) == tensor and layer.reads_input(linear)]
    if not readers:
        return 0.0
    recipe = layer.recipe
    each = recipe.linear_input_bytes or recipe.element_bytes
    casts = recipe.autocast and recipe.residual_bytes == 4 and tensor.startswith("hidden")
    return each * width * (len(readers) if casts else 1)


def block_inputs(layer: Layer) -> Term:
    """Inputs of the attention block's and of the feed-forward block's matrices."""
    total = _kept_inputs(layer, "hidden_attention", layer.hidden)
    if layer.group.norms > 1 or layer.group.mlp is None or not layer.group.mlp.parallel:
        total += _kept_inputs(layer, "hidden_mlp", layer.hidden)
    return Term("block_inputs", total)


def attention_terms(layer: Layer, attention: Attention) -> Iterator[Term]:
    """The attention block behind its input."""
    if attention.kind == "linear":
        yield linear_attention(layer, attention)
        return
    if attention.kind == "mla":
        yield latents(layer, attention)
    yield qk_norms(layer, attention)
    yield kernel(layer, attention, "attention")
    yield scores(layer, attention)


def qk_norms(layer: Layer, attention: Attention) -> Term:
    """Norms over queries and keys: 4 a width, 4 a statistic, and the normalized values if trained."""
    if attention.qk_norm == "none":
        return Term("qk_norms", 0.0)
    width = attention.query_width + attention.key_width
    statistics = attention.heads + attention.kv_heads if attention.qk_norm == "head" else 2
    recipe = layer.recipe
    if recipe.fused_norm:
        return Term("qk_norms", recipe.element_bytes * width + _STATISTIC * statistics, tensor_parallel=True)
    wide = layer.group.norm_kind in ("rms_plus_one", "rms_after")
    trained = 0 if recipe.frozen else 4 if wide else recipe.element_bytes
    weights = 8.0 * attention.head_dim if layer.group.norm_kind == "rms_plus_one" else 0.0
    return Term("qk_norms", (4 + trained) * width + _STATISTIC * statistics, weights, tensor_parallel=True)


def kernel(layer: Layer, attention: Attention, name: str) -> Term:
    """Queries, keys, values and output; log-sum-exp for kernels that keep no scores."""
    total = _query_key_value(layer, attention) * layer.recipe.element_bytes
    output = layer.recipe.element_bytes * attention.output_width
    wanted = any(source(linear) == "attention" and layer.reads_input(linear) for linear in layer.group.linears)
    if layer.recipe.attention == "eager":
        return Term(name, total + (output if wanted else 0), tensor_parallel=True)
    copied = layer.recipe.on_cpu and attention.projection == "fused" and attention.rotary and wanted
    return Term(name, total + output * (2 if copied else 1) + 4 * attention.heads, tensor_parallel=True)


def _query_key_value(layer: Layer, attention: Attention) -> int:
    """Elements of queries, keys and values, with the fused tensor that a slice of it keeps alive."""
    queries, keys, values = attention.query_width, attention.key_width, attention.value_width
    eager = layer.recipe.attention == "eager"
    if attention.projection == "fused" and attention.kind != "mla":
        fused = queries + keys + values
        if not attention.rotary:
            return fused
        if not eager:
            return queries + keys + fused
        if attention.kv_heads == attention.heads:
            return queries + keys + (fused if layer.single else values)
    if layer.sequence:
        return 2 * queries + attention.output_width
    if attention.kind == "mla":
        return queries + keys + attention.heads * (attention.nope_dim + attention.v_head_dim)
    return queries + keys + values


def scores(layer: Layer, attention: Attention) -> Term:
    """Eager attention: softmax in 32 bit, its 16-bit copy, soft-capped scores, dropout; else a mask if there is one."""
    recipe = layer.recipe
    e = recipe.element_bytes
    if recipe.attention != "eager":
        return Term("scores", float(e * layer.sequence))
    softmax = 4 if attention.upcast or recipe.autocast else e
    each = softmax + (e if attention.softcap else 0)
    if recipe.dropout:
        each += e + (e if recipe.on_cpu else 1)
    elif softmax != e:
        each += e
    return Term("scores", each * attention.heads * layer.sequence, tensor_parallel=True)


def latents(layer: Layer, attention: Attention) -> Term:
    """Compressed queries, keys and values with their norms."""
    recipe = layer.recipe
    total = 0.0
    for rank, reader in ((attention.q_lora_rank, "q_b_proj"), (attention.kv_lora_rank, "kv_b_proj")):
        if not rank:
            continue
        total += norm_bytes("rms", rank, recipe, after=True)
        read = any(linear.name == reader and layer.reads_input(linear) for linear in layer.group.linears)
        total += recipe.element_bytes * rank if read else 0
    return Term("latents", total)


def linear_attention(layer: Layer, attention: Attention) -> Term:
    """Gated delta rule: convolution in and out, its activation, normalized q and k, gate, output norm, chunk states.

    Estimated from the operations of the reference implementation; chunks of 64 tokens.
    """
    state = attention.state
    if state is None:
        return Term("attention", 0.0)
    e = layer.recipe.element_bytes
    values = state.value_heads * state.value_head_dim
    keys = 2 * state.key_heads * state.key_head_dim
    convolution = 3 * e * state.channels
    rule = e * (keys + values) + 4 * 3 * state.value_heads + e * values + 4 * state.recurrent_elements / 64
    output = (4 + 4 + 2 * e) * values + (e * values if not layer.recipe.frozen else 0)
    return Term("attention", convolution + rule + output, tensor_parallel=True)


def feed_forward(layer: Layer) -> Iterator[Term]:
    """Dense block, routed experts and shared expert, whichever the layer has."""
    group = layer.group
    if group.mlp is not None:
        wanted = any(source(m) == "inner" and m.role == MLP and layer.reads_input(m) for m in group.linears)
        each = activation_function(group.mlp.kind, wanted, layer.recipe)
        yield Term("mlp", each * group.mlp.width, tensor_parallel=True)
    if group.moe is not None:
        yield from experts(layer, group.moe)


def activation_function(kind: str, wanted: bool, recipe: Recipe) -> float:
    """Bytes for each element of a block's width: what the activation needs, and the last matrix's input if wanted."""
    e = recipe.element_bytes
    last = (recipe.linear_input_bytes or e) if wanted else 0
    if kind in ("swiglu", "geglu"):
        return (2 if recipe.fused_activation else 3) * e + last
    if kind == "relu":
        return e
    if kind == "gelu_python" and not recipe.fused_activation:
        return 4 * e + last
    return e + last


def experts(layer: Layer, moe: Moe) -> Iterator[Term]:
    """Routed experts: k (8f + 4h + 28) with grouped products or k (8f + 6h + 20) in a loop, + 4E + 12k.

    A router in 32 bit (DeepSeek, GLM) keeps its input and the sum's buffer: 6h.
    """
    recipe, hidden = layer.recipe, layer.hidden
    e = recipe.element_bytes
    wanted = any(m.role == EXPERT and layer.reads_input(m) for m in layer.group.linears)
    inner = activation_function(moe.kind, wanted, recipe) * moe.expert_width
    passes, numbers = (3, 20) if recipe.experts == "loop" else (2, 28)
    rows = e * hidden * (passes if wanted else passes - 1)
    routing = 4 * moe.experts + 12 * moe.top_k
    yield Term("experts", moe.top_k * inner, tensor_parallel=True)
    yield Term("routing", moe.top_k * (rows + numbers) + routing)
    if moe.shared_width:
        shared = any(m.role == SHARED_EXPERT and layer.reads_input(m) for m in layer.group.linears)
        yield Term(
            "shared_expert",
            activation_function(moe.kind, shared, recipe) * moe.shared_width,
            tensor_parallel=True,
        )
    if moe.wide_router:
        yield Term("router_input", (4.0 + e) * hidden)


def adapter_inputs(layer: Layer) -> Term:
    """32-bit adapters read a copy of their own: 4 bytes an element, 2 under autocast."""
    lora = layer.recipe.lora
    if lora is None or lora.dtype_bytes != 4:
        return Term("adapter_inputs", 0.0)
    each = 2 if layer.recipe.autocast else 4
    return Term("adapter_inputs", sum(each * a.linear.inputs * a.linear.active for a in layer.adapted))


def adapter_middles(layer: Layer) -> Term:
    """What each adapter's first factor hands to its second."""
    lora = layer.recipe.lora
    if lora is None:
        return Term("adapter_middles", 0.0)
    each = 4 if lora.dtype_bytes == 4 and not layer.recipe.autocast else 2
    return Term("adapter_middles", sum(each * a.rank * a.pieces * a.linear.active for a in layer.adapted))


def dropout(layer: Layer) -> Term:
    """Masks of the dropout after attention and after the feed-forward block."""
    if not layer.recipe.dropout:
        return Term("dropout", 0.0)
    mask = layer.recipe.element_bytes if layer.recipe.on_cpu else 1
    return Term("dropout", 2.0 * mask * layer.hidden)
