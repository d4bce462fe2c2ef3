"""A design of RBF networks: given prototypes, each with the class that it stands for."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist

from emphatic import check
from emphatic.check import FloatArray, IntArray
from emphatic.learners.rbf_design import SMALLEST_DIAMETER, Design
from emphatic.learners.rbf_units import Table, Units

LEAST_WIDTH = 1e-3
"""Smallest width, in units of the median distance between prototypes."""


class Prototypes(Design):
    r"""Centres that are known beforehand, widths from their classes (paper 003, equation 2).

    .. math:: \sigma_j = \text{overlap} \cdot
              \min \{\lVert c_j - c_i\rVert : \text{class}(c_j) \ne \text{class}(c_i)\}

    Where prototypes of two classes coincide that is 0. No width is less than 0.001 of the median of all positive
    distances between prototypes (of 1, if there are none).

    Parameters
    ----------
    centres : array (K, features)
    classes : int array (K,)
        The class of each; only whether two are equal matters.
    overlap : float, default=1.0

    Examples
    --------
    >>> from emphatic import RBFNetworkClassifier
    >>> from emphatic.learners.prototypes import Prototypes
    >>> design = Prototypes([[0.0], [1.0], [4.0]], [0, 0, 1])
    >>> RBFNetworkClassifier(design).fit([[0.0], [1.0], [3.0], [4.0]], [0, 0, 1, 1]).widths_
    array([4., 3., 3.])
    """

    def __init__(self, centres: ArrayLike, classes: ArrayLike, overlap: float = 1.0) -> None:
        self.centres = centres
        self.classes = classes
        self.overlap = overlap

    def check_parameters(self) -> None:
        check.real("overlap", self.overlap, 0, open_low=True)
        centres, classes = np.asarray(self.centres, dtype=np.float64), np.asarray(self.classes)
        if centres.ndim != 2 or not centres.size or not np.isfinite(centres).all():
            raise ValueError(
                f"centres has shape {centres.shape}: it must be (units, features), none of them 0, and finite."
            )
        if classes.shape != centres[:, 0].shape or classes.dtype.kind not in "iu":
            raise ValueError(
                f"classes has shape {classes.shape}: it must hold an integer for each of {len(centres)} centres."
            )

    def place_units(self, table: Table, weights: FloatArray, rng: np.random.Generator) -> Units:
        centres = np.ascontiguousarray(self.centres, dtype=np.float64)
        if centres.shape[1] != table.X.shape[1]:
            raise ValueError(f"centres has {centres.shape[1]} columns, but X has {table.X.shape[1]}.")
        units = Units(table, centres)
        units.widths = other_class_widths(centres, np.asarray(self.classes), self.overlap)
        return units

    def for_sides(self, sides: IntArray) -> Prototypes:
        side = sides[np.asarray(self.classes)]
        return Prototypes(np.asarray(self.centres)[side >= 0], side[side >= 0], self.overlap)


def other_class_widths(centres: FloatArray, classes: IntArray, overlap: float) -> FloatArray:
    """Widths of equation 2, and the least width where they are smaller.

    >>> import numpy as np
    >>> other_class_widths(np.array([[0.0], [0.0], [2.0]]), np.array([0, 1, 1]), 1.0)
    array([0.002, 0.002, 2.   ])
    """
    distances = cdist(centres, centres)  # differences, not scalar products: equal prototypes are at distance 0
    positive = distances[distances > SMALLEST_DIAMETER]
    scale = float(np.median(positive)) if len(positive) else 1.0
    others = np.where(classes[:, None] != classes, distances, np.inf).min(axis=1)
    nearest = np.where(np.isfinite(others), others, scale)  # a single class has no other
    return np.maximum(overlap * nearest, LEAST_WIDTH * scale)
