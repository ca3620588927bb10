"""The engine's front door: JSON-like objects in, JSON-like objects out; never an exception for bad input.

The command line, the web pages and the stored quotes all speak through these three functions.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from sizing import answer, architecture, datafiles, memory, plans, profile, speed
from sizing.assumptions import Ledger
from sizing.case import Case
from sizing.errors import SizingError
from sizing.hardware import System
from sizing.hardware_data import HardwareCatalog
from sizing.plan import Plan
from sizing.resolve import micro_batch, model, possible, quantity, system, training
from sizing.units import BITS_PER_BYTE, GIGA

TASKS = ("training", "inference", "rag")
LONGEST_ID = 200


def estimate(request: object) -> dict[str, Any]:
    """Memory, speed and plan of one workload on one system.

    Parameters
    ----------
    request : mapping
        ``workload`` and, where known, ``hardware`` and ``plan``; ``explain`` true adds derivations.

    Returns
    -------
    dict
        The answer, or ``{"id", "error": {"field", "message"}}``.
    """
    return _answered(request, _estimate)


def recommend(request: object, *, hardware: HardwareCatalog | None = None) -> dict[str, Any]:
    """Candidates for one workload within limits, ranked, with reasons; rejected ones with theirs.

    Parameters
    ----------
    hardware : HardwareCatalog, optional
        What can be sold; the packaged facts where it is absent.
    """
    from sizing import recommend as room

    return _answered(request, lambda asked: room.recommend(asked, hardware=hardware))


def on_machines(request: object) -> dict[str, Any]:
    """Memory, speed and plan of one workload on stated machines, by the plan that `recommend` would run there.

    `estimate` keeps usual values for what a request leaves open; this searches as a recommendation does, so that the
    two say the same of the same machines. Machines that cannot be divided for the job are answered as by `estimate`.
    """
    from sizing import recommend as room

    return _answered(request, lambda asked: room.on_machines(asked) or _estimate(asked))


def check_article(request: object, *, hardware: HardwareCatalog | None = None) -> dict[str, Any]:
    """What a seller's article names, what it leaves open, and whether it does the job."""
    from sizing import articles

    def checked(asked: Mapping[str, Any]) -> dict[str, Any]:
        return articles.check(asked, hardware, lambda machines: estimate({**asked, "hardware": hardware_of(machines)}))

    return _answered(request, checked)


def hardware_of(machines: System) -> dict[str, Any]:
    """Machines in the words of a request's `hardware`."""
    stated: dict[str, Any] = {
        "gpu": machines.gpu.slug,
        "gpus_per_node": machines.gpus_per_node,
        "nodes": machines.nodes,
        "interconnect": machines.interconnect,
    }
    if machines.network_bytes_per_s:
        stated["network_gbit_per_gpu"] = machines.network_bytes_per_s * BITS_PER_BYTE / GIGA
    return stated


def _answered(request: object, ask: Callable[[Mapping[str, Any]], dict[str, Any]]) -> dict[str, Any]:
    name = request.get("id") if isinstance(request, Mapping) else None
    head = {"id": name if isinstance(name, str | int) and len(str(name)) <= LONGEST_ID else None}
    try:
        if not isinstance(request, Mapping):
            raise SizingError("request", "a request must be an object, given {value}", value=request)
        return head | ask(request)
    except SizingError as refused:
        return head | {"error": {"field": refused.field, "message": refused.text}}


def task_of(workload: Mapping[str, Any]) -> str:
    """The route a workload belongs to; a named training method implies training."""
    task = workload.get("task")
    if task is None and workload.get("method") is not None:
        return "training"
    if task not in TASKS:
        message = "{field} is missing; allowed are training, inference, rag"
        if task is not None:
            message = "{field} is {value}; allowed are training, inference, rag"
        raise SizingError("workload.task", message, value=task)
    return str(task)


