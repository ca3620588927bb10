"""The check of an article, and keeping one."""

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from catalog import intake, matching, specs, starter
from catalog.models import Cpu, MemoryModule, Sku
from sizing import contract

NAMED = "SYS-821GE-TNHR-8xH200-2x8558-16x64GB"


def check(client: Client, article: str, **asked: str) -> dict[str, object]:
    context: dict[str, object] = client.get(reverse("catalog:article"), {"article": article, **asked}).context
    return context


@pytest.mark.parametrize(
    "article", [NAMED, "SYS-821GE-TNHR-8×H200-2×8558-16×64GB", "SYS-821GE-TNHR 8 х H200 2х8558 16х64 ГБ"]
)
def test_parts_are_matched_to_the_catalog(article: str, client: Client, catalog: starter.Report) -> None:
    lines = {line.kind: line for line in check(client, article)["lines"]}  # type: ignore[attr-defined]

    assert lines["platform"].title == "Supermicro SYS-821GE-TNHR"
    assert (lines["gpu"].title, lines["gpu"].quantity) == ("NVIDIA H200 SXM 141GB", 8)
    assert (lines["cpu"].title, lines["cpu"].fit_word) == ("Intel Xeon Platinum 8558", "Xeon Scalable gen 5")
    assert (lines["memory"].quantity, lines["memory"].fit_word) == (16, "16 of 32 slots")


def read_line(kind: str, value: object, count: int | None = None) -> dict[str, object]:
    return {"kind": kind, "value": value, "count": count, "text": str(value), "certainty": "read"}


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ({"cores": 48, "tdp_w": 330}, "48 cores, 330 W"),
        ({"cores": 1}, "1 core"),
        ({"tdp_w": 330}, "330 W"),
        ({}, ""),
    ],
)
def test_a_processor_is_described_as_far_as_it_is_known(known: dict[str, int], said: str, db: None) -> None:
    Cpu.objects.create(slug="c1", kind="cpu", vendor="Intel", name="Xeon Platinum 9999", **known)

    [line] = matching.match([read_line("cpu", "Xeon Platinum 9999")])

    assert (line.title, line.detail) == ("Intel Xeon Platinum 9999", said)


def test_modules_of_an_unknown_number_fill_no_slots(catalog: starter.Report) -> None:
    lines = matching.match([read_line("platform", "smc-sys-821ge-tnhr", 1), read_line("memory", 64)])

    assert (lines[1].fit, lines[1].fit_word) == ("", "")


@pytest.mark.parametrize(
    ("kind", "value", "said"), [("drive", 7.68, "7,68 ТБ"), ("nic", 400, "400 Гбит/с"), ("psu", 3000, "3 000 Вт")]
)
def test_what_is_in_no_table_is_written_in_the_readers_units(kind: str, value: float, said: str, db: None) -> None:
    with translation.override("ru"):
        [line] = matching.match([read_line(kind, value)])

    assert line.title.replace("\xa0", " ") == said


def test_what_the_article_leaves_open_is_asked(client: Client, catalog: starter.Report) -> None:
    asked = {str(missing.label) for missing in check(client, NAMED)["asked"]}  # type: ignore[attr-defined]

    assert asked == {"Drives", "Network adapters", "Power supplies", "Condition", "Warranty"}


def test_a_card_in_a_module_board_is_refuted(client: Client, catalog: starter.Report) -> None:
    context = check(client, "SYS-821GE-TNHR-8xH200 NVL")
    fits = [line.fit for line in context["lines"] if line.kind == "gpu"]  # type: ignore[attr-defined]

    assert fits == ["refuted"] or context["conflicts"]


def test_a_job_gets_a_verdict(client: Client, catalog: starter.Report) -> None:
    verdict = check(client, NAMED, method="qlora", model="llama-3.1-8b")["verdict"]

    assert verdict["word"] == "fits"  # type: ignore[index]


def test_a_method_without_a_model_is_asked_back(client: Client, catalog: starter.Report) -> None:
    page = client.get(reverse("catalog:article"), {"article": NAMED, "method": "qlora"})

    assert "Choose the model" in page.content.decode()


