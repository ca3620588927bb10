"""Facts of the catalog in the reader's language; what a maker printed beside them is marked as English."""

from __future__ import annotations

import pytest
from django.utils import translation

from catalog.templatetags.catalog_pages import cooling


@pytest.mark.parametrize(
    ("printed", "english", "russian"),
    [
        ("air", "air cooling", "воздушное"),
        ("direct liquid", "direct liquid", "прямое жидкостное"),
        ("air, 1550 CFM", 'air cooling<span lang="en">, 1550 CFM</span>', 'воздушное<span lang="en">, 1550 CFM</span>'),
        ("airflow <b>", '<span lang="en">airflow &lt;b&gt;</span>', '<span lang="en">airflow &lt;b&gt;</span>'),
        ("", "", ""),
    ],
)
def test_a_way_of_cooling_is_said_in_the_readers_language(printed: str, english: str, russian: str) -> None:
    with translation.override("en"):
        assert cooling(printed) == english
    with translation.override("ru"):
        assert cooling(printed) == russian
