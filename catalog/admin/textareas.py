"""Text areas of the admin, whose line ends are those that the catalog stores."""

from __future__ import annotations

from typing import Any

from django.contrib.admin.widgets import AdminTextareaWidget


class PlainTextarea(AdminTextareaWidget):
    """A text area; browsers send CR LF for each line end, which is no change of a text stored with LF."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        """Give the text with LF line ends."""
        value = super().value_from_datadict(data, files, name)
        return value.replace("\r\n", "\n").replace("\r", "\n") if isinstance(value, str) else value
