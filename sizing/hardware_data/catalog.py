"""One frozen bundle of hardware facts that a recommendation searches; the packaged one, or a database's."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, cached_property
from typing import Any

from sizing import datafiles
from sizing.errors import SizingError
from sizing.exchange import ExchangeRate
from sizing.hardware import Cpu, Drive, Gpu, LeadTime, MemoryModule, Nic, Platform, Price, Supplied
from sizing.hardware_data import parts
from sizing.hardware_data.names import GpuNames, squashed
from sizing.hardware_data.platform_names import PlatformNames, platform_names
from sizing.hardware_data.platform_rows import platform_from_row
from sizing.hardware_data.rows import Row, check_sources, from_row
from sizing.hardware_data.sources import Source

_FOLDER = "hardware/"
_CODE_KINDS = frozenset({"option", "gpu", "memory", "cpu", "drive", "nic"})
_LISTS = ("gpus.yaml", "platforms.yaml", "cpus.yaml", "network_storage.yaml", "skus.yaml", "supplement.yaml")


@dataclass(frozen=True, slots=True)
class Sku:
    """A seller's article with what it names; `parsed` in the words of the article reader."""

    text: str
    kind: str
    seller: str
    parsed: tuple[tuple[str, Any], ...]
    confirmation: str
    sources: tuple[str, ...]
    notes: str = ""


@dataclass(frozen=True, slots=True)
class CloudOffer:
    """A rented instance as its provider printed it; `per_gpu_hour` in `currency`."""

    provider: str
    shape: str
    gpu: str | None
    gpus: int | None
    per_gpu_hour: float
    kind: str
    region: str
    currency: str
    as_of: str | None
    source: str
    confidence: str


def _by_subject[RowT: Price | LeadTime](rows: Iterable[RowT]) -> dict[tuple[str, str, int], tuple[RowT, ...]]:
    found: dict[tuple[str, str, int], list[RowT]] = {}
    for row in rows:
        found.setdefault(row.subject, []).append(row)
    return {subject: tuple(several) for subject, several in found.items()}


@dataclass(frozen=True)
class HardwareCatalog:
    """What there is to choose from. Slugs are unique within each list."""

    gpus: tuple[Gpu, ...]
    platforms: tuple[Platform, ...]
    cpus: tuple[Cpu, ...] = ()
    modules: tuple[MemoryModule, ...] = ()
    drives: tuple[Drive, ...] = ()
    nics: tuple[Nic, ...] = ()
    switches: tuple[Nic, ...] = ()
    skus: tuple[Sku, ...] = ()
    prices: tuple[Price, ...] = ()
    lead_times: tuple[LeadTime, ...] = ()
    cloud: tuple[CloudOffer, ...] = ()
    exchange_rates: tuple[ExchangeRate, ...] = ()
    sources: Mapping[str, Source] = field(default_factory=dict)

    names: GpuNames = field(init=False, repr=False, compare=False)
    _gpus: dict[str, Gpu] = field(init=False, repr=False, compare=False)
    _platforms: dict[str, Platform] = field(init=False, repr=False, compare=False)
    _cpus: dict[str, Cpu] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_gpus", parts.unique(self.gpus, "gpus"))
        object.__setattr__(self, "_platforms", parts.unique(self.platforms, "platforms"))
        object.__setattr__(self, "_cpus", parts.unique(self.cpus, "cpus"))
        object.__setattr__(self, "names", GpuNames(self.gpus))

    @cached_property
    def usable_prices(self) -> Mapping[tuple[str, str, int], tuple[Price, ...]]:
        """Prices that may stand in a dated band, by what they are for."""
        return _by_subject(price for price in self.prices if price.is_usable)

    @cached_property
    def lead_times_by_subject(self) -> Mapping[tuple[str, str, int], tuple[LeadTime, ...]]:
        """Lead times that offers state, by what they are for."""
        return _by_subject(self.lead_times)

    def gpu(self, name: object, *, field: str = "hardware.gpu") -> Gpu:
        """A GPU by slug or by a usual spelling; the most common form factor where the name leaves it open.

        Raises
        ------
        SizingError
            For an unknown name, with names that are close; it names the `field` that the request gave it in.
        """
        if isinstance(name, str) and name in self._gpus:
            return self._gpus[name]
        named = self.names.read(name) if isinstance(name, str) else None
        if named is None:
            raise _unknown(field, name, self._gpus)
        return self._gpus[named.slugs[0]]

    def platform(self, name: object) -> Platform:
        """A platform by slug, model or maker and model, whatever the dashes and case.

        Raises
        ------
        SizingError
            For an unknown name, with names that are close.
        """
        if isinstance(name, str) and name in self._platforms:
            return self._platforms[name]
        wanted = squashed(name) if isinstance(name, str) else ""
        matching = [p for p in self.platforms if wanted and wanted in map(squashed, platform_names(p))]
        if len(matching) != 1:
            raise _unknown("limits.platform", name, self._platforms)
        return matching[0]

    @cached_property
    def platform_index(self) -> PlatformNames:
        """Platforms by what people call them."""
        return PlatformNames(self.platforms)

    @cached_property
    def codes(self) -> dict[str, Sku]:
        """Articles that are one code: options, part numbers; by the code without signs and case."""
        return {squashed(sku.text): sku for sku in self.skus if sku.kind in _CODE_KINDS}

    @cached_property
    def shapes(self) -> dict[str, CloudOffer]:
        """Rented shapes with a known GPU; by the shape's name without signs and case."""
        return {squashed(o.shape): o for o in self.cloud if o.gpu and any(sign.isdigit() for sign in o.shape)}

    def cpu(self, model: str) -> Cpu | None:
        """A processor by slug or model, None where the list has none."""
        wanted = squashed(model)
        return self._cpus.get(model) or next((cpu for cpu in self.cpus if squashed(cpu.model) == wanted), None)