def workload_of(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """The workload object of a request."""
    workload = request.get("workload")
    if not isinstance(workload, Mapping):
        raise SizingError("workload", "{field} is missing: it says what is to be done", value=workload)
    return workload


def _estimate(request: Mapping[str, Any]) -> dict[str, Any]:
    workload = workload_of(request)
    task = task_of(workload)
    if task == "training":
        return estimate_training(request)
    from sizing import rag, serving

    return rag.estimate(request) if task == "rag" else serving.estimate(request)


def complete(request: Mapping[str, Any], ledger: Ledger) -> tuple[Case, dict[str, Any]]:
    """A training request as a complete case, and its stated fields."""
    workload = workload_of(request)
    shape = model.read(workload, ledger)
    job, stated = training.training(workload, shape, ledger)
    machines = system.system(request.get("hardware"), request.get("plan"), ledger)
    fixed = system.stated_plan(request.get("plan"), ledger)
    if machines.gpus > 1 and plans.can_choose(job, fixed):
        job, plan = plans.choose(shape, job, stated, machines, ledger, fixed=fixed)
    else:
        plan = system.plan(fixed, machines, job.framework, ledger, layers=shape.layer_count)
        job = quantity.with_batch(job, stated, plan)
        job = micro_batch.with_micro_batch(Case(shape, job, machines, plan), stated, ledger)
    case = Case(shape, quantity.with_tokens(job, stated, plan), machines, plan)
    possible.check(case)
    possible.warn(case, stated, ledger)
    return case, stated


def estimate_training(request: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a training request."""
    ledger = Ledger()
    case, stated = complete(request, ledger)
    needed = memory.estimate(case, ledger)
    time = speed.estimate(case, ledger) if case.system.gpu.dense_flops_per_s else None
    needed, time = profile.apply(workload_of(request).get("profile"), case, needed, time, ledger)
    result = answer.training(case, needed, time, ledger, stated)
    if request.get("explain"):
        steps = (*memory.explain(case), *(speed.explain(case) if time else ()))
        result["derivations"] = [answer.step(one) for one in steps]
    return result


def placed(request: Mapping[str, Any], candidate: Mapping[str, Any], *, hardware: HardwareCatalog) -> Case:
    """The case that a candidate of `recommend` stands for: the request with the candidate's machines and plan.

    Raises
    ------
    SizingError
        Where the request is no training job, or the candidate's GPU is in no catalog.
    """
    workload, plan = workload_of(request), (candidate.get("estimate") or {}).get("plan") or {}
    if task_of(workload) != "training" or not plan:
        raise SizingError("workload.task", "only a training job is run by a plan")
    switches = {name: plan[name] for name in answer.SWITCHES if plan.get(name) is not None}
    shape = model.read(workload, Ledger())
    job, _stated = training.training({**workload, **switches}, shape, Ledger())
    degrees = {one.name: plan[one.name] for one in dataclasses.fields(Plan) if one.name in plan}
    gbit = (candidate.get("network") or {}).get("gbit_per_gpu") or 0.0
    gpu = hardware.gpu(candidate.get("gpu"))
    machines = System(
        gpu=gpu,
        gpus_per_node=candidate["gpus_per_node"],
        nodes=candidate["nodes"],
        interconnect=candidate["interconnect"],
        network_bytes_per_s=gbit * GIGA / BITS_PER_BYTE,
        memory_bytes=gpu.memory_bytes,
    )
    return Case(shape, job, machines, Plan(**degrees))


def architecture_of(workload: Mapping[str, Any]) -> architecture.Architecture:
    """The model's shape, for pages that show it."""
    return model.read(workload, Ledger())


def config_of(workload: Mapping[str, Any]) -> dict[str, Any]:
    """The configuration of a workload's model, stated or packaged; empty where only a size is known."""
    given = workload.get("model")
    if isinstance(given, Mapping) and isinstance(given.get("config"), Mapping):
        return dict(given["config"])
    packaged = datafiles.language_models().get(architecture_of(workload).name) or {}
    return dict(packaged.get("config") or {})
