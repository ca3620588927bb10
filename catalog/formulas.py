"""Text that a spreadsheet would run: how it begins, for everything that is exported."""

from __future__ import annotations

# What starts a formula in one spreadsheet or another, the wide forms of East Asian keyboards included.
STARTS_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
GUARD = "'"


def starts_formula(text: str) -> bool:
    """Whether a spreadsheet may take a text for a formula; spaces before it do not help."""
    return text.lstrip(" ").startswith(STARTS_FORMULA)
