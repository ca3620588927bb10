"""Keep the catalog that answered, and read it again: an old estimate is recomputed over its own catalog."""

from __future__ import annotations

import hashlib
import json
import zlib

import sizing
from catalog import specs
from quotes.models import KeptCatalog
from sizing.hardware_data import HardwareCatalog
from sizing.hardware_data.kept import from_document, to_document


class CatalogDamagedError(ValueError):
    """A kept catalog is not what was kept."""


def keep_catalog(fingerprint: str) -> None:
    """Keep the catalog as it is now under its fingerprint, once; nothing where it has moved on since. Runs SQL."""
    now = specs.current()
    if now.fingerprint != fingerprint or KeptCatalog.objects.filter(fingerprint=fingerprint).exists():
        return
    text = json.dumps(to_document(now.hardware), sort_keys=True, separators=(",", ":")).encode()
    KeptCatalog.objects.get_or_create(
        fingerprint=fingerprint,
        defaults={
            "content": zlib.compress(text),
            "sha256": hashlib.sha256(text).hexdigest(),
            "engine_version": sizing.__version__,
        },
    )


def kept_catalog(fingerprint: str) -> HardwareCatalog | None:
    """Give the catalog of a fingerprint as this engine reads it; None where none was kept. Runs SQL.

    Raises
    ------
    CatalogDamagedError
        Where the bytes are not those that were kept, or another engine's.
    """
    row = KeptCatalog.objects.filter(fingerprint=fingerprint).first()
    if row is None:
        return None
    try:
        text = zlib.decompress(bytes(row.content))
        if hashlib.sha256(text).hexdigest() != row.sha256:
            raise CatalogDamagedError(f"The kept catalog {fingerprint} was altered")
        return from_document(json.loads(text))
    except (zlib.error, KeyError, TypeError) as error:
        raise CatalogDamagedError(f"The kept catalog {fingerprint} cannot be read") from error
