"""Any emphasis, with a largest weight."""

import numpy as np

from emphatic import check
from emphatic.base import Emphasis, EmphasisWrapper
from emphatic.check import FloatArray
from emphatic.margins import cap_distribution


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

    >>> Capped(largest=2.0).change(np.array([0.7, 0.2, 0.1, 0.0]))
    array([0.5       , 0.33333333, 0.16666667, 0.        ])
    """

    def __init__(self, base: Emphasis | None = None, largest: float = 10.0) -> None:
        self.base = base
        self.largest = largest

    def check_own_parameters(self) -> None:
        if not (isinstance(self.largest, float) and self.largest == np.inf):
            check.real("largest", self.largest, 1)

    @property
    def needs_all_rows(self) -> str:
        return "it sorts the weights of all rows"

    def change(self, weights: FloatArray) -> FloatArray:
        return cap_distribution(weights, self.largest / len(weights))
