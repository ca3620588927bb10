"""Reads an article: each recognizer takes its part of the text, then the parts decide on each other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from sizing.articles import conflicts, words
from sizing.articles.alike import pattern, visible
from sizing.articles.codes import read_codes
from sizing.articles.cpus import read_cpus
from sizing.articles.gpus import read_gpus, settled
from sizing.articles.labels import labelled, left_over, with_labels
from sizing.articles.left_open import left_open
from sizing.articles.nics import read_nics
from sizing.articles.platforms import read_platforms
from sizing.articles.psus import read_psus
from sizing.articles.reading import Line, Message, Reading, message
from sizing.articles.sizes import read_sizes
from sizing.articles.tables import Quantified, quantified, with_quantities
from sizing.articles.text import LONGEST, Canvas, folded
from sizing.hardware import Platform
from sizing.hardware_data import HardwareCatalog, packaged

STATED = ("platform", "gpu", "cpu", "memory", "drives", "nic", "psu", "condition", "warranty")
MOST_LINES = 200
MOST_PIECES = 9_999
_ROUNDED = 0.05
_BESIDE = 6
_OPENS = re.compile(r"[^()\d,;|]{0,24}[(=][^()\d,;|]{0,8}")
_ANNOUNCES_SUM = pattern(r"(?:=|\(|total|raw|всего|итого|суммарн\w{2,4}|общ\w{2,4})[^\w,;]*(?:[^\W\d_]+\s)?$")
_KIND_OF = {"drives": "drive"}


def read(text: str, *, catalog: HardwareCatalog | None = None) -> Reading:
    """The components that a seller's text names.

    Parameters
    ----------
    text : str
        An article, a line of a price list, a specification: any length and any signs; what is beyond
        ``LONGEST`` characters is not read, and the reading says so.
    catalog : HardwareCatalog, optional
        What is known by name; the packaged one by default.

    Returns
    -------
    Reading
        Lines in the order of the text. A line is ``read`` only where the text names one thing and one thing only.

    Examples
    --------
    >>> [(line.value, line.count) for line in read("SYS-821GE-TNHR-8xH200-2x8558-16x64GB").lines]
    [('smc-sys-821ge-tnhr', 1), ('h200-sxm', 8), ('Xeon Platinum 8558', 2), (64, 16)]
    """
    known = catalog or packaged()
    source, places = visible(text[:LONGEST])
    plain, rows = quantified(source)
    canvas = Canvas(folded(plain))
    lines, platform = _lines(canvas, source, known, rows)
    if places is not None:
        lines = [_placed(line, places, text) for line in lines]
    reading = Reading(tuple(lines[:MOST_LINES]), words.unread(canvas, source), (), is_cut=len(text) > LONGEST)
    reading = replace(reading, not_stated=not_stated(reading))
    found, notes = conflicts.conflicts(reading, platform, known)
    to_confirm = (*_cut(reading, len(text), len(lines)), *conflicts.to_confirm(reading, platform, known))
    return replace(reading, conflicts=found, notes=notes, to_confirm=to_confirm)


def _lines(
    canvas: Canvas, source: str, known: HardwareCatalog, rows: Sequence[Quantified]
) -> tuple[list[Line], Platform | None]:
    """Every recognizer in its turn, then what the parts decide on each other; and the catalog's platform, if named."""
    whole = canvas.text
    stated = labelled(canvas)
    codes = read_codes(canvas, source, known)
    platforms = read_platforms(canvas, source, known.platform_index)
    candidates = read_gpus(canvas, source, known)
    cpus, psus, nics = read_cpus(canvas, source, known), read_psus(canvas, source), read_nics(canvas, source)
    sizes, others = read_sizes(canvas, source), words.read_words(canvas, source)
    if rows or (stated := [*stated, *left_over(canvas)]):
        every = [*codes, *(line for line, _ in platforms), *(candidate.line for candidate in candidates)]
        every += [*cpus, *psus, *nics, *sizes]
        changed = with_quantities(every, rows) | with_labels(every, stated, canvas)
        codes, cpus, psus, nics, sizes = ([changed.get(line, line) for line in lines]
                                          for lines in (codes, cpus, psus, nics, sizes))  # fmt: skip
        platforms = [(changed.get(line, line), known_as) for line, known_as in platforms]
        candidates = [replace(each, line=changed.get(each.line, each.line)) for each in candidates]
    sizes = _without_sums(sizes, canvas.text)
    gpu_codes = [line for line in codes if line.kind == "gpu"]
    named = {slug for candidate in candidates for slug in candidate.slugs} | {str(line.value) for line in gpu_codes}
    platform_lines, platform = _chosen(platforms, named, codes, known)
    by_slug = {gpu.slug: gpu for gpu in known.gpus}
    gpus = _merged([*(settled(candidate, platform, by_slug) for candidate in candidates), *gpu_codes])
    other_codes = [line for line in codes if line.kind != "gpu"]
    rest = _without_doubles(other_codes, [*platform_lines, *nics, *sizes], canvas.text)
    cpus = _agreeing(cpus)
    lines = [_bounded(line) for line in (*rest, *_filled(gpus, platform), *cpus, *psus, *others)]
    return left_open(sorted(lines, key=lambda line: (line.start, line.end)), whole, source), platform


