"""`make run` may be used every day: it fills an empty database once, and never undoes what people did since."""

import socket

import pytest

from catalog.models import Gpu, Source
from scripts import run


@pytest.mark.django_db
def test_preparing_fills_an_empty_database_and_keeps_every_edit() -> None:
    run.prepare()
    row = Gpu.objects.order_by("pk").first()
    assert row is not None
    Gpu.objects.filter(pk=row.pk).update(name="Edited by a person")
    counts = (Gpu.objects.count(), Source.objects.count())

    run.prepare()

    assert Gpu.objects.get(pk=row.pk).name == "Edited by a person"
    assert (Gpu.objects.count(), Source.objects.count()) == counts


def test_a_taken_port_is_reported_before_anything_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        monkeypatch.setattr(run, "PORT", port)

        with pytest.raises(SystemExit, match=f"Port {port} is taken.*PORT={port + 1}"):
            run.refuse_taken_port()
