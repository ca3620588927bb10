"""Bytes of quantized weights against bitsandbytes and the checkpoint formats."""

from __future__ import annotations

import pytest

from sizing import architecture, fields
from sizing.architecture.quantised import names, weight_bytes
from sizing.errors import SizingError
from tests.sizing.oracle import rows

COLUMNS = {
    "bf16_bytes": "bf16",
    "nf4_bytes": "nf4",
    "nf4_dq_bytes": "nf4_double_quant",
    "int8_bnb_bytes": "int8",
    "gptq_g128_bytes": "gptq_int4",
    "awq_g128_bytes": "awq",
    "fp8_tensor_bytes": "fp8",
    "fp8_channel_bytes": "fp8_channel",
    "fp8_block128_bytes": "fp8_block",
    "gguf_q4_k_m_bytes": "q4_k_m",
    "gguf_q8_0_bytes": "q8_0",
    "bnb_measured_nf4_dq_bytes": "nf4_double_quant",
    "bnb_measured_nf4_bytes": "nf4",
    "bnb_measured_int8_bytes": "int8",
}
ROWS = rows("quant_bytes")


@pytest.mark.parametrize("row", ROWS, ids=[row["slug"] for row in ROWS])
def test_bytes_equal_the_reference_in_every_format(row):
    model = architecture.by_name(row["slug"])

    for column, format in COLUMNS.items():
        if row[column]:
            assert weight_bytes(model, format).total == int(row[column]), format
    nf4 = weight_bytes(model, "nf4")
    assert nf4.quantised_parameters == int(row["quantised_params"])
    assert nf4.kept_bytes == 2 * int(row["kept_bf16_params"])
    assert nf4.bits_per_quantised_weight == pytest.approx(float(row["nf4_bits_per_quantised_param"]), abs=1e-5)


@pytest.mark.parametrize("format", names())
@pytest.mark.parametrize("slug", ["llama-3.1-8b", "gemma-3-27b", "mixtral-8x7b", "gpt2", "flan-t5-base", "bge-m3"])
def test_layers_and_the_rest_add_up(slug, format):
    model = architecture.by_name(slug)
    stored = weight_bytes(model, format)

    layers = sum(group.count * size for group, size in zip(model.layers, stored.layer_bytes, strict=True))

    assert layers + stored.outside_bytes == pytest.approx(stored.total, rel=1e-9)


@pytest.mark.parametrize("slug", [model.slug for model in architecture.names()])
def test_formats_keep_their_order(slug):
    model = architecture.by_name(slug)
    total = {format: weight_bytes(model, format).total for format in names()}

    assert total["nf4_double_quant"] <= total["nf4"] < total["int8"] < total["bf16"] < total["fp32"]
    assert total["bf16"] == 2 * model.parameters
    assert total["fp32"] == 4 * model.parameters


def test_experts_that_stay_in_16_bit_cost_their_whole_size():
    model = architecture.by_name("qwen3-30b-a3b")

    split = weight_bytes(model, "nf4")
    fused = weight_bytes(model, "nf4", quantise_experts=False)

    assert fused.kept_bytes - split.kept_bytes == 2 * model.counts.experts
    assert fused.total > 3 * split.total


def test_deepseek_v3_in_fp8_is_about_625_gib():
    assert weight_bytes(architecture.by_name("deepseek-v3"), "fp8_block").total / 2**30 == pytest.approx(626, abs=2)


@pytest.mark.parametrize("format", ["fp7", "", None, 4, ["nf4"]])
def test_unknown_formats_are_refused(format):
    with pytest.raises(SizingError) as refusal:
        weight_bytes(architecture.by_name("gpt2"), format)

    assert refusal.value.field == "workload.weights"


@pytest.mark.parametrize(
    ("format", "gib"),
    [("q3_k_m", 3.74), ("q4_0", 4.34), ("q4_k_s", 4.37), ("q4_k_m", 4.58), ("q5_0", 5.21), ("q5_k_s", 5.21),
     ("q5_k_m", 5.33), ("q6_k", 6.14), ("q8_0", 7.96)],
)  # fmt: skip
def test_gguf_files_have_the_size_that_llama_cpp_prints(format, gib):
    assert weight_bytes(architecture.by_name("llama-3-8b"), format).total / 2**30 == pytest.approx(gib, abs=0.015)


def test_every_format_a_request_may_name_has_its_bytes():
    for format in fields.WEIGHT_FORMATS:
        assert weight_bytes(architecture.by_name("llama-3-8b"), format).total > 0
