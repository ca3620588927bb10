"""What a document says is what the snapshot holds; each kind says what it is; nothing is fetched."""

from __future__ import annotations

import json
import re
from functools import cache
from html import unescape
from io import BytesIO
from typing import Any

import pytest
from django.utils import translation
from pypdf import PdfReader

from quotes import documents, snapshot
from quotes.presenter import quantities as q
from tests.quotes import papers

OWN_FONTS = ("Inter", "IBM-Plex-Mono", "IBMPlexMono")
NUMBER = "SW-2026-0147"


@cache
def rendered(name: str, kind: str, language: str) -> bytes:
    """A document of a real answer, rendered once for all tests."""
    frozen = papers.preliminary(name) if kind == "preliminary" else papers.snapshot(name, number=_number(kind))
    return documents.render(frozen, kind=kind, language=language)


def _number(kind: str) -> str | None:
    return None if kind == "draft" else NUMBER


def reader(content: bytes) -> PdfReader:
    """Read a PDF."""
    return PdfReader(BytesIO(content))


def flat(text: str) -> str:
    """Text with every space alike."""
    return re.sub(r"\s+", " ", text)


def words(content: bytes) -> str:
    """The whole text of a PDF."""
    return flat(" ".join(page.extract_text() for page in reader(content).pages))


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_figures_of_page_one_are_those_of_the_snapshot(language: str) -> None:
    frozen = papers.snapshot(number=NUMBER)
    memory, totals = frozen["candidate"]["estimate"]["memory"], frozen["totals"]

    page = flat(reader(rendered(papers.TRAINING, "short", language)).pages[0].extract_text())

    with translation.override(language):
        for figure in (
            q.gib(memory["needed"]["expected"]),
            q.gib(memory["capacity"]),
            q.Quantity(q.money(totals["net"], digits=0).text),
            q.money(totals["gross"], totals["currency"]),
        ):
            assert flat(str(figure)) in page
    assert NUMBER in page


@pytest.mark.parametrize("name", [papers.TRAINING, papers.FULL_TUNING, papers.SERVICE, papers.RAG])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_short_form_has_three_or_four_pages(name: str, language: str) -> None:
    assert 3 <= len(reader(rendered(name, "short", language)).pages) <= 4


def test_the_full_form_has_every_section_in_its_outline() -> None:
    outline = [
        entry for entry in reader(rendered(papers.TRAINING, "full", "en")).outline[1:] if not isinstance(entry, list)
    ]
    titles = " ".join(str(entry.title) for entry in _flatten(reader(rendered(papers.TRAINING, "full", "en")).outline))

    assert outline or titles
    for number in [*range(1, 15), "A", "B", "C", "D"]:
        assert re.search(rf"(^|\s){number} ", titles), number


def _flatten(outline: list[Any]) -> list[Any]:
    return [one for entry in outline for one in (_flatten(entry) if isinstance(entry, list) else [entry])]


def test_a_document_is_tagged_titled_and_speaks_its_language() -> None:
    made = reader(rendered(papers.TRAINING, "short", "ru"))
    root = made.root_object

    assert root["/Lang"] == "ru"
    assert root["/MarkInfo"]["/Marked"]
    assert made.metadata is not None and made.metadata.title


def test_only_our_own_fonts_are_embedded() -> None:
    names = set()
    for page in reader(rendered(papers.TRAINING, "full", "en")).pages:
        fonts = page["/Resources"].get("/Font", {})
        names |= {str(font.get_object()["/BaseFont"]).partition("+")[2] for font in fonts.values()}

    assert names
    assert all(name.startswith(OWN_FONTS) for name in names), names


def test_the_calculation_is_attached_byte_for_byte() -> None:
    frozen = papers.snapshot(number=NUMBER)

    attached = reader(rendered(papers.TRAINING, "short", "en")).attachments["calculation.json"][0]

    assert attached == snapshot.encode(frozen)
    assert snapshot.digest(frozen)[:8] in words(rendered(papers.TRAINING, "short", "en"))


def test_the_same_snapshot_gives_the_same_bytes() -> None:
    frozen = json.loads(json.dumps(papers.snapshot(number=NUMBER)))

    assert documents.render(frozen, kind="short", language="en") == rendered(papers.TRAINING, "short", "en")


def test_a_preliminary_document_says_on_every_page_that_it_is_no_offer_and_has_no_number() -> None:
    content = rendered(papers.RAG, "preliminary", "en")

    assert all("NOT AN OFFER" in flat(page.extract_text()).upper() for page in reader(content).pages)
    assert "R-2026-0412" in words(content)
    assert "SW-" not in words(content)
    assert "Price, net" not in words(content)


