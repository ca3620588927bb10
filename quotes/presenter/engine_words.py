"""The engine's English sentences in the reader's language: known patterns, figures and names taken out and put back."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from django.utils.translation import gettext

from quotes.presenter import dates, words
from quotes.presenter import engine_data as data
from quotes.presenter import engine_formulas as formulas
from quotes.presenter import engine_money as money
from quotes.presenter import engine_parts as parts
from quotes.presenter import engine_refusals as refusals
from quotes.presenter import engine_sentences as sentences
from quotes.presenter import engine_sources as sources
from quotes.presenter import quantities as q
from quotes.presenter.units import unit_word

TIMES = re.compile(r"(?<=\d)[ \u00a0][x×][ \u00a0](?=[\w(])")
PARAMETER = re.compile(r"%\((\w+)\)s")
FIGURE = re.compile(
    r"(?<![\w.-])(?P<number>\d[\d,]*(?:\.\d+)?)(?P<gap> ?)"
    r"(?P<unit>GiB|MiB|TiB|KiB|GB|TB|MB|kW|W|ms|min|s|h|d|U|%|USD|EUR|RUB|cores|Gbit/s|requests/s)?(?![\w.-])"
)
WORDS = (
    *("air", "liquid", "no published form factor", "drives", "nic", "psu", "condition", "warranty", "cpu", "memory"),
    *data.MODEL_KINDS,
)
# A page says some sixty sentences, most of them again on the next one.
TEXTS_REMEMBERED = 1024
NEXT_SENTENCE = re.compile(r"(?<=[.]) (?=[A-Z])")
KNOWN = (
    *sentences.SENTENCES,
    *sentences.WHYS,
    *sources.SOURCES,
    *sources.STACKS,
    *data.ARTICLES,
    *data.ONE_CARD,
    *data.IN_MIND,
    *refusals.REFUSALS,
    *refusals.SHAPES_OF_VALUES,
    *parts.OWN_PARTS,
    *money.MONEY,
    *money.BUDGET,
    *money.EXCHANGE,
    *money.BENCHMARKS,
    *money.INDEXES,
)
SHORT = formulas.LABELS + formulas.FORMULAS + formulas.INPUTS + formulas.LINES


def say(text: str | None) -> str:
    """Give a sentence of the engine in the language in force; one that is not known stays English."""
    if not text or not q.is_russian():
        return _typeset(text or "")
    return dates.sentence(_typeset(_each(text) or _whole(text) or _parts(text) or text))


def _typeset(text: str) -> str:
    """Write a number of things with its sign, unbroken: 2 × H200."""
    return TIMES.sub(f"{q.NO_BREAK}× ", text)


def is_of_price(text: str) -> bool:
    """Say whether a sentence of the first calculation is about prices, which a quote says itself."""
    return any(one in text for one in ("Budget", "budget", "lines priced", "lines have a price", " USD ", " EUR "))


def is_known(text: str) -> bool:
    """Say whether a sentence, or each sentence of several, matches a pattern."""
    return bool(_find(text)) or all(_find(one) for one in NEXT_SENTENCE.split(text))


def formula(text: str) -> str:
    """Give a formula in words: a sum of known parts is said part by part."""
    if not q.is_russian() or not text:
        return text
    return _whole(text) or " + ".join(_term(one) for one in text.split(" + "))


def _term(text: str) -> str:
    upper = text[:1].upper() + text[1:]
    said = say(upper)
    return said[:1].lower() + said[1:] if said != upper else say(text)


def _whole(text: str) -> str:
    found = _find(text)
    if not found:
        return ""
    template, values = found
    return gettext(template) % {name: value(said) for name, said in values.items()} if values else gettext(template)


def _each(text: str) -> str:
    """Say several sentences one by one where every one of them is known."""
    parts = NEXT_SENTENCE.split(text)
    return " ".join(_whole(one) for one in parts) if len(parts) > 1 and all(_find(one) for one in parts) else ""


def _parts(text: str) -> str:
    parts = NEXT_SENTENCE.split(text)
    if len(parts) < 2 or not any(_find(one) for one in parts):
        return ""
    return " ".join(_whole(one) or one for one in parts)


@lru_cache(maxsize=TEXTS_REMEMBERED)
def _find(text: str) -> tuple[str, dict[str, str]] | None:
    for template, pattern in _patterns():
        match = pattern.fullmatch(text)
        if match:
            return template, match.groupdict()
    return None


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    # Of two patterns for one sentence the one with more words of its own says more of it. A sentence that goes on
    # where another ends stands before all: the shorter one would take the rest for a value.
    longer = {one for one in data.ARTICLES for start in data.ARTICLES if one.startswith(f"{start} ")}
    ordered = sorted(set(KNOWN + SHORT), key=lambda one: (one not in longer, -len(PARAMETER.sub("", one)), one))
    return tuple((one, _pattern(one)) for one in ordered)


def _pattern(template: str) -> re.Pattern[str]:
    body, known = "", set()
    for index, part in enumerate(PARAMETER.split(template)):
        if index % 2 == 0:
            body += re.escape(part)
        else:
            body += f"(?P={part})" if part in known else f"(?P<{part}>.+?)"
            known.add(part)
    return re.compile(body, re.DOTALL)


def value(text: str) -> str:
    """Write a figure or word inside a sentence as the language does: 52.0 GiB becomes 52,0 ГиБ."""
    if text in WORDS or text in sources.STACKS:
        return gettext(text)
    if text in words.VALUES:
        return words.word(text)
    found = _find(text)
    if found and (found[0] in refusals.SHAPES_OF_VALUES or not found[1]):
        return _whole(text)
    if " or " in text and all(one in WORDS for one in text.split(" or ")):
        return gettext(" or ").join(gettext(one) for one in text.split(" or "))
    return FIGURE.sub(_figure, text)


def _figure(match: re.Match[str]) -> str:
    digits = match["number"].replace(",", "")
    if not match["unit"] and match["number"] == digits and "." not in digits and len(digits) < 5:
        return match[0]
    written = q.number(float(digits), len(digits.partition(".")[2]))
    unit = match["unit"]
    if not unit:
        return written + match["gap"]
    if unit == "U":
        return f"{written}U"
    named = q.duration_word(unit) if unit in q.SECONDS_OF else unit_word(unit, float(digits))
    return f"{written}{q.NO_BREAK}{named}"
