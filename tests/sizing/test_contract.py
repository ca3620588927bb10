"""The contract: requests in, answers out, in order; bad input is answered, never crashed on."""

import importlib
import io
import json

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sizing import contract, memory, schema
from sizing.__main__ import answer_line, answer_lines
from sizing.errors import SizingError
from sizing.hardware_data import packaged

cases = importlib.import_module("tests.sizing.serving_cases")

TRAINING = {
    "id": "case-17",
    "workload": {
        "task": "training",
        "method": "lora",
        "model": {"name": "llama-3.1-8b"},
        "weights": "bf16",
        "sequence_length": 4096,
        "micro_batch": 1,
        "lora": {"rank": 16, "targets": "all-linear"},
    },
    "hardware": {"gpu": "h100-sxm", "gpus_per_node": 8},
    "plan": {"sharding": "fsdp"},
}
SERVING = {"id": 3, "workload": {"task": "inference", "model": {"name": "llama-3.1-8b"}}, "hardware": {"gpu": "l40s"}}
RAG = {
    "id": "documents",
    "workload": {"task": "rag", "model": {"name": "qwen2.5-32b"}, "documents": 200_000, "concurrency": 40},
    "hardware": {"gpu": "h200-nvl"},
}
junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize("request_", [TRAINING, SERVING, RAG], ids=["training", "inference", "rag"])
def test_answers_follow_the_schema(request_):
    jsonschema.validate(request_, schema.request())

    answer = contract.estimate(request_)

    assert answer["id"] == request_["id"]
    assert "error" not in answer
    jsonschema.validate(json.loads(json.dumps(answer)), schema.estimate_answer())


@pytest.mark.parametrize("request_", [TRAINING, SERVING], ids=["training", "inference"])
def test_components_add_up_to_what_is_allocated(request_):
    memory = contract.estimate(request_)["memory"]

    assert sum(memory["per_gpu"].values()) == pytest.approx(memory["allocated"]["expected"], abs=16)
    for counter in ("allocated", "reserved", "device"):
        assert memory[counter]["low"] <= memory[counter]["expected"] <= memory[counter]["high"]
    assert memory["allocated"]["expected"] <= memory["reserved"]["expected"] <= memory["device"]["expected"]


def test_fits_means_that_the_upper_band_fits():
    answer = contract.estimate({**TRAINING, "hardware": {"memory_gib": 24.0}, "plan": {}})

    memory = answer["memory"]
    assert memory["fits"] == (memory["device"]["high"] <= memory["capacity"])
    assert answer["speed"] is None


def test_derivations_carry_formula_inputs_and_value():
    answer = contract.estimate({**TRAINING, "explain": True})

    steps = answer["derivations"]
    assert {"memory.weights", "memory.activations", "speed.step_seconds"} <= {step["key"] for step in steps}
    assert all(step["formula"] and step["unit"] for step in steps)


def test_serving_figures_are_no_training_figures():
    answer = contract.estimate(SERVING)

    assert answer["task"] == "inference"
    assert answer["method"] is None
    assert answer["speed"]["step_seconds"] is None
    assert answer["memory"]["per_gpu"]["optimizer"] == 0


def test_a_serving_case_is_refused_where_training_memory_is_estimated():
    with pytest.raises((AttributeError, TypeError)):
        memory.estimate(cases.case("llama-3.1-8b"))


def test_a_candidate_of_a_service_is_no_training_case():
    answer = contract.recommend(SERVING)

    with pytest.raises(SizingError, match="only a training job"):
        contract.placed(SERVING, answer["candidates"][0], hardware=packaged())


def test_unknown_model_is_questioned_with_what_is_close():
    answer = contract.estimate({"id": 1, "workload": {"method": "lora", "model": {"name": "llama-3.1-7b"}}})

    assert answer["error"]["field"] == "model.name"
    assert "llama-3.1-8b" in answer["error"]["message"]


@pytest.mark.parametrize(
    "line", ["", "{", "[1, 2]", '"text"', "null", "NaN", '{"id": {"a": 1}}', "[" * 100_000, '{"workload": 7}']
)
def test_bad_line_gets_an_error_that_names_a_field(line):
    answer = answer_line(line, contract.estimate)

    assert answer["error"]["field"]
    assert answer["error"]["message"]


def test_lines_are_answered_in_order_and_a_bad_one_stops_nothing():
    asked = io.StringIO(json.dumps(TRAINING) + "\nnot json\n\n" + json.dumps(SERVING) + "\n")
    answered = io.StringIO()

    answer_lines(asked, answered, contract.estimate)

    answers = [json.loads(line) for line in answered.getvalue().splitlines()]
    assert [answer["id"] for answer in answers] == ["case-17", None, 3]
    assert "error" in answers[1]


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(junk)
def test_any_request_is_answered(request_):
    for ask in (contract.estimate, contract.recommend, contract.check_article):
        answer = ask(request_)

        assert answer["error"]["field"]


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.sampled_from(["workload", "hardware", "plan"]), st.text(max_size=20), junk)
def test_any_single_change_of_a_good_request_is_answered(part, name, value):
    asked = {**TRAINING, part: {**TRAINING[part], name: value}}

    assert contract.estimate(asked)["id"] == "case-17"


@pytest.mark.parametrize("field", sorted(TRAINING["workload"]))
@pytest.mark.parametrize("value", [[], {}, -1, 1e300, "x" * 1000, True])
def test_wrong_types_are_refused_by_name_or_understood(field, value):
    answer = contract.estimate({**TRAINING, "workload": {**TRAINING["workload"], field: value}})

    assert "memory" in answer or answer["error"]["field"]


def test_same_input_gives_the_same_output():
    assert json.dumps(contract.estimate(TRAINING)) == json.dumps(contract.estimate(TRAINING))
