"""Requirement to recommendation to confirmed quote: requests, quotes, documents and the staff desk."""
