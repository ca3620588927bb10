"""The one place where a customer's answers become the engine's question, and back.

Answers are the cleaned values of the form by field name; what was not answered is absent, and stays absent in the
question, so that the engine chooses and lists what it chose.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from quotes import own_figures
from quotes.forms.calendar import run_hours
from quotes.forms.derived import dataset, derived, pace_of_whole_answer
from quotes.forms.known_models import known
from quotes.forms.route import ADAPTERS, DOCUMENTS, FULL, SCRATCH, SERVICE
from quotes.forms.serving import concurrent_answers

Answers = Mapping[str, Any]
WATTS_PER_KW = 1000
MS_PER_SECOND = 1000
PARAMETERS_PER_BILLION = 1e9

METHOD = {FULL: "full", SCRATCH: "pretraining"}
SAME_NAME_TRAINING = (
    "sequence_length",
    "micro_batch",
    "gradient_accumulation",
    "global_batch",
    "optimizer",
    "weights",
    "compute",
    "master_weights",
    "packing",
    "activation_checkpointing",
    "attention",
    "loss",
    "epochs",
    "parallel_experiments",
    "checkpoints_kept",
    "framework",
    "utilisation_hours_per_day",
)
SAME_NAME_SERVING = (
    "weights",
    "kv_cache_dtype",
    "engine",
    "input_tokens",
    "output_tokens",
    "requests_per_second",
    "utilisation_hours_per_day",
)
PLAN = ("sharding", "offload", "tensor", "pipeline", "context", "expert")
ARCHITECTURE = {
    "layers": "num_hidden_layers",
    "hidden_size": "hidden_size",
    "mlp_size": "intermediate_size",
    "query_heads": "num_attention_heads",
    "kv_heads": "num_key_value_heads",
    "vocabulary": "vocab_size",
}


def to_request(answers: Answers, *, route: str, identity: str = "request") -> dict[str, Any]:
    """Build the engine's question from the answers of a form.

    Parameters
    ----------
    answers : mapping
        Cleaned values by field name; JSON values, dates as ISO text.
    route : str
        The way through the form: adapters, lora, qlora, full, scratch, service or documents.
    identity : str
        Comes back in the answer as ``id``.
    """
    way = ADAPTERS if route in ("lora", "qlora") else route
    is_service = way in (SERVICE, DOCUMENTS)
    workload = _serving(answers, way) if is_service else _training(answers, way, route)
    question: dict[str, Any] = {"id": identity, "workload": workload, "limits": limits(answers)}
    if is_service:
        question["limits"].pop("deadline_hours", None)
    plan = {name: answers[name] for name in PLAN if answers.get(name)}
    if plan:
        question["plan"] = plan
    money = own_figures.economics(answers)
    if money:
        question["economics"] = money
    if answers.get("in_mind_gpu") and answers.get("in_mind_gpus"):
        question["in_mind"] = {"gpu": answers["in_mind_gpu"], "gpus": answers["in_mind_gpus"]}
    if answers.get("article"):
        question["article"] = answers["article"]
    return question


def stored_route(answers: Answers, *, way: str) -> str:
    """Name the route a request is filed under: adapters become lora or qlora."""
    if way != ADAPTERS:
        return way
    return "lora" if answers.get("method") == "lora" else "qlora"


def model(answers: Answers) -> dict[str, Any]:
    """Name the model as the contract does: configuration first, then name, architecture, number of parameters."""
    if answers.get("config"):
        return {"config": answers["config"]}
    name = answers.get("model_name")
    if name and (known(str(name)) or not (answers.get("layers") or answers.get("parameters_billion"))):
        return {"name": name}
    if answers.get("layers"):
        return {"config": _architecture(answers)}
    if answers.get("parameters_billion"):
        return {"parameters": answers["parameters_billion"] * PARAMETERS_PER_BILLION}
    return {}


def _architecture(answers: Answers) -> dict[str, Any]:
    config = {key: answers[name] for name, key in ARCHITECTURE.items() if answers.get(name)}
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        **config,
        "tie_word_embeddings": bool(answers.get("tied_embeddings")),
    }


def _training(answers: Answers, way: str, route: str) -> dict[str, Any]:
    workload: dict[str, Any] = {"task": "training", "model": model(answers)}
    workload |= {name: answers[name] for name in SAME_NAME_TRAINING if answers.get(name) not in (None, "")}
    method = METHOD.get(way) or (route if route in ("lora", "qlora") else answers.get("method"))
    workload["method"] = method if method in ("full", "pretraining", "lora") else "qlora"
    if way == ADAPTERS:
        workload["lora"] = _lora(answers)
        if not workload["lora"]:
            del workload["lora"]
    data = dataset(answers)
    if data:
        workload["dataset_tokens"] = data.value
    if answers.get("steps"):
        workload["steps"] = answers["steps"]
        workload.pop("epochs", None)
        workload.pop("dataset_tokens", None)
    if answers.get("checkpoint_every"):
        unit = "minutes" if answers.get("checkpoint_unit") == "minutes" else "steps"
        workload[f"checkpoint_every_{unit}"] = answers["checkpoint_every"]
    return workload | _profile(answers)


def _lora(answers: Answers) -> dict[str, Any]:
    lora: dict[str, Any] = {}
    if answers.get("lora_rank"):
        lora["rank"] = answers["lora_rank"]
    if answers.get("lora_targets"):
        targets = str(answers["lora_targets"])
        lora["targets"] = targets.split(",") if "," in targets else targets
    if answers.get("adapter_dtype"):
        lora["dtype"] = answers["adapter_dtype"]
    return lora


def _profile(answers: Answers) -> dict[str, Any]:
    named = {
        "peak_gib": answers.get("profile_peak_gib"),
        "step_seconds": answers.get("profile_step_seconds"),
        "sequence_length": answers.get("profile_sequence_length"),
    }
    profile = {name: value for name, value in named.items() if value}
    measured = "peak_gib" in profile or "step_seconds" in profile
    return {"profile": profile} if measured else {}


def _serving(answers: Answers, way: str) -> dict[str, Any]:
    workload: dict[str, Any] = {"task": "rag" if way == DOCUMENTS else "inference", "model": model(answers)}
    workload |= {name: answers[name] for name in SAME_NAME_SERVING if answers.get(name) not in (None, "")}
    concurrency, _sentence = concurrent_answers(dict(answers))
    if concurrency:
        workload["concurrency"] = concurrency
    workload |= _latency(answers)
    if answers.get("redundancy") == "spare":
        workload["spare"] = "node"
    if way == DOCUMENTS:
        workload["documents"] = answers.get("documents")
        workload["pages_per_document"] = answers.get("pages_per_document")
        found = {one.key.removeprefix("workload."): one.value for one in derived(answers, way=way)}
        workload |= {name: found[name] for name in ("tokens_per_page", "updated_share") if name in found}
    return {name: value for name, value in workload.items() if value is not None}


def _latency(answers: Answers) -> dict[str, float]:
    """Read the limits on the first word and on the pace; a limit on the whole answer bounds both [ms]."""
    found: dict[str, float] = {}
    seconds = answers.get("first_word_seconds")
    if seconds:
        found["ttft_ms"] = seconds * MS_PER_SECOND
    whole = pace_of_whole_answer(answers)
    if whole is not None:
        found["tpot_ms"] = whole
    if answers.get("answer_tokens_per_second"):
        pace = MS_PER_SECOND / answers["answer_tokens_per_second"]
        found["tpot_ms"] = min(pace, found.get("tpot_ms", pace))
    return found


def limits(answers: Answers) -> dict[str, Any]:
    """Say what must hold and what is preferred, in the contract's words."""
    found: dict[str, Any] = {}
    hours = run_hours(answers)
    if hours is not None:
        found["deadline_hours"] = _limit(answers, "when", hours)
    if answers.get("rack_power_kw"):
        found["rack_power_watts"] = _limit(answers, "rack_power_kw", answers["rack_power_kw"] * WATTS_PER_KW)
    for name in ("rack_units", "racks", "form_factor", "gpu", "vendor"):
        if answers.get(name):
            found[name] = _limit(answers, name, answers[name])
    if answers.get("network_gbit_per_gpu"):
        found["network_gbit_per_gpu"] = {"must": answers["network_gbit_per_gpu"]}
    if answers.get("cooling") in ("air", "liquid"):
        found["cooling"] = _limit(answers, "cooling", answers["cooling"])
    if answers.get("region") and answers["region"] != "anywhere":
        found["region"] = _limit(answers, "region", answers["region"])
    if answers.get("budget"):
        found["budget"] = _limit(answers, "budget", answers["budget"]) | {
            "currency": answers.get("currency") or "USD",
            "net": answers.get("tax") != "gross",
        }
    return found


