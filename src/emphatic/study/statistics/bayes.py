"""How probable it is that one method is better than another, or that they differ by too little to matter.

The Bayesian signed-rank test of Benavoli, Corani, Mangili, Zaffalon and Ruggeri (ICML 2014) with a region of practical
equivalence (Benavoli, Corani, Demšar and Zaffalon, "Time for a change", JMLR 18, 2017). A p-value says none of this: a
large one may stand for equal methods or for few problems.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from emphatic import check
from emphatic.randomness import as_generator
from emphatic.study.statistics.pairs import LARGEST, ROUNDING, paired_differences

_HALF_A_DIGIT = (
    0.5 * 10.0**-ROUNDING
)  # of what is rounded: a sum at the border of the region lies inside, to the last bit
_NUMBERS_AT_ONCE = 2**18  # weights that are held at any time: 2 megabytes


@dataclass(frozen=True)
class Posterior:
    """Three probabilities that sum to 1: the first is better, neither is by more than the region, the second is.

    Examples
    --------
    >>> from emphatic.study.statistics import signed_rank_posterior
    >>> found = signed_rank_posterior([0.1, 0.2, 0.1], [0.3, 0.4, 0.3], rope=0.01)
    >>> found.first_better > 0.9
    True
    """

    first_better: float
    equivalent: float
    second_better: float


def signed_rank_posterior(
    first: ArrayLike,
    second: ArrayLike,
    rope: float = 0.0,
    *,
    prior_strength: float = 0.5,
    n_samples: int = 50_000,
    random_state: Any = 0,
) -> Posterior:
    """The Bayesian signed-rank test between paired errors, one pair per problem; the lower error is the better one.

    `rope` is half the width of the region of practical equivalence, in units of the errors: 0.01 if a difference of one
    percent of the rows does not matter. The differences :math:`z_1, ..., z_q` and a pseudo-observation :math:`z_0 = 0`,
    which counts as `prior_strength` problems, have weights from a Dirichlet distribution; in each of `n_samples` draws

    .. math::
        \\theta_- = \\sum_{ij} w_i w_j [z_i + z_j < -2 r], \\quad \\theta_+ = \\sum_{ij} w_i w_j [z_i + z_j > 2 r],
        \\quad \\theta_0 = 1 - \\theta_- - \\theta_+

    and the answer is how often each of them is the largest, to within about 1 / sqrt(n_samples). With `rope=0`
    only pairs of problems whose differences cancel count as equivalent.

    >>> found = signed_rank_posterior([0.10, 0.21, 0.05, 0.30, 0.12], [0.14, 0.25, 0.05, 0.36, 0.19], rope=0.01)
    >>> round(found.first_better, 2), round(found.equivalent, 2), round(found.second_better, 2)
    (0.98, 0.02, 0.0)
    """
    _refuse_nan(first=first, second=second)
    differences = paired_differences(first, second)
    if differences.size == 0:
        raise ValueError("first and second hold no errors: at least one pair is needed")
    limit = 2 * check.real("rope", rope, 0, LARGEST) + _HALF_A_DIGIT
    strength = check.real("prior_strength", prior_strength, 0, LARGEST, open_low=True)
    n_left = check.integer("n_samples", n_samples, 1)
    rng = as_generator(random_state)
    z = np.concatenate([[0.0], np.round(differences, ROUNDING)])
    concentration = np.concatenate([[strength], np.ones(differences.size)])
    wins = np.zeros(3)
    while n_left:
        n_now = min(n_left, max(1, _NUMBERS_AT_ONCE // z.size))
        thetas = find_thetas(z, rng.dirichlet(concentration, n_now), limit)
        largest = thetas == thetas.max(axis=1, keepdims=True)
        wins += (largest / largest.sum(axis=1, keepdims=True)).sum(axis=0)  # a tie is shared
        n_left -= n_now
    return Posterior(*(float(share) for share in wins / n_samples))


def find_thetas(z: check.FloatArray, weights: check.FloatArray, limit: float) -> check.FloatArray:
    """For each row of weights, how much of all pairs has a sum below `-limit`, between, and above `limit`.

    >>> find_thetas(np.array([-1.0, 0.0, 3.0]), np.array([[0.2, 0.3, 0.5]]), 0.5)
    array([[0.16, 0.09, 0.75]])
    """
    below, above = _weigh_above(-z, weights, limit), _weigh_above(z, weights, limit)
    return np.column_stack([below, 1.0 - below - above, above])


def _weigh_above(z: check.FloatArray, weights: check.FloatArray, limit: float) -> check.FloatArray:
    """The weight of all pairs whose sum is above `limit`.

    The partners of an observation are the largest ones, so that sums of sorted weights take the place of a table of
    all pairs.
    """
    descending = np.argsort(-z, kind="stable")
    n_partners = z.size - np.searchsorted(z[descending][::-1], limit - z, side="right")
    sums = np.zeros((len(weights), z.size + 1))
    np.cumsum(weights[:, descending], axis=1, out=sums[:, 1:])
    return np.asarray((weights * sums[:, n_partners]).sum(axis=1))


def _refuse_nan(**errors: ArrayLike) -> None:
    for name, values in errors.items():
        n_missing = int(np.isnan(check.numbers(name, values)).sum())
        if n_missing:
            raise ValueError(f"{name} holds NaN {n_missing} times: leave out problems that one of them did not finish")
