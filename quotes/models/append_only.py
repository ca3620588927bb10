"""Rows that are written once: the database layer of "what was sent never changes"."""

from __future__ import annotations

from typing import Any, NoReturn

from django.db import models


class WrittenOnceError(TypeError):
    """Somebody tried to change or delete a row that is written once."""


class AppendOnlyQuerySet(models.QuerySet[Any]):
    """A query set that reads and creates, and refuses the rest."""

    def update(self, **kwargs: Any) -> NoReturn:
        """Refuse: the rows are written once."""
        raise WrittenOnceError(f"{self.model.__name__} rows are written once and never updated")

    def delete(self) -> NoReturn:
        """Refuse: the rows are kept."""
        raise WrittenOnceError(f"{self.model.__name__} rows are written once and never deleted")


class AppendOnly(models.Model):
    """Base of events and documents: `save` works once, `delete` never."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert the row; a second save is refused."""
        if not self._state.adding:
            raise WrittenOnceError(f"{type(self).__name__} rows are written once and never updated")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refuse: the row is kept."""
        raise WrittenOnceError(f"{type(self).__name__} rows are written once and never deleted")
