"""Units for reading, and messages about input of any kind."""

from __future__ import annotations

import pytest

from sizing import units
from sizing.errors import SizingError, shown


@pytest.mark.parametrize(
    ("size", "binary", "text"),
    [
        (0, True, "0 B"),
        (1023, True, "1023 B"),
        (141_107_412_992, True, "131.4 GiB"),
        (141_107_412_992, False, "141.1 GB"),
        (1.5 * 2**40, True, "1.5 TiB"),
        (10**19, False, "10000.0 PB"),
    ],
)
def test_bytes_are_written_in_binary_or_decimal_units(size, binary, text):
    assert units.format_bytes(size, binary=binary) == text


def test_gib_and_gb_are_never_the_same():
    assert units.gib(2**30) == 1
    assert units.gb(10**9) == 1
    assert units.gib(units.GB) < 0.94


@pytest.mark.parametrize(
    ("count", "text"), [(8_030_261_248, "8.03 B"), (494e6, "494 M"), (1.026e12, "1.03 T"), (12, "12")]
)
def test_counts_are_short(count, text):
    assert units.format_count(count) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.85, "850 ms"), (42, "42 s"), (600, "10 min"), (12_600, "3.5 h"), (1_036_800, "12 d")]
)
def test_durations_are_short(seconds, text):
    assert units.format_seconds(seconds) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (None, "nothing"),
        (4096, "4096"),
        pytest.param(10**5000, "a number of 16610 bits", id="huge"),
        (float("nan"), "nan"),
        (1e30, "1e+30"),
        ("x" * 100, "x" * 60 + "…"),
        ([1, 2], "a list of 2"),
        ({"a": 1}, "an object with 1 keys"),
    ],
)
def test_values_are_shown_short_and_safely(value, text):
    assert shown(value) == text


def test_an_error_names_field_value_and_parameters():
    error = SizingError("model.config.n_layer", "{field} is {value}, above {most}.", value=7, most=5)

    assert str(error) == "model.config.n_layer is 7, above 5."
    assert (error.field, error.message, error.value) == ("model.config.n_layer", "{field} is {value}, above {most}.", 7)


def test_braces_in_a_value_are_only_text():
    assert str(SizingError("model.name", "No {value}.", value="{field} {0} {most.x}")) == "No {field} {0} {most.x}."
