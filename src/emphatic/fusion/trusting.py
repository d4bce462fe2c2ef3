"""How far members are trusted, as `reliability` says: by given numbers, or as learnt by cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from emphatic import check
from emphatic.check import FloatArray, IntArray
from emphatic.engines import Shared
from emphatic.fusion.cross_validation import cross_validate_members
from emphatic.fusion.evidence import broadcast_reliability
from emphatic.fusion.members import MemberTraining
from emphatic.fusion.rejection import measure_percentiles
from emphatic.fusion.reliability import estimate_accuracies, minimise_log_loss
from emphatic.fusion.robust import learn_trust
from emphatic.fusion.trust import Trust
from emphatic.randomness import child_generator

LEARNT = {"auto": minimise_log_loss, "accuracy": estimate_accuracies, "robust": learn_trust}
"""How `reliability` is learnt from out-of-fold supports (members, n, K), labels, counts and a generator, by name."""


def read_reliabilities(reliability: Any, fusion: str, n_members: int) -> FloatArray | None:
    """(members,), or None if they must be learnt: other rules than Dempster's ignore them, and they are 1 then."""
    if not isinstance(reliability, str):
        return broadcast_reliability(reliability, (n_members,)).copy()
    check.one_of("reliability", reliability, LEARNT)
    return None if fusion == "dempster_shafer" else np.ones(n_members)


def cross_validate_trust(
    reliability: str, shared: Sequence[Shared], present: IntArray, cv: Any, n_jobs: int | None, engine: Any
) -> tuple[Trust, FloatArray]:
    """How far each member is trusted, and what conflict is usual between them (`measure_percentiles`).

    `shared` are the trainings of the members (`MemberTraining`), and `present` the rows of positive weight.
    """
    first: MemberTraining = shared[0].value
    supports, tested = cross_validate_members(shared, present, cv, n_jobs, engine)
    rng = child_generator(first.entropy, len(shared))
    trust = LEARNT[reliability](supports, first.y[tested], first.counts[tested], rng)
    return trust, measure_percentiles(supports, trust.reliabilities)
