"""How many labels are wrong, as far as models can tell that were not trained on them."""

import numpy as np

from emphatic.check import FloatArray, IntArray
from emphatic.margins import normalise_rows

CONFIDENT_SHARE = 0.3
"""Share of the samples on which the models are most confident: a contradicted label there is taken to be wrong."""

LARGEST_NOISE = 0.4
"""Models that contradict more labels than this have learnt nothing, and their contradiction is no evidence."""


def estimate_noise(probabilities: FloatArray, codes: IntArray) -> float:
    """Estimated share of wrong labels: how often confident models give another class than the label.

    Elsewhere classes overlap, and a model that contradicts a label proves nothing. Half a mistake is added to the
    count, so that no table is above suspicion; the estimate is never more than 0.4.

    >>> import numpy as np
    >>> confident = np.tile([0.9, 0.1], (100, 1))
    >>> estimate_noise(confident, np.array([0, 0, 1, 0, 0] * 20)).__round__(2)
    0.21
    """
    n_confident = _count_confident(len(codes))
    confident = np.argsort(-probabilities.max(axis=1), kind="stable")[:n_confident]
    mistakes = (probabilities[confident].argmax(axis=1) != codes[confident]).sum()
    return min(float((mistakes + 0.5) / (n_confident + 1)), LARGEST_NOISE)


def estimate_least_noise(probabilities: FloatArray, codes: IntArray) -> float:
    """`estimate_noise` minus one standard error: noise that is there with some certainty."""
    noise = estimate_noise(probabilities, codes)
    return max(0.0, noise - float(np.sqrt(noise * (1.0 - noise) / _count_confident(len(codes)))))


def _count_confident(n: int) -> int:
    return max(min(10, n), int(CONFIDENT_SHARE * n))


def remove_noise(probabilities: FloatArray, noise: float) -> FloatArray:
    r"""Probabilities of the true classes, from those of labels of which a share was replaced by a random other class.

    With :math:`q_k = (1 - \rho)\, p_k + \rho\, (1 - p_k) / (K - 1)`, this solves for p; where noise alone explains a
    probability, 0.001 is left of it.

    >>> import numpy as np
    >>> remove_noise(np.array([[0.8, 0.2], [0.5, 0.5]]), 0.2).round(3)
    array([[0.999, 0.001],
           [0.5  , 0.5  ]])
    """
    other = noise / (probabilities.shape[1] - 1)
    return normalise_rows(np.maximum((probabilities - other) / (1.0 - noise - other), 1e-3))
