"""The product's WSGI application with a `Server-Timing` header: how long each answer took, and how much CPU time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import perf_counter, thread_time
from typing import Any

from config.wsgi import application as product

MS_PER_SECOND = 1000


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Answer as the product does and say what it took [ms]."""
    started, cpu_started = perf_counter(), thread_time()

    def timed(status: str, headers: list[tuple[str, str]], *rest: Any) -> Any:
        wall = (perf_counter() - started) * MS_PER_SECOND
        cpu = (thread_time() - cpu_started) * MS_PER_SECOND
        return start_response(status, [*headers, ("Server-Timing", f"wall;dur={wall:.3f}, cpu;dur={cpu:.3f}")], *rest)

    return product(environ, timed)
