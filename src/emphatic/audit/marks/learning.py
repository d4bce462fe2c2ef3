"""What models learn from marks: right labels take the place of wrong ones, and are no longer doubted."""

from dataclasses import replace

import numpy as np

from emphatic.audit.marks.record import Marks
from emphatic.audit.passes import LabelledTable
from emphatic.check import FloatArray, IntArray
from emphatic.margins import normalise_rows

NEGLIGIBLE = 1e-6
"""Weight of a sample whose label is wrong while the right one is not known: it is as good as left out, and yet no
class is left without samples. Also the probability of a class that is left without."""


def correct_table(table: LabelledTable, marks: Marks) -> tuple[LabelledTable, IntArray]:
    """The table with the right labels where they are known, and which of the classes are left."""
    codes = table.codes.copy()
    known = ~marks.unknown
    codes[marks.rows[known]] = marks.correct[known]
    left, codes = np.unique(codes, return_inverse=True)
    if len(left) < 2:
        raise ValueError(f"After these marks all labels are {table.classes[left[0]]}: at least 2 classes are needed.")
    return replace(table, codes=codes, classes=table.classes[left]), left


def spread_classes(probabilities: FloatArray, left: IntArray, n_classes: int) -> FloatArray:
    """Probabilities (n, K) of all classes, from those of the classes that are left: others have next to nothing.

    >>> import numpy as np
    >>> spread_classes(np.array([[0.25, 0.75]]), np.array([0, 2]), 3).round(3)
    array([[0.25, 0.  , 0.75]])
    """
    if len(left) == n_classes:
        return probabilities
    spread = np.full((len(probabilities), n_classes), NEGLIGIBLE)
    spread[:, left] = probabilities
    return normalise_rows(spread)


def hold_weights(marks: Marks, n: int) -> FloatArray:
    """Weights in all passes: 1 where the right label is known, next to nothing where it is not, NaN for no mark."""
    held = np.full(n, np.nan)
    held[marks.rows] = np.where(marks.unknown, NEGLIGIBLE, 1.0)
    return held