def not_stated(reading: Reading) -> tuple[str, ...]:
    """What an offer has to say and this text does not."""
    said = {line.kind for line in reading.lines if line.detail("left_open") is None} | {
        line.detail("what") for line in reading.of("other")
    }
    return tuple(part for part in STATED if _KIND_OF.get(part, part) not in said)


def platform_of(reading: Reading, catalog: HardwareCatalog) -> Platform | None:
    """The catalog platform a reading names, None where it names none or one the catalog does not have."""
    line = reading.first("platform")
    return next((p for p in catalog.platforms if line is not None and p.slug == line.value), None)


def _chosen(
    found: list[tuple[Line, tuple[Platform, ...]]], gpus: set[str], codes: list[Line], catalog: HardwareCatalog
) -> tuple[list[Line], Platform | None]:
    """Platform lines with one value each, and the first that the catalog has.

    A name that several platforms share is decided by the GPU in the text; where that leaves more than one, the value
    is a guess.
    """
    lines: list[Line] = []
    platform: Platform | None = None
    for line, candidates in found:
        best = candidates
        if len(candidates) > 1:
            best = tuple(p for p in candidates if any(p.support_for(slug) for slug in gpus)) or candidates
            line = replace(line, certainty="likely" if len(best) == 1 else "guess")
        if best and gpus and line.certainty == "likely" and not any(p.support_for(slug) for p in best for slug in gpus):
            line = replace(line, certainty="guess")
        if best:
            line = replace(line, value=best[0].slug)
            if platform is None:
                platform = best[0]
        if all(line.value != other.value for other in lines):
            lines.append(line)
    if platform is None:
        slugs = [line.value for line in codes if line.kind == "platform"]
        platform = next((p for p in catalog.platforms if p.slug in slugs), None)
    return lines, platform


def _agreeing(lines: list[Line]) -> list[Line]:
    """Where a text counts the same processor twice and differently, neither number is certain."""
    counts: dict[str, set[int]] = {}
    for line in lines:
        if line.count is not None:
            counts.setdefault(str(line.value), set()).add(line.count)
    return [
        replace(line, certainty="likely")
        if line.certainty == "read" and len(counts.get(str(line.value), ())) > 1
        else line
        for line in lines
    ]


def _merged(gpus: list[Line]) -> list[Line]:
    """One line where a text names the same GPUs twice, e.g. once in the title and once in the list."""
    kept: list[Line] = []
    supers = {str(line.value) for line in gpus if str(line.value).startswith("gb")}
    for line in gpus:
        if f"g{str(line.value).partition('-')[0]}" in supers:
            line = replace(line, certainty="guess")
        same = next((other for other in kept if other.value == line.value), None)
        if same is None or (same.count is not None and line.count is not None and same.count != line.count):
            kept.append(line)
        elif same.count is None and line.count is not None:
            kept[kept.index(same)] = line
    return kept


