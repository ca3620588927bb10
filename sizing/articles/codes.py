"""Part numbers and rented shapes: strings that mean something only to whoever has the list."""

from __future__ import annotations

import re
from typing import Any

from sizing.articles.alike import pattern
from sizing.articles.reading import Certainty, Kind, Line, Value
from sizing.articles.text import Canvas
from sizing.hardware_data.catalog import HardwareCatalog
from sizing.hardware_data.names import squashed

_EDGE = r"(?<![a-z0-9]){}(?![a-z0-9])"

_GPU_PARTS: dict[str, str] = {
    r"900-21010-0040-\d{3}": "h200-nvl",
    r"900-21010-0020-\d{3}": "h100-nvl",
    r"900-21010-0000-\d{3}": "h100-pcie",
    r"900-21001-[0-9]{2}20-\d{3}": "a100-pcie-80",
    r"900-2g133-0080-\d{3}": "l40s",
    r"900-2g193-0000-\d{3}": "l4",
    r"gpu-nvh200nvl(?:-141)?": "h200-nvl",
    r"gpu-nvh100nvl(?:-94)?": "h100-nvl",
    r"gpu-nvh100-80": "h100-pcie",
    r"gpu-nva100-80": "a100-pcie-80",
    r"gpu-nva100-40": "a100-pcie-40",
    r"gpu-nvl40s(?:-48)?": "l40s",
    r"gpu-nvl40(?:-48)?": "l40",
    r"gpu-nvl4(?:-24)?": "l4",
    r"(?:nva100tcgpu80|tcsa100(?:80)?m)(?:-kit|-pb)?": "a100-pcie-80",
    r"nvh100nvltcgpu(?:-kit)?": "h100-nvl",
    r"nvh100tcgpu(?:-kit)?": "h100-pcie",
    r"tcsl40s(?:pcie)?(?:-pb)?": "l40s",
    r"tcsl4(?:pcie)?(?:-pb)?": "l4",
    r"tcsa40m(?:-pb)?": "a40",
    r"vcnrtxpro6000b?se(?:-pb)?": "rtx-pro-6000-se",
    r"vcnrtxpro6000mq(?:-pb)?": "rtx-pro-6000-ws",
    r"vcnrtxpro6000(?:bws|ws)?(?:-pb)?": "rtx-pro-6000-ws",
    r"vcnrtx6000ada(?:-pb)?": "rtx-6000-ada",
}
"""Part numbers of NVIDIA boards, PNY retail packs and Supermicro options, as shops print them beside the card."""

_MODULE_PARTS = (
    (r"mtc(?:10|20|40)f\w{3,6}s1rc(?P<speed>\d{2})\w*", {"mtc10f1084": 16, "mtc20f2085": 32, "mtc20f1045": 32,
                                                        "mtc40f2046": 64, "mtc40f2047": 128, "mtc40f204w": 96}),
    (r"m321(?P<size>r2ga|r4ga|r8ga|raga|ryga)\w{4}-c?(?P<grade>q|w)\w*",
     {"r2ga": 16, "r4ga": 32, "r8ga": 64, "raga": 128, "ryga": 96}),
    (r"mem-dr5(?:16|24|32|48|64|96|12|25)[a-z]\w*(?:-\w{2,8}){0,3}",
     {"dr516": 16, "dr524": 24, "dr532": 32, "dr548": 48, "dr564": 64, "dr596": 96, "dr512": 128, "dr525": 256}),
    (r"hmc[gt]\d{2}\w{6,10}", {"hmcg78": 16, "hmcg84": 32, "hmcg88": 32, "hmcg94": 64, "hmct04": 128}),
)  # fmt: skip
"""DDR5 registered modules: Micron prints width and speed grade (48 is 4800 MT/s), Samsung and SK hynix the density."""

_DRIVE_PART = re.compile(
    _EDGE.format(r"(?:mz|mtfd)[a-z0-9]{2,6}?(480|960|1t9|3t8|7t6|15t|30t|61t)[a-z0-9]{0,6}(?:-\w{3,8})?")
)
_DRIVE_TB = {"480": 0.48, "960": 0.96, "1t9": 1.92, "3t8": 3.84, "7t6": 7.68, "15t": 15.36, "30t": 30.72, "61t": 61.44}
"""Capacity in the part numbers of Samsung (MZ…) and Micron (MTFD…) drives [TB]."""