def test_a_preliminary_document_lists_every_assumption() -> None:
    frozen = papers.preliminary(papers.RAG)
    text = words(rendered(papers.RAG, "preliminary", "en"))

    for number in range(1, len(frozen["assumptions"]) + 1):
        assert f"A{number:02d} " in text


@pytest.mark.parametrize(("name", "says", "never"), [
    (papers.TRAINING, "must not be used to size a service", "must not be used as a specification for training"),
    (papers.SERVICE, "must not be used as a specification for training", "Gradients"),
])  # fmt: skip
def test_training_and_service_can_not_be_mixed_up(name: str, says: str, never: str) -> None:
    with translation.override("en"):
        text = flat(
            re.sub(r"<[^>]+>", " ", documents.html(papers.preliminary(name), kind="preliminary", language="en"))
        )

    assert says in text
    assert never not in text


TRAINING_ALONE = {"en": ("Gradients", "Optimizer states", "Saved activations"),
                  "ru": ("Градиенты", "Состояния оптимизатора", "Сохранённые активации")}  # fmt: skip
STAYS = {"en": "Weights do not change.", "ru": "Веса не меняются."}


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("kind", ["short", "full", "preliminary"])
@pytest.mark.parametrize("name", [papers.SERVICE, papers.RAG])
def test_no_document_of_a_service_reads_like_a_training_specification(name: str, kind: str, language: str) -> None:
    frozen = papers.preliminary(name) if kind == "preliminary" else papers.snapshot(name)
    text = flat(re.sub(r"<[^>]+>", " ", documents.html(frozen, kind=kind, language=language)))

    assert STAYS[language] in text
    assert not [word for word in TRAINING_ALONE[language] if word in text]


@pytest.mark.parametrize("kind", ["short", "full", "preliminary"])
def test_figures_of_a_service_put_into_a_training_quote_stay_figures_of_a_service(kind: str) -> None:
    mixed = papers.preliminary(papers.TRAINING) | {"candidate": papers.preliminary(papers.SERVICE)["candidate"]}
    text = flat(re.sub(r"<[^>]+>", " ", documents.html(mixed, kind=kind, language="en")))

    assert STAYS["en"] in text
    assert "must not be used to size a service" not in text
    assert not [word for word in ("Time to the result", "Result after", "Time to result, 90% band") if word in text]


def test_without_a_candidate_the_document_says_so_and_shows_the_nearest() -> None:
    text = documents.html(papers.preliminary(papers.IMPOSSIBLE), kind="full", language="en")

    assert "keeps every limit" in text
    assert papers.answer(papers.IMPOSSIBLE)["nearest"]["platform_title"] in text


def test_an_empty_snapshot_keeps_every_heading_and_says_why() -> None:
    bare = papers.snapshot() | {
        "output": {},
        "candidate": None,
        "lines": [],
        "totals": None,
        "assumptions": [],
        "input": {},
    }

    text = documents.html(bare, kind="full", language="ru")

    assert text.count('class="empty"') >= 10
    assert "None" not in re.sub(r"<[^>]+>", " ", text)


@pytest.mark.parametrize("kind", ["short", "draft"])
def test_page_one_never_spills(kind: str) -> None:
    frozen = papers.stressed(lines=4, assumptions=6) | ({"number": None} if kind == "draft" else {})

    made = reader(documents.render(frozen, kind=kind, language="ru"))

    second = made.pages[1].extract_text()
    assert "Действует до" not in second.partition("\n\n")[0].replace("Действует до 14", "")
    assert ("Содержание" if kind == "draft" else "Состав") in second


def test_hostile_words_stay_words() -> None:
    frozen = papers.snapshot(number=NUMBER)
    evil = (
        '<img src="http://example.com/x"><link rel=attachment href="file:///etc/passwd">'
        '<a href="javascript:alert(1)">x</a>'
    )
    frozen["lines"][0] |= {"description": evil, "detail": evil}
    frozen["customer"]["organization"] = evil
    frozen["message"] = evil
    frozen["note"] = "{{ 7|add:7 }} {% debug %}"

    made = reader(documents.render(frozen, kind="short", language="en"))

    assert list(made.attachments) == ["calculation.json"]
    links = [note.get_object().get("/A", {}).get("/URI") for page in made.pages for note in page.get("/Annots", [])]
    assert not [link for link in links if link]
    assert "{{ 7|add:7 }}" in words(documents.render(frozen, kind="short", language="en"))


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/x", "file:///etc/passwd", "https://document.invalid/../settings.py",
                                     "data:text/plain,x"])  # fmt: skip
