"""The assumption ledger in words: labels, values, ranges, what each moves, and where it came from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from quotes.presenter import ledger_moves, words
from quotes.presenter import quantities as q
from quotes.presenter.engine_words import say
from quotes.presenter.units import PLAIN

LABELS = {
    "workload.framework": gettext_lazy("Framework"),
    "workload.compute": gettext_lazy("Precision of the products"),
    "workload.weights": gettext_lazy("Format of the weights"),
    "workload.lora.targets": gettext_lazy("Layers with adapters"),
    "workload.lora.rank": gettext_lazy("Rank of the adapters"),
    "workload.lora.dtype": gettext_lazy("Format of the adapters"),
    "workload.optimizer": gettext_lazy("Optimizer"),
    "workload.optimizer_states": gettext_lazy("Format of the optimizer states"),
    "workload.gradients": gettext_lazy("Format of the gradients"),
    "workload.master_weights": gettext_lazy("Copy of the weights in FP32"),
    "workload.attention": gettext_lazy("Attention kernel"),
    "workload.loss": gettext_lazy("Loss"),
    "workload.packing": gettext_lazy("Packing of examples"),
    "workload.stack_efficiency": gettext_lazy("Efficiency of the software against the reference"),
    "workload.checkpoints_kept": gettext_lazy("Checkpoints kept"),
    "workload.checkpoint_every_minutes": gettext_lazy("Time between checkpoints"),
    "workload.micro_batch": gettext_lazy("Micro-batch"),
    "workload.global_batch": gettext_lazy("Global batch"),
    "workload.gradient_accumulation": gettext_lazy("Gradient accumulation"),
    "workload.activation_checkpointing": gettext_lazy("Recomputation of activations"),
    "workload.sequence_length": gettext_lazy("Sequence length"),
    "workload.dataset_tokens": gettext_lazy("Dataset"),
    "workload.epochs": gettext_lazy("Passes over the data"),
    "workload.input_tokens": gettext_lazy("Length of a request"),
    "workload.output_tokens": gettext_lazy("Length of an answer"),
    "workload.concurrency": gettext_lazy("Requests at the same time"),
    "workload.kv_cache_dtype": gettext_lazy("Format of the KV cache"),
    "workload.engine": gettext_lazy("Serving engine"),
    "workload.ttft_ms": gettext_lazy("Limit on the first word"),
    "workload.tpot_ms": gettext_lazy("Limit on each further word"),
    "workload.pages_per_document": gettext_lazy("Pages a document"),
    "workload.model.shape": gettext_lazy("Shape of the model"),
    "storage.text_bytes_per_token": gettext_lazy("Bytes of text a token"),
    "storage.gpu_hours_between_failures": gettext_lazy("GPU-hours between failures"),
    "storage.drive_write": gettext_lazy("Writing of one drive"),
    "host.rank_bytes": gettext_lazy("Host memory of one process"),
    "host.floor_bytes": gettext_lazy("Least host memory"),
    "host.cores_per_gpu": gettext_lazy("Processor cores a GPU"),
    "host.gpus_per_uplink": gettext_lazy("GPUs that share a link to a processor"),
    "host.system_lanes": gettext_lazy("PCIe lanes of the board itself"),
    "facility.power": gettext_lazy("Power of a server"),
    "rag.tokens_per_page": gettext_lazy("Tokens a page"),
    "rag.chunk_tokens": gettext_lazy("Length of a passage"),
    "rag.chunk_overlap": gettext_lazy("Overlap of passages"),
    "rag.updated_share": gettext_lazy("Documents changed by an update"),
    "rag.tuning_epochs": gettext_lazy("Passes of fine-tuning on the documents"),
    "rag.dimensions": gettext_lazy("Width of the vectors"),
    "serving.speed_band": gettext_lazy("Band of the serving speed"),
    "limits.deadline_hours": gettext_lazy("Assumed limit on the time"),
    "economics.hours_per_day": gettext_lazy("Use of the server a day"),
    "economics.years": gettext_lazy("Years of use"),
    "economics.tariff": gettext_lazy("Price of electricity"),
    "economics.pue": gettext_lazy("Power of the room over that of the servers (PUE)"),
    "economics.space_per_kw_month": gettext_lazy("Room in the rack, a kilowatt a month"),
    "economics.yearly_share": gettext_lazy("Support and spare parts, share of the price a year"),
    "economics.staff_share": gettext_lazy("Staff, share of the price a year"),
    "economics.residual_share": gettext_lazy("Resale value, share of the price"),
    "economics.idle_power_share": gettext_lazy("Idle power, share of full power"),
    "economics.interest_rate": gettext_lazy("Interest of a loan or lease, a year"),
    "economics.price": gettext_lazy("Price of the server, your own"),
    "economics.currency": gettext_lazy("Currency of these amounts"),
    "economics.rent_per_gpu_hour": gettext_lazy("Rent of one GPU, an hour"),
    "economics.rent_kind": gettext_lazy("How the rent is paid"),
    "economics.rent_gpu": gettext_lazy("GPU of the rent"),
    "economics.rent_as_of": gettext_lazy("Date of the rent"),
    "economics.rent_source": gettext_lazy("Who named the rent"),
    "economics.cloud_storage_gb": gettext_lazy("Stored in the cloud"),
    "economics.cloud_storage_per_gb_month": gettext_lazy("Storage in the cloud, a GB a month"),
    "economics.egress_gb_per_month": gettext_lazy("Traffic out of the cloud a month"),
    "economics.egress_per_gb": gettext_lazy("Traffic out of the cloud, a GB"),
    "economics.exchange_rate": gettext_lazy("Exchange rate of the US dollar"),
    "economics.exchange_rate_as_of": gettext_lazy("Day of the exchange rate"),
    "economics.exchange_rate_source": gettext_lazy("Source of the exchange rate"),
    "prices.without_tax": gettext_lazy("Published prices and rents are without tax"),
    "speed.matmul_share": gettext_lazy("Share of peak reached by large products"),
    "deal.delivery_days": gettext_lazy("Delivery"),
    "deal.installation_days": gettext_lazy("Installation"),
    "memory.communicator_bytes": gettext_lazy("Memory of one communicator"),
    "memory.context_bytes": gettext_lazy("CUDA context of a process"),
    "memory.loss_bytes": gettext_lazy("Bytes of a logit at the loss"),
    "memory.padded_share": gettext_lazy("Trail of varying lengths"),
    "memory.rounding_share": gettext_lazy("Rounding and gaps of the allocator"),
    "memory.stack": gettext_lazy("Recipes whose memory habits are used"),
    "memory.unshared_share": gettext_lazy("Blocks not reused between phases"),
    "memory.gathered_share": gettext_lazy("Blocks of gathered weights that serve nothing else"),
    "workload.peak_factor": gettext_lazy("Peak over the mean of the busiest hour"),
    "workload.chunk_tokens": gettext_lazy("Length of a passage"),
    "workload.embedding_model": gettext_lazy("Model that embeds the documents"),
    "workload.index": gettext_lazy("Kind of index"),
    "workload.passages": gettext_lazy("Passages given with a question"),
    "workload.rerank": gettext_lazy("Second look at the passages"),
    "workload.vector_dtype": gettext_lazy("Format of the vectors"),
    "workload.memory_fraction": gettext_lazy("Share of memory the engine takes"),
    "workload.spare": gettext_lazy("Spare for a failure"),
    "memory.zero3_live_parameters": gettext_lazy("Parameters ZeRO-3 keeps gathered"),
    "workload.compile": gettext_lazy("Compiled model"),
    "candidate.keeps_limits": gettext_lazy("Keeps every limit that must hold"),
    "candidate.keeps_budget": gettext_lazy("Keeps the budget that must hold"),
    "hardware.interconnect": gettext_lazy("Exchange between GPUs"),
    "hardware.network_gbit_per_gpu": gettext_lazy("Network for each GPU"),
}
EXCHANGED = "prices.exchange_rate."
GROUPS = (
    (("workload.", "serving.", "rag.", "memory."), pgettext_lazy("group", "Model, method and load")),
    (("speed.", "hardware.", "plan."), pgettext_lazy("group", "Speed and exchange")),
    (("storage.", "host.", "facility."), pgettext_lazy("group", "Server and room")),
    (("limits.", "economics.", "prices.", "deal."), pgettext_lazy("group", "Deadline and money")),
)


def mark(number: int) -> str:
    """Give the id of a ledger entry in a document: A01."""
    return f"A{number:02d}"


def label(one: Mapping[str, Any]) -> str:
    """Name an assumption."""
    key = str(one.get("key") or "")
    if key in LABELS:
        return str(LABELS[key])
    if key.startswith(EXCHANGED):
        base, _between, quote = key.removeprefix(EXCHANGED).partition("_")
        return _("Exchange rate, %(base)s to %(quote)s") % {"base": base, "quote": quote}
    text = str(one.get("label") or key.rsplit(".", 1)[-1]).replace("_", " ")
    return text[:1].upper() + text[1:]


def group(one: Mapping[str, Any]) -> str:
    """Name the group an assumption stands in."""
    key = str(one.get("key") or "")
    found = (title for prefixes, title in GROUPS if key.startswith(prefixes))
    return str(next(found, GROUPS[0][1]))


def value(one: Mapping[str, Any], name: str = "value") -> str:
    """Write the value of an assumption with its unit."""
    given, unit = one.get(name), str(one.get("unit") or "")
    if isinstance(given, str):
        return say(words.word(given))
    if isinstance(given, list):
        return words.word(given)
    return str(q.figure(given, unit))


def with_range(one: Mapping[str, Any]) -> str:
    """Write the value and, where it has one, its plausible range."""
    low, high = one.get("low"), one.get("high")
    shown = value(one)
    ends = [end for end in ("low", "high") if one.get(end) is not None]
    if not ends:
        return shown
    if len(ends) == 2 and isinstance(low, int | float) and isinstance(high, int | float):
        unit = str(one.get("unit") or "")
        return f"{shown} ({q.band(q.figure(low, unit), q.figure(high, unit))})"
    others = [said for said in dict.fromkeys(value(one, end) for end in ends) if said != shown]
    return _("%(value)s (or %(other)s)") % {"value": shown, "other": ", ".join(others)} if others else shown


def moves(one: Mapping[str, Any]) -> str:
    """Say what the ends of the range would change, as the engine recomputed it."""
    return "; ".join(ledger_moves.ends(one.get("moves"), str(one.get("unit") or "")))


def is_plain(unit: str) -> bool:
    """Say whether a unit is not shown."""
    return unit in PLAIN
