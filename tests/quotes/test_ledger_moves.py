"""What an assumption moves, in words: only what differs from now, with the figure of now beside it."""

from __future__ import annotations

from quotes.presenter.ledger_moves import ends

GIB = 2**30
NOW = {"device_high_bytes": 90 * GIB, "seconds": 3600.0, "seconds_high": 4500.0, "storage_bytes": 600 * 10**9}


def words(moves: dict[str, object]) -> list[str]:
    return [one.replace("\xa0", " ") for one in ends(moves, "tokens")]


def test_only_figures_that_differ_are_said_with_those_of_now() -> None:
    low = NOW | {"value": 512, "seconds": 7200.0, "does_the_job": True, "plan": {"activation_checkpointing": "full"}}

    said = words({"now": NOW, "low": low})[0]

    assert said.startswith("512 tokens: time 2.0 h (now 1.0 h); ")
    assert "Recomputation of activations" in said
    assert "GiB" not in said
    assert "drives" not in said


def test_an_end_that_moves_nothing_says_so() -> None:
    assert ends({"now": NOW, "high": NOW | {"value": 10, "does_the_job": True, "plan": {}}}, "") == [
        "10: nothing changes"
    ]


def test_an_end_that_breaks_the_machine_says_that_first() -> None:
    end = NOW | {"value": 8192, "device_high_bytes": 120 * GIB, "does_the_job": False, "plan": {}}

    assert words({"now": NOW, "high": end}) == [
        "8,192 tokens: no longer does the job; memory of a GPU up to 120.0 GiB (now 90.0 GiB)"
    ]


def test_entries_written_before_now_was_kept_are_read_too() -> None:
    assert ends({"high": {"value": 4, "device_high_bytes": 150 * GIB, "seconds_high": None, "does_the_job": True}}, "")
    assert ends(None, "") == []
