"""Answers that are sets of classes: the more classes, the surer to be right, and the less it is worth."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emphatic import check
from emphatic.check import FloatArray
from emphatic.fusion.evidence.supports import ROUNDING

UTILITIES = {"u65": 1.6, "u80": 2.2}
"""A right set of s classes is worth a/s - (a - 1)/s^2: 1 for one class, and 0.65 or 0.8 for two."""

DECIMALS = 12
"""Of probabilities and utilities when they are compared: what differs by rounding is equal."""


def choose_sets(probabilities: ArrayLike, utility: str = "u65") -> NDArray[np.bool_]:
    r"""Choose, for every sample, the set of classes of the largest expected utility.

    A set A that holds the right class is worth :math:`g(|A|)`, any other nothing: its expected utility is

    .. math:: g(|A|) \sum_{c \in A} p(c), \qquad g_{65}(s) = \frac{1.6}{s} - \frac{0.6}{s^2}, \quad
        g_{80}(s) = \frac{2.2}{s} - \frac{1.2}{s^2}

    Mere guessing among s classes would be worth 1/s; the rest rewards a source for saying that it does not know, with
    "u80" more than with "u65". The best set of each size holds its most probable classes.

    Parameters
    ----------
    probabilities : array (n, K)
        Each row sums to 1: of a classifier, or `Masses.pignistic()`.
    utility : {"u65", "u80"}, default="u65"

    Returns
    -------
    bool array (n, K)
        Whether a class is in the set of a sample. Of equally good sets the smallest is chosen, of equally probable
        classes the first.

    Examples
    --------
    >>> import numpy as np
    >>> from emphatic.fusion.evidence import choose_sets
    >>> chosen = choose_sets([[0.8, 0.1, 0.1], [0.5, 0.4, 0.1], [0.4, 0.3, 0.3]])
    >>> [np.array(["car", "bike", "bus"])[row].tolist() for row in chosen]
    [['car'], ['car', 'bike'], ['car', 'bike', 'bus']]
    """
    given = check.numbers("probabilities", probabilities)
    if given.ndim != 2 or given.shape[1] == 0:
        raise ValueError(f"probabilities has shape {given.shape}: it must be (samples, classes), at least 1 class.")
    if not (given >= 0).all():  # NaN is caught as well
        raise ValueError(f"probabilities holds {given.min():g}: every probability must be at least 0.")
    total = given.sum(axis=1)
    wrong = np.flatnonzero(~(np.abs(total - 1) <= ROUNDING))
    if len(wrong):
        raise ValueError(f"probabilities of row {wrong[0]} sum to {total[wrong[0]]:g}: a row must sum to 1.")
    order = np.argsort(-given.round(DECIMALS), axis=1, kind="stable")
    covered = np.cumsum(np.take_along_axis(given, order, axis=1), axis=1)
    expected = covered * value_sizes(utility, np.arange(1, given.shape[1] + 1))
    best = expected.round(DECIMALS).argmax(axis=1)
    chosen = np.zeros(given.shape, dtype=bool)
    np.put_along_axis(chosen, order, np.arange(given.shape[1]) <= best[:, None], axis=1)
    return chosen


def score_sets(y: ArrayLike, chosen: ArrayLike, classes: ArrayLike, utility: str = "u65") -> float:
    """Mean utility of sets of classes, given the right ones ("discounted accuracy"); single classes: the accuracy.

    Parameters
    ----------
    y : array (n,)
        The right labels; one that is none of `classes` is in no set.
    chosen : bool array (n, K)
        As `choose_sets` returns them; an empty set is worth nothing.
    classes : array (K,)
        The label of each column, such as `classes_` of a classifier.
    utility : {"u65", "u80"}, default="u65"

    Examples
    --------
    >>> from emphatic.fusion.evidence import choose_sets, score_sets
    >>> chosen = choose_sets([[0.8, 0.1, 0.1], [0.5, 0.4, 0.1]])
    >>> score_sets(["car", "bike"], chosen, ["car", "bike", "bus"])  # 1 and 0.65
    0.825
    """
    sets, truth, names = np.asarray(chosen), np.asarray(y), np.asarray(classes)
    if sets.dtype != bool or sets.ndim != 2 or sets.size == 0:
        raise ValueError(f"chosen has shape {sets.shape} and type {sets.dtype}: it must be (samples, classes) of bool.")
    if (truth.shape, names.shape) != (sets.shape[:1], sets.shape[1:]):
        raise ValueError(
            f"y has shape {truth.shape} and classes {names.shape}: for chosen of shape {sets.shape} they must be "
            f"{sets.shape[:1]} and {sets.shape[1:]}."
        )
    right = (sets & (truth[:, None] == names)).any(axis=1)
    sizes = np.maximum(sets.sum(axis=1), 1)
    return float((right * value_sizes(utility, sizes)).mean())


def value_sizes(utility: str, sizes: NDArray[np.int_]) -> FloatArray:
    """What a right set of each size is worth."""
    a = UTILITIES[check.one_of("utility", utility, UTILITIES)]
    return np.asarray((1.0 + a * (sizes - 1)) / sizes**2)  # exactly 1 for one class