def _unknown(where: str, name: object, known: Iterable[str]) -> SizingError:
    close = get_close_matches(squashed(str(name)[:60]), {squashed(slug): slug for slug in known}, n=3, cutoff=0.5)
    by_squashed = {squashed(slug): slug for slug in known}
    near = ", ".join(by_squashed[key] for key in close) or "none"
    return SizingError(where, "{field}: {value} is not in the catalog. Close to it: {close}.", value=name, close=near)


@cache
def packaged() -> HardwareCatalog:
    """The catalog that comes with the engine, checked row by row."""
    lists = {name: datafiles.read_yaml(_FOLDER + name) for name in _LISTS}
    sources = _sources(lists.values())
    known = frozenset(sources)
    gpus = [_gpu(row, lists["supplement.yaml"]["gpus"], known) for row in lists["gpus.yaml"]["gpus"]]
    by_slug = parts.unique(gpus, "gpus")
    for name, rows in (("platforms", lists["platforms.yaml"]["platforms"]), ("cpus", lists["cpus.yaml"]["cpus"]),
                       ("parts", lists["network_storage.yaml"]["items"])):  # fmt: skip
        for row in rows:
            check_sources(row, known, f"{name}.{row['id']}")
    items = lists["network_storage.yaml"]["items"]
    return HardwareCatalog(
        gpus=tuple(gpus),
        platforms=tuple(platform_from_row(row, by_slug, sources) for row in lists["platforms.yaml"]["platforms"]),
        cpus=tuple(parts.cpu_from_row(row) for row in lists["cpus.yaml"]["cpus"]),
        modules=tuple(parts.module_from_row(row) for row in datafiles.read_yaml(_FOLDER + "modules.yaml")["modules"]),
        drives=tuple(parts.drive_from_row(row) for row in items if row["kind"] == "ssd"),
        nics=tuple(parts.nic_from_row(row) for row in items if row["kind"] in ("nic", "dpu")),
        switches=tuple(parts.nic_from_row(row) for row in items if row["kind"] == "switch"),
        skus=tuple(_sku(row) for row in lists["skus.yaml"]["skus"]),
        prices=tuple(
            parts.prices_from_csv(
                datafiles.read_text(_FOLDER + "prices.csv"), datafiles.read_yaml(_FOLDER + "subjects.yaml")
            )
        ),
        cloud=tuple(_cloud(datafiles.read_text(_FOLDER + "cloud_prices.csv"), GpuNames(gpus))),
        sources=sources,
    )


def _sources(lists: Iterable[Mapping[str, Any]]) -> dict[str, Source]:
    return {
        key: Source(
            key,
            row["title"].strip(),
            str(row["address"]).strip(),
            row["kind"],
            row["read"],
            str(row.get("date") or ""),
            str(row.get("via") or "").strip(),
        )
        for listed in lists
        for key, row in listed["sources"].items()
    }


def _gpu(row: Row, supplement: Iterable[Row], known: frozenset[str]) -> Gpu:
    """A row of the list, completed where it is empty and checked."""
    added = [extra for extra in supplement if extra["gpu"] == row["id"] and row.get(extra["field"]) is None]
    check_sources(row, known, f"gpus.{row['id']}")
    notes = tuple(Supplied(extra["field"], extra["value"], extra["why"], tuple(extra["src"])) for extra in added)
    return from_row({**row, **{extra["field"]: extra["value"] for extra in added}, "supplied": notes})


def _sku(row: Row) -> Sku:
    return Sku(row["sku"], row["kind"], row["seller"], tuple(row["parsed"].items()), row["confirmation"],
               tuple(row["src"]), row.get("notes") or "")  # fmt: skip


def _cloud(text: str, names: GpuNames) -> Iterable[CloudOffer]:
    for row in csv.DictReader(text.splitlines()):
        named = names.read(f"{row['gpu']} {row['form_factor'].replace('superchip', '')}") or names.read(row["gpu"])
        yield CloudOffer(
            provider=row["provider"],
            shape=row["shape"],
            gpu=named.slugs[0] if named else None,
            gpus=int(row["gpus"]) if row["gpus"] else None,
            per_gpu_hour=float(row["price_per_gpu_hour"]),
            kind=row["kind"],
            region=row["region"],
            currency=row["currency"],
            as_of=None if row["as_of"] == "undated" else row["as_of"],
            source=row["source"].strip(),
            confidence=row["confidence"],
        )
