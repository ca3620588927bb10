"""The time of a step: its parts, worked by hand where that is possible, and how they answer to a change."""

import importlib
from dataclasses import replace

import pytest

from sizing import speed
from sizing.assumptions import Ledger
from sizing.errors import SizingError
from sizing.plan import Plan
from sizing.speed import compute, dequantisation, optimizer_step, pipeline, roofline, step
from sizing.speed.job import job_of
from sizing.workload import Lora

cases = importlib.import_module("tests.sizing.speed_cases")


def tokens_per_second(case):
    return speed.estimate(case).tokens_per_second_per_gpu.expected


def test_the_parts_add_up_to_the_step():
    timed = step.step_time(cases.case())

    assert sum(seconds for _, seconds in timed.parts) == pytest.approx(timed.total)


def test_tokens_of_a_step_are_micro_batch_times_accumulation_times_replicas_times_length():
    timed = step.step_time(cases.case(micro_batch=2, gradient_accumulation=3))

    assert timed.tokens == 2 * 3 * 8 * 4096


def test_products_of_one_layer_follow_from_peak_share_and_bandwidth():
    job = job_of(cases.alone("gpt2", "a100-sxm-80", activation_checkpointing="none", sequence_length=1024))

    # GPT-2's layers: 12 x (768 x 2304 + 768 x 768 + 2 x 768 x 3072) = 84,934,656 weights, three passes.
    flops = 3 * 2 * 1024 * 84_934_656
    rate = 312e12 * job.rates.generation.bf16 * job.stack.matmul_share
    layers, _ = compute.product_seconds(job)
    assert layers > flops / rate
    operands = layers - flops / rate
    # Operands of the four matrices of one layer, two bytes each value, and twelve layers of four kernels.
    values = 1024 * (768 + 2304 + 768 + 768 + 768 + 3072 + 3072 + 768) + 84_934_656 / 12
    bytes_each_pass = 12 * 2 * values
    expected = 3 * (compute.OPERAND_WEIGHT * bytes_each_pass / job.rates.bytes_per_s + 12 * 4 * roofline.KERNEL_SECONDS)
    assert operands == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    ("degree", "chunks", "micro_batches", "expected"),
    [
        (1, 1, 8, 0),
        (4, 1, 8, 3),  # (4 - 1) / 1
        (8, 5, 16, 7 / 5),
        (8, 5, 4, 7),  # too few micro-batches to interleave
    ],
)
def test_the_bubble_is_p_minus_one_over_v(degree, chunks, micro_batches, expected):
    assert pipeline.bubble(Plan(pipeline=degree, virtual_pipeline=chunks), micro_batches) == expected


def test_layers_that_do_not_divide_make_the_fullest_stage_longer():
    assert pipeline.imbalance(32, Plan(pipeline=4)) == 1.0
    assert pipeline.imbalance(30, Plan(pipeline=8)) == pytest.approx(32 / 31)


def test_mixed_precision_adamw_moves_thirty_four_bytes_a_parameter():
    # Twice (8 B of states + 4 B master + 2 B weight), gradients of 2 B three times: norm, clipping, update.
    assert optimizer_step.bytes_per_parameter(cases.JOB) == 2 * (8 + 4 + 2) + 3 * 2


def test_eight_bit_states_move_less():
    light = replace(cases.JOB, optimizer="adamw_8bit", optimizer_states="int8")

    assert optimizer_step.bytes_per_parameter(light) < optimizer_step.bytes_per_parameter(cases.JOB)


def test_unpacking_four_bit_weights_reads_the_packed_and_writes_the_wide():
    share = dequantisation.BANDWIDTH_SHARE["nf4"]

    assert dequantisation.seconds_per_pass("nf4", 1e9, 2e12) == pytest.approx(1e9 * 2.5625 / (2e12 * share))
    assert dequantisation.seconds_per_pass("bf16", 1e9, 2e12) == 0


def test_padding_wastes_more_in_larger_micro_batches_and_nothing_alone():
    assert step.padding_factor("padded", 1) == step.padding_factor("packed", 16) == 1
    assert 1 < step.padding_factor("padded", 2) < step.padding_factor("padded", 6) < step.padding_factor("padded", 64)
    assert step.padding_factor("padded", 4) == pytest.approx(1 + 1.03 * step.PAD_SPREAD)


