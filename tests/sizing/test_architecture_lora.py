"""Adapter counts against PEFT 0.21.2."""

from __future__ import annotations

import pytest

from sizing import architecture
from sizing.architecture.lora import adapter_parameters, adapters
from sizing.errors import SizingError
from tests.sizing.oracle import rows

QUERY_VALUE = {
    "phi-4": ("qkv_proj",),
    "gpt2": ("c_attn",),
    "pythia-6.9b": ("query_key_value",),
    "deepseek-v2-lite": ("q_proj", "kv_b_proj"),
    "flan-t5-xl": ("q", "v"),
    "bge-m3": ("query", "value"),
}
WITH_EXPERTS = ("q_proj", "k_proj", "v_proj", "o_proj", "mlp.experts.gate_up_proj", "mlp.experts.down_proj")


def _targets(row):
    if row["target_set"] == "q+v":
        return QUERY_VALUE.get(row["slug"], ("q_proj", "v_proj"))
    return WITH_EXPERTS if "experts" in row["target_set"] else row["target_set"]


@pytest.mark.parametrize(
    "row", rows("lora_counts"), ids=[f"{row['slug']}-{row['target_set']}-{row['rank']}" for row in rows("lora_counts")]
)
def test_trainable_parameters_equal_those_of_peft(row):
    model = architecture.by_name(row["slug"])

    found = adapters(model, int(row["rank"]), _targets(row))

    assert found.parameters == int(row["trainable_params"])
    assert found.modules == int(row["n_wrapped"])


def test_llama_31_8b_by_hand():
    # Rank 16 on 32 layers: q, o 2 x 8192; k, v 2 x 5120; gate, up, down 3 x 18432.
    model = architecture.by_name("llama-3.1-8b")

    assert adapter_parameters(model, 16, "all-linear") == 16 * 32 * (2 * 8192 + 2 * 5120 + 3 * 18432)
    assert adapter_parameters(model, 16, ["q_proj", "v_proj"]) == 16 * 32 * (8192 + 5120)


def test_experts_one_by_one_as_with_older_transformers():
    # Mixtral, rank 16: attention 13.6 M, experts 226.5 M, router 2.1 M.
    model = architecture.by_name("mixtral-8x7b")
    experts = 32 * 8 * 3 * 16 * (4096 + 14336)
    router = 32 * 16 * (4096 + 8)

    each = adapter_parameters(model, 16, "all-linear", expert_behaviour="per_expert")
    none = adapter_parameters(model, 16, "all-linear", expert_behaviour="none")

    assert each == 13_631_488 + experts + router
    assert none == 13_631_488


def test_dora_adds_a_magnitude_for_each_output():
    model = architecture.by_name("llama-3.1-8b")
    outputs = 32 * (4096 + 1024)

    lora = adapter_parameters(model, 16, ("q_proj", "v_proj"))

    assert adapter_parameters(model, 16, ("q_proj", "v_proj"), kind="dora") == lora + outputs


def test_names_of_another_family_reach_the_matrices_that_do_the_work():
    found = adapters(architecture.by_name("phi-4"), 16, ("q_proj", "v_proj"))

    assert [part.linear.name for part in found.parts] == ["qkv_proj"]
    assert "qkv_proj" in found.notes[0].text


@pytest.mark.parametrize("targets", [("nothing",), (), ("",), ("x" * 1000,), (7,)])
def test_targets_that_do_not_exist_are_refused(targets):
    with pytest.raises(SizingError) as refusal:
        adapters(architecture.by_name("llama-3.1-8b"), 16, targets)

    assert refusal.value.field == "workload.lora.targets"


@pytest.mark.parametrize("rank", [0, -1, 1.5, True, "16", 10**9])
def test_ranks_that_cannot_be_are_refused(rank):
    with pytest.raises(SizingError) as refusal:
        adapters(architecture.by_name("llama-3.1-8b"), rank, "all-linear")

    assert refusal.value.field == "workload.lora.rank"


def test_adapter_flops_are_two_for_each_parameter_in_a_dense_model():
    found = adapters(architecture.by_name("llama-3.1-8b"), 16, "all-linear")

    assert found.flops_per_token == 2 * found.parameters
