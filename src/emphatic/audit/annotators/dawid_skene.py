"""Consensus and annotators estimated together: the EM algorithm of Dawid and Skene (1979), with a prior."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.special import logsumexp

from emphatic.audit.annotators.labels import MISSING
from emphatic.check import FloatArray, IntArray

PRIOR_LABELS = 4.0
"""How many labels of each class the prior of an annotator is worth; 1 to 8 did equally well on simulated labels."""

PRIOR_KNOWLEDGE = 0.7
"""Share of the prior's labels whose author knows the class; the others are guessed. Above one half, so that the only
annotator of a table is believed."""

MOST_STEPS, TOLERANCE = 500, 1e-6
"""EM ends when no probability changes by more than this."""

DIGITS = 10
"""Probabilities are rounded to so many: what is symmetric must stay so, whatever the order of rows and annotators."""


@dataclass(frozen=True, eq=False)
class Consensus:
    """What EM found.

    Attributes
    ----------
    probabilities : (n, K), of the classes of each row
    confusion : (A, K, K), probability that an annotator says l (last axis) of a row of class k
    objectives : logarithm of the posterior density, up to a constant, after each step; never falls
    """

    probabilities: FloatArray
    confusion: FloatArray
    objectives: FloatArray


def count_votes(codes: IntArray, n_classes: int) -> FloatArray:
    """How many annotators gave each label to each row, (n, K)."""
    return np.stack([(codes == k).sum(axis=1) for k in range(n_classes)], axis=1).astype(np.float64)


def share_votes(codes: IntArray, n_classes: int) -> tuple[FloatArray, FloatArray]:
    """The votes' shares (n, K) of the classes in each row, and their mean (K,) over the rows that have labels.

    One vote more is spread evenly over the mean, so that no class is impossible. A row without labels has the mean.

    >>> import numpy as np
    >>> share_votes(np.array([[0, 1], [0, -1], [-1, -1]]), 2)[0].round(3).tolist()
    [[0.5, 0.5], [1.0, 0.0], [0.667, 0.333]]
    """
    counts = count_votes(codes, n_classes)
    totals = counts.sum(axis=1, keepdims=True)
    shares = counts / np.maximum(totals, 1.0)
    mean = (shares.sum(axis=0) + 1.0 / n_classes) / ((totals > 0).sum() + 1.0)
    return np.where(totals > 0, shares, mean), mean


def find_consensus(codes: IntArray, n_classes: int, priors: FloatArray | None = None) -> Consensus:
    r"""Estimate the classes of the rows and the confusion matrices of the annotators by EM, in logarithms.

    The model: row i has class k with probability :math:`\pi_{ik}`, and annotator a says l of it with probability
    :math:`\theta_{akl}`, independently of the others. Starting from the shares of the votes (majority vote), the steps

    .. math::
        \theta_{akl} &\propto \beta_{kl} + \sum_{i: y_{ia} = l} p_{ik} \\
        p_{ik} &\propto \pi_{ik} \prod_{a: y_{ia}\ \mathrm{given}} \theta_{a k y_{ia}}

    never lower the posterior density. The Dirichlet prior
    :math:`\beta_{kl} = 4\,(0.7\,[k = l] + 0.3\, f_l)`, with the votes' mean shares f, is that of an annotator who knows
    the class or else guesses as labels are distributed: no probability becomes 0, an annotator with few labels is near
    the prior, and a rare label of the only annotator is believed as well as a frequent one.

    Parameters
    ----------
    codes : array (n, A)
        Labels as 0 .. K-1, or -1 where there is none.
    n_classes : int
    priors : array (n, K), default=None
        Probabilities :math:`\pi_{ik}` by other evidence than the labels of the row, all positive. By default they are
        the same for all rows, and estimated: :math:`\pi_k \propto f_k + \sum_i p_{ik}` over the rows with labels.

    Examples
    --------
    >>> import numpy as np
    >>> codes = np.array([[0, 0, 0], [1, 1, 0], [0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 1, 0]])
    >>> find_consensus(codes, 2).probabilities.argmax(axis=1)
    array([0, 1, 0, 1, 0, 1])
    """
    n_rows, n_annotators = codes.shape
    votes = _place_votes(codes, n_classes)
    labelled = (codes != MISSING).any(axis=1)
    probabilities, shares = share_votes(codes, n_classes)
    beta = PRIOR_LABELS * (PRIOR_KNOWLEDGE * np.eye(n_classes) + (1.0 - PRIOR_KNOWLEDGE) * shares)
    objectives = []
    for _ in range(MOST_STEPS):
        # M step: by annotator and label, the sum of the probabilities of the rows that were so labelled
        sums = (votes.T @ probabilities).reshape(n_annotators, n_classes, n_classes)
        confusion = _normalise(sums.transpose(0, 2, 1) + beta)
        if priors is None:
            common = _normalise(shares + probabilities[labelled].sum(axis=0))
            log_priors = np.broadcast_to(np.log(common), (n_rows, n_classes))
        else:
            common, log_priors = np.ones(n_classes), np.log(priors)
        # E step
        log_confusion = np.log(confusion)
        log_joint = log_priors + votes @ log_confusion.transpose(0, 2, 1).reshape(-1, n_classes)
        log_evidence = logsumexp(log_joint, axis=1, keepdims=True)
        objectives.append(log_evidence.sum() + (beta * log_confusion).sum() + shares @ np.log(common))
        before, probabilities = probabilities, np.round(np.exp(log_joint - log_evidence), DIGITS)
        if np.abs(probabilities - before).max() < TOLERANCE:
            break
    return Consensus(probabilities, confusion, np.array(objectives))


def choose_classes(probabilities: FloatArray) -> IntArray:
    """The most probable class of each row; of those that are equal up to rounding, the first.

    >>> import numpy as np
    >>> choose_classes(np.array([[0.2, 0.8], [0.5 - 1e-12, 0.5]]))
    array([1, 0])
    """
    return np.asarray(np.round(probabilities, DIGITS - 1).argmax(axis=1), dtype=np.intp)


def _place_votes(codes: IntArray, n_classes: int) -> csr_array:
    """(n, A K): 1 in column a K + l if annotator a says l of the row."""
    rows, annotators = np.nonzero(codes != MISSING)
    columns = annotators * n_classes + codes[rows, annotators]
    return csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(codes), codes.shape[1] * n_classes))


def _normalise(values: FloatArray) -> FloatArray:
    return np.asarray(values / values.sum(axis=-1, keepdims=True))
