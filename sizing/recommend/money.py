"""Own against rent for the candidates that are shown, with the buyer's own figures where they apply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sizing import economics
from sizing.assumptions import Ledger
from sizing.hardware_data import HardwareCatalog
from sizing.recommend.in_mind import LABEL


def with_economics(
    candidates: list[dict[str, Any]], catalog: HardwareCatalog, given: Mapping[str, Any], ledger: Ledger
) -> None:
    """Compare the candidates that carry a label; a price that was stated is for the machine in mind where one is."""
    labelled = [one for one in candidates if one["labels"]]
    owner = next((one for one in labelled if LABEL in one["labels"]), None)
    is_apart = owner is not None and len(labelled) > 1 and given.get("price") is not None
    others = {name: value for name, value in given.items() if name != "price"} if is_apart else given
    for one in labelled:
        one["economics"] = economics.compare(
            gpu_slug=one["gpu"],
            gpus=one["gpus_per_node"] * one["nodes"],
            power_w=one["facility"]["power_watts"]["expected"],
            price=one["price"],
            cloud=catalog.cloud,
            given=given if one is owner else others,
            ledger=ledger,
            storage_bytes=(one["storage"] or {}).get("capacity_bytes"),
            rates=catalog.exchange_rates,
        )
    if is_apart:
        ledger.warn("The price that was stated was taken for the machine in mind; the others have published prices.")
    _warn_of_rent(labelled, catalog, given, ledger)


def _warn_of_rent(
    labelled: list[dict[str, Any]], catalog: HardwareCatalog, given: Mapping[str, Any], ledger: Ledger
) -> None:
    others = {one["gpu"]: one["gpu_name"] for one in labelled if one["gpu"] != given.get("rent_gpu")}
    if given.get("rent_per_gpu_hour") is not None and given.get("rent_gpu") and others:
        quoted = catalog.gpu(given["rent_gpu"]).name
        ledger.warn(
            f"The rent that was stated is for {quoted}; published rents were used for {' and '.join(others.values())}."
        )
