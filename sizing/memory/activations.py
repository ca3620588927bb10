"""What one token leaves behind in one layer until its backward pass, and the working set of that pass.

The tensors that autograd saves come from `sizing.architecture.activations`; this module adds what a training stack does
around them: copies of its own, selective recomputation, and the temporaries at the peak of a layer's backward pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from sizing.architecture import activations as autograd
from sizing.architecture.layers import EXPERT, ROUTER, LayerGroup
from sizing.architecture.lora import Adapter
from sizing.architecture.recipe import LoraRecipe, Recipe
from sizing.architecture.shape import Architecture
from sizing.memory.adapters import adapter_targets
from sizing.memory.behaviours import Behaviour
from sizing.memory.inventory import QUANTISED
from sizing.workload import Attention, Lora, Training

HALF: Final = 2
SINGLE: Final = 4
STATISTIC: Final = 4
MASK: Final = 1
_QKV: Final = ("q_proj", "k_proj", "v_proj", "query_key_value", "c_attn", "qkv_proj")
_OUTPUTS: Final = ("o_proj", "down_proj", "dense", "dense_4h_to_h", "c_proj", "fc2")


@dataclass(frozen=True, slots=True)
class LayerBytes:
    """What one layer holds for one token on a GPU that has the whole layer [byte/token].

    Parameters
    ----------
    residual, parallel : float
        Saved tensors over the hidden width (whole under tensor parallelism unless the sequence is divided), and
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
    """How a stack runs the layers, apart from the shape of the model.

    Batch and sequence are stated only for kernels whose saved tensors depend on them.
    """

    recipe: Recipe
    dropout: bool
    quantised_inputs: bool
    fused_qkv: bool
    selective: str
    hides_products: bool
    batch: int
    sequence: int


