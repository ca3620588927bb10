"""Parameter counts against transformers 5.24, every packaged model."""

from __future__ import annotations

import pytest

from sizing import architecture
from tests.sizing.oracle import rows

ROWS = rows("param_counts") + rows("param_counts_unverified")


@pytest.mark.parametrize("row", ROWS, ids=[row["slug"] for row in ROWS])
def test_counts_equal_those_of_the_instantiated_model(row):
    model = architecture.by_name(row["slug"])

    assert model.parameters == int(row["total_params"])
    assert model.embedding_parameters == int(row["token_embedding_params"])
    assert model.position_parameters == int(row["position_type_embedding_params"])
    assert model.head_parameters == int(row["lm_head_params"])
    assert str(model.tied) == row["tied_head"]
    assert model.parameters_without_embeddings == int(row["non_embedding_params"])
    assert model.parameters_with_separate_head == int(row["total_incl_separate_head"])
    assert model.parameters_without_head == int(row["total_excl_head"])
    assert model.active_parameters == int(row["active_params_per_token"])
    assert model.active_without_lookup == int(row["active_excl_input_embedding"])


@pytest.mark.parametrize("row", ROWS, ids=[row["slug"] for row in ROWS])
def test_experts_equal_those_of_the_instantiated_model(row):
    model = architecture.by_name(row["slug"])
    sparse = [group for group in model.layers if group.moe is not None]

    assert model.counts.experts == int(row["routed_expert_params"])
    assert sum(group.count for group in sparse) == int(row["moe_layers"])
    assert {group.moe.experts for group in sparse} == ({int(row["n_experts"])} if row["n_experts"] else set())
    assert {group.moe.top_k for group in sparse} == ({int(row["top_k"])} if row["top_k"] else set())
    assert str(model.verified) == row["verified"]


@pytest.mark.parametrize("slug", [row["slug"] for row in ROWS])
def test_groups_add_up_to_the_total(slug):
    model = architecture.by_name(slug)
    counts = model.counts

    assert counts.total == model.parameters
    assert sum(group.count * group.parameters for group in model.layers) == model.layer_parameters
    assert sorted(p for g in model.layers if g.stack == "decoder" for p in g.positions) == list(
        range(sum(g.count for g in model.layers if g.stack == "decoder"))
    )
    assert 0 < model.active_parameters <= model.parameters
    assert model.matmul_parameters <= model.parameters + model.head_parameters
    assert model.largest_parameters >= model.embedding_parameters


def test_llama_31_8b_by_hand():
    # Layer: q and o 4096 x 4096 each, k and v 4096 x 1024 each, three matrices 4096 x 14336, two norms of 4096.
    model = architecture.by_name("llama-3.1-8b")
    counts = model.counts

    assert counts.attention == 32 * (2 * 4096 * 4096 + 2 * 4096 * 1024)
    assert counts.mlp == 32 * 3 * 4096 * 14336
    assert counts.norms == 65 * 4096
    assert counts.embeddings == counts.head == 128256 * 4096
    assert counts.experts == counts.router == counts.positions == counts.other == 0


def test_published_active_counts_of_expert_models():
    """gpt-oss counts without the lookup table, Qwen3 with everything; DeepSeek-V3's 37 billion."""
    assert round(architecture.by_name("gpt-oss-120b").active_without_lookup / 1e9, 2) == 5.13
    assert round(architecture.by_name("qwen3-30b-a3b").active_parameters / 1e9, 2) == 3.35
    assert round(architecture.by_name("deepseek-v3").active_parameters / 1e9, 1) == 37.6


def test_t5_checkpoints_hold_a_head_of_their_own():
    model = architecture.by_name("flan-t5-base")

    assert model.encoder_decoder
    assert model.parameters_with_separate_head == 247_577_856
    assert [note.key for note in model.notes] == ["separate_head"]
