"""The pictures of `docs/pictures/`, taken from the product as it stands; `make pictures` runs this.

One request is asked for in English and goes through the desk until it is approved, a second one in Russian on a phone.
Needs `pdftoppm` (Debian: poppler-utils) for the pages on paper.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from PIL import Image
from playwright.sync_api import Page, expect

from quotes.actors import Role
from quotes.models import Document, Quote
from tests.browser import routine
from tests.browser.conftest import MakePage
from tests.browser.test_journey import sign_in

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
COLORS = 128
PAPER_DPI = 80
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}


def keep(path: Path) -> None:
    """Store a picture with few colors: pages are flat, and a repository keeps every version."""
    with Image.open(path) as picture:
        picture.convert("RGB").quantize(COLORS, dither=Image.Dither.NONE).save(path, optimize=True)


def take(page: Page, name: str, *, full_page: bool = False) -> None:
    path = PICTURES / f"{name}.png"
    page.screenshot(path=path, full_page=full_page)
    keep(path)


def take_paper(content: bytes, name: str, folder: Path) -> None:
    """Draw the first page of a PDF."""
    source = folder / f"{name}.pdf"
    source.write_bytes(content)
    command = ["pdftoppm", "-png", "-r", str(PAPER_DPI), "-singlefile", str(source), str(PICTURES / name)]
    subprocess.run(command, check=True)
    keep(PICTURES / f"{name}.png")


def ask(page: Page) -> None:
    """Fill in the form for adapters on a large model, up to the estimate beside it."""
    page.goto("/size/adapters/")
    page.fill("#id_model_name", "llama-3.3-70b")
    page.fill("#id_dataset_amount", "10")
    page.fill("#id_sequence_length", "2048")
    expect(page.locator("#preview .figure__value").first).to_contain_text(re.compile("GiB|ГиБ"))


def newest(kind: Document.Kind) -> bytes:
    with Document.objects.filter(kind=kind).latest("pk").file.open("rb") as stored:
        return bytes(stored.read())


@pytest.mark.django_db(transaction=True)
def test_take_pictures(make_page: MakePage, live_server: Any, tmp_path: Path) -> None:
    PICTURES.mkdir(exist_ok=True)
    call_command("load_catalog", verbosity=0)
    routine.confirm_catalog()
    customer, engineer, approver = (make_page() for _ in range(3))
    sign_in(engineer, live_server, Role.ENGINEER, Client())
    sign_in(approver, live_server, Role.APPROVER, Client())

    ask(customer)
    customer.evaluate("scrollTo(0, 0)")
    take(customer, "form")
    routine.send(customer)
    take(customer, "result", full_page=True)
    routine.work()
    engineer.goto(f"/desk/{Quote.objects.get().public_id}/")
    take(engineer, "desk")
    routine.engineer_prepares(routine.Hand(engineer))
    routine.approver_approves(routine.Hand(approver))
    routine.work()
    take_paper(newest(Document.Kind.SHORT), "quote", tmp_path)

    russian = make_page(locale="ru-RU", color_scheme="dark", **PHONE)
    ask(russian)
    take(russian, "form-phone-ru")
    routine.send(russian)
    take(russian, "result-phone-ru")
    routine.work()
    take_paper(newest(Document.Kind.PRELIMINARY), "estimate-ru", tmp_path)

    customer.goto("/catalog/")
    take(customer, "catalog")
