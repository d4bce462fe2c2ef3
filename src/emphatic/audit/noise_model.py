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
"""Part of the log likelihood that counts against the priors, as noise need not have this form. Chosen on the tuning
problems of docs/audit.md, with noise of four forms; 0.2 did as well, 1 saw no noise too often."""

PRIOR_SAMPLES = 20.0
"""Samples of each class that speak for mistakes among all classes alike. With 5, classes that overlap looked as if they
were mistaken for each other where there are many of them (abalone)."""

N_STEPS = 25
"""Of the EM algorithm."""

MOST_ROWS = 20_000
"""Rows, at even steps, that models are fitted to."""


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
        return normalise_rows(self._join(probabilities, codes))

    def log_likelihood(self, probabilities: FloatArray, codes: IntArray) -> float:
        """Of these labels."""
        return float(np.log(self._join(probabilities, codes).sum(axis=1)).sum())

    def _join(self, probabilities: FloatArray, codes: IntArray) -> FloatArray:
        """(n, K): joint probabilities of the true class and the label."""
        return sharpen(probabilities, self.sharpness) * self.transitions[:, codes].T


def find_posterior(probabilities: FloatArray, codes: IntArray) -> FloatArray:
    r"""Probabilities (n, K) of the true classes, from out-of-fold probabilities and the labels that they are of.

    It is the mean of the posteriors of two models: of mistakes among all classes alike, and of mistakes that depend on
    the class. With their likelihoods L and L', the second counts with the odds :math:`e^{-K} (L' / L)^{0.3}`: the more
    classes there are, the better it must be.
    """
    rows = np.unique(np.linspace(0, len(codes) - 1, min(len(codes), MOST_ROWS)).astype(np.intp))
    sample = probabilities[rows], codes[rows]
    even, by_class = fit_noise_models(*sample)
    gain = by_class.log_likelihood(*sample) - even.log_likelihood(*sample)
    chance = expit(EVIDENCE * gain - probabilities.shape[1])
    posteriors = [model.find_posterior(probabilities, codes) for model in (even, by_class)]
    return np.asarray((1.0 - chance) * posteriors[0] + chance * posteriors[1])


def fit_noise_models(probabilities: FloatArray, codes: IntArray) -> tuple[NoiseModel, NoiseModel]:
    r"""The model of mistakes among all classes alike, and that of mistakes that depend on the class.

    1. If a share :math:`\rho` of the labels is wrong, and all other classes alike, labels have the probabilities
       :math:`q_i = (1 - \rho)\, \pi_i[y_i] + \rho\, (1 - \pi_i[y_i]) / (K - 1)`. Every pair of b and :math:`\rho` is
       weighed by the prior Beta(2, 10) of :math:`\rho` times :math:`\prod_i q_i^{0.3}`; their means count.
    2. For every b the EM algorithm finds transitions, with a prior of 20 samples of each class for those of step 1. The
       mean of b counts that is weighed by prior times likelihood to the power of 0.3.
    """
    n_classes = probabilities.shape[1]
    scores = EVIDENCE * score_candidates(probabilities, codes) + np.log(SHARES) + 9.0 * np.log1p(-SHARES)
    weights = normalise(scores)
    even = NoiseModel(float(weights.sum(axis=1) @ SHARPNESSES), spread_evenly(weights.sum(axis=0) @ SHARES, n_classes))
    shares = np.array([normalise(line) @ SHARES for line in scores])  # the mean share for each sharpness
    weights = normalise(_score_by_class(probabilities, codes, shares))
    sharpness, prior = float(weights @ SHARPNESSES), spread_evenly(float(weights @ shares), n_classes)
    return even, NoiseModel(sharpness, find_transitions(sharpen(probabilities, sharpness), codes, prior))


def score_candidates(probabilities: FloatArray, codes: IntArray) -> FloatArray:
    """Log likelihoods of the labels by sharpness and share, of mistakes among all classes alike."""
    others = probabilities.shape[1] - 1
    scores = np.empty((len(SHARPNESSES), len(SHARES)))
    for line, sharpness in zip(scores, SHARPNESSES, strict=True):
        right = sharpen(probabilities, sharpness)[np.arange(len(codes)), codes]
        for place, share in enumerate(SHARES):
            line[place] = np.log((1.0 - share) * right + share / others * (1.0 - right)).sum()
    return scores


def _score_by_class(probabilities: FloatArray, codes: IntArray, shares: FloatArray) -> FloatArray:
    """Log of prior times tempered likelihood for each sharpness, of the transitions that EM finds for it."""
    scores = np.log(shares) + 9.0 * np.log1p(-shares)
    for place, (sharpness, share) in enumerate(zip(SHARPNESSES, shares, strict=True)):
        prior = spread_evenly(share, probabilities.shape[1])
        found = find_transitions(sharpen(probabilities, sharpness), codes, prior)
        fit = NoiseModel(sharpness, found).log_likelihood(probabilities, codes)
        scores[place] += EVIDENCE * (fit + PRIOR_SAMPLES * (prior * np.log(found / prior)).sum())
    return scores


def find_transitions(true: FloatArray, codes: IntArray, prior: FloatArray) -> FloatArray:
    r"""Transitions (K, K) by the EM algorithm, from probabilities of the true classes and transitions to start from.

    A step counts how often samples of class j are expected to be labelled k, and adds 20 samples of the prior:

    .. math:: N[j, k] = T[j, k] \sum_{i : y_i = k} \frac{\pi_i[j]}{\sum_l \pi_i[l]\, T[l, k]}
    """
    labelled = [true[codes == k] for k in range(len(prior))]
    transitions = prior
    for _ in range(N_STEPS):
        sums = [(1.0 / (pi @ transitions[:, k])) @ pi for k, pi in enumerate(labelled)]
        transitions = normalise_rows(transitions * np.stack(sums, axis=1) + PRIOR_SAMPLES * prior)
    return transitions


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


def sharpen(probabilities: FloatArray, sharpness: float) -> FloatArray:
    """Probabilities (n, K) proportional to this power of the given ones.

    >>> import numpy as np
    >>> sharpen(np.array([[0.75, 0.25]]), 2.0)
    array([[0.9, 0.1]])
    """
    return np.asarray(softmax(sharpness * np.log(np.maximum(probabilities, SMALLEST)), axis=1))
