"""The starter catalog: reviewed files into rows, again and again without undoing anybody's edits.

Hardware and language models are the engine's packaged data, so that both speak of the same rows; what the engine does
not need (modules, bridges, services, coded articles) stands in `catalog/data/`.
"""

from django.db import transaction

from catalog.starter.facts import load_facts
from catalog.starter.language_models import load_language_models
from catalog.starter.parts import load_parts
from catalog.starter.prices import load_prices
from catalog.starter.skus import load_skus
from catalog.starter.sources import load_sources
from catalog.starter.support import load_support
from catalog.starter.sync import Report

__all__ = ["Report", "load"]


@transaction.atomic
def load(*, overwrite: bool = False) -> Report:
    """Bring the catalog's tables up to the reviewed files.

    Parameters
    ----------
    overwrite : bool
        Also replace what a person has edited since the last load.

    Returns
    -------
    Report
        What was created and changed, and where the catalog differs from the files because somebody edited it.
    """
    report = Report(overwrite=overwrite)
    load_sources(report)
    facts = load_parts(report)
    load_facts(facts, report)
    load_support(report)
    load_language_models(report)
    load_skus(report)
    load_prices(report)
    return report
