"""The figures that guides quote against each other, each under the condition that makes it true or false."""

import pytest

from sizing.architecture import by_name
from sizing.reference import references


@pytest.fixture(scope="module")
def found():
    return {(one.fact, one.claim, one.condition): one for one in references()}


def verdicts(found, fact, words):
    return {one.condition: one.holds for (name, claim, _), one in found.items() if name == fact and words in claim}


def test_full_tuning_of_7b_in_48_gb_holds_only_with_memory_saving_optimizers(found):
    holds = verdicts(found, "B2", "40-48 GB")

    assert holds == {
        "mixed precision with AdamW, fp32 master weights": False,
        "bf16 throughout, 8-bit AdamW, full recomputation": True,
    }


def test_mixed_precision_states_of_70b_are_over_a_terabyte(found):
    # 70,553,706,496 parameters x 16 bytes = 1,128.9e9 bytes = 1,051.3 GiB
    states = next(one for one in references() if "1.13 TB" in one.claim)

    assert states.expected_gib == pytest.approx(1051.3, abs=0.1)
    assert states.holds


@pytest.mark.parametrize(
    "fact, words, holds",
    [
        ("B2", "about 14 GB", True),
        ("B3", "141 GB", True),
        ("B7", "FP16 is 280 GB", False),
        ("B7", "FP32 figure", True),
        ("B16", "625 GiB", True),
        ("B7", "LoRA of 8B fits 48 GB", True),
        ("B14", "QLoRA of 7-8B fits 24 GB", True),
        ("B3", "QLoRA of 70B fits 48 GB", False),
        ("B14", "better 140", True),
        ("B11", "8 x H100", False),
        ("B16", "8 x H100 serve", False),
        ("B16", "8 x H200 serve", True),
    ],
)
def test_quoted_figure_holds_or_not(found, fact, words, holds):
    assert set(verdicts(found, fact, words).values()) == {holds}


def test_llama_3_1_has_no_7b():
    from sizing.errors import SizingError

    with pytest.raises(SizingError, match=r"llama-3\.1-8b"):
        by_name("llama-3.1-7b")
