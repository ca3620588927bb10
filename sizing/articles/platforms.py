"""Server models in an article: those of the catalog by any usual spelling, others by the look of their codes."""

from __future__ import annotations

import re

from sizing.articles.alike import pattern
from sizing.articles.counts import set_off
from sizing.articles.reading import Certainty, Line
from sizing.articles.text import Canvas
from sizing.hardware import Platform
from sizing.hardware_data.platform_names import GPU_NAME, Found, PlatformNames

_COUNT = pattern(
    r"(?<![a-z0-9.])(\d{1,3})\s?(?:x|\*|шт\.?|pcs|servers?|nodes?|сервер\w{0,3}|узл\w{1,2}|платформ\w?)\s*(?:[a-z]+\s{1,4})?$"
)

_MODELS: tuple[tuple[str, Certainty], ...] = (
    (r"(?:sys|as|ssg|ars|ssv)\s?-\s?-?[\da-f]\d{2,4}[a-z]{1,3}-[a-z0-9]{2,7}(?:-lcc|-lc)?\+?", "likely"),
    (r"(?<![-\d])\d{4}g[aeprst]{1,2}-[a-z]{2,5}\d?", "likely"),
    (r"(?:gooxi\s{1,4})?sy\d{4}g(?:-[a-z]\d)?", "likely"),
    (r"(?:sys|as|ssg|ars)-[\da-f]\d{2,4}[a-z]{1,3}", "guess"),
    (
        r"(?:(?:dell\s{1,4})?poweredge\s{1,4}|dell\s{1,4})(?:xe|r|t|c|mx)\d{3,4}(?:xa|xd2?|xs|l)?|xe\d{4}l?|r\d60xa",
        "likely",
    ),
    (
        r"(?:hpe?\s{1,4})?(?:proliant\s{1,4})?(?:compute\s{1,4})?dl\d{3}a?(?:[\s-]{0,4}gen\s?\d{2}(?:\s?plus)?)?",
        "likely",
    ),
    (r"(?:hpe\s{1,4})?xl\d{3}d(?:\s{1,4}gen\s?\d{2}\+?)?", "likely"),
    (r"(?:hpe\s{1,4})?(?:cray\s{1,4})?(?:xd|ex)\d{3,4}[a-z]?", "likely"),
    (r"(?:lenovo\s{1,4})?(?:thinksystem\s{1,4})?s[rt]\d{3}[a-z]?\s{0,4}v\d", "likely"),
    (r"(?:gigabyte\s{1,4})?g\d{3}-[a-z]{1,2}\d{1,2}(?:-[a-z]{3}\d?)?", "likely"),
    (r"(?:asus\s{1,4})?esc\d{4}[a-z]?-e\d{2}[a-z]?|(?:asus\s{1,4})?esc\s?n\d[a-z]?-e\d{2}[a-z]?", "likely"),
    (r"(?:inspur\s{1,4}|инспур\s{1,4}|kaytus\s{1,4})?(?:nf\d{4}-?[a-z]\d|kr\d{4}(?:-?[a-z]\d)+)", "likely"),
    (r"(?:asus\s{1,4})?rs\d{3}[a-z]?-e\d{2}(?:-\w{2,5})?", "likely"),
    (r"(?:xfusion|huawei)\s{1,4}(?:fusionserver\s{1,4})?\d{4}h?\s?v\d", "likely"),
    (r"(?:xfusion\s{1,4})?(?:fusionserver\s{1,4})?g\d{4}\s?v\d", "likely"),
    (r"(?:h3c\s{1,4})?(?:uniserver\s{1,4})?r\d{4}\s?g\d", "likely"),
    (r"nettrix\s{1,4}x\d{3}(?:\s?g\d{2})?", "likely"),
    (r"(?:yadro\s{1,4})?vegman\s{1,4}[a-z]\d{3}(?:\s?g\d)?", "likely"),
    (r"r[2-9][1-8]\d{1,2}(?:xa|xd2?|xs)?(?!\s?g\d)", "guess"),
    (r"(?:nvidia\s{1,4})?dgx[\s-](?:station|spark|[a-z]\d{3})", "likely"),
    (r"(?:cisco\s{1,4})?ucs\s{1,4}[a-z]\d{3}[a-z]?\s?m\d", "likely"),
    (r"s-[a-z]?\d{2,4}[a-z]{2}(?=-)", "guess"),
)
_MAKER = (
    r"(?:kaytus|ieit|quanta(?:grid|plex)?|qct|msi|tyan|asrock(?:\s{1,4}rack)?|fujitsu|huawei|depo|депо|kraftway|крафтвей|rikor|инферит"
    r"|рикор|iru|itpod|аквариус|aquarius|гравитон|graviton|yadro|ядро|f\+|nerpa|нерпа|hiper|норси\S{0,7}|булат|bulat|sugon"
    r"|gooxi|zte|foxconn|ingrasys|wiwynn|mitac|eviden|bull|tyan|chenbro|delta\s{1,4}computers)"
)
_MODEL = (
    r"(?!\d{1,4}\s?[x*])(?![hbav]\d00|gb\d00|mi\d{3}|l40|rtx|ddr)(?!\d+(?:gpu|u\b|卡))(?=\S{0,20}\d)[a-zа-я0-9]\w{2,12}(?:-\w{2,8}){0,2}"
    r"(?!\s?(?:gb|tb|гб|тб|w|вт|x))(?:\s?[gvm]\d{1,2}[a-z]?)?(?:\s[a-z]\d{3}[a-z]{2})?"
)
_OF_MAKER = pattern(
    rf"(?<![a-z0-9])(?:{_MAKER}(?:\s{{1,4}}|-)|(?:сервер|server|платформа)\s{{1,4}}(?=[^\W\d_]{{3,12}}\s{{1,3}}[a-z]{{1,5}}-?\d))(?P<model>(?:(?!hgx|dgx|gpu|nvidia|intel|amd|xeon|epyc|c\b|with|for)[^\W\d_]{{2,10}}\s){{0,2}}{_MODEL})(?![a-z0-9])"
)
"""A maker's name and a word with a figure in it: nothing tells more of makers whose numbering is not known here."""
_UNKNOWN = tuple((pattern(rf"(?<![a-z0-9])(?:{model})(?![a-z0-9])"), certainty) for model, certainty in _MODELS)
_MAKERS = re.compile(
    r"^(?:(?:DELL|POWEREDGE|HPE?|LENOVO|GIGABYTE|ASUS|KAYTUS|INSPUR|ИНСПУР|XFUSION|HUAWEI|FUSIONSERVER"
    r"|H3C|UNISERVER|NETTRIX|YADRO|NVIDIA|CISCO) )+"
)
_GOES_ON = re.compile(r"-(?![hbv]\d00|gb\d00|a\d00|mi\d|l4|rtx)[a-z][a-z0-9]")


