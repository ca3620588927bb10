"""Training memory of one GPU: live bytes by component at the peak, what the allocator and the driver add, bands."""

from __future__ import annotations

from sizing.memory.estimate import estimate
from sizing.memory.explain import explain
from sizing.memory.phases import by_phase

__all__ = ["by_phase", "estimate", "explain"]
