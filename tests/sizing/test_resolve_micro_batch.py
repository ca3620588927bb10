"""The micro-batch of a stated global batch where the request is silent."""

from sizing import contract
from sizing.assumptions import Ledger


def complete(model, **job):
    ledger = Ledger()
    workload = {"method": "pretraining", "model": {"name": model}, "sequence_length": 1024, **job}
    request = {"workload": workload, "hardware": {"gpu": "a100-sxm-80", "gpus_per_node": 8}, "plan": {"data": 8}}
    return contract.complete(request, ledger)[0].workload, ledger


def test_a_small_model_gets_as_many_sequences_as_fit():
    job, ledger = complete("gpt2", global_batch=512)

    assert job.micro_batch * job.gradient_accumulation == 64
    assert job.micro_batch >= 16
    assert next(one for one in ledger if one.key == "workload.micro_batch").value == job.micro_batch


def test_a_large_model_keeps_a_small_one():
    assert complete("llama-3.1-8b", global_batch=512)[0].micro_batch < complete("gpt2", global_batch=512)[0].micro_batch


def test_a_stated_micro_batch_or_accumulation_stays():
    assert complete("gpt2", global_batch=512, micro_batch=2)[0].micro_batch == 2
    assert complete("gpt2", global_batch=512, gradient_accumulation=64)[0].micro_batch == 1
