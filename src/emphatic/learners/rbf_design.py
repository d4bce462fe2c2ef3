"""Designs of an RBF network's units: where the centres lie and how wide the Gaussians are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from emphatic import check
from emphatic.check import FloatArray, IntArray
from emphatic.deferred import evaluate
from emphatic.kernels import rbf
from emphatic.learners.rbf_partitions import PartitionedTable
from emphatic.learners.rbf_units import Table, Units

SMALLEST_DIAMETER = 1e-140
"""Samples closer together than this are taken to be equal: squares of such distances underflow."""


class Design(BaseEstimator, ABC):  # type: ignore[misc]
    """How the units of an RBF network are placed. Stateless: parameters in, units out."""

    @abstractmethod
    def check_parameters(self) -> None:
        """Raise ValueError for a parameter that is not allowed; called once for a table, before the first network."""

    @abstractmethod
    def place_units(self, table: Table, weights: FloatArray, rng: np.random.Generator) -> Units:
        """Units for the samples of a table under the distribution `weights`."""

    def check_for_partitions(self) -> None:
        """Raise ValueError if it cannot place units in a table in partitions, as by default; before that is read."""
        raise ValueError(
            f"design={self!r} is not allowed with a Dask collection: it needs all rows at once. "
            "SampledCentres can place units in partitions."
        )

    def place_units_in_partitions(
        self, table: PartitionedTable, weights: Any, rng: np.random.Generator
    ) -> tuple[FloatArray, FloatArray]:
        """Centres and widths for the rows of a table in partitions."""
        raise NotImplementedError

    def fit_classes(self, X: FloatArray, y: IntArray, weights: FloatArray, rng: np.random.Generator) -> Design:
        """The design with everything that it finds inside each single class `y`; by default there is nothing.

        The nodes of a class tree separate sets of classes, so the same class takes part in many networks.
        """
        return self

    def for_sides(self, sides: IntArray) -> Design:
        """The design for a network that separates two sets of classes: `sides[c]` is 0 or 1, -1 for neither."""
        return self


class SampledCentres(Design):
    r"""Centres drawn from the emphasis, widths from the emphasised distances around them (paper 000, section IV).

    1. The number of centres is a fraction of the number of samples, shared among the classes by their frequencies.
    2. Inside each class samples are drawn without replacement, with probability proportional to the emphasis D.
    3. Each sample belongs to the cell of its nearest centre. With N_k members and :math:`D_k` their emphasis
       normalised over the cell, :math:`\text{dist}_i = N_k D_k(i)\,\lVert c_k - x_i\rVert` (equations 16, 17).
    4. The width is :math:`\beta_k = \mu_k^2 / \sigma_k`, from mean and standard deviation of dist (18 to 20).

    Parameters
    ----------
    fraction : float in (0, 1], default=0.1
        Centres per training sample (the paper's %K); at least 2 centres in all, at least 1 per class.
    n_centres : int, default=None
        A fixed number of centres instead.
    max_centres : int, default=500
        Upper limit of what `fraction` asks for: the cost of a network grows with the square of its centres.
    replace : bool, default=False
        Draw with replacement; equal centres are then possible.
    assign : {"any_class", "same_class"}, default="any_class"
        Whether a sample may belong to the cell of a centre of another class.
    width_floor : float, default=1e-3
        Smallest width, in units of the spread of the data (1 for standardised inputs).

    Notes
    -----
    A cell with one member, no weight or no spread gets the median of the other widths; where there is none, the mean
    distance between nearest centres; where that is 0, the spread of the data. No width exceeds the diameter of the
    data's box.

    Examples
    --------
    >>> from emphatic import RBFNetworkClassifier
    >>> from emphatic.learners import SampledCentres
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> network = RBFNetworkClassifier(SampledCentres(fraction=0.2), random_state=0).fit(X, y)
    >>> network.centres_.shape, network.widths_.shape
    ((30, 4), (30,))
    """

    def __init__(
        self,
        fraction: float = 0.1,
        *,
        n_centres: int | None = None,
        max_centres: int = 500,
        replace: bool = False,
        assign: str = "any_class",
        width_floor: float = 1e-3,
    ) -> None:
        self.fraction = fraction
        self.n_centres = n_centres
        self.max_centres = max_centres
        self.replace = replace
        self.assign = assign
        self.width_floor = width_floor

    def check_parameters(self) -> None:
        check.real("fraction", self.fraction, 0, 1, open_low=True)
        if self.n_centres is not None:
            check.integer("n_centres", self.n_centres, at_least=1)
        check.integer("max_centres", self.max_centres, at_least=1)
        check.one_of("replace", self.replace, (True, False))
        check.one_of("assign", self.assign, ("any_class", "same_class"))
        check.real("width_floor", self.width_floor, 0, open_low=True)

    def place_units(self, table: Table, weights: FloatArray, rng: np.random.Generator) -> Units:
        counts = _shares(self._total(len(table)), table.frequencies)
        if self.replace:
            chosen = _draw_with_replacement(table.y, weights, counts, rng)
        else:
            chosen = table.draw_first(weights, counts, rng)
        units = Units(table, table.X[chosen], table.squares[chosen])
        cell, distance = units.cells(table.y[chosen] if self.assign == "same_class" else None)
        widths = rbf.cell_widths(cell, distance, weights, len(chosen), 1e-8 * table.spread)
        units.widths = _repair_widths(widths, units.centres, table, self.width_floor)
        return units

    def check_for_partitions(self) -> None:
        if self.replace:
            raise ValueError("replace=True is not allowed with a Dask collection: draw centres without replacement.")

    def place_units_in_partitions(
        self, table: PartitionedTable, weights: Any, rng: np.random.Generator
    ) -> tuple[FloatArray, FloatArray]:
        first = table.draw_first(weights, _shares(self._total(len(table)), table.frequencies), rng)
        centres = table.rows.take(first.rows)
        owner = first.y if self.assign == "same_class" else None
        widths = table.cell_widths(weights, centres, owner, 1e-8 * table.spread)
        placed, found = evaluate(centres, widths)
        return placed, _repair_widths(found, placed, table, self.width_floor)

    def _total(self, n: int) -> int:
        """How many centres `n` samples get."""
        if self.n_centres is None:
            return min(max(2, int(np.floor(self.fraction * n + 0.5))), self.max_centres)
        if self.n_centres > n:
            raise ValueError(f"n_centres={self.n_centres} is not allowed: there are only {n} samples to draw from.")
        return self.n_centres


@lru_cache(maxsize=64)  # the same for every round of an ensemble
def _shares(total: int, frequencies: tuple[int, ...]) -> tuple[int, ...]:
    """Split `total` in proportion to `frequencies` by largest remainders, between 1 and the frequency of each class.

    >>> _shares(10, (70, 29, 1))
    (7, 2, 1)
    """
    least = [min(1, size) for size in frequencies]
    total = min(max(total, sum(least)), sum(frequencies))
    exact = [total * size / sum(frequencies) for size in frequencies]
    shares = [min(max(int(share), low), high) for share, low, high in zip(exact, least, frequencies)]
    while (missing := total - sum(shares)) != 0:  # at most one step per class
        step = 1 if missing > 0 else -1
        free = [c for c, share in enumerate(shares) if (share < frequencies[c] if step > 0 else share > least[c])]
        shares[max(free, key=lambda c: step * (exact[c] - shares[c]))] += step
    return tuple(shares)


def _draw_with_replacement(
    y: IntArray, weights: FloatArray, counts: Sequence[int], rng: np.random.Generator
) -> IntArray:
    """Rows of `counts[c]` samples of each class c, with chances in proportion to `weights`."""
    chosen = []
    for code, count in enumerate(counts):
        members = np.flatnonzero(y == code)
        mass = weights[members]
        chosen.append(rng.choice(members, size=count, p=mass / mass.sum() if mass.sum() > 0 else None))
    return np.concatenate(chosen)


def _repair_widths(
    widths: FloatArray, centres: FloatArray, table: Table | PartitionedTable, floor: float
) -> FloatArray:
    """Give degenerate cells (width 0) a width, and keep all widths between the floor and the diameter of the table."""
    if table.diameter < SMALLEST_DIAMETER:  # all samples are equal: any width will do
        return np.ones_like(widths)
    found = widths > 0.0
    if found.all():
        repaired = widths.copy()
    else:
        if found.any():
            fallback = float(np.median(widths[found]))
        else:
            gaps = rbf.squared_distances(centres, centres)
            np.fill_diagonal(gaps, np.inf)
            between = np.sqrt(gaps.min(axis=1)).mean()  # of each centre to the nearest other
            fallback = float(between) if 0.0 < between < np.inf else table.spread
        repaired = np.where(found, widths, fallback)
    np.maximum(repaired, floor * table.spread, out=repaired)
    return np.minimum(repaired, table.diameter, out=repaired)
