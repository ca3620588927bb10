"""Components of which the words around them leave open whether they are part of the offer."""

from __future__ import annotations

import re
from dataclasses import replace

from sizing.articles.alike import pattern
from sizing.articles.counts import PIECES
from sizing.articles.reading import Certainty, Line

_BEFORE = pattern(
    r"(?:up\s?to|upto|at\s?least|min(?:imum)?|от|не\s(?:менее|ниже|хуже|более)|минимум|max(?:imum)?|до|макс\w{0,6}"
    r"|supports?|supporting|поддерж\w{2,6}|compatible(?:\s?with)?|совместим\w{0,4}(?:\s?с)?|without|w/o"
    r"|no|not|без|не|or|или|либо|optional(?:ly)?|опци\w{2,8}|for|для|под|instead\s?of|вместо|взамен|replac(?:es?|ing)|per|vs"
    r"|like|аналог\w{0,2}|(?:faster|better|slower)\sthan|быстрее|мощнее|schneller\sals|fits?|suits?|bis\szu|(?:expand|upgrad)e?able\sto|erweiterbar\sauf|für|mit\skompatibel|kompatibel(?:\smit)?|geeignet|ohne|statt|ersetzt|oder)"
    r"[\s:(=+-]{1,4}$"
)
_FILLER = (
    r"(?:also|both|either|the|all|any|with|use|servers?|systems?|platforms?|также|как|с|для|серверов|сервера|серверам\w"
    r"|платформ\w?|моделей|auch|mit|für|den|die)"
)
_FITS_BEFORE = pattern(
    r"(?<![^\W_])(?:for|для|für|fits?|fitting|suitable|подход\w{2,4}|совместим\w{0,4}|compatible|supports?|supporting"
    rf"|поддерж\w{{2,6}}|kompatibel|geeignet|passend)(?:\s{_FILLER}){{1,4}}[\s:(=+-]{{1,4}}$"
)
_TRIED_BEFORE = pattern(
    r"(?<![^\W_])(?:tested|validated|certified|qualified|pulled|removed|taken|used|geprüft|getestet|zertifiziert|ausgebaut"
    r"|проверен\w?|протестирован\w?|сертифицирован\w?|снят\w?)\s(?:in|for|with|on|from|mit|für|aus|в|для|на|с|из)[\s:(]{1,3}$"
)
_MOST_BEFORE = pattern(
    r"(?<![^\W_])(?:up\s?to|max(?:imum|imal)?\.?|maxim\w{1,3}|bis\szu|до|не\sболее|supports?|supporting|holds?|takes?"
    r"|поддерж\w{2,6}|макс\w{0,8}\.?|room\sfor|space\sfor|возможн\w{1,6})(?:\s[^\W\d_]{2,14}){0,2}[\s:=]{1,3}$"
)
_MOST_AFTER = pattern(
    r"[\s-]{0,2}\(?(?:möglich|max(?:imum)?(?![a-z])|ready|capable|supported|slots?|bays?|possible|возможн\w|макс)"
)
_ACCESSORY = pattern(
    r"[^,;|]{0,48}?(?<![^\W_])(?:cables?|cords?|tr[ae]ys?|(?:upgrade|conversion|mounting)\skits?|heatsinks?|risers?|brackets?|backplanes?|rail\s?kits?|shrouds?|bridges?"
    r"|кабел\w|шнур\w?|райзер\w?|радиатор\w?|переходник\w?|кронштейн\w?|корзин\w|салазк\w|[\w-]{0,12}kabel|kühlkörper)"
    r"(?![^\W_])[^;|]{0,64}?\s\(?(?:for|для|für|fits?|совместим\w{0,4})(?![^\W_])"
)
"""A text that begins with an accessory and says what it is for: nothing it is for comes with it."""
_OLD_BEFORE = pattern(
    r"(?<![^\W_])(?:already|existing|currently|also\savailable|также\s(?:есть|в\sналичии|доступн\w)|сейчас|runs|verfügbar|derzeit|option|old|former|уже|имеющ\w{2,4}|имеется|существующ\w{2,4}|стар\w{2,3}|(?<!горячей\s)замен\w{1,3}"
    r"|replac\w{1,6}|vorhanden\w{0,3}|bereits|alte[nrsm]?|ersatzteile?|spares?(?:\sparts?)?|запасн\w{2,3}|зип|upgrade|апгрейд\w?|возможн[ао]|можно)"
    r"(?:\s[^\W\d_]{1,12}){0,3}[\s:(=+-]{1,4}$"
)
"""What somebody has, replaces or may add later; up to three words stand between that word and the part."""
_WORDS = (
    r"ready|optional|option|опци\w{1,8}|not\s?included|sold\s?separately|не\s?вход\w{1,2}|отдельно|supported"
    r"|compatible|already\s\w{2,12}|from\s(?:the|our|an?)\sold"
)
_AFTER = pattern(rf"\s?\?|[\s-]{{1,2}}(?:{_WORDS})(?![a-z0-9])|[\s,]{{0,2}}\((?:{_WORDS})\)")
_LISTED = pattern(r"\s?(?:[,/]|(?:and|or|и|или|und|oder)(?=\s))\s?(?:[^\W\d_]{2,12}\s){0,2}")
_BRACKET = re.compile(r"\s?\(\s?")
_COUNTED = re.compile(r"\d{1,3}\s?[x*]|\d{1,3}\s")
_ALTERNATIVE = pattern(
    r"(?<![^\W_])((?:вариант|variante?|option|config(?:uration)?|конфигурация|комплектация)\s?(?:№\s?)?([1-9a-dбвг]))(?![^\W_])"
)
_PIECES = pattern(
    rf"(?<![\w.,])(\d{{1,3}})\s?{PIECES}|(?<!\w)(?:qty|quantity|кол-?во|количество|menge|anzahl)[\s.:=]{{1,3}}(\d{{1,3}})(?!\w)"
)
_WORDS_BEFORE = 48


