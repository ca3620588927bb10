"""Published runs that no constant was moved by: papers outside the carried evidence, estimated blind."""

import pytest

from sizing import contract, speed
from sizing.assumptions import Ledger

WITHIN = 0.15


def gpt(hidden, layers, heads):
    return {
        "config": {
            "model_type": "gpt2",
            "hidden_size": hidden,
            "num_hidden_layers": layers,
            "num_attention_heads": heads,
            "intermediate_size": 4 * hidden,
            "vocab_size": 51_200,
            "tie_word_embeddings": True,
            "hidden_act": "gelu",
            "max_position_embeddings": 2048,
        }
    }


def estimated(gpu, nodes, network_gbit, model, plan, **job):
    request = {
        "workload": {"method": "pretraining", "model": model, **job},
        "hardware": {"gpu": gpu, "gpus_per_node": 8, "nodes": nodes, "network_gbit_per_gpu": network_gbit},
        "plan": plan,
    }
    return speed.estimate(contract.complete(request, Ledger())[0])


@pytest.mark.parametrize(
    ("checkpointing", "sequence_parallel", "mfu"), [("selective", True, 0.542), ("full", False, 0.421)]
)
def test_530_billion_on_2240_a100_by_korthikanti_2022(checkpointing, sequence_parallel, mfu):
    found = estimated(
        "a100-sxm-80",
        280,
        200,
        gpt(20_480, 105, 128),
        {
            "tensor": 8,
            "pipeline": 35,
            "virtual_pipeline": 3,
            "data": 8,
            "sharding": "ddp",
            "sequence_parallel": sequence_parallel,
        },
        compute="bf16",
        sequence_length=2048,
        micro_batch=1,
        global_batch=2240,
        activation_checkpointing=checkpointing,
        attention="eager",
        framework="megatron",
    )

    assert found.mfu.expected == pytest.approx(mfu, rel=WITHIN)


@pytest.mark.parametrize(("data", "accumulation", "mfu"), [(64, 32, 0.43), (128, 16, 0.41)])
def test_llama_3_405b_on_8192_and_16384_h100_by_grattafiori_2024(data, accumulation, mfu):
    found = estimated(
        "h100-sxm",
        data * 16,
        400,
        {"name": "llama-3.1-405b"},
        {"tensor": 8, "pipeline": 16, "data": data, "sharding": "zero1"},
        compute="bf16",
        sequence_length=8192,
        micro_batch=1,
        gradient_accumulation=accumulation,
        framework="megatron",
    )

    assert found.mfu.expected == pytest.approx(mfu, rel=WITHIN)


@pytest.mark.parametrize(("model", "gpu_hours"), [("7b", 184_320), ("13b", 368_640), ("70b", 1_720_320)])
def test_llama_2_on_two_trillion_tokens_by_touvron_2023(model, gpu_hours):
    found = estimated(
        "a100-sxm-80",
        64,
        200,
        {"name": f"llama-2-{model}"},
        {"data": 512, "sharding": "fsdp"},
        compute="bf16",
        sequence_length=4096,
        micro_batch=2,
        gradient_accumulation=1,
        activation_checkpointing="full",
        framework="fms-fsdp",
    )

    assert 2e12 / found.tokens_per_second_per_gpu.expected / 3600 == pytest.approx(gpu_hours, rel=WITHIN)


def test_llama_2_7b_on_128_a100_by_the_pytorch_blog_of_march_2024():
    found = estimated(
        "a100-sxm-80",
        16,
        50,
        {"name": "llama-2-7b"},
        {"data": 128, "sharding": "fsdp"},
        compute="bf16",
        sequence_length=4096,
        micro_batch=2,
        gradient_accumulation=1,
        activation_checkpointing="none",
        compile=True,
        framework="fms-fsdp",
    )

    assert found.tokens_per_second_per_gpu.expected == pytest.approx(3700, rel=WITHIN)
