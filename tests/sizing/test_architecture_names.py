"""Models by name and by bare parameter count."""

from __future__ import annotations

import pytest

from sizing import architecture
from sizing.errors import SizingError


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("llama-3.1-8b", "llama-3.1-8b"),
        ("Llama 3.1 8B", "llama-3.1-8b"),
        ("meta-llama/Meta-Llama-3.1-8B-Instruct", "llama-3.1-8b"),
        ("LLAMA_3.1_70b", "llama-3.1-70b"),
        ("Qwen/Qwen2.5-7B-Instruct", "qwen2.5-7b"),
        ("Qwen3-8B-Base", "qwen3-8b"),
        ("mistralai/Mistral-7B-Instruct-v0.3", "mistral-7b-v0.3"),
        ("opt-1.3b", "opt-1.3b"),
        ("opt-13b", "opt-13b"),
        ("deepseek-ai/DeepSeek-V3-0324", "deepseek-v3"),
        ("google/gemma-3-27b-it", "gemma-3-27b"),
    ],
)
def test_spellings_of_a_name_find_the_model(name, slug):
    assert architecture.by_name(name).name == slug


def test_every_slug_and_hub_name_finds_its_model():
    for model in architecture.names():
        assert architecture.by_name(model.slug).name == model.slug
        assert architecture.by_name(model.hf_id).name == model.slug
        assert architecture.by_name(model.title).name == model.slug


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [("Llama 3.1 7B", "llama-3.1-8b"), ("mistral 7b", "mistral-7b-v0.3"), ("qwen3 70b", "qwen3-32b")],
)
def test_a_model_that_does_not_exist_is_questioned(name, suggestion):
    with pytest.raises(SizingError, match="Did you mean") as refusal:
        architecture.by_name(name)

    assert refusal.value.field == "model.name"
    assert suggestion in str(refusal.value)


@pytest.mark.parametrize("name", ["", "   ", "x" * 300, None, 7, ["llama"], "лама", "{value}", "%s"])
def test_what_is_no_name_is_refused(name):
    with pytest.raises(SizingError):
        architecture.by_name(name)


def test_models_are_read_once():
    assert architecture.by_name("llama-3.1-8b") is architecture.by_name("Llama-3.1-8B-Instruct")


def test_the_list_says_where_shapes_come_from():
    listed = {model.slug: model for model in architecture.names()}

    assert len(listed) == 136
    assert listed["llama-3.1-8b"].title == "Llama 3.1 8B"
    assert listed["bge-m3"].encoder
    assert not listed["flan-t5-xl"].encoder
    assert all(model.sources for model in listed.values() if model.verified)


@pytest.mark.parametrize("parameters", [1e7, 1.35e8, 1e9, 3e9, 7e9, 8.03e9, 1.3e10, 3.2e10, 7e10, 4.05e11, 1e12, 5e12])
def test_a_bare_count_gets_a_shape_of_that_size(parameters):
    model = architecture.from_parameters(parameters)

    assert model.parameters == pytest.approx(parameters, rel=0.005)
    assert not model.exact
    assert model.notes[0].key == "typical_shape"
    assert str(model.layer_count) in model.notes[0].text


def test_a_bare_count_resembles_the_published_model_of_that_size():
    typical, published = architecture.from_parameters(8.03e9), architecture.by_name("llama-3.1-8b")

    assert typical.hidden_size == published.hidden_size
    assert typical.layer_count == published.layer_count
    assert typical.layers[0].mlp.width == pytest.approx(published.layers[0].mlp.width, rel=0.01)


@pytest.mark.parametrize("parameters", [0, -7e9, 7, 1e30, float("nan"), float("inf"), "7B", True, None, 10**400])
def test_a_count_that_cannot_be_is_refused(parameters):
    with pytest.raises(SizingError) as refusal:
        architecture.from_parameters(parameters)

    assert refusal.value.field == "model.parameters"