@pytest.mark.parametrize(
    "article", ["\x00\x01", "А" * 4000, "8x" * 1000, "<script>alert(1)</script>", "\u202e8xH200", "x" * 4001]
)
def test_hostile_texts_are_answered(article: str, client: Client, catalog: starter.Report) -> None:
    page = client.post(reverse("catalog:article"), {"article": article}, follow=True)

    assert page.status_code == 200
    assert b"<script>alert" not in page.content


def test_a_text_of_ten_megabytes_is_refused(client: Client, catalog: starter.Report) -> None:
    assert client.post(reverse("catalog:article"), {"article": "8xH200 " * 1_500_000}).status_code in (400, 413)


def test_queries_do_not_grow_with_the_lines(client: Client, catalog: starter.Report) -> None:
    def count(article: str) -> int:
        check(client, article)
        with CaptureQueriesContext(connection) as queries:
            check(client, article)
        return len(queries)

    assert count(NAMED + "-8x3.84TB-2x400G-6x3000W") <= count(NAMED)


def test_a_kept_article_has_its_lines_and_gaps_unconfirmed(catalog: starter.Report) -> None:
    article = "SYS-821GE-TNHR-8xH100-2x8480+-32x64GB"
    reading = contract.check_article({"article": article}, hardware=specs.hardware_catalog())

    sku = intake.keep(article, reading, seller="somebody")

    assert {line.state for line in sku.lines.all()} == {"unconfirmed"}
    assert {line.kind for line in sku.lines.all() if not line.is_open} >= {"platform", "gpu", "memory"}
    assert {line.kind for line in sku.lines.all() if line.is_open} >= {"drive", "nic", "psu"}


def test_an_article_is_kept_once(catalog: starter.Report) -> None:
    reading = contract.check_article({"article": NAMED}, hardware=specs.hardware_catalog())

    with pytest.raises(ValidationError, match="already"):
        intake.keep(NAMED, reading)


def test_keeping_goes_through_the_page(keeper: Client, catalog: starter.Report, administrator: User) -> None:
    keeper.post(reverse("catalog:keep_article"), {"article": "AS-8125GS-TNHR 8xH200"})

    assert Sku.objects.get(article="AS-8125GS-TNHR 8xH200").edited_at is not None


def memory_line(**details: object) -> dict[str, object]:
    return read_line("memory", 256, 16) | {"details": details}


@pytest.mark.parametrize(
    ("details", "slug"),
    [
        ({}, None),
        ({"mt_s": 6400}, "m6400"),
        ({"mt_s": 4800}, "m4800"),
        ({"mt_s": 5600}, None),
        ({"memory_type": "DDR5", "mt_s": 4800}, "m4800"),
        ({"memory_type": "DDR4"}, None),
    ],
)
def test_a_module_is_named_where_only_one_fits(details: dict[str, object], slug: str | None, db: None) -> None:
    for speed in (4800, 6400):
        MemoryModule.objects.create(
            slug=f"m{speed}",
            kind="memory",
            name=f"RDIMM {speed}",
            capacity_gb=256,
            memory_type="DDR5 RDIMM",
            speed_mt_s=speed,
        )

    [line] = matching.match([memory_line(**details)])

    assert (line.part.slug if line.part else None) == slug


def test_several_modules_of_a_size_are_said(db: None) -> None:
    for speed in (4800, 6400):
        MemoryModule.objects.create(slug=f"m{speed}", kind="memory", name=f"RDIMM {speed}", capacity_gb=256)

    [line] = matching.match([memory_line()])

    assert "RDIMM 4800" in line.detail
    assert "RDIMM 6400" in line.detail


def test_a_card_of_another_edition_is_not_the_listed_one(client: Client, catalog: starter.Report) -> None:
    [line] = [line for line in check(client, "4x RTX PRO 6000 Blackwell Max-Q")["lines"] if line.kind == "gpu"]  # type: ignore[attr-defined]

    assert line.part is None
    assert "Max-Q" in line.title
