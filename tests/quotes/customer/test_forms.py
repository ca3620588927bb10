"""Each form takes what a customer says and refuses the rest with a sentence that helps."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.utils import translation

from catalog.models import Platform
from quotes import intake
from quotes.forms.models import LONGEST_CONFIG_BYTES
from quotes.forms.route import ADAPTERS, DOCUMENTS, FULL, SCRATCH, SERVICE
from quotes.forms.sections import EXPERT, PLAIN, merge
from quotes.forms.ways import FORMS, bound, last_valid
from quotes.views.customer.answers import say
from quotes.views.customer.estimates import preview_of
from sizing import contract

TRAINING = {"model_name": "Llama 3.3 70B Instruct", "dataset_amount": "50", "epochs": "2", "sequence_length": "4 096"}
COMPLETE: dict[str, dict[str, str]] = {
    ADAPTERS: TRAINING | {"method": "qlora", "lora_rank": "16", "lora_targets": "all-linear"},
    FULL: TRAINING | {"optimizer": "adamw", "global_batch": "128"},
    SCRATCH: {
        "layers": "28",
        "hidden_size": "3072",
        "mlp_size": "8192",
        "query_heads": "24",
        "kv_heads": "8",
        "vocabulary": "128256",
        "dataset_amount": "400",
        "dataset_unit": "billion_tokens",
        "sequence_length": "4096",
    },
    SERVICE: {"model_name": "llama-3.3-70b", "users": "600", "input_tokens": "2000", "output_tokens": "400"},
    DOCUMENTS: {"model_name": "qwen2.5-32b", "documents": "200000", "pages_per_document": "8", "concurrency": "40"},
}
CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "num_hidden_layers": 4,
    "hidden_size": 256,
    "intermediate_size": 512,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "vocab_size": 1000,
}
ITEM_FIELDS = {
    "A2": {"model_name", "lora_targets", "lora_rank", "weights", "compute", "sequence_length"},
    "A3": {"trainable", "optimizer", "global_batch", "micro_batch", "checkpoint_every", "checkpoints_kept"},
    "A4": {"layers", "hidden_size", "dataset_amount", "steps", "when", "deadline_amount", "deadline_date"},
    "A14": {
        "model_name",
        "config",
        "parameters_billion",
        "sequence_length",
        "epochs",
        "steps",
        "dataset_amount",
        "dataset_unit",
        "dataset_language",
        "parallel_experiments",
        "rack_power_kw",
        "rack_units",
        "cooling",
        "service_access",
        "framework",
        "framework_version",
    },
    "A15": {"profile_peak_gib", "profile_step_seconds", "profile_sequence_length"},
    "A22": {
        "users",
        "concurrency",
        "first_word_seconds",
        "placement",
        "region",
        "budget",
        "currency",
        "tax",
        "article",
    },
}


@pytest.fixture(autouse=True)
def english() -> Any:
    with translation.override("en"):
        yield


@pytest.mark.parametrize("way", list(COMPLETE))
def test_a_complete_form_becomes_a_question_the_engine_answers(way: str) -> None:
    form = bound(way, COMPLETE[way])

    assert form.is_valid(), form.errors
    answer = contract.estimate(
        intake.to_request(form.answered(), route=way) | {"hardware": {"gpu": "h200-sxm", "gpus_per_node": 8}}
    )
    assert "error" not in answer
    assert answer["memory"]["device"]["expected"] > 0


@pytest.mark.parametrize("fact", list(ITEM_FIELDS))
def test_every_field_of_a_fact_is_drawn_on_some_form(fact: str) -> None:
    drawn = {name for form in FORMS.values() for section in form.sections for name in section.names(EXPERT)}

    assert ITEM_FIELDS[fact] <= drawn


@pytest.mark.parametrize("way", list(FORMS))
def test_the_expert_view_draws_every_field_of_the_form(way: str) -> None:
    drawn = {name for section in FORMS[way].sections for name in section.names(EXPERT)}
    idle = {"when", "deadline_amount", "deadline_unit", "deadline_date"} if way in (SERVICE, DOCUMENTS) else set()

    assert set(FORMS[way].base_fields) - drawn - idle == set()


@pytest.mark.parametrize("way", list(FORMS))
def test_an_empty_form_asks_only_for_what_the_question_is_about(way: str) -> None:
    form = bound(way, {})

    assert set(form.errors) <= {"model_name", "layers", "users", "documents"}
    assert form.errors


def test_an_error_says_range_value_and_what_to_do() -> None:
    form = bound(ADAPTERS, TRAINING | {"rack_power_kw": "9 000"})

    assert form.errors["rack_power_kw"] == [
        "Allowed is from 0.5 to 250, given 9,000. "
        "Give the power of one rack in kilowatts, as the data center states it."
    ]


def test_a_sequence_longer_than_the_model_takes_is_refused() -> None:
    form = bound(ADAPTERS, TRAINING | {"sequence_length": "200 000"})

    assert "at most 131,072 tokens, given 200,000" in form.errors["sequence_length"][0]


def test_an_unknown_model_is_questioned_with_near_names() -> None:
    form = bound(ADAPTERS, TRAINING | {"model_name": "Llama 3.1 7B"})

    assert "Did you mean" in form.errors["model_name"][0]
    assert "Llama 3.1 8B" in form.errors["model_name"][0]


def test_an_unknown_model_with_a_size_is_taken_by_its_size() -> None:
    form = bound(ADAPTERS, TRAINING | {"model_name": "house-model", "parameters_billion": "7"})

    assert form.is_valid(), form.errors
    assert intake.model(form.answered()) == {"parameters": 7e9}


def test_a_batch_that_does_not_divide_is_refused() -> None:
    form = bound(ADAPTERS, TRAINING | {"global_batch": "10", "micro_batch": "4"}, depth=EXPERT)

    assert "multiple" in form.errors["global_batch"][0]


def test_a_begun_architecture_is_asked_for_the_rest() -> None:
    form = bound(SCRATCH, {"layers": "28"})

    assert {"hidden_size", "query_heads", "vocabulary"} <= set(form.errors)


@pytest.mark.parametrize(
    "text, words",
    [
        ("{}", "neither layers nor a hidden size"),
        ("[]", "not an object"),
        ("{", "not JSON"),
        ("7", "not an object"),
        (json.dumps(CONFIG | {"num_hidden_layers": "many"}), "must be a whole number"),
        (json.dumps(CONFIG | {"num_hidden_layers": True}), "must be a whole number"),
        (json.dumps({"hidden_size": 10, "x": {"y": {"z": [[[[[[[[[[[[1]]]]]]]]]]]]}}}), "nested too deeply"),
        ("[" * 5000 + "]" * 5000, "nested too deeply"),
        (json.dumps(CONFIG | {"num_hidden_layers": 10**9}), "cannot be sized"),
        (json.dumps(CONFIG | {"num_hidden_layers": -4}), "cannot be sized"),
    ],
)
def test_a_config_that_is_no_model_is_refused_with_the_reason(text: str, words: str) -> None:
    form = bound(ADAPTERS, {"config": text})

    assert words in form.errors["config"][0]


def test_a_huge_pasted_config_is_refused_with_the_limit() -> None:
    form = bound(ADAPTERS, {"config": "x" * (LONGEST_CONFIG_BYTES + 1)})

    assert "262,144" in form.errors["config"][0]


def test_a_config_wins_over_the_name() -> None:
    form = bound(ADAPTERS, {"model_name": "llama-3.3-70b", "config": json.dumps(CONFIG)})

    assert form.is_valid(), form.errors
    assert intake.model(form.answered()) == {"config": CONFIG}


def test_moving_between_depths_keeps_what_the_other_page_asked() -> None:
    expert = merge({}, {"micro_batch": "4", "sequence_length": "2048"}, FORMS[ADAPTERS], depth=EXPERT)
    plain = merge(expert, {"sequence_length": "4096"}, FORMS[ADAPTERS], depth=PLAIN)

    assert plain == {"micro_batch": "4", "sequence_length": "4096"}


def test_a_wrong_answer_falls_back_to_its_last_valid_value() -> None:
    typed = bound(ADAPTERS, TRAINING | {"sequence_length": "nonsense"})

    form = last_valid(ADAPTERS, typed, {"sequence_length": "2048"})

    assert form is not None
    assert form.cleaned_data["sequence_length"] == 2048


def test_limits_are_must_or_prefer_in_base_units() -> None:
    answers = {
        "when": "in",
        "deadline_amount": 7,
        "deadline_unit": "days",
        "rack_power_kw": 12.0,
        "budget": 150_000.0,
        "budget_strength": "prefer",
        "currency": "USD",
        "tax": "net",
        "cooling": "air",
        "region": "on_premises",
    }

    assert intake.limits(answers) == {
        "deadline_hours": {"must": 168.0},
        "rack_power_watts": {"must": 12_000.0},
        "budget": {"prefer": 150_000.0, "currency": "USD", "net": True},
        "cooling": {"must": "air"},
        "region": {"must": "on_premises"},
    }


def test_undecided_answers_limit_nothing() -> None:
    assert intake.limits({"when": "none", "cooling": "undecided", "region": "anywhere"}) == {}


def test_people_become_answers_at_the_same_time() -> None:
    question = intake.to_request({"model_name": "llama-3.3-70b", "users": 600}, route=SERVICE)

    assert question["workload"]["concurrency"] == 50


def test_steps_win_over_passes_and_data() -> None:
    workload = intake.to_request({"model_name": "gpt2", "steps": 100, "epochs": 2, "dataset_amount": 5}, route=FULL)[
        "workload"
    ]

    assert workload["steps"] == 100
    assert "epochs" not in workload
    assert "dataset_tokens" not in workload


@pytest.mark.parametrize("way", list(COMPLETE))
def test_a_question_opens_a_form_that_asks_the_same_question(way: str) -> None:
    question = intake.to_request(_answered(way), route=way)
    back, values = intake.from_request(question)

    assert back == way
    assert values.get("model_name") == question["workload"]["model"].get("name")


def _answered(way: str) -> dict[str, Any]:
    form = bound(way, COMPLETE[way])
    assert form.is_valid(), form.errors
    return form.answered()


def test_a_service_fits_only_where_its_load_has_room() -> None:
    form = bound(SERVICE, COMPLETE[SERVICE] | {"users": "3000"})
    assert form.is_valid(), form.errors

    preview = preview_of(form.answered(), way=SERVICE)

    assert preview.main is not None
    assert preview.main.fits
    assert (preview.main.concurrency or 0) >= 250


def test_counted_words_take_their_russian_form() -> None:
    form = bound(ADAPTERS, TRAINING | {"sequence_length": "8192"})

    with translation.override("ru"):
        assert say(form.fields["sequence_length"], 8192).endswith("токена")
        assert say(form.fields["sequence_length"], 8191).endswith("токен")


@pytest.mark.django_db
def test_an_accelerator_nobody_knows_is_refused() -> None:
    form = bound(ADAPTERS, TRAINING | {"gpu": "H900"}, depth=EXPERT)

    assert "H900" in form.errors["gpu"][0]


@pytest.mark.django_db
def test_a_maker_is_written_as_the_catalog_does_and_an_unknown_one_is_refused() -> None:
    Platform.objects.create(slug="acme-1", kind="platform", vendor="Acme", name="One")
    known = bound(ADAPTERS, TRAINING | {"vendor": " ACME "}, depth=EXPERT)
    unknown = bound(ADAPTERS, TRAINING | {"vendor": "Nobody"}, depth=EXPERT)

    assert known.is_valid()
    assert known.answered()["vendor"] == "Acme"
    assert "Acme" in unknown.errors["vendor"][0]


def test_a_maker_is_a_limit_or_a_wish() -> None:
    assert intake.limits({"vendor": "Acme"}) == {"vendor": {"must": "Acme"}}
    assert intake.limits({"vendor": "Acme", "vendor_strength": "prefer"}) == {"vendor": {"prefer": "Acme"}}


def test_a_network_that_is_there_and_a_wished_accelerator_reach_the_engine() -> None:
    answers = {"gpu": "h100-sxm", "gpu_strength": "prefer", "network_gbit_per_gpu": 1.25}

    assert intake.limits(answers) == {"gpu": {"prefer": "h100-sxm"}, "network_gbit_per_gpu": {"must": 1.25}}


def test_a_configuration_is_refused_in_the_readers_language() -> None:
    with translation.override("ru"):
        form = bound(ADAPTERS, {"config": json.dumps(CONFIG | {"num_attention_heads": 7})})

        assert "Головы запросов (7) нельзя поровну" in form.errors["config"][0]
