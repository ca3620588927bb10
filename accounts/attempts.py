"""Whose account somebody tries to open, for counting wrong passwords."""

from collections.abc import Mapping

from django.http import HttpRequest


def claimed_name(request: HttpRequest | None, credentials: Mapping[str, str] | None = None) -> str:
    """Give the name or mail address that was typed, in one spelling whatever the letters' case."""
    stated = credentials or {}
    typed = stated.get("username") or stated.get("email") or (request.POST.get("login", "") if request else "")
    return typed.strip().casefold()
