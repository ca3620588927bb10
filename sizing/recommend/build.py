"""The orderable server: from a placement to lines with quantities and, where somebody printed one, a price band."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Any

from sizing import economics, exchange, facility, host, lanes
from sizing.assumptions import Assumption, Ledger
from sizing.exchange import ExchangeRate
from sizing.facility import Facility
from sizing.hardware import Cpu, Platform, Price
from sizing.hardware_data import HardwareCatalog, takes_cpu
from sizing.host import Host
from sizing.lanes import Lanes
from sizing.recommend.search import Placement
from sizing.storage import DRIVE_WRITE_BYTES_PER_S
from sizing.units import GIB, TB

DRIVE_SIZES_TB = (3.84, 7.68, 15.36, 30.72)
LEAST_DRIVES = 2
USUAL_DRIVES = 4
PORTS_PER_SWITCH = 64
DOCUMENTED_DRIVE = "pm9a3"
FABRIC_NIC = "cx7-ndr-1p"
FABRIC_SWITCH = "qm9700"
C19_CORD = "power-cords-c19"
C13_WATTS = 2000
"""What a C13 coupler of IEC 60320 carries: 10 A at 200 V [W]; above it a supply has the inlet C20."""
SUPPORT_YEARS = 3
SUPPORT_MONTHS = 12
CURRENCY = "USD"


@dataclass(frozen=True, slots=True)
class Line:
    """One line to order. `included`: its price stands inside another line's; `exchange`: it was converted at this."""

    kind: str
    slug: str
    text: str
    quantity: int
    low: float | None = None
    high: float | None = None
    currency: str = ""
    source: str = ""
    as_of: str = ""
    included: bool = False
    exchange: ExchangeRate | None = None

    @property
    def is_priced(self) -> bool:
        """Whether a usable price stands on it or on the line that includes it."""
        return self.low is not None or self.included


@dataclass(frozen=True, slots=True)
class Build:
    """What one placement is made of."""

    lines: tuple[Line, ...]
    host: Host
    lanes: Lanes
    facility: Facility
    storage: dict[str, Any]
    module_bytes: float
    is_offered: bool
    assumed: tuple[Assumption, ...]
    currency: str
    price_low: float | None
    price_high: float | None

    @property
    def cost(self) -> float | None:
        """Middle of the price band where every line has a price, None before that."""
        if self.priced < len(self.lines) or self.price_low is None or self.price_high is None:
            return None
        return (self.price_low + self.price_high) / 2

    @property
    def priced(self) -> int:
        """Lines with a price [–]."""
        return sum(line.is_priced for line in self.lines)


@dataclass(frozen=True, slots=True)
class Offered:
    """Parts that an article names: DIMMs (count, GB), processors (model, count), drives (count, TB)."""

    modules: tuple[int, int] | None = None
    processors: tuple[str, int] | None = None
    drives: tuple[int, float] | None = None


def build(
    placement: Placement,
    catalog: HardwareCatalog,
    storage: dict[str, Any],
    host_bytes: tuple[float, float],
    offered: Offered | None = None,
    *,
    currency: str = CURRENCY,
) -> Build:
    """Host, power and lines of a placement, priced in a currency; what an article offers is kept as it is."""
    platform, gpu, nodes = placement.platform, placement.gpu, placement.nodes
    ledger = Ledger()
    need = host.node(
        gpus=placement.per_node,
        gpu_memory_bytes=gpu.memory_bytes,
        offloaded_bytes=host_bytes[0],
        staged_bytes=host_bytes[1],
        nodes=nodes,
        network_bytes_per_s=placement.outcome.machines.network_bytes_per_s,
        ledger=ledger,
    )
    sockets = platform.cpu_sockets or 2
    cpu, sockets = _processors(platform, catalog, offered, cores=ceil(need.cores / sockets), sockets=sockets)
    channels = (cpu.memory_channels if cpu else None) or 8
    modules = host.modules(need.memory_bytes, slots=platform.dimm_slots, sockets=sockets, channels=channels)
    drives = drive_set(storage.get("capacity_bytes", 0.0) / nodes, storage.get("write_bytes_per_s", 0.0) / nodes)
    if offered is not None:
        modules, drives = offered.modules or modules, offered.drives or drives
    power = facility.node(
        platform, gpu, gpus=placement.per_node, cpus=sockets, cpu_w=cpu.tdp_w if cpu else None, modules=modules[0],
        drives=drives[0], nics=need.nics, ledger=ledger,
    )  # fmt: skip
    ways = lanes.node(
        gpus=placement.per_node, is_switched=lanes.has_switches(platform, placement.support.topology),
        fabric_ports=need.nics if nodes > 1 else 0, port_bytes_per_s=need.nic_bytes_per_s, drives=drives[0],
        processors=sockets, lanes_per_processor=cpu.pcie_lanes if cpu else None,
        needed_bytes=need.needed_bytes, ledger=ledger,
    )  # fmt: skip
    prices = _Prices(catalog, currency, ledger)
    lines = tuple(_lines(placement, need, (cpu, sockets), prices, modules=modules, drives=drives))
    priced = [line for line in lines if line.low is not None]
    low = sum((line.low or 0.0) * line.quantity for line in priced)
    high = sum((line.high or 0.0) * line.quantity for line in priced)
    room = float(modules[0] * modules[1] * GIB)
    is_offered = offered is not None and offered.modules is not None
    if not is_offered:
        room = min(room, platform.memory_max_bytes or room)
    return Build(
        lines, need, ways, power, storage, room, is_offered, tuple(ledger), currency, low if priced else None,
        high if priced else None,
    )  # fmt: skip


