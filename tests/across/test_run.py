"""`make run` may be used every day: it fills an empty database once, and never undoes what people did since."""

import socket
import sys

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


def test_a_task_worker_that_ends_is_started_again_and_the_site_goes_on(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "WATCH_SECONDS", 0.05)
    monkeypatch.setattr(run, "MOST_RESTARTS", 2)
    site = run.start([sys.executable, "-c", "import time; time.sleep(4)"])
    processes = [site]

    try:
        run.keep_running(site, [sys.executable, "-c", "raise SystemExit(1)"], processes)
    finally:
        run.stop(processes)

    assert site.returncode == 0
    assert len(processes) == 4
    assert "started again (2 of 2)" in capfd.readouterr().err
