"""Saved activations against what autograd was seen to keep."""

from __future__ import annotations

import pytest

from sizing import architecture, datafiles
from sizing.architecture import activations
from sizing.architecture.activations import LoraRecipe, Recipe
from tests.sizing.oracle import rows

ROWS = rows("activations")
LAYER_ROWS = [row for row in ROWS if row["scope"] == "layer"]
MODEL_ROWS = [row for row in ROWS if row["scope"] == "model"]
MOE_ROWS = [row for row in ROWS if row["scope"] == "moe_layer"]
LOSS_ROWS = [row for row in ROWS if row["scope"] == "logits_loss"]

SHRUNK = {
    "mixtral-8x7b": {"intermediate_size": 1792, "num_attention_heads": 8, "num_key_value_heads": 2},
    "qwen3-30b-a3b": {
        "intermediate_size": 1536,
        "moe_intermediate_size": 192,
        "num_experts": 32,
        "num_attention_heads": 8,
        "num_key_value_heads": 2,
    },
    "gigachat-20b-a3b": {
        "intermediate_size": 3584,
        "moe_intermediate_size": 448,
        "n_routed_experts": 16,
        "num_attention_heads": 8,
        "num_key_value_heads": 4,
    },
}


def _id(row):
    keys = (
        "slug",
        "attn",
        "precision",
        "mode",
        "lora_r",
        "dropout",
        "grad_ckpt",
        "padded_mask",
        "batch",
        "seq",
        "vocab",
    )
    return "-".join(row[key] for key in keys)


def _recipe(row):
    lora = None
    if row["mode"] != "full":
        targets = "all-linear" if "all" in row["mode"] else ("q_proj", "v_proj")
        lora = LoraRecipe(int(row["lora_r"]), targets, 4 if row["mode"].endswith("f32") else 2)
    return Recipe(
        attention=row["attn"],
        residual_bytes=4 if row["precision"] == "autocast" else 2,
        autocast=row["precision"] != "bf16",
        lora=lora,
        dropout=float(row["dropout"] or 0),
        padded=row["padded_mask"] == "True",
        on_cpu=True,
    )


def _is_math_path(row):
    """sdpa with dropout falls to another kernel on the CPU, which keeps scores; no GPU does that."""
    return row["attn"] == "sdpa" and float(row["dropout"] or 0) > 0


@pytest.mark.parametrize("row", [row for row in LAYER_ROWS if not _is_math_path(row)], ids=_id)
def test_a_layer_keeps_what_was_recorded(row):
    model, recipe = architecture.by_name(row["slug"]), _recipe(row)
    batch, sequence = int(row["batch"]), int(row["seq"])

    if row["grad_ckpt"] == "True":
        kept = activations.checkpoint_bytes_per_token(model, recipe) * batch * sequence
    else:
        kept = activations.saved_bytes_per_layer(model, 0, recipe, batch=batch, sequence=sequence)
        casts = activations.weight_cast_bytes_per_layer(model, 0, recipe)
        assert casts == int(row["layer_weight_cast_bytes"])

    assert kept == pytest.approx(int(row["layer_bytes"]), rel=1e-5)


def test_every_row_with_a_closed_form_is_covered():
    closed = [row for row in LAYER_ROWS if row["formula_layer_bytes"]]

    assert len(closed) == 306
    assert not any(_is_math_path(row) for row in closed)


@pytest.mark.parametrize("row", MODEL_ROWS, ids=_id)
def test_a_whole_model_keeps_what_was_recorded(row):
    model, recipe = architecture.by_name(row["slug"]), _recipe(row)
    batch, sequence = int(row["batch"]), int(row["seq"])
    checkpointed = row["grad_ckpt"] == "True"

    if checkpointed:
        layers = model.layer_count * activations.checkpoint_bytes_per_token(model, recipe) * batch * sequence
    else:
        layers = activations.saved_bytes(model, recipe, batch=batch, sequence=sequence)
    base = activations.base_bytes(model, recipe, batch=batch, sequence=sequence, checkpointed=checkpointed)
    logits = activations.logits_bytes(model, batch * sequence, peak=False)

    # The recorder takes a tensor of a weight's shape for a cast weight: 512 tokens of Llama-3.2-1B look like k_proj.
    mistaken = row["slug"] == "llama-3.2-1b" and row["mode"] == "lora_all" and sequence == 512 and recipe.autocast
    assert layers + base + logits == pytest.approx(int(row["total_bytes"]), rel=6e-3 if mistaken else 1e-5)


