"""Sellers' article strings read into components: text in, lines out; what cannot be read stays visible."""

from __future__ import annotations

from sizing.articles.answer import check, system_of
from sizing.articles.parsed import parsed
from sizing.articles.reader import platform_of, read
from sizing.articles.reading import Line, Message, Reading

__all__ = ["Line", "Message", "Reading", "check", "parsed", "platform_of", "read", "system_of"]
