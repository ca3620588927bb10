# Copyright the Sizewright authors. Licensed under the Apache License, Version 2.0 (the "License"); you may not use this
# file except in compliance with the License. You may obtain a copy of the License at
# http://www.apache.org/licenses/LICENSE-2.0. Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND.
"""Pilot run: measures memory and step time of one training load on one GPU and writes a JSON profile.

    pip install "torch>=2.6" "transformers>=4.56" "peft>=0.17"     QLoRA and 8-bit optimizers also need bitsandbytes
    python pilot_run.py --data sample.jsonl                        your data and the model of the quote
    python pilot_run.py --random-weights                           no download: random weights, made-up tokens

One process, one GPU: a plan for several GPUs is not measured by it. Nothing leaves the machine but what the model's
download needs; the profile holds figures, versions and names, no text of your data and no weights. Read it before you
send it. Code of a model's repository is never run.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib.metadata
import importlib.util
import json
import math
import pathlib
import platform
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from typing import Any

# What the quote plans, put in when this file is downloaded; `--workload file.json` takes its place.
EMBEDDED = "null"

PROFILE_SCHEMA = "sizewright.pilot.profile/1"
WORKLOAD_SCHEMA = "sizewright.pilot.workload/1"
DTYPES = {"bf16": "bfloat16", "fp32": "float32", "tf32": "float32"}
ATTENTION = {"eager": "eager", "sdpa": "sdpa", "flash": "flash_attention_2", "flex": "flex_attention"}
NOT_OURS = ("architectures", "auto_map", "quantization_config", "torch_dtype", "dtype", "transformers_version")
NEEDS_BITSANDBYTES = ("adamw_8bit", "paged_adamw", "paged_adamw_8bit")
Json = dict[str, Any]


def main() -> int:
    """Run the pilot and write the profile, also where memory ran out."""
    began = time.perf_counter()
    args = arguments()
    work = workload(args)
    check_packages(work["load"])
    warnings.simplefilter("ignore", FutureWarning)
    import torch

    device = torch.device("cuda" if torch.cuda.is_available() and not args.cpu else "cpu")
    meter = Meter(device)
    profile = about(work, device)
    try:
        profile |= run(work, args, meter)
        profile["outcome"] = {"status": "ok"}
    except torch.OutOfMemoryError as error:
        profile["outcome"] = {"status": "out_of_memory", "stage": meter.current, "message": str(error)[:500]}
    profile["stages"] = [{"stage": name, **found} for name, found in meter.stages.items()]
    peaks = [one["allocated_peak_bytes"] for one in profile["stages"] if one["stage"] != "checkpoint_save"]
    profile["peak_bytes"] = max(peaks, default=0) if device.type == "cuda" else None
    profile["run_seconds"] = time.perf_counter() - began
    profile["load_sha256"] = identity(profile["load"])
    pathlib.Path(args.output).write_text(json.dumps(profile, indent=1, sort_keys=True) + "\n", encoding="ascii")
    report(profile, args.output)
    return 0


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--workload", help="JSON file that replaces the load put in at the download")
    parser.add_argument("--model", help="Hugging Face name or local folder, in the place of the quote's")
    parser.add_argument("--random-weights", action="store_true", help="make the model from its config; no download")
    parser.add_argument("--data", help=".jsonl with text, messages or prompt and completion; or .txt, one text a line")
    parser.add_argument("--tokenizer", help="name or folder of the tokenizer; the model's where it is left out")
    parser.add_argument("--warmup", type=int, help="optimizer steps that are not counted, 3 or more")
    parser.add_argument("--steps", type=int, help="optimizer steps that are measured, 2 or more")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cpu", action="store_true", help="try the script without a GPU; its profile counts for none")
    parser.add_argument("--skip-save", action="store_true", help="write no checkpoint (it is deleted at once)")
    parser.add_argument("--output", default="pilot-profile.json")
    return parser.parse_args()


def workload(args: argparse.Namespace) -> Json:
    """Give the load to run: embedded, or of a file."""
    text = pathlib.Path(args.workload).read_text(encoding="utf-8") if args.workload else EMBEDDED
    work = json.loads(text)
    if not isinstance(work, dict) or work.get("schema") != WORKLOAD_SCHEMA:
        raise SystemExit(f"There is no load of the form {WORKLOAD_SCHEMA} in it: download the script from the quote.")
    work["warmup"] = max(3, args.warmup or work["settings"]["warmup_steps"])
    work["steps"] = max(2, args.steps or work["settings"]["measured_steps"])
    return work


def check_packages(load: Json) -> None:
    """Say what is missing before anything is loaded."""
    needed = {"torch": "", "transformers": ""}
    if load["method"] != "full":
        needed |= {"peft": "adapters"}
    if load["method"] == "qlora" or load["optimizer"] in NEEDS_BITSANDBYTES:
        needed |= {"bitsandbytes": "4-bit weights and 8-bit or paged optimizers", "accelerate": "4-bit weights"}
    if load["attention"] == "flash":
        needed |= {"flash_attn": "FlashAttention"}
    lacking = [f"  pip install {name}   {why}" for name, why in needed.items() if not importlib.util.find_spec(name)]
    if lacking:
        raise SystemExit("This load needs packages that are not here:\n" + "\n".join(lacking))


class Meter:
    """Peaks and times by stage: each stage is synchronized, its peak counters begin at its start."""

    def __init__(self, device: Any) -> None:
        self.device, self.current = device, ""
        self.stages: dict[str, Json] = {}

    def synchronize(self) -> None:
        """Wait for the GPU."""
        if self.device.type == "cuda":
            sys.modules["torch"].cuda.synchronize()

    @contextlib.contextmanager
    def stage(self, name: str) -> Any:
        """Measure what runs inside; a stage that repeats keeps its largest peak and adds its time up."""
        cuda = sys.modules["torch"].cuda if self.device.type == "cuda" else None
        self.current = name
        self.synchronize()
        if cuda:
            cuda.reset_peak_memory_stats()
        start = time.perf_counter()
        try:
            yield
            self.synchronize()
        finally:
            found = {"seconds": time.perf_counter() - start, "host_rss_bytes": rss_bytes()}
            free, total = cuda.mem_get_info() if cuda else (0, 0)
            found["allocated_peak_bytes"] = cuda.max_memory_allocated() if cuda else 0
            found["reserved_peak_bytes"] = cuda.max_memory_reserved() if cuda else 0
            found["device_used_bytes"] = total - free
            before = self.stages.get(name, dict.fromkeys(found, 0))
            join = {key: max(before[key], value) for key, value in found.items()}
            self.stages[name] = join | {"seconds": before["seconds"] + found["seconds"]}


def rss_bytes() -> int:
    """Give the host memory of this process now [byte]; 0 where the system does not say."""
    statm = pathlib.Path("/proc/self/statm")
    if not statm.exists():
        return 0
    import resource

    return int(statm.read_text().split()[1]) * resource.getpagesize()


def run(work: Json, args: argparse.Namespace, meter: Meter) -> Json:
    """Load, train, save; give what was measured."""
    import torch

    torch.manual_seed(args.seed)
    torch.set_float32_matmul_precision("high" if work["load"]["compute"] == "tf32" else "highest")
    model, counted = load_model(work, args, meter)
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    batches, data = make_batches(work, args, model.config.vocab_size)
    optimizer = make_optimizer(work, trained)
    losses, seconds = train(work, model, optimizer, trained, batches, meter)
    saved = 0
    if not args.skip_save:
        here = pathlib.Path(args.output).resolve().parent
        with meter.stage("checkpoint_save"), tempfile.TemporaryDirectory(dir=here) as folder:
            model.save_pretrained(folder)
            saved = sum(one.stat().st_size for one in pathlib.Path(folder).rglob("*") if one.is_file())
    load = work["load"]
    tokens = load["sequence_length"] * load["micro_batch"] * load["gradient_accumulation"]
    cuts = statistics.quantiles(seconds, n=10, method="inclusive")
    last = statistics.fmean(losses[-3:])
    finite = all(math.isfinite(one) for one in losses)
    return {
        "load": load | {"gpu": gpu_name(meter.device), "gpus": 1, "sharding": "none", "parameters": counted},
        "model": {"type": model.config.model_type, "trained_parameters": sum(one.numel() for one in trained)},
        "weights": "random" if args.random_weights else "own" if args.model else work["model"]["hf_id"],
        "data": data,
        "checkpoint_bytes": saved,
        "step_seconds": {"median": statistics.median(seconds), "p10": cuts[0], "p90": cuts[-1]},
        "steps": {"warmup": work["warmup"], "measured": len(seconds), "seed": args.seed},
        "tokens_per_second": tokens / statistics.median(seconds),
        "loss": {"first": losses[0], "last": last, "finite": True, "fell": last < losses[0]}
        if finite
        else {"first": None, "last": None, "finite": False, "fell": False},
    }


def load_model(work: Json, args: argparse.Namespace, meter: Meter) -> tuple[Any, int]:
    """Give the model ready to train, on the device, and its number of parameters without adapters."""
    import torch
    import transformers

    load, settings = work["load"], work["settings"]
    source = args.model or work["model"]["hf_id"]
    if not source and not args.random_weights:
        raise SystemExit("The quote names no published model: give its folder with --model, or --random-weights.")
    config = model_config(work, None if args.random_weights else source)
    auto = transformers.AutoModelForCausalLM
    with torch.device("meta"):
        counted = sum(one.numel() for one in auto.from_config(config).parameters())
    dtype = getattr(torch, DTYPES.get(load["weights"], DTYPES[load["compute"]]))
    how: Json = {"dtype": dtype, "attn_implementation": ATTENTION[load["attention"]]}
    with meter.stage("load"), contextlib.ExitStack() as stack:
        if args.random_weights and load["method"] != "qlora":
            with torch.device(meter.device):
                model = auto.from_config(config, **how)
        else:
            if args.random_weights:
                source = stack.enter_context(tempfile.TemporaryDirectory(dir="."))
                auto.from_config(config, dtype=dtype).save_pretrained(source)
            if load["method"] == "qlora":
                how |= {"quantization_config": quantization(load), "device_map": {"": meter.device}}
            model = auto.from_pretrained(source, **how)
        model = model if load["method"] == "qlora" else model.to(meter.device)
    model.config.use_cache = False
    recompute = load["activation_checkpointing"] == "full"
    nested = {"use_reentrant": True}
    with meter.stage("adapters"):
        if settings["prepare_kbit"]:
            from peft import prepare_model_for_kbit_training

            model = prepare_model_for_kbit_training(model, recompute, nested)
        elif recompute:
            getattr(model, "activation_checkpointing_enable", model.gradient_checkpointing_enable)(nested)
            model.enable_input_require_grads()
        model = model if load["method"] == "full" else with_adapters(model, work)
    return model.train(), counted


def model_config(work: Json, source: str | None) -> Any:
    """Give the model's configuration: of the source, or as the quote holds it."""
    from transformers import AutoConfig

    if source:
        return AutoConfig.from_pretrained(source)
    own = {name: value for name, value in (work["model"]["config"] or {}).items() if name not in NOT_OURS}
    if "model_type" not in own:
        raise SystemExit("The load holds no configuration of the model: name the model with --model.")
    return AutoConfig.for_model(own.pop("model_type"), **own)


