"""From a request as sent to a complete case: what is missing is assumed aloud, what is impossible is refused."""

import pytest

from sizing import contract, datafiles, frameworks
from sizing.assumptions import Ledger
from sizing.errors import SizingError
from sizing.resolve import model, system

LLAMA = {"name": "llama-3.1-8b"}


def complete(workload, **rest):
    ledger = Ledger()
    case, _ = contract.complete({"workload": {"model": LLAMA, **workload}, **rest}, ledger)
    return case, ledger


def test_every_missing_field_of_a_job_stands_in_the_ledger():
    case, ledger = complete({"method": "lora"}, hardware={"gpu": "h100-sxm"})

    assumed = {one.key for one in ledger}
    assert {"workload.sequence_length", "workload.lora.rank", "workload.lora.targets", "workload.framework"} <= assumed
    assert all(one.why and one.source for one in ledger)
    assert case.workload.lora is not None
    assert case.workload.lora.rank == 16


def test_stated_fields_are_not_assumed():
    _, ledger = complete({"method": "full", "sequence_length": 4096, "optimizer": "adamw"}, hardware={"gpu": "h200"})

    assert "workload.sequence_length" not in ledger
    assert "workload.optimizer" not in ledger


def test_full_tuning_in_mixed_precision_keeps_sixteen_bytes_a_parameter():
    case, _ = complete({"method": "full", "framework": "trl"}, hardware={"gpu": "h200"})

    job = case.workload
    assert (job.weights, job.gradients, job.master_weights, job.optimizer_states) == ("bf16", "bf16", "fp32", "fp32")


def test_method_is_never_guessed():
    with pytest.raises(SizingError) as refused:
        complete({"task": "training"})

    assert refused.value.field == "workload.method"


@pytest.mark.parametrize("method", ["dpo", "grpo", "ppo"])
def test_jobs_without_a_model_are_refused_with_the_reason(method):
    answer = contract.estimate({"workload": {"task": "training", "method": method, "model": LLAMA}})

    assert answer["error"]["field"] == "workload.method"
    assert "not sized yet" in answer["error"]["message"]


def test_four_bit_weights_cannot_be_trained_themselves():
    with pytest.raises(SizingError, match="cannot be trained"):
        complete({"method": "full", "weights": "nf4"})


def test_degrees_must_multiply_to_the_gpus():
    with pytest.raises(SizingError) as refused:
        complete(
            {"method": "full"},
            hardware={"gpu": "h100-sxm", "gpus_per_node": 8},
            plan={"data": 3, "tensor": 2, "sharding": "fsdp"},
        )

    assert refused.value.field == "plan.data"


def test_data_parallelism_fills_what_the_other_degrees_leave():
    case, _ = complete(
        {"method": "pretraining", "framework": "megatron"},
        hardware={"gpu": "h100-sxm", "gpus_per_node": 8, "nodes": 4},
        plan={"tensor": 4, "pipeline": 2},
    )

    assert case.plan.data == 4
    assert case.plan.sharding == frameworks.defaults("megatron").sharding
    assert case.plan.sequence_parallel


def test_global_batch_gives_the_accumulation():
    case, _ = complete(
        {"method": "full", "micro_batch": 2, "global_batch": 64},
        hardware={"gpu": "h100-sxm", "gpus_per_node": 8},
        plan={"sharding": "fsdp"},
    )

    assert case.workload.gradient_accumulation == 4


def test_global_batch_smaller_than_one_micro_step_is_refused():
    with pytest.raises(SizingError) as refused:
        complete(
            {"method": "full", "micro_batch": 2, "global_batch": 8},
            hardware={"gpu": "h100-sxm", "gpus_per_node": 8},
            plan={"sharding": "fsdp"},
        )

    assert refused.value.field == "workload.global_batch"


@pytest.mark.parametrize(
    "amount, tokens",
    [
        ({"tokens": 5e6}, 5e6),
        ({"dataset_tokens": 1e6, "epochs": 3}, 3e6),
        ({"steps": 100, "sequence_length": 1000, "micro_batch": 2, "gradient_accumulation": 5}, 1e6),
        ({}, None),
    ],
)
def test_amount_of_work_comes_from_tokens_epochs_or_steps(amount, tokens):
    case, _ = complete({"method": "lora", **amount}, hardware={"gpu": "h100-sxm"})

    assert case.workload.tokens == tokens


def test_hybrid_sharding_shards_inside_a_node():
    assert system.shard_size("hsdp", data=32, context=1, per_node=8) == 8
    assert system.shard_size("fsdp", data=32, context=1, per_node=8) == 32
    assert system.shard_size("ddp", data=32, context=1, per_node=8) == 1


def test_unknown_field_is_warned_about():
    _, ledger = complete({"method": "lora", "batchsize": 4}, hardware={"gpu": "h100-sxm"})

    assert any("batchsize" in warning for warning in ledger.warnings)


def test_a_configuration_of_an_unknown_family_is_not_asked_for_again():
    config = {**datafiles.language_models()["llama-3.1-8b"]["config"], "model_type": "totallyunknown"}
    config.pop("architectures", None)
    ledger = Ledger()

    model.read({"model": {"config": config}}, ledger)

    reasons = [line.why for line in ledger if line.key == "workload.model.shape"]
    assert len(reasons) == 1
    assert "not known" in reasons[0]
    assert "config.json" not in reasons[0]