def _processors(
    platform: Platform, catalog: HardwareCatalog, offered: Offered | None, *, cores: int, sockets: int
) -> tuple[Cpu | None, int]:
    if offered is not None and offered.processors is not None:
        model, count = offered.processors
        return catalog.cpu(model), count or sockets
    return processor(platform, catalog, cores=cores), sockets


def processor(platform: Platform, catalog: HardwareCatalog, *, cores: int) -> Cpu | None:
    """The smallest processor of the platform's families with enough cores, None where no list names one."""
    fitting = [
        cpu
        for cpu in catalog.cpus
        if cpu.cores and _takes_cpu(platform.cpu_families, cpu.model)
        and not (platform.cpu_max_tdp_w and cpu.tdp_w and cpu.tdp_w > platform.cpu_max_tdp_w)
    ]  # fmt: skip
    enough = [cpu for cpu in fitting if (cpu.cores or 0) >= cores]
    if enough:
        return min(enough, key=lambda cpu: (cpu.cores or 0, cpu.tdp_w or 0.0))
    return max(fitting, key=lambda cpu: cpu.cores or 0, default=None)


_takes_cpu = lru_cache(maxsize=8192)(takes_cpu)


def drive_set(capacity_bytes: float, write_bytes_per_s: float = 0.0) -> tuple[int, float]:
    """Number and size [TB] of equal drives that hold the capacity and take the write rate [B/s]; at least two."""
    least = max(LEAST_DRIVES, ceil(write_bytes_per_s / DRIVE_WRITE_BYTES_PER_S))
    for size in DRIVE_SIZES_TB:
        count = max(least, ceil(capacity_bytes / (size * TB)))
        if count <= max(least, USUAL_DRIVES):
            return count, size
    return max(least, ceil(capacity_bytes / (DRIVE_SIZES_TB[-1] * TB))), DRIVE_SIZES_TB[-1]


class _Prices:
    """Dated prices in one currency; those in another are converted where there are none in it and a rate is known."""

    def __init__(self, catalog: HardwareCatalog, currency: str, ledger: Ledger) -> None:
        self._by_subject = catalog.usable_prices
        self._rates, self._currency, self._ledger = catalog.exchange_rates, currency, ledger

    def of(self, kind: str, slug: str, count: int = 1) -> dict[str, Any]:
        """Price band of one piece as keyword arguments of a line; empty where nobody printed one."""
        known = self._by_subject.get((kind, slug, count), ())
        found = [(price, 1.0) for price in known if price.currency == self._currency]
        rate = None if found or not known else self._rate(known)
        if rate is not None:
            found = [(price, rate.rate) for price in known if price.currency == rate.base]
        if not found:
            return {}
        if any(price.is_net is None for price, _rate in found):
            economics.assume_without_tax(self._ledger)
        return {
            "low": min(price.low * times for price, times in found),
            "high": max(price.high * times for price, times in found),
            "currency": self._currency,
            "source": "; ".join(dict.fromkeys(price.source for price, _rate in found)),
            "as_of": max(price.as_of or "" for price, _rate in found),
            "exchange": rate,
        }

    def _rate(self, known: tuple[Price, ...]) -> ExchangeRate | None:
        """The rate from the first currency of the prices from which one leads here, listed as an assumption."""
        for base in sorted({price.currency or "" for price in known}, key=lambda one: (one != CURRENCY, one)):
            rate = exchange.between(self._rates, base, self._currency)
            if rate is not None:
                why = f"prices in {base} are counted in {self._currency}"
                key, unit = f"prices.exchange_rate.{base}_{self._currency}", f"{self._currency}/{base}"
                self._ledger.assume(Assumption(key, rate.rate, unit, why, rate.source, as_of=rate.as_of))
                return rate
        return None


