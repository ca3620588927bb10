"""Terms of a document in plain words."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _


def terms(*, is_training: bool) -> list[tuple[str, str]]:
    """Give the terms that a document of this kind uses, in the order of the alphabet of its language."""
    found = [*_common(), *(_training() if is_training else _serving())]
    return sorted(found, key=lambda one: one[0].casefold())


def _common() -> Iterator[tuple[str, str]]:
    yield _("Band"), _("range that holds the true value in nine cases of ten on published measurements")
    yield "GiB, GB", _("2³⁰ bytes, as nvidia-smi counts; 10⁹ bytes, as drives are sold")
    yield "NVLink", _("direct link between GPUs, faster than PCIe")
    yield (
        "PCIe, SXM",
        _("two shapes of accelerator: a card in a slot, a module on a board; one cannot replace the other"),
    )
    yield "PUE", _("energy of the whole room over energy of the equipment")
    yield _("Waived"), _("left unconfirmed on purpose, with a reason and the role that decided")
    yield _("Conditional"), _("does the job by calculation; a fact about it is not confirmed yet")


def _training() -> Iterator[tuple[str, str]]:
    yield _("Activations"), _("intermediate results kept for the backward pass")
    yield _("Adapter (LoRA)"), _("a small pair of matrices trained beside a frozen one")
    yield _("Checkpoint"), _("saved state from which a run can be resumed")
    yield _("Gradient accumulation"), _("several micro-batches before one update of the weights")
    yield _("Logits"), _("scores of every word of the vocabulary at every position")
    yield _("Micro-batch"), _("sequences that a GPU processes at once")
    yield "NF4", _("4-bit format for frozen weights")
    yield "QLoRA", _("LoRA over weights kept in 4 bits")
    yield _("Recomputation"), _("activations are calculated again instead of kept")
    yield "MFU", _("share of a GPU’s peak arithmetic that useful work reaches")


def _serving() -> Iterator[tuple[str, str]]:
    yield _("KV cache"), _("keys and values of every token in flight, kept so that they are not computed again")
    yield _("First word"), _("time from the request to the first token of the answer (TTFT)")
    yield _("Further word"), _("time between tokens of an answer (TPOT)")
    yield _("Passage"), _("piece of a document that is found and given to the model")