@pytest.mark.parametrize("row", MOE_ROWS, ids=_id)
def test_an_expert_layer_keeps_what_was_recorded(row):
    slug = row["slug"].removesuffix("(shrunk)")
    small = {"hidden_size": 512, "head_dim": 64, "vocab_size": 1000, **SHRUNK[slug]}
    model = architecture.from_config({**datafiles.language_models()[slug]["config"], **small})
    recipe = Recipe(attention="sdpa", experts="loop" if row["attn"].endswith("eager") else "grouped", on_cpu=True)

    group = len(model.layers) - 1
    kept = activations.saved_bytes_per_layer(model, group, recipe, batch=int(row["batch"]), sequence=int(row["seq"]))

    assert kept == pytest.approx(int(row["layer_bytes"]), rel=1e-3)


@pytest.mark.parametrize("row", LOSS_ROWS, ids=_id)
def test_the_loss_keeps_four_bytes_a_word(row):
    """The recorded figure is the difference to a vocabulary of 1000."""
    tokens = int(row["batch"]) * int(row["seq"])

    assert int(row["base_bytes"]) == activations.LOGITS_SAVED_BYTES * tokens * (int(row["vocab"]) - 1000)


def test_peak_of_a_full_step_without_checkpointing():
    """Weights, AdamW states in bf16, all activations and 14 bytes a logit: the recorded peak of 4 x 2048 tokens."""
    row = next(r for r in rows("peak_mem") if r["slug"] == "llama-3.1-8b" and r["batch"] == "4" and r["mode"] == "full")
    model, recipe = architecture.by_name("llama-3.1-8b"), Recipe(attention="sdpa", on_cpu=True)

    kept = activations.saved_bytes(model, recipe, batch=4, sequence=2048)
    kept += activations.base_bytes(model, recipe, batch=4, sequence=2048)
    peak = 6 * model.parameters + kept + activations.logits_bytes(model, 4 * 2048)

    assert row["grad_ckpt"] == "False"
    assert peak == pytest.approx(int(row["peak_total"]), rel=1e-3)


def test_llama_by_hand():
    # 16h + 8 + 4ad + 4kd + 4a + 8f with h = ad = 4096, kd = 1024, a = 32, f = 14336.
    model = architecture.by_name("llama-3.1-8b")

    kept = activations.saved(model, 0, Recipe(), batch=1, sequence=2048)

    assert kept.bytes_per_token == 16 * 4096 + 8 + 4 * 4096 + 4 * 1024 + 4 * 32 + 8 * 14336


def test_tensor_parallelism_divides_only_what_is_divided():
    model = architecture.by_name("llama-3.1-8b")
    kept = activations.saved(model, 0, Recipe(), batch=1, sequence=2048)

    assert kept.sharded(2048, tensor=1) == kept.total(2048)
    assert kept.total(2048) / 8 < kept.sharded(2048, tensor=8) < kept.total(2048)
    assert kept.sharded(2048, tensor=8, sequence_parallel=True) == kept.total(2048) / 8


def test_kernels_that_keep_less_keep_less():
    model = architecture.by_name("llama-3.1-8b")

    def kept(**changes):
        return activations.saved_bytes(model, Recipe(**changes), batch=2, sequence=4096)

    assert kept(fused_norm=True, fused_activation=True) < kept() < kept(attention="eager")
    assert kept(linear_input_bytes=1) < kept() < kept(element_bytes=4, residual_bytes=4)


@pytest.mark.parametrize("slug", [model.slug for model in architecture.names()])
@pytest.mark.parametrize("attention", ["flash", "eager"])
def test_every_model_keeps_something_sensible(slug, attention):
    model = architecture.by_name(slug)

    for group in range(len(model.layers)):
        kept = activations.saved(model, group, Recipe(attention=attention), batch=1, sequence=512)
        assert all(term.bytes_per_token >= 0 for term in kept.terms)
        assert 10 * model.hidden_size < kept.bytes_per_token < 2_000 * model.hidden_size
