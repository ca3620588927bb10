"""Pipeline parallelism: the bubble while the pipeline fills and drains."""

from __future__ import annotations

from math import ceil

from sizing.plan import Plan


def bubble(plan: Plan, micro_batches: int) -> float:
    """Idle time of a step in units of one micro-batch's work on one stage [–].

    Notes
    -----
    (p - 1) / v for the one-forward-one-backward schedule, v chunks a stage where it is interleaved.

    References
    ----------
    .. [1] Narayanan et al., Efficient Large-Scale Language Model Training on GPU Clusters, 2021, section 2.2.
    """
    if plan.pipeline < 2:
        return 0.0
    interleaved = plan.virtual_pipeline if micro_batches >= plan.pipeline else 1
    return (plan.pipeline - 1) / max(1, interleaved)


def imbalance(layers: int, plan: Plan) -> float:
    """Work of the fullest stage against the mean [–]: layers that do not divide, embedding and head counted as one."""
    if plan.pipeline < 2:
        return 1.0
    chunks = plan.pipeline * max(1, plan.virtual_pipeline)
    pieces = layers + 1
    return max(1.0, ceil(layers / chunks) * chunks / pieces)
