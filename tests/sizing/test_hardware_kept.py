"""A catalog that was kept is the catalog that answered."""

import json

import pytest

from sizing.hardware_data import packaged
from sizing.hardware_data.kept import from_document, to_document


def test_a_kept_catalog_is_equal_to_its_original() -> None:
    assert from_document(json.loads(json.dumps(to_document(packaged())))) == packaged()


def test_a_document_of_another_shape_is_refused() -> None:
    document = to_document(packaged())
    del document["gpus"][0]["memory_bytes"]

    with pytest.raises(KeyError):
        from_document(document)
