"""Which moment of a step decides, and what is alive then."""

import pytest

from sizing.memory import peak
from tests.sizing.memory_cases import case, memory
from tests.sizing.oracle import rows

BF16_RECIPE = {
    "master_weights": "none",
    "gradients": "bf16",
    "optimizer_states": "bf16",
    "attention": "sdpa",
}
HELD_LOGITS = 2 * 128_256  # the traced run keeps the 16-bit logits beside what the trainer keeps, for each token


def test_peak_is_the_largest_moment_and_not_the_sum():
    moments = list(peak.moments(case("full", gpu="b200-sxm", micro_batch=4)))
    found = memory("full", gpu="b200-sxm", micro_batch=4)

    assert found["allocated"]["expected"] == pytest.approx(max(moment.total for moment in moments), abs=2)
    assert found["allocated"]["expected"] < sum(found["per_gpu"].values()) + 2


def test_gradients_are_absent_when_the_loss_decides():
    found = memory(
        "full", gpu="b200-sxm", micro_batch=8, sequence_length=4096, activation_checkpointing="none", **BF16_RECIPE
    )

    assert found["peak"] == "loss"
    assert found["per_gpu"]["gradients"] == 0
    assert found["per_gpu"]["logits"] > 0


def test_accumulated_gradients_are_there_from_the_start():
    common = {"gpu": "b200-sxm", "micro_batch": 8, "sequence_length": 4096, "optimizer": "adamw_fused"}
    once = memory("full", gradient_accumulation=1, **common)
    often = memory("full", gradient_accumulation=4, **common)

    assert often["per_gpu"]["gradients"] > once["per_gpu"]["gradients"]


def test_one_optimizer_step_decides_for_short_sequences():
    assert memory("full", gpu="b200-sxm", sequence_length=256)["peak"] == "optimizer step"


LOSS_PEAKS = [row for row in rows("peak_mem") if row["batch"] == "4" and row["grad_ckpt"] == "False"]


@pytest.mark.parametrize("row", LOSS_PEAKS, ids=lambda row: row["slug"])
def test_full_training_peaks_as_traced_by_torch(row):
    found = memory(
        "full",
        row["slug"],
        "b200-sxm",
        micro_batch=int(row["batch"]),
        sequence_length=int(row["seq"]),
        activation_checkpointing="none",
        **BF16_RECIPE,
    )

    tokens = int(row["batch"]) * int(row["seq"])
    assert found["allocated"]["expected"] + HELD_LOGITS * tokens == pytest.approx(float(row["peak_total"]), rel=0.01)


@pytest.mark.parametrize(
    "row", [row for row in rows("peak_mem") if row["mode"] == "lora_all"], ids=lambda row: row["grad_ckpt"]
)
def test_lora_peaks_as_traced_by_torch(row):
    found = memory(
        "lora",
        row["slug"],
        micro_batch=int(row["batch"]),
        sequence_length=int(row["seq"]),
        activation_checkpointing="full" if row["grad_ckpt"] == "True" else "none",
        attention="sdpa",
        lora={"rank": 16, "targets": "all-linear", "dtype": "bf16"},
    )

    tokens = int(row["batch"]) * int(row["seq"])
    assert found["allocated"]["expected"] + HELD_LOGITS * tokens == pytest.approx(float(row["peak_total"]), rel=0.03)


def test_fused_loss_saves_the_logits():
    standard = memory(sequence_length=8192, micro_batch=4)
    fused = memory(sequence_length=8192, micro_batch=4, loss="fused")

    vocabulary, tokens = 128_256, 4 * 8192
    assert standard["per_gpu"]["logits"] >= 8 * vocabulary * tokens
    assert standard["allocated"]["expected"] - fused["allocated"]["expected"] > 4 * vocabulary * tokens


def test_checkpointing_trades_saved_activations_for_one_working_set():
    kept = {
        mode: memory(
            "pretraining",
            framework="torchtitan",
            gpu="b200-sxm",
            activation_checkpointing=mode,
            sequence_length=8192,
            micro_batch=16,
        )["per_gpu"]["activations"]
        for mode in ("none", "selective", "full")
    }

    assert kept["none"] > 2 * kept["selective"]
    assert kept["selective"] > 2 * kept["full"] > 0


def test_activation_offload_leaves_two_layers_on_the_gpu():
    here = memory(sequence_length=16_384, loss="fused")
    there = memory(sequence_length=16_384, loss="fused", activation_offload=True)

    assert there["per_gpu"]["activations"] < here["per_gpu"]["activations"]
    assert there["host_per_node"]["expected"] > here["host_per_node"]["expected"]


def test_compiled_layers_keep_less():
    eager = memory("full", gpu="b200-sxm", framework="torchtune", activation_checkpointing="none", micro_batch=4)
    compiled = memory(
        "full", gpu="b200-sxm", framework="torchtune", activation_checkpointing="none", micro_batch=4, compile=True
    )

    assert compiled["per_gpu"]["activations"] < eager["per_gpu"]["activations"]


def test_eager_attention_keeps_scores_of_every_head():
    flash = memory("full", gpu="b200-sxm", activation_checkpointing="none", sequence_length=4096)
    eager = memory("full", gpu="b200-sxm", activation_checkpointing="none", sequence_length=4096, attention="eager")

    # 32 layers x 32 heads x 4096^2 x 6 bytes
    scores = 32 * 32 * 4096**2 * 6
    assert eager["per_gpu"]["activations"] - flash["per_gpu"]["activations"] > 0.9 * scores


@pytest.mark.parametrize("length", [8192, 32_768])
def test_unsloth_holds_one_layer_at_a_time_and_no_logits(length):
    found = memory("qlora", framework="unsloth", sequence_length=length, activation_offload=True)

    # hidden 4096, feed-forward 14,336: well under the 32 checkpoints of 8 KiB a token that others keep
    assert found["per_gpu"]["logits"] == 0
    assert found["per_gpu"]["activations"] < 32 * 8192 * length
