r"""What the support of a member for one class says about another class, beside what fusion makes of it.

Fused probabilities :math:`P(c)` are corrected by a matrix for each member, (K, K), which multiplies its supports:

.. math:: P'(c) \propto P(c)\,\exp \sum_j \sum_d p_{jd} M_{jdc}

A view that cannot tell some classes apart, or is good for some only, is thus trusted class by class. A member that
knows nothing has supports of 0, and corrects nothing.
"""

import numpy as np
from scipy.optimize import minimize
from scipy.special import softmax

from emphatic.check import FloatArray, IntArray

LEAST_PROBABILITY = 1e-300
"""Before a logarithm."""


def correct(probabilities: FloatArray, supports: FloatArray, corrections: FloatArray) -> FloatArray:
    """Probabilities (n, K), corrected by matrices (members, K, K) of supports (members, n, K).

    >>> import numpy as np
    >>> correct(np.array([[0.5, 0.5]]), np.array([[[1.0, 0.0]]]), np.array([[[np.log(3.0), 0.0], [0.0, 0.0]]]))
    array([[0.75, 0.25]])
    """
    # not by a product of matrices: the last bit for a row would depend on the other rows
    added = np.einsum("vnd,vdc->nc", supports, corrections)
    return np.asarray(softmax(_logarithms(probabilities) + added, axis=1))


def learn_corrections(
    probabilities: FloatArray, supports: FloatArray, y: IntArray, sizes: FloatArray, pull: float
) -> FloatArray:
    """The matrices of least log loss plus `pull` times the sum of their squares; `sizes` of the rows sum to 1."""
    n_members, n_rows, n_classes = supports.shape
    given = supports.transpose(1, 0, 2).reshape(n_rows, -1)
    start, truth = _logarithms(probabilities), np.eye(n_classes)[y]

    def measure(flat: FloatArray) -> tuple[float, FloatArray]:
        matrix = flat.reshape(-1, n_classes)
        found = softmax(start + given @ matrix, axis=1)
        right = np.maximum(found[np.arange(n_rows), y], LEAST_PROBABILITY)
        gradient = given.T @ ((found - truth) * sizes[:, None]) + 2.0 * pull * matrix
        return float(-sizes @ np.log(right) + pull * (matrix**2).sum()), gradient.ravel()

    flat = minimize(measure, np.zeros(given.shape[1] * n_classes), jac=True, method="L-BFGS-B").x
    return np.asarray(flat).reshape(n_members, n_classes, n_classes)


def _logarithms(probabilities: FloatArray) -> FloatArray:
    return np.log(np.maximum(probabilities, LEAST_PROBABILITY))