def test_recomputing_costs_time():
    slow, fast = (tokens_per_second(cases.alone(activation_checkpointing=kind)) for kind in ("full", "none"))

    assert 1.15 < fast / slow < 1.5


def test_frozen_weights_save_the_gradient_products():
    full = tokens_per_second(cases.alone(micro_batch=4))
    lora = tokens_per_second(cases.alone(micro_batch=4, method="lora", lora=cases.ADAPTERS))

    assert 1.0 < lora / full < 1.5


def test_four_bit_weights_do_not_make_training_faster():
    lora = tokens_per_second(cases.alone(method="lora", lora=cases.ADAPTERS))
    qlora = tokens_per_second(cases.alone(method="qlora", weights="nf4", lora=cases.ADAPTERS))

    assert qlora < lora


def test_small_micro_batches_use_the_gpu_less():
    short = tokens_per_second(cases.alone("qwen2.5-0.5b", sequence_length=256))
    long = tokens_per_second(cases.alone("qwen2.5-0.5b", sequence_length=2048))

    assert long > 2 * short


def test_eight_bit_products_pay_on_hopper_and_do_nothing_on_ampere():
    for gpu, least, most in (("h100-sxm", 1.15, 1.8), ("a100-sxm-80", 0.9, 1.01)):
        bf16, fp8 = (
            tokens_per_second(cases.alone(gpu=gpu, framework="nemo", compute=kind, micro_batch=2))
            for kind in ("bf16", "fp8")
        )
        assert least < fp8 / bf16 < most


def test_a_window_saves_attention_in_long_sequences():
    long, short = (
        dict(step.step_time(cases.alone(model, sequence_length=32_768)).parts)["attention"]
        for model in ("mistral-7b-v0.3", "mistral-7b-v0.1")
    )

    assert short < 0.5 * long


def test_mixtures_compute_their_active_experts_only():
    mixture = step.step_time(cases.alone("mixtral-8x7b", "h200-sxm", micro_batch=4))
    dense = step.step_time(cases.alone("llama-2-70b", "h200-sxm", micro_batch=4))

    assert mixture.total / mixture.tokens < 0.35 * dense.total / dense.tokens


def test_the_customers_own_stack_efficiency_scales_the_work():
    usual = tokens_per_second(cases.alone())

    assert tokens_per_second(cases.alone(stack_efficiency=0.5)) == pytest.approx(usual / 2, rel=0.04)


def test_frameworks_differ_as_published_runs_do():
    tuned = tokens_per_second(cases.alone(framework="nemo", activation_checkpointing="selective", compute="fp8"))
    plain = tokens_per_second(cases.alone(framework="hf"))

    assert 1.8 < tuned / plain < 4


def test_an_unknown_framework_counts_as_the_usual_one_for_the_job():
    assert tokens_per_second(cases.alone(framework="home-made")) == tokens_per_second(cases.alone(framework="trl"))


def test_the_estimate_lies_in_its_band_and_names_its_stack():
    ledger = Ledger()
    found = speed.estimate(cases.case(tokens=1e9), ledger)

    for band in (found.tokens_per_second_per_gpu, found.step_seconds, found.mfu, found.seconds_to_result):
        assert 0 < band.low < band.expected < band.high
    assert found.seconds_to_result.expected == pytest.approx(
        1e9 / (8 * found.tokens_per_second_per_gpu.expected), rel=1e-9
    )
    assert "workload.stack_efficiency" in ledger


def test_mfu_stays_below_one_on_every_packaged_gpu():
    from sizing import hardware_data

    for gpu in hardware_data.gpus():
        if gpu.dense_flops_per_s and gpu.bandwidth_bytes_per_s:
            found = speed.estimate(cases.alone(gpu=gpu.slug, micro_batch=8))
            assert 0 < found.mfu.expected < 1, gpu.slug


