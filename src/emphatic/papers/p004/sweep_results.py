"""The errors of a sweep over rewards and deflections: by problem, by variant and by fold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from emphatic.check import FloatArray, IntArray


@dataclass(frozen=True)
class SweepResults:
    """`errors` in %, (problems, variants, folds), and `distances` of deflected groups from earlier ones."""

    problems: Sequence[str]
    variants: Sequence[Mapping[str, Any]]
    errors: FloatArray
    distances: FloatArray

    @property
    def means(self) -> FloatArray:
        """(problems, variants), over the folds."""
        return self.errors.mean(axis=2)

    def places(self, **wanted: Any) -> list[int]:
        """Where the variants with these parameters are."""
        return [i for i, each in enumerate(self.variants) if all(each[name] == wanted[name] for name in wanted)]

    def choose_by_other_folds(self) -> FloatArray:
        """The mean error on each problem if, for every fold, the variant is chosen that is best on the others.

        Samples of the fold are among the training samples of the others: this is still slightly optimistic.
        """
        others = self.errors.sum(axis=2, keepdims=True) - self.errors
        chosen = others.round(9).argmin(axis=1)[:, None, :]
        return np.take_along_axis(self.errors, chosen, axis=1)[:, 0].mean(axis=1)

    def choose_by_halves(self, places: Sequence[int]) -> tuple[IntArray, IntArray]:
        """Which of the variants at `places` is best on the even folds of each problem, and which on the odd ones."""
        own = self.errors[:, places]
        even, odd = (own[:, :, start::2].mean(axis=2).round(9).argmin(axis=1) for start in (0, 1))
        return even, odd
