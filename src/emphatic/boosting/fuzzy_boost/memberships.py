"""The groups of memberships that FuzzyBoost starts from: one of fuzzy c-means, the others by deflection."""

from __future__ import annotations

from typing import Any

import numpy as np

from emphatic.check import FloatArray, IntArray
from emphatic.clustering import align, class_memberships, deflect
from emphatic.emphasis.fuzzy_entropy import coordinates, over_classes


def starting_groups(
    X: Any,
    y: IntArray,
    n_classes: int,
    weights: FloatArray,
    *,
    n_deflections: int,
    fuzziness: float,
    init: str,
    relaxation: float,
    aligned: bool,
    seed: int,
) -> FloatArray:
    """(groups, n, K): memberships of the samples in their classes, of which every group is another minimum."""
    points = coordinates(X)
    present, codes = np.unique(y, return_inverse=True)
    first = class_memberships(
        points, codes, len(present), m=fuzziness, init=init, random_state=seed, sample_weight=weights
    )
    groups = deflect(
        points,
        len(present),
        n_deflections=n_deflections,
        m=fuzziness,
        relaxation=relaxation,
        aligned=aligned,
        first=first,
        random_state=seed,
    )
    groups = np.array([align(group, codes, len(present), sample_weight=weights) for group in groups])
    return over_classes(groups, present, n_classes)