def test_the_explanation_ends_in_the_estimate():
    asked = cases.case(plan=Plan(sharding="zero1", data=2, tensor=4, shard=2, sequence_parallel=True), framework="nemo")
    steps = speed.explain(asked)

    assert steps[-1].value == pytest.approx(tokens_per_second(asked))
    total = next(line for line in steps if line.key == "speed.step_seconds")
    assert sum(value for _, value, _ in total.inputs) == pytest.approx(total.value)
    assert all(line.formula and line.unit for line in steps)


def test_a_format_that_the_chip_lacks_is_said_aloud():
    ledger = Ledger()
    speed.estimate(cases.alone(gpu="a100-sxm-80", framework="nemo", compute="fp8"), ledger)

    assert any("fp8" in warning for warning in ledger.warnings)
    assert "speed.matmul_share" in ledger


def test_offload_over_pcie_costs_time_and_a_superchip_less():
    def slowed(gpu):
        parts = dict(step.step_time(cases.alone(gpu=gpu, activation_offload=True, framework="hf")).parts)
        return parts["activation_offload"]

    assert slowed("gb200") < slowed("h100-sxm")
    offloaded = cases.case(plan=Plan(sharding="zero3", data=8, shard=8, offload="optimizer+parameters"))
    assert tokens_per_second(offloaded) < tokens_per_second(cases.case(plan=Plan(sharding="zero3", data=8, shard=8)))


def test_hooks_of_sharding_cost_time_on_one_gpu_too():
    plain = cases.case("qwen2.5-0.5b", system=cases.machines(per_node=1, interconnect="none"), plan=Plan())
    hooked = replace(plain, plan=Plan(sharding="zero3"))

    assert tokens_per_second(hooked) < tokens_per_second(plain)


def test_a_chip_of_unknown_throughput_is_refused_by_name():
    system = cases.machines()
    unknown = replace(system, gpu=replace(system.gpu, dense_flops_per_s=()))

    with pytest.raises(SizingError, match="H100"):
        speed.estimate(cases.case(system=unknown))


def test_every_packaged_model_has_a_speed():
    from sizing import architecture

    for model in architecture.names():
        found = speed.estimate(cases.alone(model.slug, "h200-sxm", sequence_length=512))
        assert 0 < found.mfu.expected < 1, model.slug


@pytest.mark.parametrize("weights", ["bf16", "nf4"])
def test_dora_computes_column_norms_in_each_forward_pass(weights):
    def job(kind):
        adapter = Lora(rank=16, targets="all-linear", kind=kind)
        return job_of(cases.alone(method="lora", weights=weights, lora=adapter, activation_checkpointing="none"))

    # llama-3.1-8b has 6,979,321,856 weights in its layers; seven 16-bit values are read or written for each
    traffic = 6_979_321_856 * 2 * 7 / job("dora").rates.bytes_per_s
    assert compute.norm_seconds(job("lora")) == 0
    assert compute.norm_seconds(job("dora")) > traffic
    assert compute.norm_seconds(job("dora")) < 4 * traffic


def test_dora_is_slower_than_lora_and_its_norms_have_a_line():
    asked = {"method": "lora", "weights": "bf16"}
    plain, dora = (
        cases.alone(lora=Lora(rank=16, targets="all-linear", kind=kind), **asked) for kind in ("lora", "dora")
    )

    assert tokens_per_second(dora) < 0.9 * tokens_per_second(plain)
    assert "speed.weight_norms" in {one.key for one in speed.explain(dora)}


def test_norms_of_dora_cost_less_for_each_token_in_longer_micro_batches():
    def share(micro_batch):
        adapter = Lora(rank=16, targets="all-linear", kind="dora")
        job = job_of(cases.alone(method="lora", weights="bf16", lora=adapter, micro_batch=micro_batch))
        return compute.norm_seconds(job) / job.tokens

    assert share(8) < share(1)


def test_experts_left_in_sixteen_bit_are_not_unpacked():
    asked = {"method": "qlora", "weights": "nf4", "lora": cases.ADAPTERS}
    packed, wide = (
        compute.dequantisation_seconds(job_of(cases.alone("qwen3-30b-a3b", framework=name, **asked)))
        for name in ("litgpt", "trl")
    )

    assert wide < 0.1 * packed
