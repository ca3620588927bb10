"""What a request may hold, and how a refusal names the field."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sizing import fields
from sizing.errors import SizingError


def test_known_fields_are_read_and_unknown_names_given_back():
    known, unknown = fields.read({"rank": 16, "alpha": 32}, fields.LORA, "workload.lora")

    assert known == {"rank": 16}
    assert unknown == ["alpha"]


def test_null_counts_as_absent():
    known, unknown = fields.read({"rank": None}, fields.LORA, "workload.lora")

    assert known == {}
    assert unknown == []


@pytest.mark.parametrize("value", [0, -1, 1.5, math.inf, math.nan, True, "16", [16], 10**30])
def test_impossible_rank_is_refused_by_name(value):
    with pytest.raises(SizingError) as refused:
        fields.read({"rank": value}, fields.LORA, "workload.lora")

    assert refused.value.field == "workload.lora.rank"


def test_refused_choice_lists_what_is_allowed():
    with pytest.raises(SizingError, match="allowed are none, selective, full"):
        fields.read({"activation_checkpointing": "some"}, fields.TRAINING, "workload")


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists, max_leaves=5))
def test_nothing_but_an_object_is_read_as_one(raw):
    with pytest.raises(SizingError):
        fields.read(raw, fields.PLAN, "plan")


@given(st.dictionaries(st.sampled_from(sorted(fields.TRAINING)), st.none() | st.floats() | st.text() | st.integers()))
def test_any_value_is_read_or_refused_never_crashed_on(raw):
    try:
        known, _ = fields.read(raw, fields.TRAINING, "workload")
    except SizingError as refused:
        assert refused.field.startswith("workload.")
    else:
        assert set(known) <= set(raw)
