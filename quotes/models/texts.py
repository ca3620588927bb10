"""Text fields that keep what a person can read: no control character and no turn of the writing direction is stored."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from django.db import models

KEPT = frozenset("\n\r\t")
DIRECTIONS = frozenset(chr(code) for code in (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
HIDDEN = frozenset({"Cc", "Cs"})


def readable(text: str) -> str:
    """Take control characters and marks of direction (U+202A–202E, U+2066–2069 and their like) out of a text."""
    if text.isprintable() and not DIRECTIONS.intersection(text):
        return text
    return "".join(
        one for one in text if one in KEPT or (one not in DIRECTIONS and unicodedata.category(one) not in HIDDEN)
    )


def readable_data(value: Any) -> Any:
    """Take them out of every text of nested data."""
    if isinstance(value, str):
        return readable(value)
    if isinstance(value, Mapping):
        return {readable(str(name)): readable_data(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [readable_data(one) for one in value]
    return value


def _as_django(path: str, parts: Any) -> Any:
    name, _path, args, kwargs = parts
    return name, f"django.db.models.{path}", args, kwargs


class ReadableChar(models.CharField):  # type: ignore[type-arg]
    """A short text; the table is that of a plain `CharField`."""

    def get_prep_value(self, value: Any) -> Any:
        """Clean what goes to the database, by whatever way."""
        return super().get_prep_value(readable(value) if isinstance(value, str) else value)

    def deconstruct(self) -> Any:
        """Describe the field to migrations as the plain one."""
        return _as_django("CharField", super().deconstruct())


class ReadableText(models.TextField):  # type: ignore[type-arg]
    """A long text; the table is that of a plain `TextField`."""

    def get_prep_value(self, value: Any) -> Any:
        """Clean what goes to the database, by whatever way."""
        return super().get_prep_value(readable(value) if isinstance(value, str) else value)

    def deconstruct(self) -> Any:
        """Describe the field to migrations as the plain one."""
        return _as_django("TextField", super().deconstruct())


class ReadableJson(models.JSONField):
    """Nested data with texts in it; the table is that of a plain `JSONField`."""

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        """Clean what goes to the database."""
        return super().get_db_prep_value(readable_data(value), connection, prepared)

    def deconstruct(self) -> Any:
        """Describe the field to migrations as the plain one."""
        return _as_django("JSONField", super().deconstruct())
