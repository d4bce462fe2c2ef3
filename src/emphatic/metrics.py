"""Measures of predictions: how well each class is recognised (paper 002), and how far probabilities can be trusted."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import gmean
from sklearn.metrics import recall_score
from sklearn.utils.validation import column_or_1d

from emphatic import check
from emphatic.check import FloatArray, IntArray

__all__ = ["calibration_error", "class_accuracies", "geometric_mean_score"]

NORMAL_95 = 1.959963984540054
"""95% of a normal distribution lie within so many standard deviations of its mean."""

N_BINS = 10
"""Of equal width, in which probabilities are compared with shares."""


def class_accuracies(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> FloatArray:
    """Accuracy of each class, the share of its samples that are predicted correctly: the a- and a+ of paper 002.

    Parameters
    ----------
    y_true, y_pred : arrays (n,) of labels
    labels : array of labels, default=None
        Classes to report, in this order; None takes those in `y_true`, sorted. Each must occur in `y_true`: the
        accuracy of a class without samples is 0/0. Other labels in `y_pred` simply count as wrong.
    sample_weight : array (n,), default=None
        A sample of weight k counts as k samples; one of weight 0 counts as absent.

    Returns
    -------
    array (K,), values in [0, 1]

    Examples
    --------
    >>> from emphatic.metrics import class_accuracies
    >>> class_accuracies(["ill", "ill", "well", "well", "well"], ["ill", "well", "well", "well", "well"])
    array([0.5, 1. ])
    """
    truth, predicted = _check_labels("y_true", y_true), _check_labels("y_pred", y_pred)
    weights = check.distribution("sample_weight", sample_weight, len(truth))
    present = np.unique(truth[weights > 0])
    classes = present if labels is None else _check_labels("labels", labels)
    if len(np.unique(classes)) < len(classes):
        raise ValueError(f"labels={classes.tolist()} is not allowed: each class must be listed only once.")
    unseen = [label for label in classes.tolist() if label not in present.tolist()]
    if unseen:
        raise ValueError(f"labels {unseen} have no samples of positive weight in y_true: their accuracy is undefined.")
    return np.asarray(recall_score(truth, predicted, labels=classes, average=None, sample_weight=weights))


def geometric_mean_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    r"""Geometric mean of the class accuracies, the g of paper 002: 0 as soon as one class is never recognised.

    .. math:: g = \Bigl(\prod_{k=1}^K a_k\Bigr)^{1/K}, \qquad \text{for two classes } g = \sqrt{a^+ a^-}

    The parameters are those of `class_accuracies`; without `labels` only the classes in `y_true` count.

    Examples
    --------
    >>> from sklearn.metrics import make_scorer
    >>> from emphatic.metrics import geometric_mean_score
    >>> round(geometric_mean_score([0, 0, 1, 1, 1], [0, 1, 1, 1, 1]), 4)
    0.7071
    >>> scorer = make_scorer(geometric_mean_score)  # for cross_val_score, GridSearchCV, ...
    """
    return float(gmean(class_accuracies(y_true, y_pred, labels=labels, sample_weight=sample_weight)))


def calibration_error(probabilities: FloatArray, codes: IntArray) -> float:
    r"""How far the probability of the predicted class is from the share of right predictions, on average.

    The rows are put into ten bins of equal width by the largest of their probabilities (n, K). With :math:`n_b` rows of
    mean probability :math:`\bar p_b` in bin b, of which the share :math:`a_b` is predicted right, it is

    .. math:: \sum_b \frac{n_b}{n}\, |\bar p_b - a_b|

    `codes` are the positions of the labels in the columns. With few rows chance alone makes it larger than 0.

    >>> import numpy as np
    >>> calibration_error(np.array([[0.75, 0.25]] * 4), np.array([0, 0, 1, 1]))
    0.25
    """
    confidence, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == codes
    means, shares, counts = bin_probabilities(confidence, right)
    return float(np.average(np.abs(means - shares), weights=counts))


def error_interval(error: float, n_rows: int) -> tuple[float, float]:
    """95% confidence interval (Wilson's) of the error on so many rows, which has a width even where no row is wrong.

    >>> [round(end, 3) for end in error_interval(0.1, 100)], [round(end, 3) for end in error_interval(0.0, 100)]
    ([0.055, 0.174], [0.0, 0.037])
    """
    z = NORMAL_95**2 / n_rows
    centre = (error + z / 2.0) / (1.0 + z)
    half = np.sqrt(error * (1.0 - error) * z + z**2 / 4.0) / (1.0 + z)
    return max(0.0, float(centre - half)), min(1.0, float(centre + half))


def bin_probabilities(probabilities: FloatArray, happened: np.ndarray) -> tuple[FloatArray, FloatArray, IntArray]:
    """Compare probabilities (n,) with what happened: mean probability, share and number of rows of each bin with rows.

    >>> import numpy as np
    >>> bin_probabilities(np.array([0.0, 0.5, 0.5]), np.array([False, True, False]))
    (array([0. , 0.5]), array([0. , 0.5]), array([1, 2]))
    """
    bins = np.searchsorted(np.linspace(0.0, 1.0, N_BINS + 1)[1:-1], probabilities)
    counts = np.bincount(bins, minlength=N_BINS)
    used = counts > 0
    sums = (np.bincount(bins, values, minlength=N_BINS)[used] for values in (probabilities, happened))
    means, shares = (one / counts[used] for one in sums)
    return means, shares, counts[used]


def _check_labels(name: str, values: ArrayLike) -> np.ndarray:
    """Return an array (n,) of labels: at least one, none missing, all of one type."""
    array = np.asarray(column_or_1d(values))
    if len(array) == 0:
        raise ValueError(f"{name} is empty: it must hold at least 1 label.")
    kinds = sorted({type(value).__name__ for value in array}) if array.dtype == object else []
    if len(kinds) > 1:
        raise ValueError(f"{name} holds labels of mixed type ({', '.join(kinds)}): all labels must be of one type.")
    if array.dtype.kind in "mM":
        raise ValueError(f"{name} holds dates or times: labels must be numbers, truth values or text.")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError(f"{name} contains NaN or infinity: every label must be given.")
    return array
