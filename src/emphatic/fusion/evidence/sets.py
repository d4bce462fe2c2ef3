"""Sets of classes as integers: bit k says whether class k belongs to the set."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emphatic import check

SetArray = NDArray[np.int64]

MOST_CLASSES = 62
"""Sets are 64-bit integers with a sign; fusion by `emphatic.fusion.rules.dempster_shafer` has no such limit."""


def code_classes(n_classes: int) -> SetArray:
    """(K,): the set of each single class."""
    return np.int64(1) << np.arange(n_classes, dtype=np.int64)


def code_theta(n_classes: int) -> int:
    """Theta, the set of all classes; the number of classes is checked."""
    if check.integer("n_classes", n_classes, at_least=1) > MOST_CLASSES:
        raise ValueError(f"n_classes={n_classes} is not allowed: n_classes must be at most {MOST_CLASSES}.")
    return int(2**n_classes - 1)


def check_sets(name: str, sets: ArrayLike, theta: int) -> SetArray:
    """Return `sets` as an array of integers from 0 to `theta`."""
    focal = np.asarray(sets)
    if focal.dtype.kind not in "iu" or focal.ndim > 2 or ((focal < 0) | (focal > theta)).any():
        raise ValueError(f"{name}={sets!r} is not allowed: {name} must hold integers from 0 (empty) to {theta} (all).")
    return np.ascontiguousarray(focal, dtype=np.int64)
