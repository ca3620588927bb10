"""What only documents ask for: a picture drawn from its own context."""

from __future__ import annotations

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from quotes.presenter.blocks import Block
from quotes.presenter.tables import Table
from quotes.presenter.words import status_word

register = template.Library()


@register.simple_tag
def drawing(block: Block) -> SafeString:
    """Draw the picture of a block: its template sees the picture's values and nothing else."""
    return render_to_string(block.template, dict(block.picture))


@register.simple_tag
def status_of(key: str) -> str:
    """Say a status in its fixed word."""
    return status_word(key)


@register.simple_tag
def column_label(table: Table, place: int) -> str:
    """Give the heading of a column: on a narrow screen each cell carries it."""
    return table.columns[place].label if place < len(table.columns) else ""
