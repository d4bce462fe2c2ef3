"""How good fuzzy clusters are, without knowing the truth: one number each, from memberships and distances.

Memberships are (n, c), with at least two clusters.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist, pdist
from sklearn.metrics import silhouette_samples
from sklearn.utils.validation import check_array

from emphatic import check
from emphatic.check import FloatArray
from emphatic.clustering.units import check_fuzziness, check_magnitude

ROUNDING = 1e-6
"""Memberships may leave [0, 1] by this much."""


def partition_coefficient(membership: ArrayLike) -> float:
    r"""Mean sum of squared memberships, :math:`\frac 1 n \sum_{ij} \mu_{ij}^2`, in [1/c, 1]: 1 if crisp (Bezdek).

    Examples
    --------
    >>> from emphatic.clustering import partition_coefficient
    >>> partition_coefficient([[1.0, 0.0], [0.5, 0.5]])
    0.75
    """
    U = check_membership(membership)
    return float((U**2).sum(axis=1).mean())


def modified_partition_coefficient(membership: ArrayLike) -> float:
    r"""The partition coefficient P on a scale from 0 to 1 for every c: :math:`1 - \frac{c}{c-1} (1 - P)` (Dave).

    Examples
    --------
    >>> from emphatic.clustering import modified_partition_coefficient
    >>> modified_partition_coefficient([[1.0, 0.0], [0.5, 0.5]])
    0.5
    """
    c = check_membership(membership).shape[1]
    return 1.0 - c / (c - 1) * (1.0 - partition_coefficient(membership))


def partition_entropy(membership: ArrayLike) -> float:
    r"""Mean entropy of the memberships, :math:`-\frac 1 n \sum_{ij} \mu_{ij} \ln \mu_{ij}`: 0 if crisp (Bezdek).

    Examples
    --------
    >>> from emphatic.clustering import partition_entropy
    >>> partition_entropy([[1.0, 0.0], [0.5, 0.5]])
    0.347
    """
    U = check_membership(membership)
    logarithms = np.log(U, out=np.zeros_like(U), where=U > 0)
    return float(-(U * logarithms).sum(axis=1).mean())


def xie_beni_index(X: ArrayLike, membership: ArrayLike, centers: ArrayLike, *, m: float = 2.0) -> float:
    r"""Spread inside of clusters over the distance between them: small is good (Xie and Beni).

    .. math:: \frac{\sum_{ij} \mu_{ij}^m \lVert x_i - v_j \rVert^2}{n \min_{j \ne k} \lVert v_j - v_k \rVert^2}

    It is infinite if two centres coincide.

    Parameters
    ----------
    X : array of shape (n, d)
    membership : array of shape (n, c)
    centers : array of shape (c, d)
    m : float, default=2.0
        The exponent of the memberships.

    Examples
    --------
    >>> from emphatic.clustering import xie_beni_index
    >>> xie_beni_index([[0.0], [1.0], [5.0]], [[1, 0], [1, 0], [0, 1]], [[0.5], [5.0]])
    0.00823
    """
    table = check_magnitude(check_array(X, dtype=np.float64, input_name="X"))
    places = check_magnitude(check_array(centers, dtype=np.float64, input_name="centers"))
    U, power = check_membership(membership, len(table)), check_fuzziness(m)
    if places.shape != (U.shape[1], table.shape[1]):
        raise ValueError(
            f"centers has shape {places.shape}: membership with {U.shape[1]} clusters and X with {table.shape[1]} "
            f"columns need {(U.shape[1], table.shape[1])}."
        )
    spread = float((U**power * cdist(table, places, "sqeuclidean")).sum())
    apart = float(pdist(places, "sqeuclidean").min())
    return spread / (len(table) * apart) if apart > 0 else np.inf


def fuzzy_silhouette_score(
    X: ArrayLike, membership: ArrayLike, *, alpha: float = 1.0, metric: str = "euclidean"
) -> float:
    r"""Mean silhouette of the rows, in [-1, 1], in which rows between clusters count less (Campello and Hruschka).

    With the silhouette :math:`s_i` of scikit-learn, for the cluster of largest membership, and the two largest
    memberships of each row,

    .. math:: \sum_i (\mu_{i(1)} - \mu_{i(2)})^\alpha s_i \Big/ \sum_i (\mu_{i(1)} - \mu_{i(2)})^\alpha .

    With alpha=0 it is `sklearn.metrics.silhouette_score`.

    Parameters
    ----------
    X : array of shape (n, d), or (n, n) distances if metric is "precomputed"
    membership : array of shape (n, c)
    alpha : float, default=1.0
        At least 0.
    metric : str, default="euclidean"
        As in `sklearn.metrics.silhouette_samples`.

    Examples
    --------
    >>> from emphatic.clustering import fuzzy_silhouette_score
    >>> fuzzy_silhouette_score([[0.0], [1.0], [5.0], [6.0]], [[1, 0], [0.6, 0.4], [0.1, 0.9], [0, 1]])
    0.8
    """
    check.real("alpha", alpha, 0)
    table = check_magnitude(check_array(X, dtype=np.float64, input_name="X"))
    U = check_membership(membership, len(table))
    largest = np.sort(U, axis=1)[:, -2:]
    clearness = (largest[:, 1] - largest[:, 0]) ** alpha
    labels = U.argmax(axis=1)
    if not 1 < len(np.unique(labels)) < len(labels) or not clearness.any():
        raise ValueError(
            "membership puts all rows into one cluster, each into its own, or all rows between clusters: there is no "
            "silhouette."
        )
    return float(np.average(silhouette_samples(table, labels, metric=metric), weights=clearness))


def check_membership(membership: ArrayLike, n: int | None = None) -> FloatArray:
    """Return memberships (n, c) in [0, 1] in at least two clusters; their sums are not checked."""
    U = check_array(membership, dtype=np.float64, input_name="membership", ensure_min_features=2)
    if U.min() < -ROUNDING or U.max() > 1 + ROUNDING:
        raise ValueError(f"membership holds values from {U.min():g} to {U.max():g}: they must lie in [0, 1].")
    if n is not None and len(U) != n:
        raise ValueError(f"membership has {len(U)} rows and X has {n}: their numbers must agree.")
    return np.clip(U, 0.0, 1.0)