def _limit(answers: Answers, name: str, value: Any) -> dict[str, Any]:
    return {"prefer" if answers.get(f"{name}_strength") == "prefer" else "must": value}


def jsonable(answers: Answers) -> dict[str, Any]:
    """Give the answers as JSON values, dates as ISO text."""
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in answers.items()}


def from_request(question: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Turn an engine question into a way and form values, for prefilled forms and for pasted JSON."""
    workload = question.get("workload") or {}
    task = workload.get("task")
    way = {"rag": DOCUMENTS, "inference": SERVICE}.get(str(task), ADAPTERS)
    if way == ADAPTERS:
        way = {"full": FULL, "pretraining": SCRATCH}.get(str(workload.get("method")), ADAPTERS)
    values: dict[str, Any] = {}
    named = workload.get("model") or {}
    if named.get("name"):
        values["model_name"] = named["name"]
    if named.get("parameters"):
        values["parameters_billion"] = named["parameters"] / PARAMETERS_PER_BILLION
    for name in {*SAME_NAME_TRAINING, *SAME_NAME_SERVING, "steps", "concurrency", "documents", "pages_per_document"}:
        if workload.get(name) is not None:
            values[name] = workload[name]
    if workload.get("dataset_tokens"):
        values |= {"dataset_amount": workload["dataset_tokens"] / 1e6, "dataset_unit": "million_tokens"}
    if way == ADAPTERS:
        values["method"] = workload.get("method") or "auto"
        lora = workload.get("lora") or {}
        values |= {f"lora_{name}": lora[name] for name in ("rank",) if lora.get(name)}
    if isinstance((workload.get("lora") or {}).get("targets"), str):
        values["lora_targets"] = workload["lora"]["targets"]
    values |= {name: value for name, value in (question.get("plan") or {}).items() if name in PLAN}
    values |= {f"in_mind_{name}": value for name, value in (question.get("in_mind") or {}).items()}
    if question.get("article"):
        values["article"] = question["article"]
    return way, values
