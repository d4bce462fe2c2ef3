"""How many labels are wrong, as far as models can tell that were not trained on them."""

import numpy as np

from emphatic.blending.by_loss import SMALLEST, log_loss
from emphatic.check import FloatArray, IntArray
from emphatic.margins import normalise_rows

CONFIDENT_SHARE, ENOUGH_CONFIDENT, LEAST_CONFIDENT_SHARE = 0.3, 450, 0.1
"""Samples on which the models are most confident, where a contradicted label is taken to be wrong: 30% of few, then so
many, and a tenth of many. Labels that are wrong at random are as frequent among the most confident samples as among the
next; where classes overlap, the most confident ones are contradicted least."""

LARGEST_NOISE = 0.4
"""Models that contradict more labels than this have learnt nothing, and their contradiction is no evidence."""

LEAST_GAIN = 0.02
"""Part of the log loss of the class frequencies by which models must do better for their contradiction to count."""

LEAST_TRUST = 0.05
"""In a label that is certainly wrong."""


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
    """`estimate_noise` minus one standard error: noise that is there with some certainty.

    It is 0 if the models know hardly more than how frequent each class is: then they contradict the rarer classes.
    """
    weights = np.ones(len(codes))
    frequencies = np.bincount(codes, minlength=probabilities.shape[1]) / len(codes)
    ignorant = log_loss(np.broadcast_to(frequencies, probabilities.shape), codes, weights)
    if log_loss(probabilities, codes, weights) > (1.0 - LEAST_GAIN) * ignorant:
        return 0.0
    noise = estimate_noise(probabilities, codes)
    return max(0.0, noise - float(np.sqrt(noise * (1.0 - noise) / _count_confident(len(codes)))))


def _count_confident(n: int) -> int:
    return max(min(10, n), int(np.clip(ENOUGH_CONFIDENT, LEAST_CONFIDENT_SHARE * n, CONFIDENT_SHARE * n)))


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


def hedge_noise(probabilities: FloatArray, noise: float, clean_chance: float) -> FloatArray:
    """Probabilities of labels that are clean with this chance, and otherwise as noisy as those of the training.

    That is the mean of what is right in the two cases, weighted by their chances: nothing else has a lower log loss on
    average over the cases. The most probable class stays the same.

    >>> import numpy as np
    >>> hedge_noise(np.array([[0.8, 0.2], [0.5, 0.5]]), 0.2, 0.5).round(3)
    array([[0.9, 0.1],
           [0.5, 0.5]])
    """
    return clean_chance * remove_noise(probabilities, noise) + (1.0 - clean_chance) * probabilities


def trust_labels(probabilities: FloatArray, codes: IntArray, noise: float) -> FloatArray:
    r"""Probability that each label is right, if a share of all labels was replaced by a random other class.

    With the probability :math:`q` of the given label, and :math:`p` that it is the true class (see `remove_noise`),
    that is :math:`(1 - \rho)\, p / q`. Where noise alone explains a label, 0.05 is left.

    >>> import numpy as np
    >>> labels = np.array([[0.8, 0.2], [0.5, 0.5], [0.7, 0.3], [0.9, 0.1]])
    >>> trust_labels(labels, np.array([0, 1, 1, 1]), 0.1).round(2)
    array([0.98, 0.9 , 0.75, 0.05])
    """
    given = np.maximum(probabilities[np.arange(len(codes)), codes], SMALLEST)
    other = noise / (probabilities.shape[1] - 1)
    true = (given - other) / (1.0 - noise - other)
    return np.clip((1.0 - noise) * true / given, LEAST_TRUST, 1.0)
