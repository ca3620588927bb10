"""Parts of a candidate and of the comparisons beside it, as JSON Schema: every name that an answer holds."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from sizing.economics.case import Case
from sizing.exchange import ExchangeRate
from sizing.recommend.build import Line
from sizing.software import Check
from sizing.storage import Storage

Schema = dict[str, Any]
MAP: Schema = {"type": "object", "additionalProperties": True}
"""An object whose names are data: parts of a step, names of formats."""
ANY: Schema = {}
NULLABLE_NUMBER: Schema = {"type": ["number", "null"]}
SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
TEXTS: Schema = {"type": "array", "items": {"type": "string"}}
ENDS: Schema = {"type": ["object", "null"], "properties": {"expected": {}, "low": {}, "high": {}, "currency": {}}}


def record(names: str, **known: Schema) -> Schema:
    """An object with these names, all of them required, and `known` ones that may be absent or say more of a name."""
    required = names.split()
    return {"type": "object", "required": required, "properties": dict.fromkeys(required, ANY) | known}


def or_null(schema: Schema) -> Schema:
    """The same, or nothing."""
    return schema | {"type": [schema["type"], "null"]}


def listed(item: Schema) -> Schema:
    """A list of such items."""
    return {"type": ["array", "null"], "items": item}


def of(kind: type, **known: Schema) -> Schema:
    """An object with the names of a dataclass."""
    return record(" ".join(one.name for one in fields(kind)), **known)


EXCHANGE = of(ExchangeRate, is_stated={"type": "boolean"}) | {"type": ["object", "null"]}


def host() -> Schema:
    """Host needs of one node."""
    return record(
        "memory_bytes needed_bytes cores nics pcie_lanes numa",
        pcie_lanes=record("needed available gpus nics drives system is_switched"),
        numa=record("domains gpus memory_bytes"),
    )


def storage() -> Schema:
    """Drives of a training job, or of a service with its index."""
    names = {one.name: ANY for one in fields(Storage)} | {"index_bytes": ANY}
    return {"type": "object", "required": ["base_model_bytes", "capacity_bytes"], "properties": names}


def facility() -> Schema:
    """Power, heat and height."""
    return record(
        "node_power_watts power_watts power_is_derived heat_btu_per_hour rack_units cooling mass_kg psu_redundancy",
        node_power_watts=ENDS,
        power_watts=ENDS,
    )


def price() -> Schema:
    """Band over the priced lines; `is_exchanged` where one of them was printed in another currency."""
    return or_null(
        record(
            "low high currency lines_priced lines_total is_complete is_exchanged",
            is_complete={"type": "boolean"},
            is_exchanged={"type": "boolean"},
        )
    )


def ready() -> Schema:
    """Days from the order to the result."""
    return record(
        "delivery_days installation_days days_from_order delivery_offer",
        delivery_days=ENDS,
        installation_days=ENDS,
        run_days=ENDS,
        days_from_order=ENDS,
        delivery_offer=or_null(record("supplier days confirmation")),
    )


def conflicts() -> Schema:
    """Facts on which sources disagree."""
    return listed(record("kind part field values chosen why", values=listed(record("value source"))))


def lines() -> Schema:
    """Lines to order."""
    return listed(of(Line, exchange=EXCHANGE))


def software() -> Schema:
    """Versions and formats that the job asks of a GPU."""
    return listed(of(Check))


def economics() -> Schema:
    """Own against rent: figures only where the whole price is known, `reason` and `price_to_pay` otherwise."""
    rents = or_null(
        record(
            "gpu currency low median high offers as_of sources rows is_stated is_reserved",
            rows=listed(
                record("provider shape kind region per_gpu_hour as_of source", printed=ANY, printed_currency=ANY)
            ),
        )
    )
    limits = or_null(
        record(
            "years hours_per_day rent_per_month expected low high by_months by_hours against_reserved sensitivity",
            by_months=listed(record("months expected low high")),
            by_hours=listed(record("hours_per_day expected low high")),
            sensitivity=listed(record("key unit low high price_low price_high")),
        )
    )
    return record(
        "known price price_is_complete currency exchange rent reserved inputs stated not_counted converted "
        "reasons_beside_money price_to_pay",
        known={"type": "boolean"},
        price=ENDS,
        price_is_complete={"type": "boolean"},
        exchange=EXCHANGE,
        rent=rents,
        reserved=rents,
        inputs=MAP,
        price_to_pay=limits,
        reason={"type": "string"},
        price_is_stated={"type": "boolean"},
        case=of(Case),
        months_to_pay=ENDS,
        hours_per_day_to_pay=ENDS,
        own_parts=MAP,
        cloud_parts=MAP,
        by_hours=listed(record("hours_per_day own_per_month rent_per_month months_to_pay", months_to_pay=ENDS)),
        against_reserved=or_null(record("rent_per_month months_to_pay is_cheaper_than_on_demand")),
        curve=listed(record("month own rent")),
        sensitivity=listed(record("key unit low high months_low months_high")),
        **dict.fromkeys(("hours_per_day", "years", "resale", "own_per_month", "rent_per_month"), ANY),
    )


def extras() -> Schema:
    """What a labelled candidate has by its route."""
    point = record(
        "gpus nodes fits keeps_load is_offloaded needed_high_bytes seconds gained_share room gpu_hours rent",
        seconds=ENDS,
        rent=or_null(record("gpu low high currency")),
    )
    return {
        "scaling": record("points worth_having", points=listed(point), lost_without_fast_link=ANY),
        "ethernet": record("gbit_per_node seconds", seconds=ENDS),
        "whole": record("weights users tokens_each cache_bytes", weights=MAP),
        "rag": rag(),
        "economics": economics(),
        "binding": listed(record("limit message ratio")),
    }


def rag() -> Schema:
    """The retrieval side, on the machines where their speed is known."""
    way = {"build_cost": ENDS, "update_cost": ENDS, "first_use_seconds": ENDS}
    shared = "gpu_bytes_each first_use_seconds update_seconds build_gpu_hours update_gpu_hours reasons"
    tuned = record("method reasons", **way, fits=ANY)
    tuned["properties"] |= dict.fromkeys(shared.split(), ANY) | way
    return record(
        "chunks tokens index vector_dtype dimensions index_bytes index_high_bytes originals_bytes payload_bytes "
        "embedding_model embedding_weights_bytes reranker_model reranker_weights_bytes split options source",
        split=record("gpu_bytes host_bytes drive_bytes"),
        options=listed(record("index vector_dtype memory_bytes drive_bytes source")),
        ingestion_seconds=ENDS,
        build_seconds=ENDS,
        compare=record(
            "rag fine_tune updated_share epochs rent_per_gpu_hour advice",
            rag=record(f"host_bytes drive_bytes {shared}", **way),
            fine_tune=tuned,
            rent_per_gpu_hour=ENDS | {"properties": ENDS["properties"] | {"as_of": {}, "gpu": {}}},
        ),
        **dict.fromkeys(("gpu_bytes_each", "rerank_ms", "rate_source"), ANY),
    )


def by_gpu() -> Schema:
    """The smallest machine of each GPU."""
    return listed(
        record(
            "gpu gpu_name platform gpus nodes seconds gpu_hours energy_kwh rent",
            seconds=ENDS,
            rent=or_null(record("gpu low high currency")),
        )
    )


def by_method() -> Schema:
    """The smallest machine of each method; where there is none, `message` alone."""
    names = "gpu gpu_name platform gpus nodes board_power_watts quality"
    return listed(record("method message", needed=ENDS, seconds=ENDS, **dict.fromkeys(names.split(), ANY)))


def article() -> Schema:
    """What an article names."""
    return or_null(
        record(
            "lines unread not_stated conflicts notes verdict to_confirm",
            id={},
            lines=listed(record("kind value count text certainty start end details", details=MAP)),
            verdict=MAP | {"type": ["object", "null"]},
        )
    )


def band() -> Schema:
    """An estimate with its 90 % band."""
    names = ("expected", "low", "high")
    return {"type": "object", "required": list(names), "properties": {n: {"type": "number"} for n in names}}


def replicas() -> Schema:
    """Replicas of a service; `needed` is null only where no number of them keeps a limit that `binding` names."""
    whole: Schema = {"type": "integer", "minimum": 0}
    names = ("placed", "gpus_each", "users_each", "lost")
    properties = dict.fromkeys(names, whole) | {
        "needed": {"type": ["integer", "null"], "minimum": 1},
        "peak_factor": {"type": "number", "minimum": 1},
        "spare": {"enum": ["none", "gpu", "node"]},
    }
    return {"type": "object", "required": list(properties), "properties": properties}


def links() -> Schema:
    """A machine with its links and over PCIe; shares lost [–]."""
    side = {
        "type": ["object", "null"],
        "required": ["seconds", "tokens_per_second", "exposed_share", "does_the_job", "plan"],
        "properties": {
            "seconds": {"oneOf": [{"type": "null"}, band()]},
            "exposed_share": SHARE,
            "plan": MAP,
            **dict.fromkeys(("tokens_per_second", "does_the_job", "ttft_ms", "tpot_ms", "gpus"), ANY),
        },
    }
    share = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
    sides = {"with_link": side, "over_pcie": side, "lost": share, "lost_same_plan": share}
    names = (
        "gpu",
        "gpu_name",
        "gpus_per_node",
        "nodes",
        "link",
        "link_reach",
        "is_sold_without",
        "is_recommended",
        *sides,
    )
    return {"type": "object", "required": list(names), "properties": dict.fromkeys(names, ANY) | sides}


def one_card() -> Schema:
    """Full tuning on one card under named sets of assumptions; `holding` names those that fit."""
    properties = {
        "name": {"type": "string"},
        "assumes": {"type": "string"},
        "costs": {"type": "string"},
        "needed": band(),
        "fits": {"type": "boolean"},
        "host_bytes": NULLABLE_NUMBER,
    }
    maps = {"per_gpu": MAP, "workload": MAP, "plan": MAP}
    one = {"type": "object", "required": list(properties), "properties": properties | maps}
    return {
        "type": "object",
        "required": ["card_gb", "sets", "holding"],
        "properties": {"card_gb": {"type": "number"}, "sets": {"type": "array", "items": one}, "holding": TEXTS},
    }


def machine_in_mind() -> Schema:
    """The machine in mind: its rank among the candidates, whether it does the job, and why it is not recommended."""
    properties = {
        "gpu": {"type": "string"},
        "gpu_name": {"type": "string"},
        "gpus": {"type": "integer"},
        "rank": {"type": ["integer", "null"]},
        "does_the_job": {"type": "boolean"},
        "is_recommended": {"type": "boolean"},
        "reasons": TEXTS,
    }
    return {"type": "object", "required": list(properties), "properties": properties}
