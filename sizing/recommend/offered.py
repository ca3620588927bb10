"""The article of a request: the machine it names becomes a candidate of its own, judged by its own parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sizing import articles
from sizing.errors import SizingError
from sizing.hardware_data import HardwareCatalog
from sizing.outcome import Job
from sizing.recommend import budget, checks, present
from sizing.recommend.build import Offered, build
from sizing.recommend.limits import Limits
from sizing.recommend.search import Placement

OVER_BUYING = 4


def article(
    request: Mapping[str, Any],
    catalog: HardwareCatalog,
    job: Job,
    bounds: Limits,
    deadline: float | None,
    *,
    smallest: Placement | None,
) -> dict[str, Any] | None:
    """The article of the request: what was read, and how the job runs on it."""
    text = request.get("article")
    if text is None:
        return None
    if not isinstance(text, str):
        raise SizingError("article", "{field} must be a text, given {value}", value=text)
    checked = articles.check({"article": text}, catalog, None)
    if "error" in checked:
        raise SizingError("article", "{field} has no text to read", value=text)
    one = _as_offered(text, catalog, job)
    candidate = None
    if one is not None:
        made = build(
            one, catalog, job.storage(one.outcome), job.host_bytes(one.outcome), offered_parts(text, catalog),
            currency=budget.currency_of(bounds, catalog),
        )  # fmt: skip
        checks.judge(one, made, bounds, job.software(one.gpu), deadline_seconds=deadline)
        candidate = present.candidate(one, ["article"], 0, job, catalog, deadline_seconds=deadline) | {
            "sku": text[:200]
        }
        if not one.violations and smallest is not None and one.gpus >= OVER_BUYING * smallest.gpus:
            candidate["reasons_against"].append(
                f"More than the job needs: {smallest.gpus} x {smallest.gpu.name} do it as well."
            )
    return {"reading": checked, "candidate": candidate}


def _as_offered(text: str, catalog: HardwareCatalog, job: Job) -> Placement | None:
    """The job on the machine that an article names, None where platform, GPU or number is not read."""
    reading = articles.read(text, catalog=catalog)
    machines, platform = articles.system_of(reading, catalog), articles.platform_of(reading, catalog)
    support = platform.support_for(machines.gpu.slug) if platform and machines else None
    if machines is None or platform is None or support is None:
        return None
    outcome = job.on(machines)
    if outcome is None:
        return None
    return Placement(platform, support, machines.gpu, machines.gpus_per_node, machines.nodes, outcome)


def offered_parts(text: str, catalog: HardwareCatalog) -> Offered:
    """The memory, processors and drives that an article names."""
    reading = articles.read(text, catalog=catalog)
    memory, cpu, drive = (reading.first(kind) for kind in ("memory", "cpu", "drive"))
    return Offered(
        modules=(memory.count, int(memory.value)) if memory and memory.count and _is_size(memory.value) else None,
        processors=(str(cpu.value), cpu.count or 0) if cpu else None,
        drives=(drive.count, float(drive.value)) if drive and drive.count and _is_size(drive.value) else None,
    )


def _is_size(value: object) -> bool:
    return isinstance(value, int | float)
