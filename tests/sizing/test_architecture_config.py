"""Configurations of all ages and of bad will."""

from __future__ import annotations

import json

import pytest

from sizing import architecture, datafiles
from sizing.errors import SizingError
from tests.sizing.oracle import evidence_models

LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "intermediate_size": 14336,
    "vocab_size": 128256,
}


@pytest.mark.parametrize("model", evidence_models(), ids=lambda model: json.dumps(model)[:80])
def test_models_of_published_measurements_are_read(model):
    read = architecture.read(model)

    assert read.parameters > 10**7
    assert read.layer_count > 0
    assert not read.notes


def test_older_names_mean_the_same():
    old = {
        "model_type": "llama",
        "n_embd": 4096,
        "n_layer": 32,
        "n_head": 32,
        "num_kv_heads": 8,
        "ffn_hidden_size": 14336,
        "padded_vocab_size": 128256,
    }

    assert architecture.from_config(old).parameters == architecture.from_config(LLAMA).parameters


def test_mpt_has_neither_biases_nor_positions():
    # 32 layers of 12 h^2 + 2 h, token table 50368 h, final norm h; h = 4096.
    mpt = {"model_type": "mpt", "d_model": 4096, "n_layers": 32, "n_heads": 32, "vocab_size": 50368}

    assert architecture.from_config(mpt).parameters == 32 * (12 * 4096**2 + 2 * 4096) + 50368 * 4096 + 4096


def test_the_name_of_the_configuration_is_kept():
    assert architecture.from_config({**LLAMA, "_name_or_path": "org/own"}).name == "org/own"
    assert architecture.from_config(LLAMA, name="Ours").name == "Ours"


def test_an_unknown_family_is_read_as_llama_and_says_so():
    read = architecture.from_config({**LLAMA, "model_type": "grandllama"})

    assert read.parameters == architecture.from_config(LLAMA).parameters
    assert not read.exact
    assert "grandllama" in read.notes[0].text
    assert "Llama" in read.notes[0].text


def test_an_unknown_family_with_experts_is_read_as_experts():
    config = {
        **LLAMA,
        "model_type": "newmoe",
        "num_experts": 8,
        "num_experts_per_tok": 2,
        "moe_intermediate_size": 1024,
    }
    read = architecture.from_config(config)

    assert read.is_moe
    assert read.counts.experts == 32 * 8 * 3 * 4096 * 1024
    assert not read.exact


def test_the_family_may_come_from_the_class_alone():
    config = {**datafiles.language_models()["qwen3-8b"]["config"]}
    del config["model_type"]

    read = architecture.from_config(config)

    assert read.parameters == architecture.by_name("qwen3-8b").parameters
    assert read.exact


def test_the_language_model_of_several_towers_is_read():
    text = datafiles.language_models()["gemma-3-4b"]["config"]
    config = {"model_type": "gemma3", "text_config": text, "vision_config": {"hidden_size": 1152}}

    read = architecture.from_config(config)

    assert read.parameters == architecture.by_name("gemma-3-4b").parameters
    assert [note.key for note in read.notes] == ["text_tower"]


def test_the_configurations_own_tie_wins():
    tied = architecture.from_config({**LLAMA, "tie_word_embeddings": True})
    separate = architecture.from_config({**LLAMA, "tie_word_embeddings": False})

    assert separate.parameters - tied.parameters == 128256 * 4096


def test_sliding_windows_follow_layer_types():
    config = {**LLAMA, "model_type": "mistral", "num_hidden_layers": 4, "sliding_window": 1024}
    pattern = ["sliding_attention", "full_attention", "sliding_attention", "full_attention"]

    everywhere = architecture.from_config(config)
    alternating = architecture.from_config({**config, "layer_types": pattern})

    assert [(g.attention.window, g.count) for g in everywhere.layers] == [(1024, 4)]
    assert sorted((g.attention.window or 0, g.positions) for g in alternating.layers) == [(0, (1, 3)), (1024, (0, 2))]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"num_hidden_layers": None}, "num_hidden_layers"),
        ({"hidden_size": "4096"}, "hidden_size"),
        ({"hidden_size": True}, "hidden_size"),
        ({"hidden_size": -4096}, "hidden_size"),
        ({"hidden_size": 0}, "hidden_size"),
        ({"hidden_size": 1e30}, "hidden_size"),
        ({"hidden_size": 4096.5}, "hidden_size"),
        ({"hidden_size": float("nan")}, "hidden_size"),
        ({"hidden_size": float("inf")}, "hidden_size"),
        ({"hidden_size": 10**5000}, "hidden_size"),
        ({"hidden_size": {"value": 4096}}, "hidden_size"),
        ({"hidden_size": [4096]}, "hidden_size"),
        ({"num_hidden_layers": 10**9}, "num_hidden_layers"),
        ({"num_key_value_heads": 7}, "num_key_value_heads"),
        ({"num_attention_heads": 33, "num_key_value_heads": 33}, "num_attention_heads"),
        ({"vocab_size": None}, "vocab_size"),
        ({"intermediate_size": None}, "intermediate_size"),
        ({"tie_word_embeddings": "yes"}, "tie_word_embeddings"),
        ({"model_type": 7}, "model_type"),
        ({"model_type": "mamba"}, "model_type"),
        ({"model_type": "whisper"}, "model_type"),
        ({"model_type": "mixtral", "num_local_experts": 8, "num_experts_per_tok": 9}, "num_experts_per_tok"),
        ({"model_type": "mixtral", "num_local_experts": 0, "num_experts_per_tok": 1}, "num_local_experts"),
        ({"model_type": "gemma2", "layer_types": ["full_attention"]}, "layer_types"),
        ({"model_type": "gemma2", "layer_types": "full"}, "layer_types"),
        ({"model_type": "gemma2", "layer_types": [1] * 32}, "layer_types"),
    ],
)
def test_what_cannot_be_sized_names_its_field(change, field):
    with pytest.raises(SizingError) as refusal:
        architecture.from_config({**LLAMA, **change})

    assert refusal.value.field == f"model.config.{field}"
    assert len(str(refusal.value)) < 400


@pytest.mark.parametrize("config", [{}, [], None, "llama", 7, {"a": {"b": {"c": {}}}}, {1: 2}, {"text_config": {}}])
def test_what_is_no_configuration_is_refused(config):
    with pytest.raises(SizingError) as refusal:
        architecture.read({"config": config} if config is not None else {})

    assert refusal.value.field.startswith("model")


def test_a_model_beyond_any_size_is_refused():
    with pytest.raises(SizingError, match="more than any model"):
        architecture.from_config({**LLAMA, "hidden_size": 2**20, "num_hidden_layers": 2000, "head_dim": 128})


def test_deep_nesting_does_no_harm():
    nested: dict[str, object] = {}
    for _ in range(5_000):
        nested = {"text_config": nested}

    with pytest.raises(SizingError):
        architecture.from_config(nested)
