"""The pilot script itself, run on a CPU with tiny models, in an interpreter that has PyTorch.

PyTorch takes gigabytes, so it is no part of the locked packages: `make test-pilot` brings it and sets PILOT_PYTHON.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from quotes.pilot import profile as profiles
from quotes.pilot import script
from quotes.pilot.offering import SCHEMA
from sizing import architecture

PYTHON = os.environ.get("PILOT_PYTHON") or (sys.executable if importlib.util.find_spec("torch") else "")
pytestmark = pytest.mark.skipif(not PYTHON, reason="no PyTorch here: `make test-pilot` brings it")

SHAPE = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "vocab_size": 320,
    "max_position_embeddings": 128,
}
LLAMA = {"model_type": "llama", **SHAPE, "architectures": ["LlamaForCausalLM"], "torch_dtype": "bfloat16"}
QWEN = {"model_type": "qwen2", **SHAPE, "tie_word_embeddings": True}
LORA = {"method": "lora", "master_weights": "none", "lora_rank": 4, "lora_targets": "all-linear"}
LORA |= {"lora_kind": "lora", "lora_dtype": "fp32"}
STAGES = ["load", "adapters", "first_forward", "first_backward", "first_optimizer_step"]
STAGES += ["forward", "backward", "optimizer_step", "steady_step", "checkpoint_save"]


def workload(config: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Write a load as the quote writes it, small enough for a CPU."""
    load = {
        "gpu": "l4",
        "gpus": 1,
        "sharding": "none",
        "parameters": architecture.from_config(config).parameters,
        "method": "full",
        "weights": "bf16",
        "master_weights": "fp32",
        "compute": "bf16",
        "sequence_length": 16,
        "micro_batch": 2,
        "gradient_accumulation": 2,
        "optimizer": "adamw",
        "activation_checkpointing": "full",
        "attention": "sdpa",
        "packing": "padded",
    } | changes
    adapters = load["method"] != "full"
    settings = {"autocast": adapters, "prepare_kbit": False, "lora_alpha": 8, "learning_rate": 0.02}
    settings |= {"warmup_steps": 3, "measured_steps": 4}
    model = {"title": "Tiny", "hf_id": "", "config": config}
    return {"schema": SCHEMA, "quote": "R-2026-0001", "load": load, "model": model, "settings": settings}


def run(folder: Path, work: dict[str, Any], *options: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """Run the downloaded script as a customer does; `before` is code that breaks something outside of it first."""
    file = folder / "pilot.py"
    file.write_bytes(script.with_load(work))
    start = [str(file)]
    if before:
        code = f"import runpy, sys\n{before}\nsys.argv = sys.argv[1:]\nrunpy.run_path(sys.argv[0], run_name='__main__')"
        start = ["-c", code, str(file)]
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("DJANGO", "PYTHON"))}
    environment = clean | {"HF_HUB_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1"}
    command = [PYTHON, *start, *options]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False
    )


def report_in(folder: Path) -> dict[str, Any]:
    """Read the profile that was written, checked as an upload is, as far as that needs no catalog."""
    content = (folder / "pilot-profile.json").read_bytes()
    found = profiles.parse(content)
    assert list(profiles.VALIDATOR.iter_errors(found)) == []
    assert found["load_sha256"] == profiles.identity(found["load"])
    return found


@pytest.mark.parametrize("config", [LLAMA, QWEN], ids=["llama", "qwen2"])
@pytest.mark.parametrize("changes", [{}, LORA], ids=["full", "lora"])
def test_a_run_measures_every_stage_of_the_load_it_was_given(
    config: dict[str, Any], changes: dict[str, Any], tmp_path: Path
) -> None:
    work = workload(config, **changes)

    done = run(tmp_path, work, "--random-weights")

    assert done.returncode == 0, done.stderr
    report = report_in(tmp_path)
    assert [one["stage"] for one in report["stages"]] == STAGES
    assert report["load"] == work["load"] | {"gpu": "cpu"}
    assert report["asked_sha256"] == profiles.identity(work["load"])
    assert report["outcome"] == {"status": "ok"}
    assert report["steps"] == {"warmup": 3, "measured": 4, "seed": 1}
    assert report["step_seconds"]["p10"] <= report["step_seconds"]["median"] <= report["step_seconds"]["p90"]
    assert report["loss"]["finite"]
    assert report["checkpoint_bytes"] > 0
    assert {"python", "torch", "transformers"} <= report["versions"].keys()


