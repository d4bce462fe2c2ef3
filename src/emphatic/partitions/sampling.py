"""A random sample of the rows of a table in partitions: the same rows, however it is partitioned."""

from __future__ import annotations

import numpy as np

from emphatic.check import IntArray
from emphatic.randomness import RowNoise

SAMPLE = 20_000
"""Rows, about, that are gathered for what cannot be learnt from sums; of a table of no more rows, all are."""


class RowSample:
    """Which rows are in a sample of about `size` of `n` rows; all are, if there are no more than that.

    A row is in the sample if its own noise is small enough, so that every partition knows its part of the sample.

    >>> RowSample(np.random.default_rng(0), 3, 10).choose(0, 3)
    array([0, 1, 2])
    >>> sample = RowSample(np.random.default_rng(0), 100_000, 1_000)
    >>> 900 < len(sample.choose(0, 100_000)) < 1_100
    True
    """

    def __init__(self, rng: np.random.Generator, n: int, size: int = SAMPLE) -> None:
        self._noise = RowNoise(rng, n) if n > size else None
        # below which exponential noise is with the probability size / n
        self._limit = -np.log1p(-size / n) if n > size else np.inf

    def choose(self, start: int, stop: int) -> IntArray:
        """The places, counted from `start`, of the sampled rows from `start` up to, but not including, `stop`."""
        if self._noise is None:
            return np.arange(stop - start)
        return np.flatnonzero(self._noise.between(start, stop) < self._limit)
