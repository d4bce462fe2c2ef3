"""Which of the members contradicts the others."""

import numpy as np
from numpy.typing import ArrayLike

from emphatic.check import FloatArray
from emphatic.fusion.evidence import broadcast_reliability, simple_masses
from emphatic.fusion.rules import check_supports, combine_members


def member_conflict(supports: ArrayLike, reliability: ArrayLike = 1.0) -> FloatArray:
    r"""(members, n) from 0 to 1: the conflict of each member with the orthogonal sum of all others.

    .. math:: \sum_c s_{jc} \sum_{d \ne c} m_{-j}(\{d\})

    >>> member_conflict([[[0.9, 0.1]], [[0.8, 0.2]], [[0.0, 1.0]]], reliability=0.9)[:, 0]
    array([0.640, 0.532, 0.839])
    """
    given = check_supports(supports)
    trust = broadcast_reliability(reliability, given.shape[:2])
    masses, _ = simple_masses(given, trust)
    found = np.zeros(given.shape[:2])
    if len(given) == 1:  # there is nobody to contradict
        return found
    for member, mass in enumerate(masses):
        single, _, _ = combine_members(np.delete(given, member, axis=0), np.delete(trust, member, axis=0))
        found[member] = (mass * (single.sum(axis=1, keepdims=True) - single)).sum(axis=1)
    return np.clip(found, 0.0, 1.0)