def test_nothing_but_our_own_files_is_ever_fetched(address: str) -> None:
    with pytest.raises(ValueError, match="not one of the document's own files"):
        documents._fetcher().fetch(address)


def test_a_link_of_a_dangerous_scheme_is_taken_out() -> None:
    from weasyprint import HTML

    tree = HTML(string='<a href="javascript:x">a</a><a href="https://example.com">b</a><a rel=attachment href="https://e.com">c</a>',
                url_fetcher=documents._fetcher()).etree_element  # fmt: skip
    documents._disarm(tree)

    assert [one.get("href") for one in tree.iter("a")] == [None, "https://example.com", None]


def test_a_waived_line_prints_its_reason() -> None:
    frozen = papers.snapshot(number=NUMBER, state="waived")

    text = documents.html(frozen, kind="short", language="en")

    assert "checked at delivery" in text


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("name", sorted(papers.requests()))
def test_every_answer_of_the_engine_becomes_a_document(name: str, language: str) -> None:
    if "error" in papers.answer(name):
        return
    text = documents.html(papers.preliminary(name), kind="full", language=language)

    visible = flat(re.sub(r"<[^>]+>", " ", text))
    assert "None" not in visible.replace("None of them", "")
    assert "%(" not in visible
    assert " nan" not in visible


def test_values_on_which_sources_disagree_stand_in_the_sources_with_the_reason() -> None:
    text = re.sub(r"<[^>]+>", " ", documents.html(papers.snapshot(papers.TRAINING), kind="full", language="en"))
    conflict = papers.snapshot(papers.TRAINING)["candidate"]["conflicts"][0]

    assert "Where sources disagree" in text
    assert conflict["why"] in unescape(text)
    named = [one["source"] for one in conflict["values"] if "price survey" not in one["source"]]
    assert named and all(one in unescape(text) for one in named)


def test_a_price_without_tax_is_not_called_one_with_tax() -> None:
    frozen = papers.snapshot(number=NUMBER)
    frozen["totals"] |= {"gross": frozen["totals"]["net"], "tax": "0.00", "taxes": []}

    page = flat(re.sub("<[^>]+>", "", unescape(documents.html(frozen, kind="short", language="en"))))

    assert "no tax is added" in page
    assert "with tax" not in page.split("Why this one")[0]


LONG_EVIDENCE = "Price list of the supplier of 27 November 2026, sheet “Servers”"


@pytest.mark.parametrize("name", [papers.TRAINING, papers.FULL_TUNING, papers.SERVICE, papers.RAG])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_one_evidence_of_many_lines_is_told_once_and_keeps_the_short_form_short(name: str, language: str) -> None:
    frozen = papers.snapshot(name, number=NUMBER)
    for line in frozen["lines"][1:]:
        line["confirmation"]["evidence"] = LONG_EVIDENCE

    made = documents.html(frozen, kind="short", language=language)
    pages = reader(documents.render(frozen, kind="short", language=language)).pages

    text = flat(unescape(re.sub("<[^>]+>", " ", made)))
    assert text.count(LONG_EVIDENCE) == 1
    assert f"E1: {LONG_EVIDENCE}" in text
    assert len(re.findall(r"\bE1\b", text)) == len(frozen["lines"])
    assert text.count("letter 7714") == 1
    assert 3 <= len(pages) <= 4


def test_a_complete_total_without_a_rate_is_not_called_incomplete() -> None:
    frozen = papers.snapshot(number=NUMBER)
    frozen["totals"]["currency"] = "CHF"

    text = flat(unescape(re.sub("<[^>]+>", " ", documents.html(frozen, kind="full", language="en"))))

    assert "The total of this quote is in CHF and no rate leads to USD: they are not compared." in text
    assert "lines have none" not in text


def test_a_waived_assumption_and_what_the_customer_objected_are_told_among_the_open_points() -> None:
    frozen = papers.snapshot(number=NUMBER)
    plain = [one for one in frozen["assumptions"] if not one["decisive"]]
    plain[0]["confirmation"] = {"state": "waived", "reason": "agreed by phone"}
    plain[0]["customer_says"] = "rank 64"

    text = flat(unescape(re.sub("<[^>]+>", " ", documents.html(frozen, kind="short", language="en"))))

    outstanding = text.split("Outstanding", 1)[1]
    assert "waived with a reason: 1" in text.replace("Waived", "waived")
    assert "You said: rank 64. agreed by phone" in outstanding
