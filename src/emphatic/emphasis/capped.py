"""Any emphasis, with a largest weight."""

import numpy as np

from emphatic import check
from emphatic.base import Emphasis, EmphasisWrapper
from emphatic.check import FloatArray


class Capped(EmphasisWrapper):
    r"""Let no sample weigh more than so many times the mean weight, which is 1/n.

    .. math:: D'(i) = \min\bigl(\mathrm{largest} / n,\; \theta\, D(i)\bigr), \qquad \textstyle\sum_i D'(i) = 1

    What is cut off goes to the other samples in proportion to their weights. Of all capped distributions it is the one
    of the least relative entropy to D, a projection as in Herbster and Warmuth (2001). SoftBoost (Warmuth, Glocer
    and Rätsch, 2007) has the same cap, :math:`1/\nu` with :math:`\nu = n / \mathrm{largest}`, and bounds edges too.

    Parameters
    ----------
    base : Emphasis
        The emphasis to cap; it must be given. Where it offers several distributions each is capped.
    largest : float of at least 1, default=10.0
        The largest weight, in mean weights. 1 makes all weights equal; `numpy.inf` is `base` itself.

    Notes
    -----
    `base` goes on from its own weights, not from the capped ones. If the other samples weigh nothing at all they share
    equally. The user's sample weights are multiplied in afterwards.

    >>> cap(np.array([0.7, 0.2, 0.1, 0.0]), largest=2.0)
    array([0.5       , 0.33333333, 0.16666667, 0.        ])
    """

    def __init__(self, base: Emphasis | None = None, largest: float = 10.0) -> None:
        self.base = base
        self.largest = largest

    def check_own_parameters(self) -> None:
        if not (isinstance(self.largest, float) and self.largest == np.inf):
            check.real("largest", self.largest, 1)

    def change(self, weights: FloatArray) -> FloatArray:
        return cap(weights, self.largest)


def cap(weights: FloatArray, largest: float) -> FloatArray:
    """A distribution in which no weight is above `largest` times the mean: the weights cut there, the others scaled."""
    n, limit = len(weights), largest / len(weights)
    if weights.max() <= limit:
        return weights
    falling = np.sort(weights)[::-1]
    others = np.cumsum(falling[::-1])[::-1]  # in place k: the sum of all but the k largest weights
    left = np.maximum(1.0 - limit * np.arange(n), 0.0)  # and what k weights at the limit leave to them
    part = np.divide(falling, others, out=np.zeros(n), where=others > 0)  # of the largest of those others
    fits = part * left <= limit
    fits[-1] = True  # but for rounding
    k = int(fits.argmax())  # so many are at the limit
    share = np.minimum(weights, falling[k]) / others[k] if others[k] > 0 else np.full(n, 1.0 / (n - k))
    return np.where(weights > falling[k], limit, np.minimum(share * left[k], limit))
