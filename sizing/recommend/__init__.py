"""From a workload and its limits to ranked systems with reasons, and rejected ones with theirs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sizing import answer, economics, one_card
from sizing.assumptions import Assumption, Ledger
from sizing.errors import SizingError
from sizing.hardware_data import HardwareCatalog, packaged
from sizing.outcome import Job
from sizing.recommend import (
    budget,
    checks,
    comparison,
    coverage,
    delivery,
    in_mind,
    limits,
    links,
    money,
    named,
    nearest,
    offered,
    present,
    questions,
    ranking,
    search,
)
from sizing.recommend.build import build
from sizing.recommend.jobs import KEPT, TrainingJob
from sizing.recommend.limits import Limits
from sizing.recommend.route import route_of
from sizing.recommend.search import MOST_NODES, Placement, Violation
from sizing.resolve import system
from sizing.units import HOUR

MOST_REJECTED = 60
USUAL_DEADLINE_HOURS = 336.0
BY_COST = "total cost: every line has a price"
BY_SIZE = "nodes, GPUs, board power, rack units: not every line has a price"
KNOWN = ("id", "workload", "limits", "economics", "article", "hardware", "plan", "explain", "compare", "in_mind")
CHOSEN_BY_SEARCH = ("workload.micro_batch", "workload.gradient_accumulation", "workload.activation_checkpointing")


def recommend(request: Mapping[str, Any], *, hardware: HardwareCatalog | None = None) -> dict[str, Any]:
    """The answer to a `recommend` request (contract in the package's documentation).

    Raises
    ------
    SizingError
        Naming the field that cannot be used.
    """
    workload = _workload(request)
    catalog = hardware or packaged()
    ledger = Ledger()
    _warn_unused(request, ledger)
    route = route_of(workload)
    job = read_job(request, workload, ledger)
    bounds = limits.read(request.get("limits"), ledger)
    asked_budget = bounds.get("budget")
    figures = economics.read(request, catalog, ledger, budget_currency=asked_budget.currency if asked_budget else "")
    catalog = budget.with_rates(catalog, figures)
    wanted = in_mind.read(request, catalog, ledger)
    deadline = _deadline(bounds, job)
    named.check_names(bounds, catalog, ledger)
    budget.warn_of_reach(bounds, catalog, ledger)
    found, refused = _judged(catalog, bounds, job, deadline)
    if isinstance(job, TrainingJob) and job.fixed and not found and not any(one.outcome.fits for one in refused):
        ledger.warn(f"No machine of the catalog runs the plan as stated with {job.job.framework}; it was left open.")
        job.leave_plan_open()
        found, refused = _judged(catalog, bounds, job, deadline)
    if not found and getattr(job, "experiments", 1) > 1 and isinstance(job, TrainingJob):
        job.allow_queueing()
        found, refused = _judged(catalog, bounds, job, deadline)
    named_one = None
    if wanted:
        named_one = in_mind.place(
            wanted, catalog, bounds, job, found, refused, lambda one: judge(one, catalog, bounds, job, deadline)
        )
    ordered = ranking.order(found, deadline_seconds=deadline)
    shown = ranking.shown(ordered)
    _assume_delivery(shown[0][0] if shown else None, catalog, ledger)
    _keep_assumptions(shown[0][0] if shown else None, ledger)
    article = offered.article(request, catalog, job, bounds, deadline, smallest=_smallest(shown))
    candidates = [
        present.candidate(one, labels, rank, job, catalog, deadline_seconds=deadline)
        for rank, (one, labels) in enumerate(in_mind.with_label(shown, named_one), start=1)
    ]
    money.with_economics(candidates, catalog, figures, ledger)
    for warning in candidates[0]["estimate"].get("warnings", []) if shown else []:
        ledger.warn(warning)
    if article and article["candidate"]:
        candidates.append(article["candidate"] | {"rank": len(candidates) + 1})
    asked = [one for one in ledger if one.key not in CHOSEN_BY_SEARCH]
    moved = questions.moves(request, asked, shown[0][0], read_job, deadline_seconds=deadline) if shown else {}
    assumptions = [_with_moves(answer.assumption(one), moved) for one in ledger if one.key not in CHOSEN_BY_SEARCH]
    if shown:
        assumptions = [one | questions.of_the_deadline(one, shown[0][0], refused) for one in assumptions]
    rejected, hidden = _rejected(refused, found)
    rejected = [*named.impossible(bounds, catalog), *rejected]
    placed = (one["gpu"] for one in (*candidates, *rejected))
    near = [] if shown else refused or _without_platform(catalog, bounds, job, deadline)
    result: dict[str, Any] = {
        "route": route,
        "model": _model(job),
        "candidates": candidates,
        "rejected": [*rejected, *coverage.unplaced(placed, catalog, bounds, job)],
        "left_out": coverage.left_out(len(ordered) - len(shown), hidden),
        "nearest": nearest.answer(near, job, catalog, bounds, deadline),
        "questions": [one for one in assumptions if one["decisive"]],
        "assumptions": assumptions,
        "warnings": list(ledger.warnings),
        "ranked_by": BY_COST if ranking.is_priced(found) else BY_SIZE,
        "exchange_rates": [one.shown() for one in catalog.exchange_rates],
    }
    result["by_gpu"] = comparison.by_gpu(found, catalog)
    if request.get("compare") and job.task == "training" and workload.get("method") != "pretraining":
        result["by_method"] = comparison.by_method(request, catalog, bounds, read_job, deadline_seconds=deadline)
    if article:
        result["article"] = article["reading"]
    best = shown[0][0] if shown else None
    result["levers"] = job.levers(best.outcome) if best else None
    result["links"] = links.compare(job, best, catalog, bounds, deadline_seconds=deadline) if best else None
    result["one_card"] = one_card.answer(workload) if workload.get("method") == "full" else None
    result["in_mind"] = None
    if wanted:
        rank = next((one["rank"] for one in candidates if in_mind.LABEL in one["labels"]), None)
        answered = in_mind.answer(wanted, named_one, best, catalog, job, deadline_seconds=deadline)
        result["in_mind"] = answered | {"rank": rank}
    return result


def read_job(request: Mapping[str, Any], workload: Mapping[str, Any], ledger: Ledger) -> Job:
    """The workload of whichever route, ready to be placed."""
    task = route_of(workload)["task"]
    if task == "training":
        return TrainingJob.read(request, workload, ledger)
    from sizing import rag, serving

    return rag.job(request, workload, ledger) if task == "rag" else serving.job(request, workload, ledger)


def on_machines(request: Mapping[str, Any]) -> dict[str, Any] | None:
    """The job on the machines of a request, as a candidate on them would run it; None where it cannot be divided."""
    ledger = Ledger()
    job = read_job(request, _workload(request), ledger)
    machines = system.system(request.get("hardware"), None, ledger)
    outcome = job.on(machines)
    return job.answered(outcome) if outcome is not None else None


def _workload(request: Mapping[str, Any]) -> Mapping[str, Any]:
    workload = request.get("workload")
    if not isinstance(workload, Mapping):
        raise SizingError("workload", "{field} is missing: it says what is to be done", value=workload)
    return workload


def _deadline(bounds: Limits, job: Job) -> float | None:
    stated = checks.deadline(bounds)
    if stated is not None or not job.needs_deadline or checks.wished_deadline(bounds) is not None:
        return stated
    why = "no deadline was stated; two weeks keep a run inside one planning period"
    job.ledger.assume(
        Assumption("limits.deadline_hours", USUAL_DEADLINE_HOURS, "h", why, "not stated in the request",
                   low=72.0, high=720.0)
    )  # fmt: skip
    return USUAL_DEADLINE_HOURS * HOUR


def _assume_delivery(one: Placement | None, catalog: HardwareCatalog, ledger: Ledger) -> None:
    """Delivery of what is recommended, by an offer that states it or as usual; and installation."""
    coming = delivery.of(one, present.built(one).lines, catalog) if one is not None else None
    days, offer = (coming.days, coming.offer) if coming is not None else (delivery.USUAL_DAYS, None)
    why = "GPU servers are delivered in four weeks to half a year"
    source = "no offer of the catalog states a lead time; to be confirmed with the order"
    if offer is not None:
        why = "the longest lead time among the parts of the recommended machine"
        source = f"offer of {offer.supplier}, {'' if offer.confirmation == 'confirmed' else 'not '}confirmed"
    ledger.assume(Assumption("deal.delivery_days", days.expected, "days", why, source, low=days.low, high=days.high))
    days, source = delivery.INSTALLATION_DAYS, "our assumption; to be confirmed with the order"
    why = "rack, power, network, burn-in"
    ledger.assume(
        Assumption("deal.installation_days", days.expected, "days", why, source, low=days.low, high=days.high)
    )


def _judged(
    catalog: HardwareCatalog, bounds: Limits, job: Job, deadline: float | None
) -> tuple[list[Placement], list[Placement]]:
    """Placements that do the job within the musts, and those that do not."""
    found: list[Placement] = []
    refused: list[Placement] = []
    for platform, support, gpu in search.rows(catalog, bounds):
        for one in search.placements(
            platform,
            support,
            gpu,
            job,
            most_nodes=MOST_NODES,
            enough_seconds=checks.wished_deadline(bounds) if deadline is None else deadline,
            network_gbit=bounds.any("network_gbit_per_gpu"),
        ):
            judge(one, catalog, bounds, job, deadline)
            (refused if one.violations else found).append(one)
    return found, refused


def judge(
    one: Placement,
    catalog: HardwareCatalog,
    bounds: Limits,
    job: Job,
    deadline: float | None,
) -> None:
    """Build the server around a placement and hold it against the limits."""
    currency = budget.currency_of(bounds, catalog)
    made = build(one, catalog, job.storage(one.outcome), job.host_bytes(one.outcome), currency=currency)
    checks.judge(one, made, bounds, job.software(one.gpu), deadline_seconds=deadline)


def _keep_assumptions(one: Placement | None, ledger: Ledger) -> None:
    """The host's and the room's assumptions of the placement that is recommended."""
    for assumption in one.build.assumed if one is not None and one.build is not None else ():
        ledger.assume(assumption)


def _smallest(shown: list[tuple[Placement, list[str]]]) -> Placement | None:
    return next((one for one, labels in shown if "smallest" in labels), None)


def _warn_unused(request: Mapping[str, Any], ledger: Ledger) -> None:
    for name in request:
        if name in ("hardware", "plan") and request[name] and not _is_kept(name, request):
            ledger.warn(f"{name!r} is chosen by a recommendation and was not used; name machines under limits.")
        elif name not in KNOWN:
            ledger.warn(f"The field {str(name)[:60]!r} is not known and was not used.")


def _is_kept(name: str, request: Mapping[str, Any]) -> bool:
    """Whether every field of a training run's plan holds for the machines that are tried."""
    is_training = route_of(_workload(request))["task"] == "training"
    return name == "plan" and is_training and isinstance(request[name], Mapping) and set(request[name]) <= set(KEPT)


def _rejected(refused: list[Placement], found: list[Placement]) -> tuple[list[dict[str, Any]], int]:
    """One line for each platform and GPU that never does the job, its nearest try; and how many lines are not shown."""
    placed = {(one.platform.slug, one.gpu.slug) for one in found}
    best: dict[tuple[str, str], Placement] = {}
    for one in refused:
        key = (one.platform.slug, one.gpu.slug)
        if key not in placed and (key not in best or _telling(one) < _telling(best[key])):
            best[key] = one
    shown = coverage.cut(sorted(best.values(), key=nearest.excess), MOST_REJECTED, seen={gpu for _, gpu in placed})
    return [present.rejection(one) for one in shown], len(best) - len(shown)


def _telling(one: Placement) -> tuple[float, ...]:
    """The try that says most: nearest to keeping every must, and the smallest of those that come about as near."""
    runs, excess_of_it, *size = nearest.excess(one)
    return (runs, round(excess_of_it, 1), *size)


def _without_platform(catalog: HardwareCatalog, bounds: Limits, job: Job, deadline: float | None) -> list[Placement]:
    """What the named GPU could do elsewhere, where it does not go into the named platform."""
    if "platform" not in bounds:
        return []
    free = Limits({name: limit for name, limit in bounds.items() if name != "platform"})
    found, refused = _judged(catalog, free, job, deadline)
    wanted = catalog.platform(bounds["platform"].value).title
    for one in found:
        one.violations.append(Violation("platform", f"Platform: {one.platform.title} instead of {wanted}.", 1.0))
    return found or refused


def _with_moves(shown: dict[str, Any], moved: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    move = moved.get(shown["key"])
    always = shown["key"] == questions.DEADLINE
    if move is None:
        return shown | {"decisive": always}
    ends = {name: end for name, end in move.items() if name != "decisive"}
    return shown | {"moves": ends, "decisive": bool(move["decisive"]) or always}


def _model(job: Job) -> dict[str, Any] | None:
    shape = getattr(job, "shape", None)
    return answer.model_of(shape) if shape is not None else None
