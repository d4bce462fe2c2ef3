"""What models learn from marks: right labels take the place of wrong ones, and are no longer doubted."""

from dataclasses import replace

import numpy as np

from emphatic.audit.marks.record import Marks
from emphatic.audit.passes import LabelledTable
from emphatic.check import FloatArray, IntArray

NEGLIGIBLE = 1e-6
"""Weight of a sample whose label is wrong while the right one is not known: it is as good as left out, and yet no
class is left without samples."""


def correct_table(table: LabelledTable, marks: Marks) -> tuple[LabelledTable, IntArray]:
    """The table with the right labels where they are known, and which of the classes are left."""
    codes = table.codes.copy()
    known = ~marks.unknown
    codes[marks.rows[known]] = marks.correct[known]
    left, codes = np.unique(codes, return_inverse=True)
    if len(left) < 2:
        raise ValueError(f"After these marks all labels are {table.classes[left[0]]}: at least 2 classes are needed.")
    return replace(table, codes=codes, classes=table.classes[left]), left


def hold_weights(marks: Marks, n: int) -> FloatArray:
    """Weights in all passes: 1 where the right label is known, next to nothing where it is not, NaN for no mark."""
    held = np.full(n, np.nan)
    held[marks.rows] = np.where(marks.unknown, NEGLIGIBLE, 1.0)
    return held
