"""What is done to the labels of a training part before anything is learnt from it. Test parts stay as they are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from emphatic.check import IntArray

Condition = Callable[[IntArray, np.random.Generator], tuple[IntArray, IntArray]]
"""From codes 0 and 1: which rows are kept, and their codes."""

LEAST = 5
"""Rows of a class that imbalance leaves at least."""


def flip(share: float, only: int | None = None) -> Condition:
    """Flip this share of all labels, or of those of one class."""

    def change(y: IntArray, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
        among = np.arange(len(y)) if only is None else np.flatnonzero(y == only)
        flipped = y.copy()
        chosen = rng.choice(among, round(share * len(among)), replace=False)
        flipped[chosen] = 1 - flipped[chosen]
        return np.arange(len(y)), flipped

    return change


def thin_out(ratio: int) -> Condition:
    """Keep so few rows of the smaller class that there are `ratio` of the other one for each."""

    def change(y: IntArray, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
        small = int(np.bincount(y, minlength=2).argmin())
        few = np.flatnonzero(y == small)
        n_kept = min(len(few), max(LEAST, round((len(y) - len(few)) / ratio)))
        kept = np.sort(np.r_[np.flatnonzero(y != small), rng.choice(few, n_kept, replace=False)])
        return kept, y[kept]

    return change


CONDITIONS: dict[str, Condition] = {
    "clean": flip(0.0),
    "10% flipped": flip(0.1),
    "20% flipped": flip(0.2),
    "30% flipped": flip(0.3),
    "30% of one class flipped": flip(0.3, only=1),
    "1:20 imbalance": thin_out(20),
}

IMBALANCE = "1:20 imbalance"
"""Judged by the mean of the errors of both classes; all others by the error."""
