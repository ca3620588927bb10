"""Django's own admin for the catalog: search, filters, bulk confirmation, history and revert, import and export."""

from catalog.admin import claims, parts, sales, skus, sources

__all__ = ["claims", "parts", "sales", "skus", "sources"]
