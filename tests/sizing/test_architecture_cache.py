"""Key/value cache against transformers' own cache, FLOPs against torch's counter."""

from __future__ import annotations

import pytest

from sizing import architecture
from sizing.architecture import flops, kv
from sizing.errors import SizingError
from tests.sizing.oracle import rows

ROWS = rows("kv_and_flops")
FLOP_ROWS = [row for row in ROWS if row["seq"]]
COPIES_HEADS = {"falcon-40b"}
"""transformers caches each shared head of Falcon once for every query head."""
DROPS_A_TOKEN = {
    model.slug for model in architecture.names() if model.family in ("gemma3_text", "gemma4_text", "gpt_oss")
}
"""transformers keeps one token less than the window."""


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['slug']}-{row['seq']}" for row in ROWS])
def test_cache_equals_the_closed_form(row):
    cache = kv.cache(architecture.by_name(row["slug"]))

    assert cache.bytes_per_token == int(row["kv_bytes_per_token_global"])
    assert cache.windowed_bytes_per_token == int(row["kv_bytes_per_token_sliding"])
    assert [window for window, _ in cache.windows] == ([int(row["sliding_window"])] if cache.windows else [])
    keys = cache.bytes_at(8192) - cache.state_bytes - 8192 * cache.indexer_bytes_per_token
    assert keys == int(row["kv_bytes_at_8192"])


@pytest.mark.parametrize("tokens", [512, 1024])
@pytest.mark.parametrize("slug", sorted({row["slug"] for row in ROWS} - COPIES_HEADS - DROPS_A_TOKEN))
def test_cache_equals_what_transformers_holds(slug, tokens):
    row = next(row for row in ROWS if row["slug"] == slug)
    cache = kv.cache(architecture.by_name(slug))

    keys = cache.bytes_at(tokens) - cache.state_bytes - tokens * cache.indexer_bytes_per_token

    assert keys == int(row[f"hf_cache_bytes_seq{tokens}"])


@pytest.mark.parametrize("row", FLOP_ROWS, ids=[f"{row['slug']}-{row['seq']}" for row in FLOP_ROWS])
def test_forward_flops_equal_torchs_counter(row):
    model, sequence = architecture.by_name(row["slug"]), int(row["seq"])

    counted = flops.forward_per_token(model, sequence, causal=False, windowed=False)

    assert model.matmul_parameters == int(row["matmul_params_active"])
    assert counted.whole.attention == int(row["attn_noncausal_per_token"])
    assert sequence * counted.whole.total == int(row["flops_fwd_total"])


def test_layers_and_head_add_up():
    model = architecture.by_name("gemma-3-27b")
    counted = flops.forward_per_token(model, 8192)

    layers = sum(g.count * each.total for g, each in zip(model.layers, counted.layers, strict=True))

    assert layers + counted.head == pytest.approx(counted.whole.total)


def test_a_window_bounds_attention():
    assert flops.keys_seen(1000, window=None, causal=True) == 500
    assert flops.keys_seen(1000, window=None, causal=False) == 1000
    assert flops.keys_seen(1000, window=2000, causal=True) == 500
    assert flops.keys_seen(1000, window=100, causal=False) == 100
    # First 100 queries meet 50 keys on average, the other 900 meet 100: 0.1 x 50 + 0.9 x 100.
    assert flops.keys_seen(1000, window=100, causal=True) == pytest.approx(95)


def test_training_by_hand():
    # Llama-3.1-8B: 7.505 G matmul weights; attention 2 x 32 x 4096 x 2048 x 2 / 2 x 2 products.
    model = architecture.by_name("llama-3.1-8b")
    matmul, attention = 2 * model.matmul_parameters, 32 * 2 * 32 * (128 + 128) * 1024

    full = flops.training_per_token(model, 2048)
    frozen = flops.training_per_token(model, 2048, frozen=True, adapter_flops=1e8)
    repeated = flops.training_per_token(model, 2048, recomputation="full")

    assert full.model == 3 * (matmul + attention)
    assert frozen.model == 2 * matmul + 3 * attention + 3e8
    assert full.recompute.total == 0
    assert repeated.recompute.total == matmul + attention - 2 * model.head_parameters
    assert flops.training_per_token(model, 2048, recomputation="selective").recompute.total == attention


def test_decoding_latent_attention_works_on_the_latent():
    model = architecture.by_name("deepseek-v3")

    decoded = flops.decode_per_token(model, 4096)

    assert decoded.matmul == 2 * model.matmul_parameters
    assert decoded.attention == 61 * 2 * 128 * (2 * 512 + 64) * 4096


def test_tensor_parallelism_divides_heads_and_copies_latents():
    llama, deepseek = architecture.by_name("llama-3.1-8b"), architecture.by_name("deepseek-v3")

    whole = kv.cache(llama).bytes_per_token
    assert kv.cache(llama, tensor=4).bytes_per_token == whole / 4
    assert kv.cache(llama, tensor=16).bytes_per_token == whole / 8
    assert kv.cache(deepseek, tensor=8) == kv.cache(deepseek)


def test_linear_layers_keep_a_constant_state():
    cache = kv.cache(architecture.by_name("qwen3-next-80b-a3b"))

    # 36 layers: 32 heads of 128 x 128 in fp32, 8192 channels of 4 steps in bf16.
    assert cache.state_bytes == 36 * (4 * 32 * 128 * 128 + 2 * 8192 * 4)
    assert cache.bytes_at(0) == cache.state_bytes


def test_70b_cache_for_50_users():
    """50 sequences of 2400 tokens: 36.6 GiB in 16 bit."""
    model = architecture.by_name("llama-3.3-70b")

    assert 50 * kv.bytes_at(model, 2400) / 2**30 == pytest.approx(36.6, abs=0.05)
    assert kv.bytes_at(model, 2400, "fp8") == kv.bytes_at(model, 2400) / 2


def test_encoders_have_no_cache():
    assert kv.bytes_at(architecture.by_name("bge-m3"), 8192) == 0


@pytest.mark.parametrize(
    ("dtype", "tensor", "field"), [("fp6", 1, "workload.kv_cache_dtype"), ("bf16", 0, "plan.tensor")]
)
def test_what_cannot_be_is_refused(dtype, tensor, field):
    with pytest.raises(SizingError) as refusal:
        kv.cache(architecture.by_name("gpt2"), dtype, tensor=tensor)

    assert refusal.value.field == field
