"""How far to trust members whose views may break: learnt from out-of-fold predictions, some of them of other rows."""

import numpy as np
from scipy.optimize import minimize

from emphatic.check import FloatArray, IntArray
from emphatic.fusion.correction import learn_corrections
from emphatic.fusion.evidence import simple_masses
from emphatic.fusion.reliability import LEAST_GAIN
from emphatic.fusion.rules import dempster_shafer
from emphatic.fusion.trust import Trust
from emphatic.fusion.weighting import share_masses
from emphatic.threads import one_thread

RELIABILITIES = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999)
"""Below 1, so that no member can veto a class."""

MOST_BROKEN = 2
"""Members of a row that are broken at most, and never more than half of them."""

LARGEST_WEIGHT = 4.0

DECIMALS = 2
"""To which weights and corrections are rounded: the last bit of a sum must not decide."""

MOST_ROWS = 10_000
"""Of which all this is learnt; further ones would hardly change it."""

LEAST_SHARE = 1e-300
"""Before a logarithm: where rounding leaves nothing of a class."""


def learn_trust(supports: FloatArray, y: IntArray, counts: FloatArray, rng: np.random.Generator) -> Trust:
    r"""The reliability, weights and corrections of the least log loss when views break.

    The rows are taken once as they are, once with one member of every row broken, and once with two: its supports are
    those for another row. For each candidate of the reliability the weights minimise, by their gradient,

    .. math:: \frac{1}{n} \sum_i -\log P(y_i \mid x_i) + \frac{1}{n} \sum_j (w_j - 1)^2

    where the second term lets weights differ from 1 only as far as samples tell. Corrections are learnt last, in the
    same way. Members are not trained again.

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> y = np.tile([0, 1], 100)
    >>> expert = np.where(np.eye(2)[y] > 0, 0.9, 0.1)
    >>> guess = rng.dirichlet([1.0, 1.0], 200)
    >>> trust = learn_trust(np.array([expert, expert, guess]), y, np.ones(200), rng)
    >>> bool(trust.weights[0] > 0.5 > 0.2 > trust.weights[2])
    True
    """
    if len(y) > MOST_ROWS:
        chosen = rng.choice(len(y), MOST_ROWS, replace=False)
        supports, y, counts = supports[:, chosen], y[chosen], counts[chosen]
    copies = [break_members(supports, number, rng) for number in range(min(MOST_BROKEN, len(supports) // 2) + 1)]
    stacked = np.concatenate(copies, axis=1)
    labels, sizes = np.tile(y, len(copies)), np.tile(counts / counts.sum() / len(copies), len(copies))
    pull = float(1.0 / counts.sum())
    best, least, weights = RELIABILITIES[0], np.inf, np.ones(len(supports))
    with one_thread():
        for candidate in RELIABILITIES:
            tried, loss = _learn_weights(stacked, labels, sizes, candidate, pull, weights)
            if loss < least - LEAST_GAIN:
                best, least, weights = candidate, loss, tried
        reliabilities, weights = np.full(len(supports), best), np.round(weights, DECIMALS)
        fused = dempster_shafer(stacked, reliabilities, weights)
        corrections = learn_corrections(fused, stacked, labels, sizes, pull)
    return Trust(reliabilities, weights, np.round(corrections, DECIMALS))


def break_members(supports: FloatArray, n_broken: int, rng: np.random.Generator) -> FloatArray:
    """Supports (members, n, K) where, in every row, those of `n_broken` members drawn at random are of another row."""
    n_members, n_rows, _ = supports.shape
    broken = rng.random((n_rows, n_members)).argsort(axis=1) < n_broken
    others = (np.arange(n_rows) + rng.integers(1, max(n_rows, 2), (n_members, n_rows))) % n_rows
    found = supports.copy()
    for member, rows in enumerate(broken.T):
        found[member, rows] = supports[member, others[member, rows]]
    return found


def _learn_weights(
    supports: FloatArray, y: IntArray, sizes: FloatArray, reliability: float, pull: float, start: FloatArray
) -> tuple[FloatArray, float]:
    """The weights of least loss, and that loss; `sizes` of the rows sum to 1, `pull` draws the weights to 1."""
    masses, ignorances = simple_masses(supports, reliability)
    plausible, unknown = np.log(masses + ignorances[..., None]), np.log(ignorances)
    right = np.arange(len(y)), y

    def measure(weights: FloatArray) -> tuple[float, FloatArray]:
        whole, rest = share_masses(plausible, unknown, weights)
        shares = np.maximum(whole - rest, LEAST_SHARE)
        total = shares.sum(axis=1)
        loss = float(sizes @ (np.log(total) - np.log(shares[right])))
        # of the loss, with respect to the shares
        slope = np.repeat((sizes / total)[:, None], shares.shape[1], axis=1)
        slope[right] -= sizes / shares[right]
        gradient = np.einsum("nk,vnk->v", slope * whole, plausible)
        gradient -= np.einsum("n,vn->v", (slope * rest).sum(axis=1), unknown)
        return loss + pull * float(((weights - 1.0) ** 2).sum()), gradient + 2.0 * pull * (weights - 1.0)

    found = minimize(measure, start, jac=True, method="L-BFGS-B", bounds=[(0.0, LARGEST_WEIGHT)] * len(start))
    return np.asarray(found.x), float(found.fun)
