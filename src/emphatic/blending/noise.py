"""How many labels are wrong, as far as models can tell that never saw them."""

from __future__ import annotations

import numpy as np

from emphatic.check import FloatArray, IntArray

SURE_SHARE = 0.3
"""Share of the samples on which the models are surest: what is wrong there is taken for a wrong label."""

LARGEST_SHARE = 0.4
"""Models that contradict more labels than this have learnt nothing, and their contradiction is no evidence."""


def wrong_share(probabilities: FloatArray, codes: IntArray) -> float:
    """Estimated share of wrong labels: how often the given label is not the most probable one, where models are sure.

    Elsewhere classes overlap, and a model that contradicts a label proves nothing. Half a mistake is added to the
    count: no table is beyond suspicion. Nor is any believed to be wrong in more than 0.4 of its labels.

    >>> import numpy as np
    >>> sure = np.tile([0.9, 0.1], (100, 1))
    >>> wrong_share(sure, np.array([0, 0, 1, 0, 0] * 20)).__round__(2)
    0.21
    """
    most = probabilities.max(axis=1)
    n_sure = number_of_sure(len(codes))
    sure = np.argsort(-most, kind="stable")[:n_sure]
    mistakes = (probabilities[sure].argmax(axis=1) != codes[sure]).sum()
    return min(float((mistakes + 0.5) / (n_sure + 1)), LARGEST_SHARE)


def number_of_sure(n: int) -> int:
    """How many of n samples count as those on which the models are surest."""
    return max(min(10, n), int(SURE_SHARE * n))


def least_wrong_share(probabilities: FloatArray, codes: IntArray) -> float:
    """`wrong_share` minus one standard error: noise that is there with some certainty."""
    share = wrong_share(probabilities, codes)
    return max(0.0, share - float(np.sqrt(share * (1.0 - share) / number_of_sure(len(codes)))))


def without_noise(probabilities: FloatArray, share: float) -> FloatArray:
    r"""Probabilities of the true classes, from those of labels of which a `share` were replaced by any other class.

    With :math:`q_k = (1 - \rho)\, p_k + \rho\, (1 - p_k) / (K - 1)`, this solves for p; what noise alone explains
    becomes a thousandth of the evidence.

    >>> import numpy as np
    >>> without_noise(np.array([[0.8, 0.2], [0.5, 0.5]]), 0.2).round(3)
    array([[0.999, 0.001],
           [0.5  , 0.5  ]])
    """
    other = share / (probabilities.shape[1] - 1)
    solved = np.maximum((probabilities - other) / (1.0 - share - other), 1e-3)
    return np.asarray(solved / solved.sum(axis=1, keepdims=True))