def _without_doubles(codes: list[Line], lines: list[Line], text: str) -> list[Line]:
    """Components with the part numbers beside them taken in: the number adds its count, nothing else."""
    kept, left = list(lines), []
    for code in codes:
        place = next((index for index, line in enumerate(kept) if _is_beside(code, line, text)), None)
        if place is None:
            left.append(code)
        elif kept[place].count is None and code.count is not None:
            kept[place] = replace(kept[place], count=code.count)
    return left + kept


def _is_beside(code: Line, line: Line, text: str) -> bool:
    if code.kind == line.kind == "platform":
        return code.value == line.value
    same = code.kind == line.kind and (code.value == line.value or code.detail("model") == line.detail("model"))
    between = text[line.end : code.start] if line.end <= code.start else text[code.end : line.start]
    return same and len(between) <= _BESIDE and not any(sign.isalnum() for sign in between)


def _without_sums(sizes: list[Line], text: str) -> list[Line]:
    """A total that its own parts add up to says nothing more: ``2 TB (32x64GB)``, ``7.68TB x 8 = 61.44TB``."""
    modules = [line for line in sizes if line.kind == "memory" and line.count and line.detail("total_gb") is None]
    in_all = sum(float(line.value) * (line.count or 0) for line in modules)
    drives_tb = sum(float(line.value) * (line.count or 0) for line in sizes if line.kind == "drive")
    split = [line for line, parts in pairwise(sizes) if _is_split(line, parts, text)]
    return [
        line
        for line in sizes
        if line not in split
        and not _is_sum(line, in_all)
        and not (line.kind == "drive" and _is_drive_sum(line, drives_tb, text))
    ]


def _is_drive_sum(line: Line, in_all_tb: float, text: str) -> bool:
    announced = _ANNOUNCES_SUM.search(text, max(0, line.start - 24), line.start)
    return announced is not None and line.count is None and abs(float(line.value) - in_all_tb) <= _ROUNDED * in_all_tb


def _is_split(line: Line, parts: Line, text: str) -> bool:
    """Whether a capacity of drives is only what the drives in the brackets behind it come to: ``30TB (8x3.84TB)``."""
    if not line.kind == parts.kind == "drive" or line.count is not None or parts.count is None:
        return False
    is_near = abs(float(line.value) - float(parts.value) * parts.count) <= _ROUNDED * float(line.value)
    return is_near and _OPENS.fullmatch(text, line.end, parts.start) is not None


def _is_sum(line: Line, in_all: float) -> bool:
    if line.kind != "memory" or line.count is not None:
        return False
    total = line.detail("total_gb") or line.value
    return in_all > 0 and abs(float(total) - in_all) <= _ROUNDED * in_all


def _placed(line: Line, places: Sequence[int], text: str) -> Line:
    """The line at its place in the text that was given, with the signs that nobody sees."""
    start, end = places[line.start], places[line.end - 1] + 1
    return replace(line, start=start, end=end, text=text[start:end].strip(" _-"))


def _bounded(line: Line) -> Line:
    """A line without a number that no offer has, e.g. a product of two columns; it is a guess then."""
    return line if line.count is None or line.count <= MOST_PIECES else replace(line, count=None, certainty="guess")


def _filled(gpus: list[Line], platform: Platform | None) -> list[Line]:
    """A DGX is sold with all its GPUs: their count is known without being printed."""
    if platform is None or not platform.slug.startswith("nvidia-dgx") or not platform.max_gpus:
        return gpus
    filled = [line if line.count else replace(line, count=platform.max_gpus, certainty="likely") for line in gpus]
    return [line for line in filled if line.kind == "gpu"]


def _cut(reading: Reading, length: int, lines: int) -> Iterator[Message]:
    if reading.is_cut:
        yield message("cut", read=LONGEST, length=length)
    if lines > MOST_LINES:
        yield message("many", read=MOST_LINES, lines=lines)