def quantization(load: Json) -> Any:
    """Give the 4-bit format of the base weights."""
    import torch
    from transformers import BitsAndBytesConfig

    double = load["weights"] == "nf4_double_quant"
    compute = getattr(torch, DTYPES[load["compute"]])
    return BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=double,
        bnb_4bit_compute_dtype=compute,
    )


def with_adapters(model: Any, work: Json) -> Any:
    """Put adapters on the matrices the load names, in the load's format."""
    import torch
    from peft import LoraConfig, get_peft_model

    load, wanted = work["load"], work["load"]["lora_targets"]
    targets = attention_matrices(model) if wanted == "attention" else wanted.split(",")
    config = LoraConfig(
        r=load["lora_rank"],
        lora_alpha=work["settings"]["lora_alpha"],
        lora_dropout=0.0,
        target_modules=wanted if wanted == "all-linear" else targets,
        use_dora=load["lora_kind"] == "dora",
        task_type="CAUSAL_LM",
    )
    model = get_peft_model(model, config)
    for parameter in model.parameters():
        if parameter.requires_grad:
            parameter.data = parameter.data.to(getattr(torch, DTYPES[load["lora_dtype"]]))
    return model


def attention_matrices(model: Any) -> list[str]:
    """Name the matrices of the attention blocks by the end of their path."""
    kinds = ("Linear", "Linear4bit", "Conv1D")
    paths = [name for name, module in model.named_modules() if type(module).__name__ in kinds]
    return sorted({".".join(path.split(".")[-2:]) for path in paths if "attn" in path or "attention" in path})


