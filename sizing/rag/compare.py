"""Search over documents or fine-tuning: both for the customer's own case, side by side.

What changes the choice is said beside the numbers: fine-tuning teaches a manner, search gives facts with their place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from sizing import economics, hardware_data
from sizing.assumptions import Ledger
from sizing.errors import SizingError
from sizing.hardware import System
from sizing.rag.library import EPOCHS, Library
from sizing.recommend.jobs import TrainingJob

SECONDS_PER_HOUR: Final = 3600.0
MOST_SEQUENCE: Final = 4096

REASONS: Final = {
    "rag": (
        "Answers name the passage they rest on.",
        "A changed document counts as soon as it is embedded.",
        "Rights to a document can be kept when it is searched.",
    ),
    "fine_tune": (
        "Learns a manner, a format or a vocabulary, not single facts.",
        "Each change of the documents asks for another run and another check of the answers.",
        "Needs examples of questions and answers, which somebody has to write.",
    ),
}


def shown(library: Library, model: Mapping[str, Any], machines: System, needed_bytes: float) -> dict[str, Any]:
    """Both ways on the same machines: memory [B], time to first use [s], cost of building and of an update.

    Parameters
    ----------
    needed_bytes : float
        What the generator with the encoders needs on one GPU [B].
    """
    first, least, most = library.embedding_seconds(machines.gpu, machines.gpus)
    built = library.index.build_seconds()
    low, high = max(least, built[0]), most + built[1]
    searched: dict[str, Any] = {
        "gpu_bytes_each": round(needed_bytes),
        "host_bytes": round(library.host_bytes),
        "drive_bytes": round(library.drive_bytes),
        "first_use_seconds": {"expected": first + sum(built) / 2, "low": low, "high": high},
        "update_seconds": library.updated_share * (first + sum(built) / 2),
        "build_gpu_hours": first * machines.gpus / SECONDS_PER_HOUR,
        "update_gpu_hours": library.updated_share * first * machines.gpus / SECONDS_PER_HOUR,
        "reasons": list(REASONS["rag"]),
    }
    tuned = fine_tuned(library, model, machines)
    price = rent_per_gpu_hour(machines.gpu.slug)
    for way in (searched, tuned):
        way["build_cost"] = cost(way.get("build_gpu_hours"), price)
        way["update_cost"] = cost(way.get("update_gpu_hours"), price)
    return {
        "rag": searched,
        "fine_tune": tuned,
        "updated_share": library.updated_share,
        "epochs": EPOCHS,
        "rent_per_gpu_hour": price,
        "advice": advice(searched, tuned),
    }


def fine_tuned(library: Library, model: Mapping[str, Any], machines: System) -> dict[str, Any]:
    """Adapters trained on the documents' text on the same machines."""
    workload = {
        "task": "training",
        "method": "lora",
        "model": model,
        "sequence_length": MOST_SEQUENCE,
        "dataset_tokens": library.tokens,
        "epochs": EPOCHS,
    }
    found: dict[str, Any] = {"method": "lora", "reasons": list(REASONS["fine_tune"])}
    try:
        job = TrainingJob.read({"workload": workload}, workload, Ledger())
        outcome = job.on(replace(machines, memory_bytes=machines.gpu.memory_bytes))
    except SizingError as refused:
        return found | {"fits": False, "why": refused.text}
    if outcome is None or not outcome.fits or outcome.seconds is None:
        needed = round(outcome.device.high) if outcome else None
        return found | {"fits": False, "gpu_bytes_each": needed, "why": "does not fit on these machines"}
    took = outcome.seconds
    hours = took.expected * machines.gpus / SECONDS_PER_HOUR
    return found | {
        "fits": True,
        "gpu_bytes_each": round(outcome.device.expected),
        "first_use_seconds": {"expected": took.expected, "low": took.low, "high": took.high},
        "update_seconds": took.expected,
        "build_gpu_hours": hours,
        "update_gpu_hours": hours,
    }


def rent_per_gpu_hour(gpu: str) -> dict[str, Any] | None:
    """The lowest and highest dated on-demand price of a GPU hour, and the GPU it is of; None where there is none."""
    rent = economics.published(gpu, hardware_data.packaged().cloud)
    if rent is None:
        return None
    return {"low": rent.low, "high": rent.high, "currency": rent.currency, "as_of": rent.as_of, "gpu": rent.gpu}


def cost(hours: float | None, price: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """GPU hours at rented prices."""
    if hours is None or price is None:
        return None
    return {"low": hours * price["low"], "high": hours * price["high"], "currency": price["currency"]}


def advice(searched: Mapping[str, Any], tuned: Mapping[str, Any]) -> str:
    """One sentence on the customer's own case."""
    if not tuned.get("fits"):
        return "Search first: fine-tuning does not fit on the machines that serve the answers."
    ratio = tuned["first_use_seconds"]["expected"] / max(searched["first_use_seconds"]["expected"], 1.0)
    if ratio > 1:
        return (
            f"Search first: it is in use {ratio:.0f} times sooner, and an update costs a share of the documents "
            "instead of a whole run. Fine-tune afterwards if the manner of the answers is not right."
        )
    return "Both are quick here: search for facts that change, fine-tune for a manner that stays."
