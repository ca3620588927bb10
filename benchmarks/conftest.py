"""Benchmarks of the web apps run on a database of their own, with the settings of the tests."""

from tests.conftest import pytest_configure, pytest_unconfigure

__all__ = ["pytest_configure", "pytest_unconfigure"]
