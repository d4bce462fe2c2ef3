"""Designs of an RBF network's units: where the centres lie and how wide the Gaussians are."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from sklearn.base import BaseEstimator

from emphatic import check
from emphatic.check import FloatArray, IntArray
from emphatic.kernels import rbf
from emphatic.learners.rbf_units import Units

SMALLEST_DIAMETER = 1e-140
"""Samples closer together than this are taken to be equal: squares of such distances underflow."""


class Design(BaseEstimator, ABC):  # type: ignore[misc]
    """How the units of an RBF network are placed. Stateless: parameters in, units out."""

    @abstractmethod
    def units(self, X: FloatArray, y: IntArray, weights: FloatArray, rng: np.random.Generator) -> Units:
        """Units for samples `X` with codes `y` under the distribution `weights`."""


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
        Centres per training sample (the paper's %K); at least 2 centres in all, at least 1 a class.
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

    def units(self, X: FloatArray, y: IntArray, weights: FloatArray, rng: np.random.Generator) -> Units:
        counts = self._counts(np.bincount(y))
        chosen = _draw(y, weights, counts, rng, self.replace)
        units = Units(X, X[chosen])
        same_class = check.one_of("assign", self.assign, ("any_class", "same_class")) == "same_class"
        cell, distance = units.cells(y, y[chosen] if same_class else None)
        spread, diameter = rbf.box(X)
        widths = rbf.cell_widths(cell, distance, weights, len(chosen), 1e-8 * spread)
        lowest = check.real("width_floor", self.width_floor, 0, open_low=True) * spread
        units.widths = _mended(widths, units.centres, spread, lowest, diameter)
        return units

    def _counts(self, frequencies: IntArray) -> IntArray:
        """Centres of each class: shares of the total by largest remainders, at least 1 for a class that is there."""
        n = int(frequencies.sum())
        if self.n_centres is None:
            fraction = check.real("fraction", self.fraction, 0, 1, open_low=True)
            limit = check.integer("max_centres", self.max_centres, at_least=1)
            total = min(max(2, int(np.floor(fraction * n + 0.5))), limit)
        else:
            total = check.integer("n_centres", self.n_centres, at_least=1)
            if total > n:
                raise ValueError(f"n_centres={total} is not allowed: there are only {n} samples to draw them from.")
        check.one_of("replace", self.replace, (True, False))
        return _shares(total, frequencies)


def _shares(total: int, frequencies: IntArray) -> IntArray:
    """Split `total` in proportion to `frequencies` by largest remainders, between 1 and the frequency of each class.

    >>> import numpy as np
    >>> _shares(10, np.array([70, 29, 1]))
    array([7, 2, 1])
    """
    most = frequencies.tolist()  # plain numbers: a class is too few for arrays to pay
    least = [min(1, size) for size in most]
    total = min(max(total, sum(least)), sum(most))
    exact = [total * size / sum(most) for size in most]
    shares = [min(max(int(share), low), high) for share, low, high in zip(exact, least, most)]
    while (missing := total - sum(shares)) != 0:  # at most one step a class
        step = 1 if missing > 0 else -1
        free = [c for c, share in enumerate(shares) if (share < most[c] if step > 0 else share > least[c])]
        shares[max(free, key=lambda c: step * (exact[c] - shares[c]))] += step
    return np.array(shares)


def _draw(y: IntArray, weights: FloatArray, counts: IntArray, rng: np.random.Generator, replace: bool) -> IntArray:
    """Rows of the centres: `counts[c]` samples of class c, with chances in proportion to `weights`.

    Without replacement the smallest of -log D - Gumbel noise are exactly the outcome of drawing one after the other, also
    where most of D is 0: then those come last, by index.
    """
    chosen = []
    if not replace:
        with np.errstate(divide="ignore"):
            keys = np.log(rng.standard_exponential(len(y))) - np.log(weights)  # the log of an exponential is -Gumbel
    for code, count in enumerate(counts):
        members = np.flatnonzero(y == code)
        if replace:
            mass = weights[members]
            chances = mass / mass.sum() if mass.sum() > 0 else None
            chosen.append(rng.choice(members, size=count, p=chances))
        elif 0 < count < len(members):
            own = keys[members]
            part = np.argpartition(own, count)[:count]
            if own[part].max() == np.inf:
                part = np.argsort(own, kind="stable")[:count]
            chosen.append(members[np.sort(part)])  # the order of a partition differs between machines
        else:
            chosen.append(members[:count])
    return np.concatenate(chosen)


def _mended(widths: FloatArray, centres: FloatArray, spread: float, lowest: float, diameter: float) -> FloatArray:
    """Give degenerate cells (width 0) a width, and keep all widths between `lowest` and `diameter`."""
    valid = widths > 0
    if not valid.all():
        if valid.any():
            ordered = np.sort(widths[valid])  # np.median takes ten times as long for so few
            fallback = float(ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
        else:
            gaps = rbf.squared_distances(centres, centres)
            np.fill_diagonal(gaps, np.inf)
            nearest = np.sqrt(gaps.min(axis=1))
            fallback = float(nearest.mean()) if np.isfinite(nearest).all() else 0.0
        widths = np.where(valid, widths, fallback if fallback > 0 else spread or 1.0)
    if diameter < SMALLEST_DIAMETER:  # all samples are equal: any width will do
        return np.ones_like(widths)
    return np.minimum(np.maximum(widths, lowest), diameter)
