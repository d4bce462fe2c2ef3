"""Synthetic problems with a known distribution."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from emphatic import check
from emphatic.randomness import as_generator

RIPLEY_CENTRES = np.array([[(-0.7, 0.3), (0.3, 0.3)], [(-0.3, 0.7), (0.4, 0.7)]])  # class, component, coordinate
WAVEFORM_PEAKS = np.array([(7, 15), (7, 11), (11, 15)])  # the two triangles that a class mixes
FIVE_CENTRES = np.array([(-2, 0.5), (0, 0.5), (2, 0.5), (-1, -0.5), (1, -0.5)])
FIVE_LABELS = np.array([1, 1, 1, -1, -1])
FIVE_DEVIATION = 0.501


def ripley_mixture(n_per_class: int = 625, random_state: Any = 0) -> tuple[np.ndarray, np.ndarray]:
    """Draw from Ripley's two classes (1994): each an equal mixture of two normals of covariance 0.03 I in the plane.

    Parameters
    ----------
    n_per_class : int, default=625
        Rows of class 0, and of class 1.
    random_state : int, numpy.random.Generator or None, default=0

    Returns
    -------
    X : ndarray of shape (2 * n_per_class, 2)
    y : ndarray of 0 and 1
        In random order. The Bayes error is 8.9%.

    Examples
    --------
    >>> from emphatic.datasets import ripley_mixture
    >>> X, y = ripley_mixture(1000)
    >>> (X[y == 0].mean(axis=0) - [-0.2, 0.3]).round(1) + 0.0
    array([0., 0.])
    """
    check.integer("n_per_class", n_per_class, 1)
    rng = as_generator(random_state)
    y = rng.permutation(np.repeat([0, 1], n_per_class))
    component = rng.integers(2, size=len(y))
    return rng.normal(RIPLEY_CENTRES[y, component], np.sqrt(0.03)), y


def waveform(n: int = 5000, random_state: Any = 0, *, labels: ArrayLike | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Draw from the waveform problem of Breiman et al. (1984): random mixtures of two of three triangles, and noise.

    With h_c(i) = max(6 - abs(i - c), 0) for i = 1..21, a row is x(i) = u h_a(i) + (1 - u) h_b(i) + e(i), where u is
    uniform on (0, 1), e(i) standard normal, and the peaks (a, b) are (7, 15), (7, 11), (11, 15) for class 0, 1, 2.

    Parameters
    ----------
    n : int, default=5000
        Number of rows; the classes have equal priors.
    random_state : int, numpy.random.Generator or None, default=0
    labels : array of 0, 1, 2, optional
        The class of each row, instead of `n` random ones.

    Returns
    -------
    X : ndarray of shape (n, 21)
    y : ndarray of 0, 1 and 2

    Examples
    --------
    >>> from emphatic.datasets import waveform
    >>> X, y = waveform(labels=[2, 0, 1])
    >>> X.shape, y
    ((3, 21), array([2, 0, 1]))
    """
    check.integer("n", n, 1)
    rng = as_generator(random_state)
    y = rng.integers(3, size=n) if labels is None else np.array(labels)
    if y.ndim != 1 or y.dtype.kind not in "iu" or not np.isin(y, [0, 1, 2]).all():
        raise ValueError(f"labels={labels!r} is not allowed: labels must hold 0, 1 or 2 only, one per row.")
    place = np.arange(1, 22)
    first, second = (np.maximum(6 - np.abs(place - WAVEFORM_PEAKS[y, k][:, None]), 0) for k in (0, 1))
    share = rng.uniform(size=(len(y), 1))
    return share * first + (1 - share) * second + rng.normal(size=(len(y), 21)), y


def five_gaussians_not_kwok(n_per_gaussian: int = 100, random_state: Any = 0) -> tuple[np.ndarray, np.ndarray]:
    """Draw from five spherical Gaussians in the plane, three of class +1 and two of class -1. Not Kwok's problem.

    Kwok's generator is not known. This one has the published proportions and, with Bayes error 11.4%, a similar
    difficulty; results on it must never be compared with published figures.

    Parameters
    ----------
    n_per_gaussian : int, default=100
    random_state : int, numpy.random.Generator or None, default=0

    Returns
    -------
    X : ndarray of shape (5 * n_per_gaussian, 2)
    y : ndarray of +1 and -1
        In random order.

    Examples
    --------
    >>> from emphatic.datasets import five_gaussians_not_kwok
    >>> X, y = five_gaussians_not_kwok(20)
    >>> X.shape, int(y.sum())
    ((100, 2), 20)
    """
    check.integer("n_per_gaussian", n_per_gaussian, 1)
    rng = as_generator(random_state)
    component = rng.permutation(np.repeat(np.arange(5), n_per_gaussian))
    return rng.normal(FIVE_CENTRES[component], FIVE_DEVIATION), FIVE_LABELS[component]