def make_batches(work: Json, args: argparse.Namespace, vocabulary: int) -> tuple[list[list[int]], Json]:
    """Give rows of tokens, of your data or made up, and what to note about them.

    A padded load takes one text a row, filled up to the length; any other joins texts and cuts full rows.
    """
    load = work["load"]
    length, padded = load["sequence_length"], load["packing"] == "padded"
    if args.data:
        rows = tokenized(args, work, length, padded)
    else:
        chance = random.Random(args.seed)  # noqa: S311
        rows = [
            made_up(length, vocabulary, chance, index % load["micro_batch"] == 0 or not padded) for index in range(64)
        ]
    if not rows:
        raise SystemExit(f"The data gives no row of {length} tokens: more text is needed.")
    filled = sum(map(len, rows)) / (length * len(rows))
    return rows, {"source": "own" if args.data else "made up", "rows": len(rows), "filled_share": filled}


def made_up(length: int, vocabulary: int, chance: random.Random, whole: bool) -> list[int]:
    """Give a row that counts in steps, which any model learns; a padded batch mixes lengths, its first row is whole."""
    start, stride = chance.randrange(256), chance.randrange(1, 9)
    size = length if whole else chance.randint(length // 2 + 1, length)
    return [(start + stride * place) % min(256, vocabulary) for place in range(size)]


def tokenized(args: argparse.Namespace, work: Json, length: int, padded: bool) -> list[list[int]]:
    """Read your texts into rows of tokens."""
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(args.tokenizer or args.model or work["model"]["hf_id"])
    texts = [text for line in open(args.data, encoding="utf-8") if (text := text_of(line, args.data))]  # noqa: PTH123, SIM115
    ids = [tokenizer(text)["input_ids"] for text in texts]
    if padded:
        return [row[:length] for row in ids if row]
    end = [tokenizer.eos_token_id] if tokenizer.eos_token_id is not None else []
    joined = [token for row in ids for token in [*row, *end]]
    return [joined[start : start + length] for start in range(0, len(joined) - length + 1, length)]


def text_of(line: str, name: str) -> str:
    """Give the text of a line: the line itself, or what an object of JSON Lines holds."""
    if not name.endswith((".jsonl", ".json")) or not line.strip():
        return line.strip()
    found = json.loads(line)
    if "messages" in found:
        return "\n".join(str(one.get("content") or "") for one in found["messages"])
    return str(found.get("text") or "\n".join(str(found[key]) for key in ("prompt", "completion") if key in found))


def make_optimizer(work: Json, trained: list[Any]) -> Any:
    """Give the optimizer of the load."""
    import torch

    load, kind, rate = work["load"], work["load"]["optimizer"], work["settings"]["learning_rate"]
    if kind in NEEDS_BITSANDBYTES:
        import bitsandbytes

        names = {"adamw_8bit": "AdamW8bit", "paged_adamw": "PagedAdamW", "paged_adamw_8bit": "PagedAdamW8bit"}
        make: Any = getattr(bitsandbytes.optim, names[kind])
    else:
        make = {"sgd": torch.optim.SGD, "adafactor": torch.optim.Adafactor}.get(kind, torch.optim.AdamW)
    more = {"adamw_foreach": {"foreach": True}, "adamw_fused": {"fused": True}}.get(kind, {})

    def build(parameters: list[Any]) -> Any:
        return make(parameters, lr=rate, **more)

    if load["master_weights"] == "fp32" and trained[0].dtype != torch.float32:
        return MasterWeights(build, trained)
    return build(trained)


class MasterWeights:
    """Mixed precision with a 32-bit copy of each weight: states and copy are stepped tensor by tensor."""

    def __init__(self, build: Any, trained: list[Any]) -> None:
        self.pairs = [(parameter, parameter.detach().float().clone()) for parameter in trained]
        self.optimizers = [build([copy]) for _parameter, copy in self.pairs]

    def step(self) -> None:
        """Take the gradients over, step each copy, and write it back."""
        for (parameter, copy), optimizer in zip(self.pairs, self.optimizers):  # noqa: B905
            if parameter.grad is not None:
                copy.grad = parameter.grad.float()
                optimizer.step()
                copy.grad = None
                parameter.data.copy_(copy)

    def zero_grad(self) -> None:
        """Drop the gradients."""
        for parameter, _copy in self.pairs:
            parameter.grad = None


def train(
    work: Json, model: Any, optimizer: Any, trained: list[Any], rows: list[list[int]], meter: Meter
) -> tuple[list[float], list[float]]:
    """Run the steps; give the loss of each, and the seconds of those that are measured.

    The first step is measured by stage before optimizer states exist, the other warm-up steps by stage with them; the
    measured ones run without a stop inside.
    """
    losses, seconds = [], []
    place = 0
    for number in range(work["warmup"] + work["steps"]):
        measured = number >= work["warmup"]
        first = "first_" if number == 0 else ""
        batches = []
        for _micro in range(work["load"]["gradient_accumulation"]):
            batches.append(batch(work["load"], rows, place, meter.device))
            place += work["load"]["micro_batch"]
        meter.synchronize()
        start = time.perf_counter()
        with meter.stage("steady_step") if measured else contextlib.nullcontext():
            losses.append(one_step(work, model, optimizer, trained, batches, None if measured else (meter, first)))
            meter.synchronize()
            took = time.perf_counter() - start
        if measured:
            seconds.append(took)
    return losses, seconds


def batch(load: Json, rows: list[list[int]], place: int, device: Any) -> Json:
    """Give one micro-batch of full length, filled up and masked where the load pads."""
    import torch

    length = load["sequence_length"]
    taken = [rows[(place + index) % len(rows)] for index in range(load["micro_batch"])]
    ids = torch.tensor([row + [0] * (length - len(row)) for row in taken])
    mask = torch.tensor([[1] * len(row) + [0] * (length - len(row)) for row in taken])
    found = {"input_ids": ids.to(device), "labels": ids.masked_fill(mask == 0, -100).to(device)}
    return found | ({"attention_mask": mask.to(device)} if load["packing"] == "padded" else {})


def one_step(
    work: Json, model: Any, optimizer: Any, trained: list[Any], batches: list[Json], by_stage: tuple[Meter, str] | None
) -> float:
    """Run one optimizer step over its micro-batches; give the mean loss."""
    import torch

    def stage(name: str) -> Any:
        return by_stage[0].stage(by_stage[1] + name) if by_stage else contextlib.nullcontext()

    kind, dtype = batches[0]["input_ids"].device.type, getattr(torch, DTYPES[work["load"]["compute"]])
    total = torch.zeros((), device=batches[0]["input_ids"].device)
    for inputs in batches:
        with stage("forward"), torch.autocast(kind, dtype=dtype, enabled=work["settings"]["autocast"]):
            loss = model(**inputs).loss / len(batches)
        with stage("backward"):
            loss.backward()
        total += loss.detach()
    with stage("optimizer_step"):
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        optimizer.zero_grad()
    return float(total)


def about(work: Json, device: Any) -> Json:
    """Give what the profile says before anything has run: form, load, machine, versions."""
    import torch

    cuda = device.type == "cuda"
    facts = torch.cuda.get_device_properties(0) if cuda else None
    return {
        "schema": PROFILE_SCHEMA,
        "quote": work.get("quote", ""),
        "written_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "asked_sha256": identity(work["load"]),
        "load": work["load"] | {"gpu": gpu_name(device), "gpus": 1, "sharding": "none"},
        "device": {
            "kind": device.type,
            "name": gpu_name(device),
            "count": torch.cuda.device_count() if cuda else 0,
            "memory_bytes": facts.total_memory if facts else 0,
            "capability": f"{facts.major}.{facts.minor}" if facts else "",
        },
        "versions": versions(),
    }


def gpu_name(device: Any) -> str:
    """Give the GPU's name as its driver says it; `cpu` without one."""
    return str(sys.modules["torch"].cuda.get_device_name(0)) if device.type == "cuda" else "cpu"


def versions() -> dict[str, str]:
    """Give the versions of what ran, empty where a part is not there."""
    import torch

    found = {
        "python": platform.python_version(),
        "cuda": str(torch.version.cuda or getattr(torch.version, "hip", "") or ""),
    }
    for name in ("torch", "transformers", "peft", "accelerate", "bitsandbytes", "flash_attn"):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found[name] = importlib.metadata.version(name)
    tool = shutil.which("nvidia-smi")
    if tool:
        asked = [tool, "--query-gpu=driver_version", "--format=csv,noheader"]
        said = subprocess.run(asked, capture_output=True, text=True, timeout=30, check=False).stdout  # noqa: S603
        found["driver"] = said.strip().splitlines()[0] if said.strip() else ""
    return found


def identity(load: Json) -> str:
    """Give the SHA-256 of a load, whatever the order of its names."""
    return hashlib.sha256(json.dumps(load, sort_keys=True, separators=(",", ":")).encode("ascii")).hexdigest()


def report(profile: Json, output: str) -> None:
    """Say in a few lines what came out."""
    outcome = profile["outcome"]
    if outcome["status"] != "ok":
        print(f"Out of memory in stage {outcome['stage']}: this load does not fit on {profile['device']['name']}.")
    else:
        step, loss = profile["step_seconds"], profile["loss"]
        if profile["peak_bytes"]:
            print(f"Peak of allocated memory: {profile['peak_bytes'] / 2**30:.2f} GiB")
        print(f"Step: {step['median']:.4g} s (p10 {step['p10']:.4g}, p90 {step['p90']:.4g})")
        print(f"Loss: {loss['first']} at first, {loss['last']} at last")
    if profile["device"]["kind"] == "cpu":
        print("Run without a GPU: the profile shows that the script works and counts for no GPU.")
    print(f"Profile written to {output}: upload it where you downloaded this script.")


if __name__ == "__main__":
    sys.exit(main())
