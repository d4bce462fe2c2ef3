"""Where to ask once more, and whom: what one more label is expected to tell about the class of a row."""

from typing import NamedTuple

import numpy as np
from scipy.special import entr

from emphatic.audit.annotators.labels import MISSING
from emphatic.check import FloatArray, IntArray

DIGITS = 9
"""Gains that are equal to so many digits are equal: the first annotator is asked."""

ANYONE_ELSE = -1
"""In place of an annotator, where all have given a label already."""


class Questions(NamedTuple):
    """For each row, the gain (n,) in bits of the most informative further label, and the annotator (n,) to ask."""

    gain: FloatArray
    annotator: IntArray


def expect_information(probabilities: FloatArray, confusion: FloatArray) -> FloatArray:
    r"""Bits that a label is expected to tell about the class of each row: the mutual information of the two.

    .. math:: I_i = H\Bigl(\sum_k p_{ik} \theta_{k\cdot}\Bigr) - \sum_k p_{ik} H(\theta_{k\cdot}),
              \quad H(q) = -\sum_l q_l \log_2 q_l

    It is 0 if the class is certain, or if the annotator, with confusion matrix :math:`\theta` (K, K), says the same of
    every class; it is the entropy of p if the annotator is never wrong.

    >>> import numpy as np
    >>> expect_information(np.array([[0.5, 0.5], [1.0, 0.0]]), np.eye(2))
    array([1., 0.])
    """
    answers = entr(probabilities @ confusion).sum(axis=1)
    noise = probabilities @ entr(confusion).sum(axis=1)
    return np.maximum((answers - noise) / np.log(2.0), 0.0)


def choose_questions(probabilities: FloatArray, confusion: FloatArray, codes: IntArray) -> Questions:
    """Ask, for each row, the annotator without a label there from whom most is to be expected.

    The same annotator would only repeat itself. Where all have given a label, the gain is that of anyone else: of an
    annotator with the mean confusion matrix. Annotators without any label are not asked, as nothing is known of them.
    """
    asked = np.flatnonzero((codes != MISSING).any(axis=0))
    expected = np.stack([expect_information(probabilities, confusion[a]) for a in asked], axis=1).round(DIGITS)
    expected[codes[:, asked] != MISSING] = -1.0
    best = expected.argmax(axis=1)
    gain = expected[np.arange(len(codes)), best]
    exhausted = gain < 0.0
    anyone = expect_information(probabilities, confusion[asked].mean(axis=0)).round(DIGITS)
    return Questions(np.where(exhausted, anyone, gain), np.where(exhausted, ANYONE_ELSE, asked[best]))


def share_of_information(shares: FloatArray, confusion: FloatArray) -> float:
    """Part of the classes' entropy that a label removes: 1 for one who is always right, 0 for one who says anything.

    >>> import numpy as np
    >>> share_of_information(np.array([0.5, 0.5]), np.array([[1.0, 0.0], [1.0, 0.0]]))
    0.0
    """
    entropy = entr(shares).sum() / np.log(2.0)
    return float(expect_information(shares[None], confusion)[0] / entropy) if entropy > 0.0 else 0.0
