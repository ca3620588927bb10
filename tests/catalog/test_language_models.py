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
