"""Twenty people type at once: how long the preview takes in a server set up as in production.

    .venv/bin/python -m benchmarks.preview_load [--seconds 20] [--people 20] [--changes 2] [--workers 2]

Makes a database of its own, starts the server beside itself on the loopback and prints percentiles. The machine also
runs the people, so that the figures are a little worse than those of a server alone.
"""

from __future__ import annotations

import argparse
import os
import secrets
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import cycle, islice
from pathlib import Path
from statistics import quantiles
from threading import Thread
from time import perf_counter, sleep

from benchmarks.typing_people import PEOPLE, Answer, Person
from scripts.compile_messages import compile_all

ROOT = Path(__file__).resolve().parent.parent
BLOCKING_THREADS = "4"
WARM_UP_SECONDS = 4.0
PATIENCE_SECONDS = 60
STEPS = (
    ("migrate", "--verbosity", "0"),
    ("createcachetable",),
    ("load_catalog",),
    ("collectstatic", "--noinput", "--verbosity", "0"),
)


def environment(folder: Path) -> dict[str, str]:
    """Give the settings of production, with everything it writes in a folder that is thrown away."""
    return {name: value for name, value in os.environ.items() if name != "DATABASE_URL"} | {
        "ENV_FILE": "",
        "DEBUG": "false",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "ALLOWED_HOSTS": "127.0.0.1",
        "SSL_REDIRECT": "false",
        "VAR_DIR": str(folder),
        "CACHE_URL": "dbcache://cache",
        "EMAIL_URL": "filemail://",
        "LOG_LEVEL": "WARNING",
        "PYTHONPATH": str(ROOT),
    }


@contextmanager
def server(folder: Path, *, workers: int) -> Iterator[int]:
    """Prepare a database and serve it as docs/operations.md says; give the port."""
    settings = environment(folder)
    for step in STEPS:
        subprocess.run([sys.executable, "manage.py", *step], cwd=ROOT, env=settings, check=True, capture_output=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).with_name("granian")), "--interface", "wsgi", "--host", "127.0.0.1"]
    command += ["--port", str(port), "--workers", str(workers), "--blocking-threads", BLOCKING_THREADS, "--no-ws"]
    command += ["--log-level", "warning", "benchmarks.timed:application"]
    process = subprocess.Popen(command, cwd=ROOT, env=settings)
    try:
        wait_for(port)
        yield port
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE_SECONDS)


def wait_for(port: int) -> None:
    """Wait until the server answers."""
    end = perf_counter() + PATIENCE_SECONDS
    while perf_counter() < end:
        try:
            asked = HTTPConnection("127.0.0.1", port, timeout=5)
            asked.request("GET", "/health/")
            if asked.getresponse().status == 200:
                return
        except OSError:
            sleep(0.2)
    raise TimeoutError("The server does not answer.")


def type_together(people: Sequence[Person], *, seconds: float, changes_per_second: float) -> list[Answer]:
    """Let everybody type, their hands spread evenly over the interval."""
    every, started = 1 / changes_per_second, perf_counter() + 0.1
    hands = [
        Thread(
            target=person.type_until,
            args=(started + seconds,),
            kwargs={"first": started + every * place / len(people), "every_s": every},
        )
        for place, person in enumerate(people)
    ]
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join()
    found = [answer for person in people for answer in person.answers]
    for person in people:
        person.answers = []
    return found


def percentiles(values: Sequence[float]) -> str:
    """Write median, 95th and 99th percentile and the largest."""
    cuts = quantiles(values, n=100, method="inclusive")
    return "  ".join(f"{value:7.1f}" for value in (cuts[49], cuts[94], cuts[98], max(values)))


def report(answers: Sequence[Answer], *, seconds: float) -> None:
    """Print what was measured, in all and by form."""
    refused = sum(answer.status != 200 for answer in answers)
    print(f"{len(answers)} previews in {seconds:.0f} s, {refused} not answered with 200")
    print(f"{'milliseconds':24}  {'p50':>7}  {'p95':>7}  {'p99':>7}  {'most':>7}")
    print(f"{'in the server':24}  {percentiles([answer.wall_ms for answer in answers])}")
    print(f"{'of it CPU':24}  {percentiles([answer.cpu_ms for answer in answers])}")
    print(f"{'as the person waits':24}  {percentiles([answer.seen_ms for answer in answers])}")
    for way in dict.fromkeys(answer.way for answer in answers):
        mine = [answer for answer in answers if answer.way == way]
        print(f"{f'in the server, {way}':24}  {percentiles([answer.wall_ms for answer in mine])}")
        print(f"{f'CPU, {way}':24}  {percentiles([answer.cpu_ms for answer in mine])}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--changes", type=float, default=2.0, help="changes a second of one person")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    compile_all()
    with (
        tempfile.TemporaryDirectory(prefix="sizewright-load-") as folder,
        server(Path(folder), workers=options.workers) as port,
    ):
        people = [Person(port, *one) for one in islice(cycle(PEOPLE), options.people)]
        for person in people:
            person.open()
        type_together(people, seconds=WARM_UP_SECONDS, changes_per_second=options.changes)
        print("load of the machine before:", *(f"{one:.2f}" for one in os.getloadavg()))
        answers = type_together(people, seconds=options.seconds, changes_per_second=options.changes)
        print("load of the machine after: ", *(f"{one:.2f}" for one in os.getloadavg()))
        report(answers, seconds=options.seconds)


if __name__ == "__main__":
    main()
