"""How well a model predicts rows that it was not trained on: the figures of the summary and of the model card."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import average_precision_score, confusion_matrix, log_loss, roc_auc_score

from emphatic import check
from emphatic.blending.by_loss import brier_score
from emphatic.check import FloatArray, IntArray
from emphatic.inputs import find_rarer
from emphatic.metrics import calibration_error, error_interval


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Figures of predictions for rows with known labels; classes are counted in the order of `classes`.

    Attributes
    ----------
    classes : array (K,) of labels
    codes, predicted : arrays (n,) of int
        Positions in `classes` of the given and of the predicted labels.
    probabilities : array (n, K), or None
        None for a model that predicts labels only; then `log_loss`, `brier_score`, `calibration_error`,
        `average_precision` and `roc_auc` are None too.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from emphatic.card import describe_model
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> found = describe_model(LogisticRegression(max_iter=300).fit(X, y), X, y).evaluation
    >>> found.error < 0.1
    True
    """

    classes: np.ndarray
    codes: IntArray
    predicted: IntArray
    probabilities: FloatArray | None

    @property
    def n_rows(self) -> int:
        """How many rows were predicted."""
        return len(self.codes)

    @cached_property
    def rows(self) -> IntArray:
        """Rows of each class."""
        return np.bincount(self.codes, minlength=len(self.classes))

    @cached_property
    def confusion(self) -> IntArray:
        """(K, K): rows of class i that were predicted as class j."""
        return np.asarray(confusion_matrix(self.codes, self.predicted, labels=np.arange(len(self.classes))))

    @cached_property
    def error(self) -> float:
        """Share of the rows that were predicted wrong."""
        return float(np.mean(self.predicted != self.codes))

    @property
    def standard_error(self) -> float:
        """Standard error of `error`, as far as the rows are independent of each other."""
        return float(np.sqrt(self.error * (1.0 - self.error) / self.n_rows))

    @property
    def interval(self) -> tuple[float, float]:
        """95% confidence interval of the error (Wilson's), which has a width even where no row is wrong."""
        return error_interval(self.error, self.n_rows)

    @property
    def base_error(self) -> float:
        """The error of always predicting the most frequent class."""
        return float(self.n_rows - self.rows.max()) / self.n_rows

    @cached_property
    def recall(self) -> FloatArray:
        """Share of the rows of each class that were predicted as it."""
        return _divide(np.diag(self.confusion), self.rows)

    @cached_property
    def precision(self) -> FloatArray:
        """Share of the rows predicted as each class that belong to it; NaN for a class that is never predicted."""
        return _divide(np.diag(self.confusion), self.confusion.sum(axis=0))

    @cached_property
    def f1(self) -> FloatArray:
        """Harmonic mean of recall and precision; 0 for a class that is never predicted."""
        return _divide(2.0 * np.diag(self.confusion), self.rows + self.confusion.sum(axis=0))

    @property
    def balanced_accuracy(self) -> float:
        """Mean recall."""
        return float(np.nanmean(self.recall))

    @cached_property
    def log_loss(self) -> float | None:
        """Mean of -ln p of the given label."""
        if self.probabilities is None:
            return None
        return float(log_loss(self.codes, self.probabilities, labels=np.arange(len(self.classes))))

    @cached_property
    def brier_score(self) -> float | None:
        """Mean squared distance of the probabilities from the labels, summed over the classes."""
        return None if self.probabilities is None else brier_score(self.probabilities, self.codes)

    @cached_property
    def calibration_error(self) -> float | None:
        """How far the probability of the predicted class is from the share of right predictions, on average."""
        return None if self.probabilities is None else calibration_error(self.probabilities, self.codes)

    @cached_property
    def average_precision(self) -> FloatArray | None:
        """Area under the precision-recall curve of each class against the rest."""
        return self._score_classes(average_precision_score)

    @cached_property
    def roc_auc(self) -> FloatArray | None:
        """Area under the ROC curve of each class against the rest."""
        return self._score_classes(roc_auc_score)

    @property
    def positive(self) -> int:
        """The class whose curves and thresholds are shown where there are two: the rarer, or else the second one."""
        return find_rarer(self.rows.tolist()) if len(self.classes) == 2 else len(self.classes) - 1

    def as_record(self) -> dict[str, Any]:
        """The figures as plain numbers, lists and text, such as JSON holds; None for what is not defined."""
        per_class = {
            "rows": self.rows,
            "recall": self.recall,
            "precision": self.precision,
            "f1": self.f1,
            "average_precision": self.average_precision,
            "roc_auc": self.roc_auc,
        }
        known = {name: values.tolist() for name, values in per_class.items() if values is not None}
        return {
            "rows": self.n_rows,
            "error": self.error,
            "standard_error": self.standard_error,
            "balanced_accuracy": self.balanced_accuracy,
            "log_loss": self.log_loss,
            "brier_score": self.brier_score,
            "calibration_error": self.calibration_error,
            "confusion": self.confusion.tolist(),
            "classes": [
                {"class": str(label), **{name: _known(values[k]) for name, values in known.items()}}
                for k, label in enumerate(self.classes.tolist())
            ],
        }

    def _score_classes(self, score: Any) -> FloatArray | None:
        """Score each class against the rest; NaN where all rows, or none, belong to it."""
        if self.probabilities is None:
            return None
        scores = np.full(len(self.classes), np.nan)
        for k in range(len(self.classes)):
            if 0 < self.rows[k] < self.n_rows:
                scores[k] = score(self.codes == k, self.probabilities[:, k])
        return scores


