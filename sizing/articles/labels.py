"""Numbers that a label ties to a kind of component: "Number of GPUs: 8", "Количество CPU: 2", "RAM qty: 32"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sizing.articles.alike import pattern
from sizing.articles.counts import AT_LEAST, PIECES
from sizing.articles.left_open import is_most
from sizing.articles.reading import Kind, Line
from sizing.articles.sizes import MODULES_GB
from sizing.articles.text import Canvas

_LABELS: tuple[tuple[Kind, str], ...] = (
    ("gpu", r"gpus?|graphics\scards?|accelerators?|видеокарт\w?|ускорител\w{1,3}"),
    ("cpu", r"cpus?|processors?|процессор\w{0,2}"),
    ("memory", r"ram|dimms?|memory(?:\smodules?)?|модул\w{1,2}(?:\sпамяти)?|план(?:ок|ки)"),
    ("drive", r"ssds?|nvmes?|hdds?|drives?|disks?|диск\w{0,2}|накопител\w{1,3}"),
    ("nic", r"nics?|adapters?|адаптер\w{0,2}|сетевых\sкарт"),
    ("psu", r"psus?|power\ssupplies|бп|блок\w{0,2}(?:\sпитания)?"),
)
_QUANTITY = r"(?:qty|q-ty|quantity|count|кол-?во|к-во|количество)"
_LEAST = rf"[\s:,-]{{1,3}}{AT_LEAST}\s(\d{{1,3}})\s?{PIECES}\.?"
_BEFORE = r"(?:number\sof|no\.?\sof|#\sof|qty\sof|quantity\sof|количество|кол-?во|число)"
_NUMBER = rf"[\s.:=|-]{{1,4}}(?:{AT_LEAST}\s)?" + r"(\d{1,3})(?![\d.,]*\d|\s?(?:gb|tb|гб|тб|g\b|t\b|x|\*|w\b|вт))"
_STATED = tuple(
    (kind, pattern(form))
    for kind, words in _LABELS
    for form in (
        rf"(?<![a-z0-9])(?:{_BEFORE}\s(?:{words})|(?:{words})\s{_QUANTITY}){_NUMBER}",
        rf"(?<![a-z0-9])(?:{words}){_LEAST}",
    )
)
_GPUS = pattern(r"(?<![\w.,])(?:(\d{1,3})[\s-]?gpus?(?!\w)|(\d{1,2}|[两二四八])\s?卡)")
_CHINESE = {"两": 2, "二": 2, "四": 4, "八": 8}


@dataclass(frozen=True, slots=True)
class Stated:
    """A number with the kind that its label names, and its place."""

    kind: Kind
    number: int
    start: int
    text: str


def labelled(canvas: Canvas) -> list[Stated]:
    """Take labelled numbers out of the text, so that nothing beside them is counted by them."""
    found: list[Stated] = []
    for kind, expression in _STATED:
        matches = list(expression.finditer(canvas.text))
        found += [Stated(kind, int(match[1]), match.start(), match[0]) for match in matches]
        canvas.claim([(match.start(), match.end()) for match in matches])
    return sorted(found, key=lambda stated: stated.start)


def left_over(canvas: Canvas) -> list[Stated]:
    """Numbers of GPUs that stand apart from the GPU's name: ``MI300X platform (8 GPUs)``."""
    matches = [match for match in _GPUS.finditer(canvas.text) if not is_most(canvas.text, match.start(), match.end())]
    canvas.claim([(match.start(), match.end()) for match in matches])
    return [Stated("gpu", _number(match[1] or match[2]), match.start(), match[0]) for match in matches]


def _number(printed: str) -> int:
    return _CHINESE.get(printed) or int(printed)


def with_labels(lines: Sequence[Line], stated: Sequence[Stated], canvas: Canvas) -> dict[Line, Line]:
    """Each line that has no count, with the number that the nearest label gives its kind.

    A number that no line takes goes back into the text.
    """
    changed: dict[Line, Line] = {}
    for label in stated:
        open_lines = [
            line for line in lines if line.kind == label.kind and _is_open(line) and line not in changed
        ]  # fmt: skip
        if open_lines and label.number:
            nearest = min(open_lines, key=lambda line: abs(line.start - label.start))
            details = tuple(pair for pair in nearest.details if pair[0] != "total_gb")
            is_module = nearest.certainty == "guess" and nearest.kind == "memory"
            certainty = "likely" if is_module else nearest.certainty
            changed[nearest] = replace(nearest, count=label.number, certainty=certainty, details=details)
        else:
            canvas.put_back(label.start, label.text)
    return changed


def _is_open(line: Line) -> bool:
    return line.count is None and (line.kind != "memory" or line.value in MODULES_GB)
