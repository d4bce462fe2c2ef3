"""Margins, labels, probabilities and normalised weights: the few formulas that everything else uses.

A *score* is (n,) for two classes (positive means class 1) and (n, K) for K classes. Labels are codes 0 .. K-1.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, softmax

from emphatic.check import FloatArray, IntArray
from emphatic.deferred import by_rows, evaluate, is_deferred, settle
from emphatic.user_warning import warn_user


def margins(score: FloatArray, y: IntArray) -> FloatArray:
    """How clearly each sample is right: d f for two classes, half of (true class - best other) for K.

    The half keeps the margin of one learner in [-1, 1], and makes the margin of the two columns (-f, f) exactly d f.

    >>> import numpy as np
    >>> margins(np.array([0.5, -0.25]), np.array([1, 1]))
    array([ 0.5 , -0.25])
    >>> margins(np.array([[0.5, -0.5, -1.0]]), np.array([1]))
    array([-0.5])
    """
    if score.ndim == 1:
        return by_rows(_signed, score, y)  # type: ignore[no-any-return]
    return by_rows(_margins_of_columns, score, y)  # type: ignore[no-any-return]


def _signed(score: FloatArray, y: IntArray) -> FloatArray:
    """d f, with d = +-1."""
    from emphatic.kernels import weighing  # here, as numba takes long to import: who needs no margins is spared it

    return np.asarray(weighing.signed(_plain(score), _plain(y, np.intp)))


def _plain(values: Any, dtype: type = np.float64) -> np.ndarray:
    """An array for a kernel; one that is strided or read-only is copied, as numba would compile anew for each."""
    array: np.ndarray = np.ascontiguousarray(values, dtype=dtype)
    return array if array.flags.writeable else array.copy()


def _margins_of_columns(score: FloatArray, y: IntArray) -> FloatArray:
    rows = np.arange(len(y))
    others = score.copy()
    others[rows, y] = -np.inf
    return np.asarray((score[rows, y] - others.max(axis=1)) / 2.0)


def labels(score: FloatArray) -> IntArray:
    """Codes of the winning classes. Ties: class 1 of two (sign(0) = +1), else the lowest index.

    >>> import numpy as np
    >>> labels(np.array([0.0, -1.0])), labels(np.array([[0.2, 0.2, 0.1]]))
    (array([1, 0]), array([0]))
    """
    if score.ndim == 1:
        return (score >= 0).astype(np.intp)
    return score.argmax(axis=1)


def normalise(log_weights: FloatArray) -> FloatArray:
    """Distribution proportional to exp(log_weights), computed so that nothing overflows.

    >>> import numpy as np
    >>> normalise(np.array([1000.0, 1000.0, -np.inf]))
    array([0.5, 0.5, 0. ])
    """
    if is_deferred(log_weights):  # where that fails it is NaN: `distribution_or_uniform` of the loop finds it
        weights: FloatArray = np.exp(log_weights - log_weights.max())
        return weights / weights.sum()
    from emphatic.kernels import weighing

    done, distribution = weighing.normalised(_plain(log_weights).ravel())
    if done:
        return np.asarray(distribution).reshape(log_weights.shape)
    return distribution_or_uniform(np.exp(np.where(np.isfinite(log_weights), log_weights, -np.inf)))


def mixed_exponent(m: FloatArray, lam: float) -> FloatArray:
    """lam (1-m)^2 - (1-lam) m^2: error against boundary, the exponent of paper 000's equation 11 in margins m.

    Multiplied out, the large squares cancel here and not in floating point.
    """
    exponent: FloatArray = (2.0 * lam - 1.0) * m
    exponent -= 2.0 * lam
    exponent *= m
    exponent += lam
    return exponent


def count_classes(y: IntArray) -> IntArray:
    """How many samples each of the codes 0 .. K-1 has.

    >>> import numpy as np
    >>> count_classes(np.array([0, 2, 2]))
    array([1, 0, 2])
    """
    (largest,) = evaluate(y.max())
    (counts,) = evaluate(np.bincount(y, minlength=int(largest) + 1))
    return np.asarray(counts)


def look_up(values: np.ndarray, codes: NDArray[np.integer]) -> np.ndarray:
    """`values[codes]`, also for deferred codes.

    >>> import numpy as np
    >>> look_up(np.array([0.5, 1.5]), np.array([1, 1, 0]))
    array([1.5, 1.5, 0.5])
    """
    return by_rows(values.__getitem__, codes, dtype=values.dtype)  # type: ignore[no-any-return]


def distribution_or_uniform(weights: FloatArray) -> FloatArray:
    """Weights divided by their sum; uniform, with a warning, where that sum is 0 or not finite."""
    weights = settle(weights)
    (total,) = evaluate(weights.sum())
    if not (np.isfinite(total) and total > 0):
        warn_user("The weights of an emphasis sum to 0 or are not finite: uniform weights are used.")
        return np.full_like(weights, 1.0 / len(weights))
    distribution: FloatArray = weights / total
    return distribution


def cap_distribution(weights: FloatArray, caps: FloatArray | float) -> FloatArray:
    """The distribution proportional to `weights` where that stays below `caps`, and at the caps elsewhere.

    Of all distributions below the caps it has the least relative entropy to `weights`. Where all that may still grow
    weigh nothing, they share what is left in proportion to their caps. The caps must sum to at least 1.

    >>> import numpy as np
    >>> cap_distribution(np.array([0.7, 0.2, 0.1, 0.0]), 0.5)
    array([0.5       , 0.33333333, 0.16666667, 0.        ])
    """
    if (weights <= caps).all():
        return weights
    caps = np.broadcast_to(caps, weights.shape)
    with np.errstate(over="ignore"):
        excess = np.divide(weights, caps, out=np.zeros(len(weights)), where=caps > 0.0)
    order = np.argsort(-excess, kind="stable")  # the first reaches its cap first
    falling, limits = weights[order], caps[order]
    others = np.cumsum(falling[::-1])[::-1]  # in place k: the sum of the weights from k on
    left = np.maximum(1.0 - (np.cumsum(limits) - limits), 0.0)  # and what those before k, at their caps, leave to them
    part = np.divide(falling, others, out=np.zeros(len(weights)), where=others > 0.0)
    fits = part * left <= limits
    fits[-1] = True  # but for rounding
    k = int(fits.argmax())  # so many are at their caps
    shares, total = (weights, others[k]) if others[k] > 0.0 else (caps, limits[k:].sum())
    with np.errstate(over="ignore", invalid="ignore"):  # of samples above their caps, where the others weigh next to 0
        grown = np.divide(shares, total, out=np.zeros(len(weights)), where=total > 0.0) * left[k]
    return np.where(excess > excess[order[k]], caps, np.minimum(grown, caps))


def normalise_rows(supports: FloatArray) -> FloatArray:
    """Rows divided by their sums; 1/K each where nothing supports any of the K classes.

    >>> import numpy as np
    >>> normalise_rows(np.array([[1.0, 3.0], [0.0, 0.0]]))
    array([[0.25, 0.75],
           [0.5 , 0.5 ]])
    """
    total = supports.sum(axis=1, keepdims=True)
    return np.divide(supports, total, out=np.full_like(supports, 1.0 / supports.shape[1]), where=total > 0)


def effective_sample_size(weights: FloatArray) -> float:
    """1 / sum D^2: as many samples as would, weighing equally, be as concentrated as D.

    >>> import numpy as np
    >>> effective_sample_size(np.array([0.5, 0.5, 0.0]))
    2.0
    """
    (concentration,) = evaluate(sum_of_products(weights, weights))
    return float(1.0 / concentration)


def sum_of_products(one: FloatArray, other: FloatArray) -> Any:
    """The inner product of two arrays (n,); of deferred ones in two steps per partition, where Dask's takes six.

    >>> import numpy as np
    >>> sum_of_products(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    np.float64(11.0)
    """
    return (one * other).sum() if is_deferred(one) or is_deferred(other) else one @ other


def probabilities_of_score(score: FloatArray) -> FloatArray:
    """Real AdaBoost's reading of a score, f = 1/2 log(p / (1-p)): softmax of (-f, f), or of the K columns."""
    columns = np.column_stack([expit(-2 * score), expit(2 * score)]) if score.ndim == 1 else softmax(score, axis=1)
    return favour(labels(score), columns)


def probabilities_of_output(output: FloatArray) -> FloatArray:
    """A confidence in [-1, 1] read as 2p - 1; K columns are scaled to sum 1 (equal where all of them are -1).

    A learner that does not keep to [-1, 1] is read as if it did.
    """
    winner, output = labels(output), np.clip(output, -1.0, 1.0)
    if output.ndim == 1:
        return favour(winner, np.column_stack([(1 - output) / 2, (1 + output) / 2]))
    return favour(winner, normalise_rows((1 + output) / 2))


def output_of_probabilities(probabilities: FloatArray) -> FloatArray:
    """The confidence in [-1, 1] whose label is the most probable class: (n,) for two columns, else (n, K).

    Of equally probable classes the first wins, also of two, for which a score of exactly 0 would mean the second.
    """
    if probabilities.shape[1] > 2:
        return favour(probabilities.argmax(axis=1), 2.0 * probabilities - 1.0)
    output = probabilities[:, 1] - probabilities[:, 0]
    output[output == 0] = -np.finfo(np.float64).tiny
    return output


def favour(winner: IntArray, probabilities: FloatArray) -> FloatArray:
    """Lift the winner's probability by one rounding step where rounding or a tie hides that it won.

    So `argmax` of the probabilities is the predicted label for every sample, also on a tie.
    """
    rows = np.arange(len(winner))
    hidden = probabilities.argmax(axis=1) != winner
    best = probabilities.max(axis=1)
    probabilities[rows[hidden], winner[hidden]] = np.nextafter(best[hidden], 2.0)
    return probabilities