def left_open(lines: list[Line], text: str, source: str) -> list[Line]:
    """Components that the words around them leave open ("up to 8x H200", "без GPU H200") are only guesses.

    A word goes for a whole list behind it ("fits A100/H100/L40S"); where a text offers several variants, all are open.
    """
    alternatives = {match[2]: match[1] for match in _ALTERNATIVE.finditer(text)}
    if len(alternatives) > 1:
        words = " / ".join(alternatives.values())
        return [line if line.kind == "other" else _opened(line, words) for line in lines]
    if accessory := _ACCESSORY.match(text):
        opened = [_opened(line, _plain(accessory[0][-12:])) if _is_for(line, accessory) else line for line in lines]
        return _counted_apart(opened, text)
    checked: list[Line] = []
    before: Line | None = None
    for line in lines:
        if line.kind == "other":
            checked.append(line)
            continue
        words = _around(line, text) or (_of_list(line, before, text) if before is not None else "")
        before = _opened(line, words) if words else line
        checked.append(before)
    return _counted_apart(_of_one_kind(checked, source), text)


def _of_one_kind(lines: list[Line], source: str) -> list[Line]:
    """A server is one model with one kind of GPU: of several named in one line of text none is certain."""
    offered = [line for line in lines if line.detail("left_open") is None]
    named = {kind: {line.value for line in offered if line.kind == kind} for kind in ("platform", "gpu")}
    if "\n" in source.strip():
        return lines
    return [
        replace(line, certainty="likely") if line.certainty == "read" and len(named.get(line.kind, ())) > 1 else line
        for line in lines
    ]


def is_most(text: str, start: int, end: int) -> bool:
    """Whether a number of pieces is only the most that something takes: ``up to 8 GPUs``, ``8-GPU ready``."""
    before = _MOST_BEFORE.search(text, max(0, start - _WORDS_BEFORE), start)
    return before is not None or _MOST_AFTER.match(text, end) is not None


def _is_for(line: Line, accessory: re.Match[str]) -> bool:
    return line.kind != "other" and line.start >= accessory.end()


def _counted_apart(lines: list[Line], text: str) -> list[Line]:
    """The one part that a text offers, counted by its one number of pieces: ``64GB for SYS-821GE-TNHR, 32 pcs``."""
    offered = [line for line in lines if line.kind != "other" and line.detail("left_open") is None]
    numbers = list(_PIECES.finditer(text))
    if len(offered) != 1 or offered[0].count is not None or len(numbers) != 1:
        return lines
    count = int(numbers[0][1] or numbers[0][2])
    certainty: Certainty = "likely" if offered[0].certainty == "read" else offered[0].certainty
    counted = replace(offered[0], count=count or None, certainty=certainty)
    return [
        counted if line is offered[0] else replace(line, count=1) if line.kind == "platform" else line for line in lines
    ]


def _opened(line: Line, words: str) -> Line:
    return replace(line, certainty="guess", details=(*line.details, ("left_open", words)))


def _around(line: Line, text: str) -> str:
    """The words before or behind a component that leave it open, "" where there are none."""
    window = max(0, line.start - _WORDS_BEFORE)
    for expression in (_BEFORE, _FITS_BEFORE, _TRIED_BEFORE, _OLD_BEFORE):
        found = expression.search(text, window, line.start)
        if found is not None and not (found.start() and text[found.start() - 1].isalnum()):
            return _plain(found[0])
    behind = _AFTER.match(text, line.end)
    return _plain(behind[0]) if behind else ""


def _of_list(line: Line, before: Line, text: str) -> str:
    """The words that leave open the list of which a component is a further member without a count of its own."""
    words = before.detail("left_open")
    if words and _BRACKET.fullmatch(text, before.end, line.start):
        return str(words)
    is_member = line.kind == before.kind and not _COUNTED.match(text, line.start, line.end)
    return str(words) if words and is_member and _LISTED.fullmatch(text, before.end, line.start) else ""


def _plain(words: str) -> str:
    return " ".join(words.strip(" :(=,+-").split())
