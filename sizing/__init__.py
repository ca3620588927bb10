"""Sizing engine: what memory, time and server an AI workload needs, and how sure that is."""

__version__ = "0.1.0"
