"""Articles put together from parts in every usual spelling, order and punctuation: what went in has to come out."""

from __future__ import annotations

from random import Random

import pytest

from sizing import articles

Expected = tuple[str, str | int | float, int]

SIGNS = ("x", "х", "×", "*", " x ", " х ", " × ", " * ")
SEPARATORS = (", ", " / ", "; ", " | ", "\n", " + ", ",", "/", "\t", " - ")
PLATFORMS = (
    ("SYS-821GE-TNHR", "smc-sys-821ge-tnhr", ("h100-sxm", "h200-sxm")),
    ("Dell PowerEdge XE9680", "dell-xe9680", ("h100-sxm", "h200-sxm")),
    ("AS-8125GS-TNHR", "smc-as-8125gs-tnhr", ("h100-sxm", "h200-sxm")),
    ("SYS-521GE-TNRT", "smc-sys-521ge-tnrt", ("h200-nvl", "h100-nvl", "l40s")),
    ("ThinkSystem SR675 V3", "lenovo-sr675-v3", ("h200-nvl", "h100-nvl", "l40s")),
    ("HPE DL380a Gen12", "hpe-dl380a-gen12", ("h200-nvl", "l40s")),
    ("SYS-A21GE-NBRT", "smc-sys-a21ge-nbrt", ("b200-sxm",)),
    ("AS-8125GS-TNMR2", "smc-as-8125gs-tnmr2", ("mi300x",)),
)
GPUS = {
    "h100-sxm": ("H100 SXM5 80GB", "NVIDIA H100 80GB SXM", "H100-SXM5-80GB", "HGX H100"),
    "h200-sxm": ("H200 SXM", "NVIDIA H200 141GB", "H200-SXM-141GB", "HGX H200 141 ГБ"),
    "h200-nvl": ("H200 NVL", "NVIDIA H200 NVL 141GB PCIe", "H200NVL"),
    "h100-nvl": ("H100 NVL 94GB", "NVIDIA H100 NVL"),
    "l40s": ("L40S 48GB", "NVIDIA L40S"),
    "b200-sxm": ("B200 SXM 180GB", "NVIDIA B200"),
    "mi300x": ("AMD Instinct MI300X 192GB", "MI300X OAM"),
}
CPUS = (
    ("Xeon Platinum 8558", ("Xeon Platinum 8558", "Intel Xeon Platinum 8558 48C 2.1GHz", "8558")),
    ("Xeon Gold 6530", ("Xeon Gold 6530", "Intel Xeon Gold 6530 (32C/64T, 2.1GHz)", "Gold 6530")),
    ("Xeon Platinum 8568Y+", ("Xeon Platinum 8568Y+", "8568Y+")),
    ("Xeon 6767P", ("Xeon 6767P", "Intel Xeon 6 6767P")),
    ("EPYC 9654", ("EPYC 9654", "AMD EPYC 9654 96-Core", "AMD EPYC 9654 (96C 2.4GHz)")),
)
MODULES = (
    "{}GB",
    "{} ГБ",
    "{}GB DDR5",
    "{}GB DDR5-5600 ECC RDIMM",
    "{}GB 4800MT/s RDIMM",
    "DDR5 {}GB",
    "{}ГБ DDR5-4800",
)
DRIVES = ("{}TB NVMe", "NVMe {}TB U.2", "{} ТБ NVMe U.2", "SSD {}TB", "{}TB", "{}T NVMe", "{}TB E3.S")
CARDS = (
    ("ConnectX-7 400G", 400),
    ("400GbE", 400),
    ("CX7 NDR400", 400),
    ("BlueField-3 B3140H 400G", 400),
    ("ConnectX-6 Dx 100GbE dual-port", 100),
    ("25GbE SFP28", 25),
)
SUPPLIES = ("{}W", "{}W Titanium", "БП {}Вт", "PSU {}W", "{} Вт", "блок питания {}Вт")


def counted(chance: Random, count: int, part: str) -> str:
    forms = (
        f"{count}{chance.choice(SIGNS)}{part}",
        f"{part} x{count}",
        f"{part} * {count}",
        f"{part} ({count} шт.)",
        f"{part}, {count} шт",
        f"{count} шт. {part}",
        f"{count}x {part}",
    )
    return chance.choice(forms)


def article(chance: Random) -> tuple[str, list[Expected]]:
    """One article and the lines that it names."""
    name, slug, gpus = chance.choice(PLATFORMS)
    gpu = chance.choice(gpus)
    model, spellings = chance.choice(CPUS)
    module_gb, drive_tb, watts = chance.choice((32, 64, 96, 128)), chance.choice((1.92, 3.84, 7.68, 15.36)), 3000
    card, speed = chance.choice(CARDS)
    parts: list[tuple[str, Expected]] = [
        (chance.choice(GPUS[gpu]), ("gpu", gpu, chance.choice((4, 8)))),
        (chance.choice(spellings), ("cpu", model, 2)),
        (chance.choice(MODULES).format(module_gb), ("memory", module_gb, chance.choice((12, 16, 24, 32)))),
        (chance.choice(DRIVES).format(drive_tb), ("drive", drive_tb, chance.choice((2, 4, 8)))),
        (card, ("nic", speed, chance.choice((1, 2, 8)))),
        (chance.choice(SUPPLIES).format(watts), ("psu", watts, chance.choice((2, 4, 6)))),
    ]
    parts = parts[:3] + chance.sample(parts[3:], chance.randint(0, 3))
    if chance.random() < 0.3:
        chance.shuffle(parts)
    separator = chance.choice(SEPARATORS)
    text = separator.join([name, *(counted(chance, line[2], part) for part, line in parts)])
    return text, [("platform", slug, 1), *(line for _, line in parts)]


@pytest.mark.parametrize("seed", range(5))
def test_what_went_in_comes_out(seed: int) -> None:
    chance = Random(seed)
    missed, named, wrong = [], 0, []
    for _ in range(200):
        text, expected = article(chance)
        lines = [line for line in articles.read(text).lines if line.kind != "other"]
        read = {(line.kind, line.value, line.count) for line in lines}
        named += len(expected)
        missed += [(text, line) for line in expected if line not in read]
        wrong += [(text, line) for line in lines if line.certainty == "read"
                  and (line.kind, line.value, line.count) not in expected]  # fmt: skip

    assert wrong == []
    assert len(missed) <= 0.01 * named, missed
