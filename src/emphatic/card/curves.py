"""The curves of a model card: ROC, precision and recall, calibration, and what each threshold would predict."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics import precision_recall_curve, roc_curve

from emphatic.card.evaluation import Evaluation
from emphatic.check import FloatArray, IntArray
from emphatic.metrics import bin_probabilities

MAX_POINTS = 150
"""Of a curve: more could not be told apart on a screen, and a page of many rows must stay small."""

N_WORST = 4
"""Of many classes, those that are recognised worst have curves of their own."""


@dataclass(frozen=True, eq=False)
class Curve:
    """Points of a line; `name` is a class, or "mean of all classes"."""

    name: str
    x: FloatArray
    y: FloatArray
    area: float


def choose_classes(evaluation: Evaluation) -> list[int]:
    """The classes that have curves: both of two, all of few, the worst of many by average precision, in their order."""
    assert evaluation.average_precision is not None
    n_classes = len(evaluation.classes)
    if n_classes <= N_WORST + 1:
        return list(range(n_classes))
    return sorted(np.argsort(evaluation.average_precision, kind="stable")[:N_WORST].tolist())


def draw_roc(evaluation: Evaluation) -> list[Curve]:
    """ROC curves, each class against the rest; of two only that of the positive one, as the other mirrors it."""
    assert evaluation.probabilities is not None
    assert evaluation.roc_auc is not None
    n_classes = len(evaluation.classes)
    shown = [evaluation.positive] if n_classes == 2 else choose_classes(evaluation)
    curves = {}
    for k in _find_mixed(evaluation):
        false_positives, recall, _ = roc_curve(evaluation.codes == k, evaluation.probabilities[:, k])
        curves[k] = false_positives, recall
    lines = [_name(evaluation, k, *curves[k], evaluation.roc_auc[k]) for k in shown if k in curves]
    if n_classes > len(shown) > 1:
        grid = np.linspace(0.0, 1.0, MAX_POINTS)
        mean = np.mean([np.interp(grid, *curve) for curve in curves.values()], axis=0)
        lines.append(Curve("mean of all classes", grid, mean, float(np.nanmean(evaluation.roc_auc))))
    return lines


def draw_precision_recall(evaluation: Evaluation) -> list[Curve]:
    """Precision against recall, each class against the rest."""
    assert evaluation.probabilities is not None
    assert evaluation.average_precision is not None
    shown = choose_classes(evaluation)
    curves = {}
    for k in _find_mixed(evaluation):
        precision, recall, _ = precision_recall_curve(evaluation.codes == k, evaluation.probabilities[:, k])
        curves[k] = recall[::-1], precision[::-1]
    lines = [_name(evaluation, k, *curves[k], evaluation.average_precision[k]) for k in shown if k in curves]
    if len(evaluation.classes) > len(shown):
        grid = np.linspace(0.0, 1.0, MAX_POINTS)
        mean = np.mean([np.interp(grid, *curve) for curve in curves.values()], axis=0)
        lines.append(Curve("mean of all classes", grid, mean, float(np.nanmean(evaluation.average_precision))))
    return lines


def bin_calibration(evaluation: Evaluation) -> tuple[str, FloatArray, FloatArray, IntArray]:
    """What is compared, and for each bin mean probability, share and rows.

    Of two classes, the probability of the positive one; of more, that of the predicted one.
    """
    assert evaluation.probabilities is not None
    if len(evaluation.classes) == 2:
        k = evaluation.positive
        return str(evaluation.classes[k]), *bin_probabilities(evaluation.probabilities[:, k], evaluation.codes == k)
    confidence = evaluation.probabilities.max(axis=1)
    right = evaluation.probabilities.argmax(axis=1) == evaluation.codes
    return "the predicted class", *bin_probabilities(confidence, right)


def rank_by_certainty(evaluation: Evaluation) -> Curve:
    """The error of the most certain rows against their share of all rows; the area is the mean error."""
    assert evaluation.probabilities is not None
    order = np.argsort(-evaluation.probabilities.max(axis=1), kind="stable")
    wrong = (evaluation.predicted != evaluation.codes)[order]
    counts = np.arange(1, evaluation.n_rows + 1)
    errors = np.cumsum(wrong) / counts
    kept = _thin(len(counts))
    return Curve("error", counts[kept] / evaluation.n_rows, errors[kept], float(errors.mean()))


@dataclass(frozen=True)
class Threshold:
    """What predicting the positive class from this probability on would give."""

    value: float
    recall: float
    precision: float
    f1: float
    balanced_accuracy: float
    right_positive: int
    wrong_positive: int
    wrong_negative: int
    right_negative: int


def list_thresholds(evaluation: Evaluation) -> list[Threshold]:
    """Thresholds 0.01, 0.02 .. 0.99 for the positive class of two; empty for more classes or without probabilities."""
    if evaluation.probabilities is None or len(evaluation.classes) != 2:
        return []
    given, positive = evaluation.probabilities[:, evaluation.positive], evaluation.codes == evaluation.positive
    return [_apply(percent / 100, given >= percent / 100, positive) for percent in range(1, 100)]


def find_best(thresholds: list[Threshold], measure: str) -> Threshold:
    """The threshold with the largest value of a measure; of equal ones the nearest to one half."""
    return max(thresholds, key=lambda one: (getattr(one, measure), -abs(one.value - 0.5)))


def _apply(value: float, predicted: np.ndarray, positive: np.ndarray) -> Threshold:
    right, wrong = int((predicted & positive).sum()), int((predicted & ~positive).sum())
    missed, left = int((~predicted & positive).sum()), int((~predicted & ~positive).sum())
    recall, specificity = right / max(1, right + missed), left / max(1, left + wrong)
    precision = right / (right + wrong) if right + wrong else float("nan")
    f1 = 2 * right / max(1, 2 * right + wrong + missed)
    return Threshold(value, recall, precision, f1, (recall + specificity) / 2, right, wrong, missed, left)


def _find_mixed(evaluation: Evaluation) -> list[int]:
    """Classes that some rows, but not all, belong to: the others have no curve."""
    return [k for k, count in enumerate(evaluation.rows) if 0 < count < evaluation.n_rows]


def _name(evaluation: Evaluation, k: int, x: Any, y: Any, area: float) -> Curve:
    kept = _thin(len(x))
    return Curve(str(evaluation.classes[k]), x[kept], y[kept], float(area))


def _thin(n: int) -> IntArray:
    """Evenly spaced places of `n`, the first and the last among them."""
    return np.unique(np.round(np.linspace(0, n - 1, min(n, MAX_POINTS))).astype(np.intp))
