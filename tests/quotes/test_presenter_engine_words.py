"""Whatever the engine says, a Russian document says in Russian; figures are written as the language does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import translation

from quotes.presenter import assumptions, engine_data, engine_words
from sizing.architecture.config import UNSUPPORTED
from sizing.articles.sentences import TEMPLATES
from sizing.reference import references
from tests.quotes import papers

CYRILLIC = re.compile(r"[А-Яа-яё]")
PART_NAMES = ("platform", "gpu", "cpu")


def candidates(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """Every candidate of an answer, the nearest one included."""
    return [*answer.get("candidates", []), *([answer["nearest"]] if answer.get("nearest") else [])]


def sentences(answer: dict[str, Any]) -> Iterator[str]:
    """Every sentence of an answer that a document shows."""
    yield answer["route"]["why"]
    yield from answer["warnings"]
    yield from (one["message"] for one in answer["rejected"])
    for one in candidates(answer):
        for name in ("conditional", "reasons_for", "reasons_against", "preferences_missed"):
            yield from one[name]
        yield from (line["text"] for line in one["lines"] if line["kind"] not in PART_NAMES)
        yield from (check["message"] for check in one.get("software", []))
        yield from (one.get("economics") or {}).get("reasons_beside_money", [])
    yield from (answer["in_mind"] or {}).get("reasons", [])
    for one in (answer["one_card"] or {}).get("sets", []):
        yield from (one["assumes"], one["costs"])
    for entry in ledger(answer):
        yield entry["why"]


def ledger(answer: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every assumption of an answer."""
    yield from answer["assumptions"]
    for one in candidates(answer):
        yield from one["estimate"].get("assumptions", [])


def derived(answer: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Labels, inputs and formulas of an answer's derivations."""
    for one in candidates(answer):
        for step in one["estimate"].get("derivations", []):
            yield "label", step["label"]
            yield "formula", step["formula"]
            yield from (("input", name) for name in step["inputs"])
            yield from (("lever", change["what"]) for change in step["reduce"])


@pytest.mark.parametrize("name", sorted(papers.requests()))
def test_every_sentence_of_every_answer_has_a_russian_one(name: str) -> None:
    answer = papers.answer(name)
    said = [answer["error"]["message"]] if "error" in answer else list(sentences(answer))

    with translation.override("ru"):
        foreign = sorted({text for text in said if text and not CYRILLIC.search(engine_words.say(text))})

    assert not foreign


@pytest.mark.parametrize("name", sorted(papers.requests()))
def test_every_derivation_has_russian_words(name: str) -> None:
    answer = papers.answer(name)
    if "error" in answer:
        return
    with translation.override("ru"):
        foreign = {
            text
            for kind, text in derived(answer)
            if not CYRILLIC.search(engine_words.formula(text) if kind == "formula" else engine_words.say(text))
        }

    assert not foreign - {"GPUs"}


@pytest.mark.parametrize("name", sorted(papers.requests()))
def test_every_assumption_has_a_russian_label(name: str) -> None:
    answer = papers.answer(name)
    if "error" in answer:
        return
    with translation.override("ru"):
        foreign = {one["key"] for one in ledger(answer) if not CYRILLIC.search(assumptions.label(one))}

    assert not foreign


@pytest.mark.parametrize(
    ("english", "russian"),
    [
        ("52.0 GiB", "52,0\u00a0ГиБ"),
        ("100,000 USD", "100\u202f000\u00a0USD"),
        ("86%", "86\u00a0%"),
        ("H200 SXM 141GB", "H200 SXM 141\u00a0ГБ"),
        ("SYS-821GE-TNHR", "SYS-821GE-TNHR"),
    ],
)
def test_figures_inside_a_sentence_follow_the_language(english: str, russian: str) -> None:
    with translation.override("ru"):
        assert engine_words.value(english) == russian


def test_several_sentences_are_said_one_by_one() -> None:
    text = (
        "Cooling: the platform is cooled by liquid only, the site gives air. "
        "Power: one node draws up to 12.0 kW, the rack gives 10.0 kW."
    )

    with translation.override("ru"):
        said = engine_words.say(text)

    assert "12,0\u00a0кВт" in said
    assert not re.search(r"\b(the|platform|node)\b", said)


def test_a_longer_sentence_is_not_taken_for_a_shorter_one() -> None:
    text = (
        "It fits: the job takes 45.0 GiB on each of 4 x L40S 48GB (up to 45.0 GiB) of 45.0 GiB. "
        "2 of the 4 would hold it too: fewer GPUs, or other work beside it."
    )

    with translation.override("ru"):
        assert not re.search(r"\b(would|fewer|the)\b", engine_words.say(text))
        assert "модель для изображений" in engine_words.say(
            "clip is an image model; Sizewright sizes transformer language models only."
        )


def test_english_stays_as_the_engine_wrote_it() -> None:
    with translation.override("en"):
        assert engine_words.say("Keeps every wish.") == "Keeps every wish."


def test_a_sentence_nobody_knows_is_shown_and_not_lost() -> None:
    with translation.override("ru"):
        assert engine_words.say("A new sentence.") == "A new sentence."
        assert not engine_words.is_known("A new sentence.")


def test_of_two_patterns_the_one_that_says_more_is_taken() -> None:
    text = (
        "It fits: the job takes 103.9 GiB on each of 8 x H200 SXM 141GB (up to 120.4 GiB) of 140.4 GiB. "
        "1 of the 8 would hold it too: fewer GPUs, or other work beside it."
    )

    with translation.override("ru"):
        said = engine_words.say(text).replace("\u00a0", " ")

    assert said.endswith("из 140,4 ГиБ. Хватило бы и 1 из 8: меньше GPU или другая работа рядом.")


def test_every_sentence_kept_as_data_is_listed_for_translation() -> None:
    kept = {re.sub(r"\{(\w+)\}", r"%(\1)s", template) for template in TEMPLATES.values()}
    figures = {text for one in references() for text in (one.claim, one.condition)}

    assert set(engine_data.ARTICLES) == kept
    assert set(engine_data.FIGURES) >= figures - {""}
    assert {kind for kind in UNSUPPORTED.values() if " " in kind} >= set(engine_data.MODEL_KINDS) > set()
