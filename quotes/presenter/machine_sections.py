"""The rest of the server: host, storage and checkpoints, power, heat and rack."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from quotes.presenter import comparisons, pictures, rag_blocks, words
from quotes.presenter import quantities as q
from quotes.presenter.blocks import Block, Section, picture, prose, section, tabled
from quotes.presenter.engine_words import say
from quotes.presenter.reading import Reading, dig, limit
from quotes.presenter.tables import table

MODULE = re.compile(r"(\d+)\s*(?:GB|ГБ)")


def host_section(reading: Reading) -> Section:
    """Give section 7."""
    title = _("The rest of the server")
    host = dig(reading.candidate, "host") or {}
    if not host:
        return section("host", "7", title, _("The calculation holds no sizing of the host."))
    rows = [
        [
            _("Main memory, each server"),
            str(q.gigabytes(host.get("needed_bytes"))),
            _composed_memory(reading),
            _("loading, data and offload of every process; rounded up to what is sold, never below the floor assumed"),
        ],
        [
            _("Processor cores, each server"),
            q.number(host.get("cores")),
            _composed(reading, "cpu"),
            _("data loading, tokenization and launch of every GPU")
            if reading.is_training
            else _("taking in requests, tokenization and launch of every GPU"),
        ],
        [_("Network cards, each server"), q.number(host.get("nics")), _composed(reading, "nic"), _network(reading)],
        *_lanes(host),
    ]
    columns = [(_("Part"), "text"), (_("Needed"), "num"), (_("Composed"), "text"), (_("Why"), "text")]
    finding = _("Everything around the GPUs is sized from the work and stated with its floor.")
    return section("host", "7", title, finding, [tabled(table("host", columns, rows)), comparisons.software(reading)])


def _lanes(host: dict[str, Any]) -> Iterator[list[str]]:
    """Rows of the processors' lanes and of the domains; none where the calculation is older than they are."""
    lanes, numa = host.get("pcie_lanes"), host.get("numa")
    if lanes:
        said = {name: q.number(lanes[name]) for name in ("gpus", "nics", "drives", "system")}
        why = _("GPUs %(gpus)s, network %(nics)s, drives %(drives)s, the board itself %(system)s") % said
        if lanes["is_switched"]:
            why += "; " + _("GPUs and the fabric share links of PCIe switches")
        offered = lanes["available"]
        there = (
            _("%(count)s offered by the processors") % {"count": q.number(offered)} if offered else _("not published")
        )
        yield [_("PCIe lanes at the processors, each server"), q.number(lanes["needed"]), there, why]
    if numa:
        size = {"size": q.gigabytes(numa["memory_bytes"])}
        why = _("%(size)s of main memory on each; every process runs on the processor of its GPU") % size
        if sum(numa["gpus"]) > 1 and len(set(numa["gpus"])) > 1:
            why += "; " + _("the GPUs divide unevenly")
        gpus = " + ".join(q.number(one) for one in numa["gpus"]) + " GPU"
        yield [_("NUMA domains, each server"), q.number(numa["domains"]), gpus, why]


def parts_of(reading: Reading, kind: str) -> list[tuple[float, str]]:
    """Give count and name of the parts of a kind in one server, as the order or the composition lists them."""
    given = [one for one in reading.lines if one.get("kind") == kind] or [
        one for one in dig(reading.candidate, "lines") or [] if one.get("kind") == kind
    ]
    return [
        (float(one.get("quantity") or 1) / reading.nodes, str(one.get("description") or one.get("text") or ""))
        for one in given
    ]


def _composed(reading: Reading, kind: str) -> str:
    parts = parts_of(reading, kind)
    return "; ".join(f"{q.significant(count)}{q.NO_BREAK}× {say(name)}" for count, name in parts) or q.NOTHING


def _composed_memory(reading: Reading) -> str:
    parts = [(count, MODULE.search(name)) for count, name in parts_of(reading, "memory")]
    if not parts or not all(found for _count, found in parts):
        return _composed(reading, "memory")
    size = sum(count * int(found.group(1)) for count, found in parts if found)
    counts = " + ".join(
        f"{q.significant(count)}{q.NO_BREAK}× {q.figure(int(found.group(1)), 'GB')}" for count, found in parts if found
    )
    return f"{counts} = {q.figure(size, 'GB')}"


def _network(reading: Reading) -> str:
    gbit = dig(reading.candidate, "network", "gbit_per_gpu")
    if reading.nodes > 1 and gbit:
        said = {"rate": q.figure(gbit, "Gbit/s")}
        return _("the servers exchange at %(rate)s for each GPU; the fabric is part of the order") % said
    return _("one server: no exchange between GPUs crosses the network")


def storage_section(reading: Reading) -> Section:
    """Give section 8."""
    title = _("Storage and checkpoints") if reading.is_training else _("Storage")
    found = dig(reading.candidate, "storage") or {}
    if not found:
        return section("storage", "8", title, _("The calculation holds no sizing of drives."))
    kept = [(_("Working set, with its copies"), "dataset_bytes"), (_("Base model"), "base_model_bytes"),
            (_("One checkpoint"), "checkpoint_bytes"), (_("Index of the documents"), "index_bytes")]  # fmt: skip
    rows: list[Any] = [[label, str(q.gigabytes(found[name]))] for label, name in kept if found.get(name)]
    if found.get("checkpoints_kept"):
        rows.append([_("Checkpoints kept"), q.number(found["checkpoints_kept"])])
    rows.append([_("Capacity needed, with room to work"), str(q.gigabytes(found.get("capacity_bytes")))])
    columns = [(_("What is kept"), "text"), (_("Size"), "num")]
    documents = [rag_blocks.index(reading), rag_blocks.options(reading)]
    blocks: list[Block | None] = [tabled(table("storage", columns, rows)), *documents, *_events(reading)]
    said = {"size": q.gigabytes(found.get("capacity_bytes"))}
    finding = _("%(size)s are needed on fast drives.") % said
    if found.get("checkpoint_seconds"):
        finding += " " + _("A checkpoint takes %(time)s to write.") % {"time": _time(found["checkpoint_seconds"])}
    return section("storage", "8", title, finding, blocks)