def _lines(
    placement: Placement, need: Host, processors: tuple[Cpu | None, int], prices: _Prices, *,
    modules: tuple[int, int], drives: tuple[int, float],
) -> list[Line]:  # fmt: skip
    platform, gpu, nodes = placement.platform, placement.gpu, placement.nodes
    whole = prices.of("server", gpu.slug, placement.per_node) or prices.of("server", platform.slug)
    server = whole or prices.of("platform", platform.slug)
    included = bool(whole)
    cpu, sockets = processors
    lines = [
        Line("platform", platform.slug, platform.title, nodes, **server),
        Line("gpu", gpu.slug, gpu.name, placement.gpus, included=included,
             **({} if included else prices.of("gpu", gpu.slug))),
    ]  # fmt: skip
    if placement.per_node > 1 and placement.support.bridge_sizes:
        group = max(n for n in placement.support.bridge_sizes if n <= max(placement.per_node, 2))
        bridges = ceil(placement.per_node / group) * nodes
        slug = f"nvlink-bridge-{gpu.slug}-{group}"
        lines.append(Line("bridge", slug, f"NVLink bridge for {group} cards", bridges, **prices.of("accessory", slug)))
    if cpu is not None:
        lines.append(Line("cpu", cpu.slug, cpu.model, sockets * nodes, included=included,
                          **({} if included else prices.of("cpu", cpu.slug))))  # fmt: skip
    else:
        lines.append(Line("cpu", "", f"Processor, at least {need.cores} cores a node", sockets * nodes))
    count, size = modules
    module = f"ddr5-rdimm-{size}"
    lines.append(Line("memory", module, f"DDR5 RDIMM {size} GB", count * nodes, included=included,
                      **({} if included else prices.of("module", module))))  # fmt: skip
    number, size_tb = drives
    drive = DOCUMENTED_DRIVE if size_tb == DRIVE_SIZES_TB[0] else ""
    lines.append(Line("drive", drive, f"NVMe drive {size_tb:g} TB", number * nodes, **prices.of("drive", drive)))
    return [*lines, *_network(placement, need, prices), _cords(platform, nodes, prices), *_services(nodes, prices)]


def _network(placement: Placement, need: Host, prices: _Prices) -> list[Line]:
    if placement.nodes == 1:
        return [Line("nic", "", "Network card 2 x 25 Gbit/s", 1)]
    ports = need.nics * placement.nodes
    gbit = round(need.nic_bytes_per_s * 8 / 1e9)
    known, switch = (FABRIC_NIC, FABRIC_SWITCH) if gbit == 400 else ("", "")
    return [
        Line("nic", known, f"Fabric network card {gbit} Gbit/s", ports, **prices.of("nic", known)),
        Line(
            "switch",
            switch,
            f"Fabric switch, {PORTS_PER_SWITCH} ports of {gbit} Gbit/s",
            ceil(ports / PORTS_PER_SWITCH),
            **prices.of("switch", switch),
        ),
        Line("cable", "", f"Cables and optics for the fabric, {gbit} Gbit/s", ports),
        Line("nic", "", "Network card 2 x 25 Gbit/s", placement.nodes),
    ]


def _cords(platform: Platform, nodes: int, prices: _Prices) -> Line:
    """One power cord for each supply; a supply above what a C13 coupler carries takes C19."""
    if not platform.psu_count:
        return Line("accessory", "", "Power cords, a set for all supplies of a server", nodes)
    is_c19 = bool(platform.psu_options_w) and min(platform.psu_options_w) > C13_WATTS
    slug, text = (C19_CORD, "Power cord C19/C20") if is_c19 else ("", "Power cord, connector after the supply")
    return Line("accessory", slug, text, platform.psu_count * nodes, **prices.of("accessory", slug))


def _services(nodes: int, prices: _Prices) -> list[Line]:
    support = f"On-site support on the next business day, {SUPPORT_MONTHS} months"
    return [
        Line(kind, slug, text, count, **prices.of(kind, slug))
        for kind, slug, text, count in (
            ("accessory", "rail-kit", "Rack rail kit", nodes),
            ("service", f"on-site-support-{SUPPORT_MONTHS}", support, nodes * SUPPORT_YEARS * 12 // SUPPORT_MONTHS),
            ("service", "assembly-delivery", "Assembly, load test and delivery", nodes),
            ("service", "installation", "Installation and first start at the customer's site", nodes),
        )
    ]