def test_without_a_gpu_memory_is_the_hosts_alone(tmp_path: Path) -> None:
    run(tmp_path, workload(LLAMA), "--random-weights", "--skip-save")

    report = report_in(tmp_path)
    assert (report["device"]["kind"], report["peak_bytes"]) == ("cpu", None)
    assert all(one["allocated_peak_bytes"] == 0 < one["host_rss_bytes"] for one in report["stages"])


def test_a_model_learns_from_the_made_up_rows(tmp_path: Path) -> None:
    run(tmp_path, workload(LLAMA), "--random-weights", "--skip-save", "--steps", "40")

    report = report_in(tmp_path)
    assert report["steps"]["measured"] == 40
    assert report["loss"]["last"] < 0.9 * report["loss"]["first"]
    assert report["loss"]["fell"]


def test_adapters_are_as_many_as_the_engine_counts(tmp_path: Path) -> None:
    from sizing.architecture.lora import adapter_parameters

    dora = {"lora_targets": "attention", "lora_kind": "dora", "packing": "packed", "attention": "eager"}
    work = workload(LLAMA, **LORA | dora | {"activation_checkpointing": "none"})

    done = run(tmp_path, work, "--random-weights", "--skip-save")

    assert done.returncode == 0, done.stderr
    expected = adapter_parameters(architecture.from_config(LLAMA), 4, "attention", kind="dora")
    assert report_in(tmp_path)["model"]["trained_parameters"] == expected


MAKE_MODEL = """
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from tokenizers import Tokenizer, models, pre_tokenizers
words = {"[UNK]": 0, "[EOS]": 1, **{f"w{n}": n + 2 for n in range(300)}}
tokenizer = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="[EOS]", unk_token="[UNK]").save_pretrained("model")
LlamaForCausalLM(LlamaConfig(**SHAPE)).save_pretrained("model")
"""


@pytest.mark.parametrize("packing", ["padded", "packed"])
def test_own_model_and_own_texts_are_used(packing: str, tmp_path: Path) -> None:
    made = f"SHAPE = {SHAPE!r}\n{MAKE_MODEL}"
    subprocess.run([PYTHON, "-c", made], cwd=tmp_path, check=True, capture_output=True, timeout=600)
    texts = [
        {"text": "w1 w2 w3 " * 9},
        {"prompt": "w4 w5", "completion": "w6"},
        {"messages": [{"content": "w7 " * 20}]},
    ]
    (tmp_path / "sample.jsonl").write_text("\n".join(json.dumps(one) for one in texts))

    work = workload(LLAMA, packing=packing)
    done = run(tmp_path, work, "--model", "model", "--data", "sample.jsonl", "--output", "pilot-profile.json")

    assert done.returncode == 0, done.stderr
    report = report_in(tmp_path)
    assert (report["weights"], report["data"]["source"]) == ("own", "own")
    assert report["load"] == work["load"] | {"gpu": "cpu"}
    assert report["data"]["rows"] == 3
    assert "w7" not in json.dumps(report)


def test_memory_that_runs_out_is_a_result(tmp_path: Path) -> None:
    fault = """
import torch
def refuse(*args, **kwargs):
    raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")
torch.nn.utils.clip_grad_norm_ = refuse
"""

    done = run(tmp_path, workload(LLAMA), "--random-weights", before=fault)

    assert done.returncode == 0, done.stderr
    report = report_in(tmp_path)
    assert report["outcome"]["status"] == "out_of_memory"
    assert report["outcome"]["stage"] == "first_optimizer_step"
    assert "does not fit" in done.stdout


def test_a_missing_package_is_named_before_anything_runs(tmp_path: Path) -> None:
    hide = """
import importlib.util
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "bitsandbytes" else real(name, *rest)
"""

    done = run(tmp_path, workload(LLAMA, **LORA | {"method": "qlora", "weights": "nf4"}), before=hide)

    assert done.returncode != 0
    assert "pip install bitsandbytes" in done.stderr
    assert not (tmp_path / "pilot-profile.json").exists()


def test_a_script_without_a_load_says_where_to_get_one(tmp_path: Path) -> None:
    done = subprocess.run([PYTHON, str(script.FILE)], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode != 0
    assert "download the script from the quote" in done.stderr


def test_hostile_names_run_as_data(tmp_path: Path) -> None:
    work = workload(LLAMA)
    work["quote"] = "'''\"\"\"\\\n__import__('os').mkdir('owned')\n#"

    done = run(tmp_path, work, "--random-weights", "--skip-save")

    assert done.returncode == 0, done.stderr
    assert report_in(tmp_path)["quote"] == work["quote"]
    assert not (tmp_path / "owned").exists()