def _events(reading: Reading) -> Iterator[Block]:
    found = dig(reading.candidate, "storage") or {}
    names = (
        ("checkpoint_seconds", _("Writing a checkpoint")),
        ("interval_seconds", _("Time between checkpoints")),
        ("restore_seconds", _("Restart after an interruption")),
        ("lost_seconds_per_failure", _("Time lost to an interruption, on average")),
    )
    rows = [[label, _time(found[name])] for name, label in names if found.get(name)]
    rates = (("write_bytes_per_s", _("Writing rate needed")), ("read_bytes_per_s", _("Reading rate needed")))
    rows += [[label, _rate(found[name])] for name, label in rates if found.get(name)]
    if found.get("failures_per_run"):
        rows.append([_("Interruptions to expect in the run"), _rare(found["failures_per_run"])])
    if rows:
        columns = [(_("Event"), "text"), (_("Takes"), "num")]
        yield tabled(table("storage", columns, rows))
        yield prose(_("Agree the number of checkpoints kept, the backup of results and who restores after a failure."))


def _time(seconds: float) -> str:
    return _("less than %(value)s") % {"value": q.figure(1, "s")} if seconds < 1 else str(q.duration(seconds))


def _rate(bytes_per_s: float) -> str:
    least = 10**6
    if bytes_per_s < least:
        return _("less than %(value)s") % {"value": q.bytes_per_second(least)}
    return str(q.bytes_per_second(bytes_per_s))


def _rare(count: float) -> str:
    least = 0.01
    if count < least:
        return _("less than %(value)s") % {"value": q.significant(least)}
    return q.significant(count, 2)


def facility_section(reading: Reading) -> Section:
    """Give section 9."""
    title = _("Power, heat, rack")
    found = dig(reading.candidate, "facility") or {}
    watts = found.get("power_watts") or {}
    if not watts:
        return section("facility", "9", title, _("The calculation holds no figures for the room."))
    columns = [(_("Item"), "text"), (_("Value"), "num"), (_("Basis"), "text")]
    blocks: list[Block | None] = [_feed(reading), tabled(table("facility", columns, list(_rows(reading))))]
    blocks.append(
        prose(
            _(
                "Agree power, cooling, network and service access before the platform is ordered: "
                "who may reach the rack, how fast, and whether hands on site help."
            )
        )
    )
    said = {"power": q.power(watts.get("expected")), "high": q.power(watts.get("high"))}
    finding = _("It draws %(power)s at full load, up to %(high)s.") % said
    return section("facility", "9", title, finding, blocks)


def _feed(reading: Reading) -> Block | None:
    feed = limit(reading.dig("input", "limits"), "rack_power_watts")
    one = dig(reading.candidate, "facility", "node_power_watts") or {}
    if not isinstance(feed, int | float) or not one.get("expected"):
        return None
    drawn = pictures.power_picture(one, feed)
    lead = _("One server stays within the power of your rack.")
    if one["high"] > feed:
        lead = _("One server may draw more than your rack gives.")
    return picture("amount_paper", drawn, lead=lead, text=_("Power at the wall, every part at its limit"))


def _rows(reading: Reading) -> Iterator[list[str]]:
    found = dig(reading.candidate, "facility") or {}
    basis = _("derived from the parts, with a band") if found.get("power_is_derived") else _("the maker’s figure")
    one, every = found.get("node_power_watts") or {}, found.get("power_watts") or {}
    if one and reading.nodes > 1:
        yield [_("Power of one server"), str(q.power(one.get("expected"))), basis]
    band = q.power_band(every.get("low"), every.get("high"))
    yield [
        _("Power at the wall"),
        str(q.power(every.get("expected"))),
        _("90%% band %(band)s") % {"band": band} + "; " + basis,
    ]
    heat = found.get("heat_btu_per_hour")
    if heat:
        yield [
            _("Heat to remove"),
            str(q.power(every.get("expected"))),
            _("%(heat)s BTU/h, all of it into the room") % {"heat": q.number(heat)},
        ]
    units = found.get("rack_units")
    yield [_("Height"), f"{units}U" if units else q.NOTHING, _("all servers together") if units else _("not published")]
    cooling = found.get("cooling") or []
    yield [_("Cooling"), words.word(list(cooling)) if cooling else q.NOTHING, "" if cooling else _("not published")]
    mass = found.get("mass_kg")
    yield [
        _("Weight"),
        str(q.figure(mass, "kg")) if mass else q.NOTHING,
        _("the maker’s figure") if mass else _("not published"),
    ]
    spare = found.get("psu_redundancy")
    yield [
        _("Power supplies"),
        str(spare) if spare else q.NOTHING,
        _("the maker’s figure") if spare else _("redundancy not published"),
    ]