def read_platforms(canvas: Canvas, source: str, names: PlatformNames) -> list[tuple[Line, tuple[Platform, ...]]]:
    """Platform lines with the catalog platforms each may be; `value` is set for good once the GPUs are known."""
    found: list[tuple[Line, tuple[Platform, ...]]] = []
    spans = []
    for hit in names.find(canvas.text):
        if _is_other_model(canvas.text, hit):
            continue
        is_sure = hit.is_whole and len(hit.candidates) == 1 and not _GOES_ON.match(canvas.text, hit.end)
        certainty: Certainty = "read" if is_sure else "likely"
        end = _before_gpu(canvas.text, hit.start, hit.end)
        count, start, end = _count(canvas.text, hit.start, end)
        start -= 2 if count == 1 and canvas.text[max(0, start - 2) : start] == "s-" else 0
        text = source[start:end].strip(" _-")
        found.append((Line("platform", hit.candidates[0].slug, count, text, certainty, start, end), hit.candidates))
        spans.append((start, end))
    canvas.claim(spans)
    for expression, certainty in _UNKNOWN:
        new = []
        for match in expression.finditer(canvas.text):
            end = _before_gpu(canvas.text, match.start(), match.end())
            count, start, end = _count(canvas.text, match.start(), end)
            value = _MAKERS.sub("", " ".join(source[match.start() : match.end()].upper().split()))
            text = source[start:end].strip(" _-")
            new.append((Line("platform", value, count, text, certainty, start, end), ()))
        canvas.claim([(line.start, line.end) for line, _ in new])
        found += new
    if not found:
        named = _OF_MAKER.search(canvas.text)
        found += [(_of_maker(named, source, canvas.text), ())] if named else []
        canvas.claim([(line.start, line.end) for line, _ in found])
    return sorted(found, key=lambda pair: pair[0].start)


def _of_maker(match: re.Match[str], source: str, text: str) -> Line:
    count, start, end = _count(text, match.start(), match.end())
    value = " ".join(source[match.start("model") : match.end()].upper().split())
    return Line("platform", value, count, source[start:end].strip(" _-"), "guess", start, end)


def _count(text: str, start: int, end: int) -> tuple[int, int, int]:
    """The number of servers, and where their name begins and ends with it."""
    if match := _COUNT.search(text, max(0, start - 32), start):
        return int(match[1]) or 1, match.start(), end
    after = set_off(text, end)
    return (after.number or 1, start, after.end) if after else (1, start, end)


def _before_gpu(text: str, start: int, end: int) -> int:
    """A GPU at the end of a platform's name is read as GPU too: ``ESC N8 H200``, ``DGX H200``."""
    match = next((m for m in GPU_NAME.finditer(text, start, end) if m.end() == end and m.start() > start), None)
    return match.start() if match else end


def _is_other_model(text: str, hit: Found) -> bool:
    """Whether a part of a model's name goes on into another model: ``AS-4125GS-TNRT`` beside ``AS-4125GS-TNRT2``."""
    return not hit.is_whole and _GOES_ON.match(text, hit.end) is not None
