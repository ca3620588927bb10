"""Prepare the database, then serve the site and work on tasks until Ctrl-C. Safe to run again: it destroys nothing."""

import argparse
import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from config import environment as env  # noqa: E402

env.read_file(os.environ.get("ENV_FILE", str(ROOT / ".env")))
HOST = env.text("HOST", "127.0.0.1")
PORT = env.whole("PORT", 8000, low=1, high=65535)
STOP_SECONDS = 10
WATCH_SECONDS = 0.5
MOST_RESTARTS = 20
SETTINGS = "HOST and PORT (127.0.0.1 and 8000) and every other setting come from the environment or from .env."


def refuse_taken_port() -> None:
    """Stop before any work when another program answers at our address."""
    with socket.socket() as probe:
        probe.settimeout(1)
        if probe.connect_ex(("127.0.0.1", PORT)) == 0:
            sys.exit(f"Port {PORT} is taken. Stop what listens there, or choose another: make run PORT={PORT + 1}")


def prepare() -> None:
    """Bring translations and database up to date, and fill an empty database."""
    import django

    from scripts.compile_messages import compile_all

    compile_all()
    django.setup()

    from django.apps import apps
    from django.conf import settings
    from django.core.management import call_command

    call_command("migrate", interactive=False, verbosity=0)
    if "DatabaseCache" in settings.CACHES["default"]["BACKEND"]:
        call_command("createcachetable", verbosity=0)
    if not apps.get_model("catalog", "Gpu").objects.exists():
        call_command("load_catalog")
    if settings.DEBUG:
        call_command("create_demo")
    else:
        call_command("collectstatic", interactive=False, verbosity=0)


def end_with_parent() -> None:
    """Let Linux end a child whose parent was killed, so that no server is left holding the port."""
    if sys.platform == "linux":
        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGTERM)


def server() -> list[str]:
    """Command of the web server."""
    granian = str(Path(sys.executable).with_name("granian"))
    options = ["--interface", "wsgi", "--host", HOST, "--port", str(PORT), "--workers", "1", "--blocking-threads", "4"]
    return [granian, *options, "--no-ws", "--log-level", "warning", "config.wsgi:application"]


def task_worker() -> list[str]:
    """Command of the task worker."""
    return [sys.executable, str(ROOT / "manage.py"), "db_worker", "--no-reload", "--no-startup-delay"]


def start(command: list[str]) -> subprocess.Popen[bytes]:
    """Start a process in a session of its own: Ctrl-C reaches it through us, once."""
    return subprocess.Popen(command, cwd=ROOT, start_new_session=True, preexec_fn=end_with_parent)


def keep_running(site: subprocess.Popen[bytes], command: list[str], processes: list[subprocess.Popen[bytes]]) -> None:
    """Start the task worker again whenever it ends, until the site ends or the worker has ended too often.

    Parameters
    ----------
    command : list of str
        Command of the task worker.
    processes : list of Popen
        Takes every process that was started, for the caller to stop.
    """
    worker, restarts = start(command), 0
    processes.append(worker)
    while site.poll() is None:
        if worker.poll() is not None and restarts < MOST_RESTARTS:
            restarts += 1
            print(f"The task worker ended; started again ({restarts} of {MOST_RESTARTS}).", file=sys.stderr, flush=True)
            worker = start(command)
            processes.append(worker)
            if restarts == MOST_RESTARTS:
                text = "If it ends once more, the site goes on without it: no letters, no documents until a restart."
                print(text, file=sys.stderr, flush=True)
        time.sleep(WATCH_SECONDS)


def stop(processes: list[subprocess.Popen[bytes]]) -> None:
    """End all processes and what they started: politely, then firmly."""
    for process in processes:
        if process.poll() is None:
            process.terminate()
    for process in processes:
        try:
            process.wait(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)


def interrupt(signum: int, frame: FrameType | None) -> None:
    """Treat a request to end like Ctrl-C."""
    raise KeyboardInterrupt


def main() -> int:
    """Run until a process ends or Ctrl-C, and return the exit status."""
    argparse.ArgumentParser(prog="python -m scripts.run", description=__doc__, epilog=SETTINGS).parse_args()
    refuse_taken_port()
    prepare()
    signal.signal(signal.SIGTERM, interrupt)
    site = start(server())
    processes = [site]
    address = f"http://{HOST}:{PORT}/"
    print(f"Sizewright: {address}   desk and admin: sign in at {address}accounts/login/   stop: Ctrl-C", flush=True)
    try:
        keep_running(site, task_worker(), processes)
    except KeyboardInterrupt:
        return 0
    finally:
        stop(processes)
    print("The server ended by itself; see the lines above.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
