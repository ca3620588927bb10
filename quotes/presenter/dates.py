"""Days and moments in words of the language in force, in the time zone of the selling company."""

from __future__ import annotations

import re
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format

from quotes.presenter.quantities import NO_BREAK, NOTHING, is_russian

DOUBLED = re.compile(r"(?<=[а-яё])\.\.(?!\.)")
WHOLE_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
MONTH = re.compile(r"(?P<year>\d{4})-(?P<month>\d{2})")


def parse(text: str | None) -> date | datetime | None:
    """Read a day or a moment of a snapshot; None where there is none."""
    if not text:
        return None
    return datetime.fromisoformat(text) if "T" in text or " " in text else date.fromisoformat(text)


def today_of(moment: object) -> date | None:
    """Read the day of a moment of a snapshot; None where there is none."""
    at = parse(str(moment or "") or None)
    return at.date() if isinstance(at, datetime) else at


def day(value: date | datetime | str | None, zone: str = "") -> str:
    """Write a day in words: 30 November 2026, 30 ноября 2026 г."""
    at = parse(value) if isinstance(value, str) else value
    if at is None:
        return NOTHING
    at = _local(at, zone)
    words = date_format(at, "j E Y" if is_russian() else "j F Y").replace(" ", NO_BREAK)
    return f"{words}{NO_BREAK}г." if is_russian() else words


def sentence(text: str) -> str:
    """End a sentence once where a Russian abbreviation (12 мес., 2026 г.) ends it with its own point."""
    return DOUBLED.sub(".", text)


def short_day(value: date | datetime | str | None, zone: str = "") -> str:
    """Write a day for a table: 2026-11-30 or 30.11.2026."""
    at = parse(value) if isinstance(value, str) else value
    if at is None:
        return NOTHING
    at = _local(at, zone)
    return f"{at:%d.%m.%Y}" if is_russian() else f"{at:%Y-%m-%d}"


def printed(text: object) -> str:
    """Write a date as a list printed it: a whole day as the reader writes days, a month or other words as they are."""
    words = str(text or "")
    if WHOLE_DAY.fullmatch(words):
        return short_day(words)
    month = MONTH.fullmatch(words)
    return f"{month['month']}.{month['year']}" if month and is_russian() else words


def moment(value: datetime | str | None, zone: str = "") -> str:
    """Write a day with the time: 2026-11-30 14:05."""
    at = parse(value) if isinstance(value, str) else value
    if at is None:
        return NOTHING
    at = _local(at, zone)
    return f"{short_day(at)} {at:%H:%M}" if isinstance(at, datetime) else short_day(at)


def moment_here(at: datetime | None) -> str:
    """Write a stored moment in the zone the page speaks in."""
    return moment(timezone.localtime(at) if at else None)


def zoned(value: datetime | str | None, zone: str = "") -> str:
    """Write a day with the time and the time zone it is told in: 2026-11-30 23:05 (Europe/Moscow)."""
    shown = moment(value, zone)
    return f"{shown} ({zone or 'UTC'})" if ":" in shown else shown


def _local(at: date | datetime, zone: str) -> date | datetime:
    if isinstance(at, datetime) and zone and at.tzinfo is not None:
        return at.astimezone(ZoneInfo(zone))
    return at
