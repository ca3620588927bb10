"""Numbers of pieces around a component: "8x", "8 шт.", "x 8", "qty 8", "(2x64GB) x 8", in figures and in words."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from sizing.articles.alike import TABLE, pattern

NEAR = 64
"""How far from a component its count may stand [characters]."""

PIECES = (
    r"(?:(?:шту?к\w?|шт|pcs|pc|pieces?|units?|ea|each|stk|stck|stücke?|pi[eè]ces?|pz|компл\w{0,5})(?![^\W\d_])"
    r"|[条颗块张片个台根卡])"
)
AT_LEAST = (
    r"(?:не\s(?:менее|меньше)(?:\s(?:чем|,\sчем))?|минимум|мин\.?|от"
    r"|at\sleast|min(?:imum)?\.?|mindestens|mind\.?|au\smoins)"
)
_NUMBERS = {
    1: "один одна одно одного одной одним one", 2: "два две двух двумя two dual twin 双路 两 zwei deux пара пары pair",
    3: "три трех трёх тремя three drei trois", 4: "четыре четырех четырёх четырьмя four quad vier quatre",
    5: "пять пяти пятью five",
    6: "шесть шести шестью six sechs", 8: "восемь восьми восемью восьмью eight octa acht huit",
    10: "десять десяти десятью ten",
    12: "двенадцать двенадцати двенадцатью twelve", 16: "шестнадцать шестнадцати шестнадцатью sixteen sechzehn seize",
    24: "двадцать_четыре двадцати_четырех twenty_four", 32: "тридцать_два тридцати_двух thirty_two",
}  # fmt: skip
_BY_WORD = {word.translate(TABLE).replace("_", " "): n for n, words in _NUMBERS.items() for word in words.split()}
_WORDS = "|".join(sorted((re.escape(word).replace("\\ ", r"[\s-]") for word in _BY_WORD), key=len, reverse=True))
_NOUN = (
    r"(?:модул\w{0,3}|план(?:к\w{0,3}|ок)|плаш(?:к\w{0,3}|ек)|sticks?|module[sn]?|dimms?|накопител\w{1,3}|диск\w{0,3}"
    r"|(?:видео)?карт\w{0,3}|ускорител\w{1,3}|процессор\w{0,3}|адаптер\w{0,3}|блок\w{0,3}|оперативн\w{2,3}|памяти"
    r"|порт\w{0,2}|ports?|питания|сетев\w{2,3}|твердотельн\w{2,3}|графическ\w{2,3}|серверн\w{2,3}|cards?|accelerators?|drives?"
    r"|processors?|processeurs?|prozessor\w{0,2}|kart\w{1,3}|cartes?|disques|barrettes|alimentations?|netzteile?n?|riegeln?|platten|cpus?|gpus?)"
)
_PART_NUMBER = (
    r"(?:p\d{5}-[a-z]\d{2}|[a-z]\d[a-z]\d{2}[a-z]|\d{3}-[a-z]{4}|4x\d{2}a\d{5}"
    r"|[a-z]{2,6}-[a-z0-9]{1,6}-[a-z0-9]{2,12}|[bc](?=[a-z0-9]*\d)[a-z0-9]{3}(?=\s))"
)
_BRAND = (
    r"(?!(?:and|with|or|и|с|или|cpus?|psus?|nics?|ports?|порт\w{0,2}|бп|servers?|сервер\w{0,2}|nodes?|узл\w{1,2}"
    r"|per|на|по)\s)[^\W\d_]{2,14}\s+"
)
_START = r"(?<!\d)(?<!\d\.)(?<!\d\+)(?<!\de)(?<!\de[+-])"
_SIGN_BEFORE = pattern(rf"{_START}(\d{{1,3}})\s?[x*]\s*(?:{_PART_NUMBER}\s+(?:{_BRAND})?|{_BRAND})?$")
_PIECES_BEFORE = pattern(
    rf"{_START}(\d{{1,3}})\s*(?:{PIECES}|{_NOUN})[.:]?(?:\s+{_NOUN}){{0,3}}(?:\s*(?:[x*]|по\b|by\b|of\b|de\b|à\s|zu\s|von\b|mit\b|с\b))?\s*$"
)
_WORD_BEFORE = pattern(rf"(?<![^\W_])({_WORDS})[\s-]+(?:{_NOUN}\s+)?$")
_WAY_BEFORE = re.compile(r"(?<![\d.])(\d{1,2})[\s-]?way\s(?:[a-z]{2,8}\s)?$")
_LOT_BEFORE = pattern(r"(?<![^\W_])(?:lot|set|pack|bundle|лот|комплект)\s(?:of|из)\s(\d{1,3})[\s:;,-]{1,4}$")
_PAIR_BEFORE = re.compile(r"双\s?$")
_BRACKETS_BEFORE = re.compile(r"(?<![^\s,;|/])\((\d{1,2})\)\s*$")
_LOOSE_BEFORE = re.compile(r"(?<![\da-z+-])(?<!\d[.,])(\d{1,2})\s+$")
_GLUED_BEFORE = re.compile(r"(?<=[\s,;/-])(\d)$")
_ITEM_START = re.compile(r"(?:^|[,;|/+(\x00]|и\s)\s*$")
_NOUN_HERE = pattern(rf"(?:{_NOUN}|nics?|psus?|ssds?|nvmes?|hdds?|сетев\w{{2,3}}|порт\w{{0,2}}|дис\w{{1,3}})(?![^\W_])")
_GROUP_BEFORE = re.compile(r"(?<!\d)(?<!\d[.,])(\d{1,3})\s?[x*](?:\s?\(){1,8}\s*$")
_OPENING, _CLOSING = re.compile(r"\(\s*$"), re.compile(r"\s*\)")
_GROUP_AFTER = re.compile(r"\s*\)\s*[x*]\s?(\d{1,3})(?![\d.]*\s?(?:gb|tb|t\b|g\b|[x*]))")

_NO_SIZE = r"(?![\d.]*\s?(?:gb|g\b|tb|гб|тб|t\b|x\s?\d|\*)|\d)"
_SIGN_AFTER = pattern(rf"[\s)\]]*[\s,(\[-]*(?:x|\*)\s{{0,2}}(\d{{1,3}}){_NO_SIZE}[)\]]?")
_QUANTITY_AFTER = pattern(
    r"[\s)\],;|(\[-]{0,6}(?:qty|q-ty|quantity|кол-?во|к-во|количество|count)[\s.:=|-]{0,4}"
    rf"(\d{{1,3}}|(?:{_WORDS})(?![^\W_])){_NO_SIZE}(?:\s?{PIECES}\.?)?[)\]]?"
)
_QUANTITY_LEAD = (
    r"(?:^|(?<![\s])[;,|]\s?|(?<=\s):\s?|:\s)(?:qty|q-ty|quantity|кол-?во|количество)[\s.:=]{1,3}(\d{1,3})\s;\s"
)
_LEAD_BEFORE, _LEAD_AFTER = pattern(_QUANTITY_LEAD + r"$"), pattern(_QUANTITY_LEAD)
"""A list of "Qty 2 - Xeon Gold 6538Y+; Qty 16 - 32GB": the number goes to what is behind the dash."""
_LEAST_AFTER = pattern(rf"[\s)\],:;(\[=-]{{1,5}}{AT_LEAST}\s(\d{{1,3}})\s?{PIECES}\.?[)\]]?")
_PIECES_AFTER = pattern(rf"[\s)\],:(\[=-]{{1,5}}(?:по\s)?(\d{{1,3}})\s?{PIECES}\.?[)\]]?")
_PAIRED_AFTER = re.compile(r"\s?双路")
_BRACKETS_AFTER = re.compile(r"\s?\((\d{1,2})\)")
_DASH_AFTER = re.compile(r"\s-\s(\d{1,3})(?=\s*(?:[,;|]|$))")
_COLON_AFTER = re.compile(r":(\d{1,2})(?=\s*(?:[,;|)]|$)|\s[a-z])")
_ASIDE = re.compile(r"\s?\((?![^()]*\d\s?[x*]\s?\d)(?!\d{1,3}\s?\))[^()\x00]{2,48}\)")
_SLASH_AFTER = re.compile(r"/(\d{1,2})(?=\s*(?:[,;|]|$))")
_DOUBLED = pattern(rf"(?<=\d)\s?\((?:{_WORDS}|[^\W\d_]{{3,12}}\s(?:{_WORDS}))\)(?=\s)")


_JOINING = pattern(r"(?<=[tg]b\s)of(?=\s)|(?<=\s)по(?=\s\d)")
_SET_OFF = pattern(r"\s*(?:[,;|/+)\x00]|$|(?:в|in|with|each)\s)")


@dataclass(frozen=True, slots=True)
class Count:
    """A number of pieces and the stretch of text that it takes with it; loose where it could mean something else."""

    number: int
    start: int
    end: int
    is_loose: bool = False


def without_doubles(text: str) -> str:
    """Folded text with spaces for what only repeats or joins a number: ``8 (восемь)``, ``4 шт. по 2700 Вт``."""
    return _JOINING.sub(lambda match: " " * len(match[0]), _DOUBLED.sub(lambda match: " " * len(match[0]), text))


def set_off(text: str, end: int) -> Count | None:
    """A number of pieces behind `end` that nothing else can claim: ``SYS-821GE-TNHR - 3 шт.``"""
    match = _PIECES_AFTER.match(text, end, end + NEAR) or _SIGN_AFTER.match(text, end, end + NEAR)
    if match is None or not _SET_OFF.match(text, match.end()):
        return None
    return Count(int(match[1]), end, match.end())


def counted(text: str, start: int, end: int, floor: int) -> Count | None:
    """The number of pieces of a component at ``[start, end)``; nothing before `floor` belongs to it.

    A sign in front ("8x H200") goes before anything behind, which can be the next component's. Where both sides name a
    number and neither is set off, the count is loose.
    """
    before, after = _before(text, start, floor), behind(text, end)
    if before is not None and (grouped := _grouped(text, before, end, floor)):
        return grouped
    if before is not None and not before.is_loose:
        return _agreed(text, before, after)
    return after or before


def _before(text: str, start: int, floor: int) -> Count | None:
    window = max(floor, start - NEAR)
    for expression, is_loose in (
        (_SIGN_BEFORE, False),
        (_PIECES_BEFORE, False),
        (_BRACKETS_BEFORE, True),
        (_LOOSE_BEFORE, True),
        (_GLUED_BEFORE, True),
    ):
        if match := expression.search(text, window, start):
            is_item = _NOUN_HERE.match(text, start) and _ITEM_START.search(
                text, max(0, match.start() - 4), match.start()
            )
            return Count(int(match[1]), match.start(), start, is_loose and not is_item)
        if expression is _PIECES_BEFORE and (match := _WORD_BEFORE.search(text, window, start)):
            return Count(_BY_WORD[match[1].replace("-", " ")], match.start(), start)
    if match := _LOT_BEFORE.search(text, window, start):
        return Count(int(match[1]), match.start(), start)
    if match := _LEAD_BEFORE.search(text, window, start):
        return Count(int(match[1]), match.start(1), start)
    if match := _WAY_BEFORE.search(text, window, start):
        return Count(int(match[1]), match.start(), start, is_loose=True)
    if match := _PAIR_BEFORE.search(text, window, start):
        return Count(2, match.start(), start)
    if match := _GROUP_BEFORE.search(text, window, start):
        return Count(1, start, start)
    return None


def behind(text: str, end: int) -> Count | None:
    """A count right behind, or behind one aside in brackets: ``A100 40GB (900-21001-0000-000), 2 шт.``"""
    aside = _ASIDE.match(text, end, end + NEAR)
    return _right_after(text, end) or (_right_after(text, aside.end()) if aside else None)


def _right_after(text: str, end: int) -> Count | None:
    stop = end + NEAR
    if match := _SIGN_AFTER.match(text, end, stop):
        return Count(int(match[1]), end, match.end())
    if _LEAD_AFTER.match(text, end, stop):
        return None
    if match := _QUANTITY_AFTER.match(text, end, stop):
        return Count(_number(match[1]), end, match.end())
    if match := _LEAST_AFTER.match(text, end, stop):
        return Count(int(match[1]), end, match.end(), is_loose=True)
    if match := _PAIRED_AFTER.match(text, end, stop):
        return Count(2, end, match.end())
    if match := _PIECES_AFTER.match(text, end, stop):
        return Count(int(match[1]), end, match.end())
    if match := _BRACKETS_AFTER.match(text, end, stop):
        return Count(int(match[1]), end, match.end())
    if match := _DASH_AFTER.match(text, end, stop):
        return Count(int(match[1]), end, match.end(), is_loose=True)
    if match := _SLASH_AFTER.match(text, end, stop):
        return Count(int(match[1]), end, match.end(), is_loose=True)
    if match := _COLON_AFTER.match(text, end, stop):
        return Count(int(match[1]), end, match.end(), is_loose=True)
    return None


def _number(printed: str) -> int:
    return int(printed) if printed.isdigit() else _BY_WORD[" ".join(printed.replace("-", " ").split())]


def _grouped(text: str, before: Count, end: int, floor: int) -> Count | None:
    """A number of packages: ``(2x64GB) x 8`` and ``8x (2x64GB)`` are sixteen modules."""
    window = max(floor, before.start - NEAR)
    if match := _GROUP_BEFORE.search(text, window, before.start):
        is_closed = ")" in text[before.start : end] or _CLOSING.match(text, end) is not None
        return Count(int(match[1]) * before.number, match.start(), end, not is_closed)
    opened = _OPENING.search(text, window, before.start)
    if opened and (match := _GROUP_AFTER.match(text, end)):
        return Count(int(match[1]) * before.number, opened.start(), match.end())
    return None


def _agreed(text: str, before: Count, after: Count | None) -> Count:
    """What two numbers come to: a product of signs, the one behind where only it is set off; loose in either case."""
    if after is None or after.is_loose or text[after.end : after.end + 1].isalnum():
        return before
    if _SIGN_AFTER.match(text, after.start):
        return Count(before.number * after.number, before.start, after.end, is_loose=True)
    if not _SET_OFF.match(text, after.end):
        return before
    is_signed = _SIGN_BEFORE.search(text, before.start, before.end) is not None
    return replace(before if is_signed else after, is_loose=True)
