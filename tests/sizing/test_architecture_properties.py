"""What holds for every model, tried on made-up ones."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sizing import architecture, datafiles
from sizing.architecture import activations, flops, kv, lora, quantised
from sizing.architecture.activations import LoraRecipe, Recipe
from sizing.errors import SizingError


@st.composite
def configs(draw):
    kv_heads = draw(st.integers(1, 8))
    heads = kv_heads * draw(st.integers(1, 8))
    return {
        "model_type": draw(st.sampled_from(["llama", "qwen2", "qwen3", "mistral", "gemma2", "phi3", "olmo2", "glm4"])),
        "hidden_size": heads * draw(st.sampled_from([32, 64, 128])),
        "num_hidden_layers": draw(st.integers(1, 100)),
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
        "intermediate_size": draw(st.integers(1, 60_000)),
        "vocab_size": draw(st.integers(1, 300_000)),
        "tie_word_embeddings": draw(st.booleans()),
    }


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=10,
)
REAL = [model["config"] for model in datafiles.language_models().values()]
KEYS = sorted({key for config in REAL for key in config})


def _outcome(reader, given_value):
    """What was read, or the message of the refusal; nothing else may happen."""
    try:
        return reader(given_value), ""
    except SizingError as refusal:
        return None, str(refusal)


@given(configs())
def test_one_more_layer_is_more_of_everything(config):
    model = architecture.from_config(config)
    deeper = architecture.from_config({**config, "num_hidden_layers": config["num_hidden_layers"] + 1})

    assert deeper.parameters > model.parameters
    assert deeper.matmul_parameters > model.matmul_parameters
    assert kv.bytes_at(deeper, 1000) > kv.bytes_at(model, 1000)
    assert quantised.weight_bytes(deeper, "nf4").total > quantised.weight_bytes(model, "nf4").total
    assert lora.adapter_parameters(deeper, 8, "all-linear") > lora.adapter_parameters(model, 8, "all-linear")
    assert flops.forward_per_token(deeper, 512).whole.total > flops.forward_per_token(model, 512).whole.total


@given(configs(), st.sampled_from(["intermediate_size", "vocab_size"]))
def test_wider_is_more(config, key):
    wider = architecture.from_config({**config, key: config[key] + 64})

    assert wider.parameters > architecture.from_config(config).parameters


@given(configs())
def test_a_tied_head_saves_exactly_a_table(config):
    tied = architecture.from_config({**config, "tie_word_embeddings": True})
    separate = architecture.from_config({**config, "tie_word_embeddings": False})

    assert separate.parameters - tied.parameters == config["hidden_size"] * config["vocab_size"]
    assert tied.parameters_with_separate_head == separate.parameters


@given(configs(), st.integers(1, 64), st.integers(1, 8192))
def test_longer_and_more_never_keep_less(config, batch, sequence):
    model = architecture.from_config(config)
    for attention in ("flash", "eager", "sdpa"):
        recipe = Recipe(attention=attention)
        kept = activations.saved_bytes(model, recipe, batch=batch, sequence=sequence)
        assert activations.saved_bytes(model, recipe, batch=batch, sequence=sequence + 1) > kept
        assert activations.saved_bytes(model, recipe, batch=batch + 1, sequence=sequence) >= kept
    assert kv.bytes_at(model, sequence + 1) >= kv.bytes_at(model, sequence)


@given(configs(), st.integers(1, 256))
def test_frozen_weights_keep_less_than_trained_ones(config, rank):
    model = architecture.from_config(config)
    adapters = LoraRecipe(min(rank, model.hidden_size // 8), "attention")

    frozen = activations.saved_bytes(model, Recipe(lora=adapters), batch=1, sequence=512)

    assert frozen < activations.saved_bytes(model, Recipe(), batch=1, sequence=512)


@given(st.floats(1e7, 4.9e12), st.floats(1.02, 100))
def test_a_larger_count_gets_a_larger_shape(parameters, factor):
    model = architecture.from_parameters(parameters)
    larger = architecture.from_parameters(min(5e12, parameters * factor))

    assert abs(model.parameters / parameters - 1) < 0.01
    assert larger.parameters >= model.parameters


@given(st.sampled_from(REAL), st.dictionaries(st.sampled_from(KEYS), JSON, min_size=1, max_size=4))
def test_a_spoilt_configuration_is_read_or_refused(config, spoilt):
    read, refusal = _outcome(architecture.from_config, {**config, **spoilt})

    assert refusal or 0 < read.active_parameters <= read.parameters


@given(JSON)
def test_anything_at_all_is_read_or_refused(given_value):
    for model in ({"config": given_value}, {"name": given_value}, {"parameters": given_value}, given_value):
        read, refusal = _outcome(architecture.read, model)
        assert refusal or read.parameters > 0