def setting(job: Training, behaviour: Behaviour, context: int, *, autocast: bool, raised: bool) -> Setting:
    """The setting of a job on a stack.

    Parameters
    ----------
    context : int
        GPUs that share a sequence [–].
    autocast : bool
        fp32 parameters are cast for each product, and the residual stream stays fp32.
    raised : bool
        Norms and tables are kept in fp32 beside quantized matrices, so that the residual stream is fp32.
    """
    scores = job.attention in ("eager", "sdpa")
    return _setting(
        job.attention,
        job.compute,
        job.weights in QUANTISED,
        job.lora,
        behaviour,
        job.compile or behaviour.kernels == "fused",
        job.packing == "padded" and job.micro_batch > 1 and behaviour.masks_padding,
        autocast,
        raised,
        min(2, job.micro_batch) if scores else 2,
        max(1, job.sequence_length // context) if scores else 1,
    )


@lru_cache(maxsize=4096)
def _setting(
    attention: Attention,
    compute: str,
    quantised: bool,
    adapter: Lora | None,
    behaviour: Behaviour,
    fused: bool,
    padded: bool,
    autocast: bool,
    raised: bool,
    batch: int,
    sequence: int,
) -> Setting:
    recipe = Recipe(
        attention=attention,
        element_bytes=SINGLE if compute == "fp32" else HALF,
        residual_bytes=SINGLE if autocast or raised or compute == "fp32" else HALF,
        autocast=autocast,
        lora=_lora(adapter, behaviour),
        padded=padded or behaviour.expands_keys,
        fused_norm=fused,
        fused_activation=fused,
        experts="loop" if behaviour.loops_experts else "grouped",
    )
    return Setting(
        recipe=recipe,
        dropout=behaviour.dropout > 0 and adapter is not None,
        quantised_inputs=behaviour.keeps_quantised_inputs and quantised,
        fused_qkv=behaviour.fuses_qkv,
        selective=behaviour.selective,
        hides_products=compute == "nvfp4",
        batch=batch,
        sequence=sequence,
    )


def _lora(adapter: Lora | None, behaviour: Behaviour) -> LoraRecipe | None:
    if adapter is None:
        return None
    size = SINGLE if adapter.dtype == "fp32" and not behaviour.casts_adapters else HALF
    return LoraRecipe(adapter.rank, adapter_targets(adapter), size, adapter.kind)


@lru_cache(maxsize=8192)
def layer_bytes(model: Architecture, index: int, adapters: tuple[Adapter, ...], how: Setting) -> LayerBytes:
    """Saved bytes and temporaries of one layer of a group.

    torch's scaled_dot_product_attention has no soft-capping: such layers compute their scores in the open.

    Parameters
    ----------
    index : int
        Index of the group in ``Architecture.layers``.
    adapters : tuple of Adapter
        Adapters on the group's matrices; empty in full training.
    """
    group = model.layers[index]
    if group.attention is not None and group.attention.softcap and how.recipe.attention == "sdpa":
        how = replace(how, recipe=replace(how.recipe, attention="eager"))
    residual, parallel = _kept(model, index, adapters, how)
    selected = _selected(group, how, residual, parallel)
    transient = _transient(group, how)
    return LayerBytes(
        residual=residual,
        parallel=parallel,
        checkpoint=autograd.checkpoint_bytes_per_token(model, how.recipe),
        selected_residual=selected[0],
        selected_parallel=selected[1],
        transient_residual=float(how.recipe.element_bytes * model.hidden_size),
        transient_parallel=transient,
    )


def _kept(model: Architecture, index: int, adapters: tuple[Adapter, ...], how: Setting) -> tuple[float, float]:
    """What a layer keeps over the hidden width, and over what tensor parallelism divides [byte/token]."""
    saved = autograd.saved(model, index, how.recipe, batch=how.batch, sequence=how.sequence)
    residual = parallel = 0.0
    for term in saved.terms:
        if term.name == "scores" and how.recipe.attention != "eager":
            continue
        if term.name == "block_inputs" and how.dropout:
            continue
        if term.tensor_parallel:
            parallel += term.bytes_per_token
        else:
            residual += term.bytes_per_token
    for each, divided in _own_copies(model.layers[index], adapters, how):
        if divided:
            parallel += each
        else:
            residual += each
    return residual, parallel


def _own_copies(group: LayerGroup, adapters: tuple[Adapter, ...], how: Setting) -> Iterator[tuple[float, bool]]:
    """Tensors that the stack keeps beside what autograd saves of the plain layer: (bytes, divided by tensor).

    DoRA's magnitude scales the outputs of the matrix and of the adapter, and its gradient needs both.
    """
    size = how.recipe.element_bytes
    attention = group.attention
    if how.dropout:
        yield from _dropped_inputs(adapters, how)
    if how.recipe.lora is not None and how.recipe.lora.kind == "dora":
        for adapter in adapters:
            both = (size + how.recipe.lora.dtype_bytes) * adapter.linear.outputs * adapter.linear.active
            yield both, adapter.linear.name not in _OUTPUTS
    if how.quantised_inputs:
        for linear in group.linears:
            if linear.role != ROUTER and linear.name not in _QKV[1:3]:
                yield size * linear.inputs * linear.active, linear.name in _OUTPUTS
    if how.fused_qkv and attention is not None and attention.projection == "separate":
        if attention.kv_heads == attention.heads:
            yield size * (attention.query_width + attention.key_width), True
        else:
            keys = 2 * attention.query_width - attention.key_width
            yield size * (keys - attention.query_width + attention.output_width - attention.value_width), True


def _dropped_inputs(adapters: tuple[Adapter, ...], how: Setting) -> Iterator[tuple[float, bool]]:
    """Inputs after dropout with their masks; a fused query-key-value adapter also keeps its grouped outputs."""
    size = how.recipe.element_bytes
    seen_qkv = False
    for adapter in adapters:
        linear = adapter.linear
        copied = (size + MASK) * linear.inputs * linear.active * adapter.pieces
        if how.fused_qkv and linear.name in _QKV:
            yield size * linear.outputs, True
            if seen_qkv:
                continue
            seen_qkv = True
        yield copied, linear.role == EXPERT or linear.name in _OUTPUTS


def _selected(group: LayerGroup, how: Setting, residual: float, parallel: float) -> tuple[float, float]:
    """What selective recomputation keeps of a layer.

    ``attention`` recomputes the scores only, which no flash kernel keeps anyway. ``operators`` keeps the layer's input,
    the attention kernel's output and every second product; FP4 products are unknown to its list.
    """
    attention, size = group.attention, how.recipe.element_bytes
    if attention is None:
        return residual, parallel
    if how.selective == "attention":
        scores = (SINGLE + size) * attention.heads * how.sequence if how.recipe.attention == "eager" else 0.0
        return residual, max(0.0, parallel - scores)
    products = [linear for linear in group.linears if linear.role != ROUTER]
    kept = [] if how.hides_products else products[::2]
    hidden = next((linear.inputs for linear in products), 0)
    inner = sum(size * linear.outputs * linear.active for linear in kept if linear.outputs != hidden)
    outer = sum(size * linear.outputs * linear.active for linear in kept if linear.outputs == hidden)
    core = size * attention.output_width + STATISTIC * attention.heads
    return how.recipe.residual_bytes * hidden + outer, inner + core


def _transient(group: LayerGroup, how: Setting) -> float:
    """Temporaries of the layer's backward peak over the intermediate width or the scores.

    The peak lies in the feed-forward part: gradients of the product, of the activation and of the up branch. In full
    training the saved product is gone by then; a fused activation writes one of them in place.
    """
    size = how.recipe.element_bytes
    width, gated = (group.mlp.width, group.mlp.gated) if group.mlp is not None else (0, True)
    if group.moe is not None:
        together = group.moe.top_k
        share = together if how.recipe.experts == "grouped" else together / max(1, group.moe.experts)
        width = max(width, round(group.moe.expert_width * share), group.moe.shared_width)
        gated = "glu" in group.moe.kind
    gradients = 3 if gated else 2
    if how.recipe.lora is None or (how.recipe.fused_activation and gated):
        gradients -= 1
    scores = 0.0
    if how.recipe.attention == "eager" and group.attention is not None:
        scores = (SINGLE + size) * group.attention.heads * how.sequence
    return max(float(size * width * gradients), scores)
