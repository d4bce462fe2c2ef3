"""What a person has found out about labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from emphatic.check import IntArray

WRONG, RIGHT = "wrong", "right"
"""The marks, in the words of the page and of its file."""

UNKNOWN = -1
"""In place of the right label: the given one is wrong, and no other was chosen."""


@dataclass(frozen=True, eq=False)
class Marks:
    """Marked samples, in ascending order.

    Attributes
    ----------
    rows : positions in the table
    wrong : whether the label is wrong
    correct : the right label, as a position in the classes; -1 if it is not known
    """

    rows: IntArray
    wrong: NDArray[np.bool_]
    correct: IntArray

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def unknown(self) -> NDArray[np.bool_]:
        """Whether the right label is not known."""
        return self.correct == UNKNOWN

    @classmethod
    def of(cls, found: dict[int, tuple[bool, int]]) -> Marks:
        """From positions, each with whether its label is wrong, and the code of the right one.

        >>> Marks.of({7: (True, 1), 2: (False, 0)}).rows
        array([2, 7])
        """
        rows = sorted(found)
        return cls(
            np.array(rows, dtype=np.intp),
            np.array([found[row][0] for row in rows], dtype=bool),
            np.array([found[row][1] for row in rows], dtype=np.intp),
        )

    def join(self, newer: Marks) -> Marks:
        """These and the newer ones; of a sample with both, the newer one counts."""
        return Marks.of({**self._by_row(), **newer._by_row()})

    def _by_row(self) -> dict[int, tuple[bool, int]]:
        pairs = zip(self.wrong.tolist(), self.correct.tolist(), strict=True)
        return dict(zip(self.rows.tolist(), pairs, strict=True))


NO_MARKS = Marks.of({})
