"""How labels become wrong, as far as out-of-fold probabilities tell: from them to the probability of the true class."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, softmax

from emphatic.check import FloatArray, IntArray
from emphatic.margins import normalise, normalise_rows

SMALLEST = 1e-9
"""Of a probability: keeps logarithms finite."""

SHARPNESSES = np.geomspace(0.7, 4.0, 10)
SHARES = np.concatenate([[0.001], np.arange(0.005, 0.4, 0.01)])
"""Candidates. Labels of which more than 0.4 are wrong teach nothing."""

EVIDENCE = 0.3
"""Part of the log likelihood that counts against the prior Beta(2, 10) of the share: noise need not be of this form.
Chosen on the tuning problems of docs/audit.md, with noise of four forms; 0.1 did as well, 1 too often saw no noise."""

PRIOR_SAMPLES = 50.0
"""Samples of each class that speak for mistakes among all classes alike."""

N_STEPS = 25
"""Of the EM algorithm: the prior makes it converge fast."""

MOST_ROWS = 20_000
"""Rows, at even steps, that the model is fitted to."""


@dataclass(frozen=True, eq=False)
class NoiseModel:
    r"""Labels as a noisy view of the true classes: a sample of class j is labelled k with the probability T[j, k].

    The true classes have the probabilities :math:`\pi_i[k] \propto p_i[k]^b`: sharper (b > 1) than the out-of-fold
    probabilities p, which are of the labels.
    """

    sharpness: float
    """b"""
    transitions: FloatArray
    """T (K, K); rows sum to 1."""

    def sharpen(self, probabilities: FloatArray) -> FloatArray:
        """Probabilities (n, K) of the true classes, of samples whose labels are not known."""
        return _raise(probabilities, self.sharpness)

    def find_posterior(self, probabilities: FloatArray, codes: IntArray) -> FloatArray:
        r"""Probabilities (n, K) of the true classes of samples with these labels.

        .. math:: P(k \mid i) = \frac{\pi_i[k]\, T[k, y_i]}{\sum_j \pi_i[j]\, T[j, y_i]}

        >>> import numpy as np
        >>> model = NoiseModel(1.0, np.array([[0.9, 0.1], [0.1, 0.9]]))
        >>> model.find_posterior(np.array([[0.5, 0.5], [0.1, 0.9], [0.01, 0.99]]), np.array([0, 0, 0])).round(2)
        array([[0.9 , 0.1 ],
               [0.5 , 0.5 ],
               [0.08, 0.92]])
        """
        return normalise_rows(self.sharpen(probabilities) * self.transitions[:, codes].T)


def fit_noise_model(probabilities: FloatArray, codes: IntArray) -> NoiseModel:
    r"""Fit sharpness and transitions to out-of-fold probabilities (n, K) and the labels that they are of.

    1. With a share :math:`\rho` of all labels wrong and all other classes alike, labels have the probabilities
       :math:`q_i = (1 - \rho)\, \pi_i[y_i] + \rho\, (1 - \pi_i[y_i]) / (K - 1)`. Every pair of b and :math:`\rho` of a
       grid is weighed by its prior times :math:`\prod_i q_i^{0.3}`; their means count.
    2. The EM algorithm finds transitions T, with a prior of 50 samples of each class for those of step 1.
    3. Both count, by their likelihoods L: T with the odds :math:`e^{-K} L(T) / L(\rho)`, as if it had one parameter
       more for each class.
    """
    rows = np.unique(np.linspace(0, len(codes) - 1, min(len(codes), MOST_ROWS)).astype(np.intp))
    probabilities, codes = probabilities[rows], codes[rows]
    sharpness, share = weigh_candidates(probabilities, codes)
    true = _raise(probabilities, sharpness)
    even = spread_evenly(share, probabilities.shape[1])
    found = find_transitions(true, codes, even)
    odds = _log_likelihood(true, codes, found) - _log_likelihood(true, codes, even) - len(even)
    return NoiseModel(sharpness, even + expit(odds) * (found - even))


def weigh_candidates(probabilities: FloatArray, codes: IntArray) -> tuple[float, float]:
    """Means of sharpness and share of wrong labels over the grid, weighed by prior and likelihood."""
    others = probabilities.shape[1] - 1
    scores = np.empty((len(SHARPNESSES), len(SHARES)))
    for line, sharpness in zip(scores, SHARPNESSES, strict=True):
        right = _raise(probabilities, sharpness)[np.arange(len(codes)), codes]
        for place, share in enumerate(SHARES):
            line[place] = EVIDENCE * np.log((1.0 - share) * right + share / others * (1.0 - right)).sum()
    weights = normalise(scores + np.log(SHARES) + 9.0 * np.log1p(-SHARES))
    return float(weights.sum(axis=1) @ SHARPNESSES), float(weights.sum(axis=0) @ SHARES)


def spread_evenly(share: float, n_classes: int) -> FloatArray:
    """Transitions (K, K) by which this share of all labels is wrong, and every other class as frequent as any.

    >>> spread_evenly(0.2, 3)
    array([[0.8, 0.1, 0.1],
           [0.1, 0.8, 0.1],
           [0.1, 0.1, 0.8]])
    """
    even = np.full((n_classes, n_classes), share / (n_classes - 1))
    np.fill_diagonal(even, 1.0 - share)
    return even


def find_transitions(true: FloatArray, codes: IntArray, prior: FloatArray) -> FloatArray:
    """Transitions (K, K) by the EM algorithm, from probabilities of the true classes and transitions to start from."""
    labels = np.eye(len(prior))[codes]
    transitions = prior
    for _ in range(N_STEPS):
        counts = normalise_rows(true * transitions[:, codes].T).T @ labels
        transitions = normalise_rows(counts + PRIOR_SAMPLES * prior)
    return transitions


def _raise(probabilities: FloatArray, power: float) -> FloatArray:
    return np.asarray(softmax(power * np.log(np.maximum(probabilities, SMALLEST)), axis=1))


def _log_likelihood(true: FloatArray, codes: IntArray, transitions: FloatArray) -> float:
    return float(np.log((true * transitions[:, codes].T).sum(axis=1)).sum())