_PLAIN = pattern(r"(?!)")
_SHAPE = re.compile(r"[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*")
_DETAILS = ("memory_type", "variant", "meaning", "gpu_memory_gb")
_KINDS: tuple[tuple[Kind, str, str | None], ...] = (
    ("platform", "platform", None), ("gpu", "gpu", "gpu_count"), ("memory", "dimm_gb", "dimm_count")
)  # fmt: skip


def read_codes(canvas: Canvas, source: str, catalog: HardwareCatalog) -> list[Line]:
    """Lines for every known part number, article of the catalog that is one code, and rented shape."""
    lines = _catalog_codes(canvas, source, catalog)
    canvas.claim([(line.start, line.end) for line in lines])
    found: list[Line] = []
    known = {gpu.slug for gpu in catalog.gpus}
    for expression, slug in _GPU_PARTS.items():
        if slug in known:
            found += framed_codes(
                canvas, source, expression, "gpu", slug, (("variant", "Max-Q"),) if "mq" in expression else ()
            )
            canvas.claim([(line.start, line.end) for line in found])
    modules = [line for expression, sizes in _MODULE_PARTS for line in _modules(canvas, source, expression, sizes)]
    canvas.claim([(line.start, line.end) for line in modules])
    drives = _drives(canvas, source)
    canvas.claim([(line.start, line.end) for line in drives])
    return lines + found + modules + drives


def framed_codes(
    canvas: Canvas, source: str, expression: str, kind: Kind, value: Value, details: tuple[tuple[str, Any], ...]
) -> list[Line]:
    """Lines for one part number, wherever it stands."""
    lines: list[Line] = []
    for match in re.finditer(_EDGE.format(expression), canvas.text):
        framed = canvas.frame(match.start(), match.end(), _PLAIN, lines[-1].end if lines else 0)
        count = None if framed.is_count_loose else framed.count
        text = source[framed.start : framed.end].strip()
        lines.append(Line(kind, value, count, text, "likely", framed.start, framed.end,
                          (*details, ("part_number", source[match.start() : match.end()]))))  # fmt: skip
    return lines


def _modules(canvas: Canvas, source: str, expression: str, sizes: dict[str, int]) -> list[Line]:
    lines: list[Line] = []
    for match in re.finditer(_EDGE.format(expression), canvas.text):
        size = next((gb for start, gb in sizes.items() if start in match[0]), None)
        if size is None:
            continue
        groups = match.groupdict()
        speed = (
            int(groups["speed"]) * 100 if groups.get("speed") else {"q": 4800, "w": 5600}.get(groups.get("grade", ""))
        )
        framed = canvas.frame(match.start(), match.end(), _PLAIN, lines[-1].end if lines else 0)
        details = (("memory_type", f"DDR5-{speed} RDIMM"), ("mt_s", speed)) if speed else ()
        text = source[framed.start : framed.end].strip()
        lines.append(Line("memory", size, framed.count, text, "likely", framed.start, framed.end, details))
    return lines


def _drives(canvas: Canvas, source: str) -> list[Line]:
    lines: list[Line] = []
    for match in _DRIVE_PART.finditer(canvas.text):
        framed = canvas.frame(match.start(), match.end(), _PLAIN, lines[-1].end if lines else 0)
        details = (("part_number", source[match.start() : match.end()]),)
        text = source[framed.start : framed.end].strip()
        lines.append(
            Line("drive", _DRIVE_TB[match[1]], framed.count, text, "likely", framed.start, framed.end, details)
        )
    return lines


def _catalog_codes(canvas: Canvas, source: str, catalog: HardwareCatalog) -> list[Line]:
    """Options, part numbers and rented shapes the catalog knows by their code."""
    lines: list[Line] = []
    for match in _SHAPE.finditer(source):
        code = squashed(match[0])
        text = source[match.start() : match.end()]
        if sku := catalog.codes.get(code):
            parsed = dict(sku.parsed)
            details = tuple((name, parsed[name]) for name in _DETAILS if name in parsed)
            for kind, name, counted in _KINDS:
                if name in parsed:
                    count = parsed.get(counted) if counted else 1
                    floor = lines[-1].end if lines else 0
                    count = count or canvas.frame(match.start(), match.end(), _PLAIN, floor).count
                    lines.append(Line(kind, parsed[name], count, text, "likely", match.start(), match.end(), details))
        elif offer := catalog.shapes.get(code) or catalog.shapes.get(code.removeprefix("standard")):
            certainty: Certainty = "likely"
            details = (("provider", offer.provider), ("shape", offer.shape))
            lines.append(Line("gpu", offer.gpu or "", offer.gpus, text, certainty, match.start(), match.end(), details))
    return lines
