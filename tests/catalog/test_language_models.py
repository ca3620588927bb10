"""Language models added from their configuration."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from catalog.models import LanguageModel
from sizing import datafiles

CONFIG = datafiles.language_models()["llama-3.1-8b"]["config"]


def add(keeper: Client, **fields: object) -> object:
    return keeper.post(reverse("catalog:add_language_model"), {"name": "Our Llama 8.0", **fields})


def test_a_pasted_configuration_is_counted(keeper: Client) -> None:
    add(keeper, config_text=json.dumps(CONFIG))

    model = LanguageModel.objects.get(slug="our-llama-8.0")
    assert model.parameters == 8_030_261_248
    assert model.context_length == 131_072
    assert model.edited_at is not None


def test_an_uploaded_configuration_is_counted(keeper: Client) -> None:
    add(keeper, config_file=SimpleUploadedFile("config.json", b"\xef\xbb\xbf" + json.dumps(CONFIG).encode()))

    assert LanguageModel.objects.get(slug="our-llama-8.0").family == "llama"


NO_MODELS = [
    *("", "{", "[]", "null", "1", "{}", "[" * 100_000),
    '{"model_type": "resnet"}',
    '{"a": NaN}',
    json.dumps({**CONFIG, "hidden_size": "many"}),
]


@pytest.mark.parametrize("text", NO_MODELS)
def test_what_is_no_model_is_refused_with_the_reason(text: str, keeper: Client) -> None:
    answer = keeper.post(reverse("catalog:add_language_model"), {"name": "X", "config_text": text})

    assert answer.status_code == 422
    assert not LanguageModel.objects.filter(name="X").exists()


def test_a_name_is_taken_once(keeper: Client) -> None:
    add(keeper, config_text=json.dumps(CONFIG))

    assert add(keeper, config_text=json.dumps(CONFIG)).status_code == 422  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "named",
    [
        {"model_type": "totallyunknown", "architectures": ["TotallyUnknownForCausalLM"]},
        {"model_type": None, "architectures": ["TotallyUnknownForCausalLM"]},
        {"model_type": "totallyunknown", "num_experts": 8, "moe_intermediate_size": 512, "num_experts_per_tok": 2},
        {"model_type": None, "architectures": None},
    ],
)
def test_an_unknown_architecture_is_refused_with_the_reason(named: dict[str, object], keeper: Client) -> None:
    config = {name: value for name, value in (CONFIG | named).items() if value is not None}

    answer = add(keeper, config_text=json.dumps(config))

    assert answer.status_code == 422  # type: ignore[attr-defined]
    assert "cannot be counted exactly" in answer.content.decode()  # type: ignore[attr-defined]
    assert not LanguageModel.objects.exists()
