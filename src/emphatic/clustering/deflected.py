"""The deflected objective of fuzzy c-means and its gradient."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment

from emphatic.check import FloatArray, IntArray
from emphatic.kernels import deflection as kernel
from emphatic.kernels.fuzzy_c_means import squared_distances

LARGEST_ARGUMENT = 300.0
"""sinh of more could overflow; its reciprocal is 0 long before."""

SMALLEST_DISTANCE = 1e-12
"""Nearer than this to an earlier group counts as this."""

NO_ERROR = 1e-12
"""Clusters whose J is below this part of the variation of the table fit it without error."""


def best_order(U: FloatArray, V: FloatArray) -> IntArray:
    """The order of the rows of `V` (k, n) in which they are nearest to those of `U`.

    |U - V P|^2 = |U|^2 + |V|^2 - 2 <U, V P>: the Hungarian method on the k x k products.
    """
    return np.asarray(linear_sum_assignment(U @ V.T, maximize=True)[1])


class DeflectedObjective:
    r"""F and its gradient in logits (k n values, one row a cluster) whose softmax over the clusters is U.

    .. math:: F(U) = \log J(U) - \sum_g \log \tanh(\lambda s_g), \qquad s_g = \lVert U - U_g \rVert_F / \sqrt n

    J is that of the best centres for U. They are best, so J does not change with them to first order, and

    .. math:: \frac{\partial F}{\partial U} = \frac{m U^{m-1} \lVert x - v \rVert^2}{J}
        - \sum_g \frac{2 \lambda}{\sinh(2 \lambda s_g)} \frac{U - U_g}{n s_g} .
    """

    def __init__(self, X: FloatArray, m: float, relaxation: float, aligned: bool) -> None:
        self.rows, self.features = X, np.ascontiguousarray(X.T)
        self.m, self.relaxation, self.aligned = m, relaxation, aligned
        self.variation = float(np.square(X - X.mean(axis=0)).sum())
        # added to J, so that its logarithm exists where clusters fit all rows exactly
        self.floor = NO_ERROR * self.variation or 1.0
        self.groups: FloatArray = np.empty((0, 0, 0))

    def deflect_from(self, groups: FloatArray) -> None:
        """Set the earlier groups of memberships, (g, k, n)."""
        self.groups = groups
        self._U, self._power, self._share = (np.empty(groups.shape[1:]) for _ in range(3))

    def fits_without_error(self, U: FloatArray) -> bool:
        """Whether J of memberships (k, n) is, but for rounding, 0."""
        share = U**self.m
        return float(np.vdot(share, self._squared_distances(share))) <= self.floor

    def __call__(self, logits: FloatArray) -> tuple[float, FloatArray]:
        U = self.memberships(logits)
        n = U.shape[1]
        power = U if self.m == 2.0 else np.power(U, self.m - 1.0, out=self._power)
        share = np.multiply(U, power, out=self._share)
        attraction = self._squared_distances(share)
        J = float(np.vdot(share, attraction)) + self.floor
        attraction *= power
        attraction *= self.m / J
        value = np.log(J)
        orders = np.tile(np.arange(len(U)), (len(self.groups), 1))
        repulsions = np.empty(len(self.groups))
        for g, other in enumerate(self.groups):
            if self.aligned:
                orders[g] = best_order(U, other)
            s = max(np.sqrt(kernel.squared_gap(U, other, orders[g]) / n), SMALLEST_DISTANCE)
            value -= np.log(np.tanh(self.relaxation * s))
            argument = min(2.0 * self.relaxation * s, LARGEST_ARGUMENT)
            repulsions[g] = 2.0 * self.relaxation / np.sinh(argument) / (n * s)
        return float(value), kernel.gradient(U, attraction, self.groups, orders, repulsions).ravel()

    def memberships(self, logits: FloatArray) -> FloatArray:
        """Softmax over the clusters, (k, n); the next call overwrites it."""
        U, table = self._U, logits.reshape(self._U.shape)
        np.exp(np.subtract(table, table.max(axis=0), out=U), out=U)
        U /= U.sum(axis=0)
        return U

    def _squared_distances(self, share: FloatArray) -> FloatArray:
        """|x - v|^2, (k, n), to the best centres for w mu^m = `share`."""
        return squared_distances(self.features, (share @ self.rows) / share.sum(axis=1)[:, None])