def evaluate(
    probabilities: ArrayLike | None, classes: ArrayLike, y: ArrayLike, predicted: ArrayLike | None = None
) -> Evaluation:
    """Evaluate predictions of rows that the model was not trained on.

    Parameters
    ----------
    probabilities : array (n, K), or None
        Of each class; None for a model that predicts labels only, for which `predicted` must be given.
    classes : array (K,) of distinct labels
        In the order of the columns of `probabilities`.
    y : array (n,) of labels
    predicted : array (n,) of labels, default=None
        What the model predicted; None takes the most probable class.

    Examples
    --------
    >>> from emphatic.card import evaluate
    >>> found = evaluate([[0.75, 0.25], [1, 0], [0.25, 0.75], [0.75, 0.25]], ["no", "yes"], ["no", "no", "yes", "yes"])
    >>> found.error, found.recall.tolist(), found.confusion.tolist()
    (0.25, [1.0, 0.5], [[2, 0], [1, 1]])
    """
    known = _check_labels("classes", classes)
    places = {label: place for place, label in enumerate(known.tolist())}
    if len(places) < 2 or len(places) < len(known):
        raise ValueError(f"classes={known.tolist()} is not allowed: classes must be at least 2 distinct labels.")
    codes = _find_codes("y", y, places)
    if len(codes) == 0:
        raise ValueError("y is empty: at least 1 row is needed.")
    given = None if probabilities is None else _check_probabilities(probabilities, len(codes), len(known))
    if predicted is not None:
        chosen = _find_codes("predicted", predicted, places)
    elif given is not None:
        chosen = given.argmax(axis=1)
    else:
        raise ValueError("probabilities and predicted are both None: one of them must be given.")
    if len(chosen) != len(codes):
        raise ValueError(f"predicted has {len(chosen)} rows and y has {len(codes)}: both must have the same number.")
    return Evaluation(known, codes, chosen, given)


def _check_labels(name: str, labels: ArrayLike) -> np.ndarray:
    given = np.asarray(labels)
    if given.ndim != 1 or not all(isinstance(label, Hashable) for label in given.tolist()):
        raise ValueError(f"{name} must be a list of labels, such as ['no', 'yes']; got {name}={labels!r:.60}")
    return given


def _find_codes(name: str, labels: ArrayLike, places: dict[Any, int]) -> IntArray:
    given = _check_labels(name, labels)
    found = [places.get(label, -1) for label in given.tolist()]
    if -1 in found:
        raise ValueError(f"{name} holds {given.tolist()[found.index(-1)]!r}, which is not among the classes.")
    return np.array(found, dtype=np.intp)


def _check_probabilities(probabilities: ArrayLike, n_rows: int, n_classes: int) -> FloatArray:
    given = check.numbers("probabilities", probabilities)
    if given.shape != (n_rows, n_classes):
        raise ValueError(
            f"probabilities has shape {given.shape}: it must be {n_rows, n_classes}, one row per label and one column "
            "per class."
        )
    sums = given.sum(axis=1)
    if not ((given >= 0.0).all() and np.allclose(sums, 1.0, rtol=0.0, atol=1e-6)):
        raise ValueError("probabilities must hold numbers of at least 0, each row with the sum 1.")
    return np.asarray(given / sums[:, None])


def _divide(part: np.ndarray, whole: np.ndarray) -> FloatArray:
    """Quotients; NaN for 0/0."""
    return np.divide(part, whole, out=np.full(len(whole), np.nan), where=whole > 0, dtype=np.float64)


def _known(value: float) -> float | None:
    return None if value != value else value
