"""The preview beside the form, through the whole stack but the network (aim: under 100 ms)."""

import itertools

import pytest
from django.urls import reverse

ANSWERS = {
    "adapters": {"model_name": "llama-3.3-70b", "method": "qlora", "dataset_amount": "50", "epochs": "2"},
    "full": {"model_name": "llama-3.1-8b", "dataset_amount": "50", "epochs": "2"},
    "service": {"model_name": "llama-3.3-70b", "users": "600", "input_tokens": "2000", "output_tokens": "400"},
    "documents": {"model_name": "qwen2.5-32b", "documents": "200000", "users": "600"},
}
VARIED = {"adapters": "sequence_length", "full": "sequence_length", "service": "input_tokens", "documents": "documents"}


@pytest.mark.django_db
@pytest.mark.parametrize("way", ANSWERS)
def test_preview(benchmark, client, way):
    address = reverse("quotes:preview", kwargs={"route": way})
    numbers = itertools.count(2048)

    def type_one_more():
        return client.post(address, ANSWERS[way] | {VARIED[way]: str(next(numbers))})

    page = benchmark(type_one_more)

    assert "figure__value" in page.content.decode()
