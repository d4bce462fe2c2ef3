"""What a fit predicted for its test rows: kept by a study with `keep_predictions`, read by `Study.predictions`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from emphatic.answers import check_finite, check_labels, predict_probabilities
from emphatic.check import IntArray
from emphatic.study.packed import LABELS, PROBABILITIES, SCORES, Arrays, Packed, pack, unpack
from emphatic.study.tasks import TaskKey


@dataclass(frozen=True, eq=False)
class Predictions:
    """The predictions of one fit, row by row of its test part.

    `rows` are row numbers of the problem's table, `labels` what was predicted for them, `classes` all that the
    classifier knew. `probabilities` is (rows, classes), in single precision. A classifier without probabilities has
    `scores` instead, (rows, columns) as its `decision_function` returned them (one column for two classes), or neither.

    >>> key = TaskKey("mine", "iris", "tree", "{}", "predefined", 0)
    >>> found = Predictions(key, np.array([3, 5]), np.array(["no", "yes"]), np.array(["yes", "no"]))
    >>> Predictions.unpack(key, found.pack()).labels
    array(['yes', 'no'], dtype='<U3')
    """

    key: TaskKey
    rows: IntArray
    classes: np.ndarray
    labels: np.ndarray
    probabilities: np.ndarray | None = None
    scores: np.ndarray | None = None

    def __post_init__(self) -> None:
        n = len(self.rows)
        allowed = {"labels": (n,), "probabilities": (n, len(self.classes))}
        if self.scores is not None:
            allowed["scores"] = n, np.shape(self.scores)[-1]
        for name, shape in allowed.items():
            values = getattr(self, name)
            if values is not None and np.shape(values) != shape:
                raise ValueError(f"{name} has shape {np.shape(values)}: for these rows and classes it must be {shape}")
        if self.probabilities is not None and self.scores is not None:
            raise ValueError("probabilities and scores are both given: only one of them is kept")

    def pack(self) -> Packed:
        """As a store keeps them."""
        names = _list_classes(self.classes)
        code_of = {label: code for code, label in enumerate(names)}
        unknown = sorted({repr(label) for label in self.labels.tolist() if label not in code_of})
        if unknown:
            raise ValueError(f"the labels {', '.join(unknown[:3])} were predicted, but are not among the classes")
        codes = np.array([code_of[label] for label in self.labels.tolist()], dtype=np.intp)
        kind, numbers = LABELS, np.empty((len(self.rows), 0), dtype=np.float32)
        if self.probabilities is not None:
            kind, numbers = PROBABILITIES, self.probabilities
        elif self.scores is not None:
            kind, numbers = SCORES, self.scores
        return pack(self.key, names, kind, Arrays(np.asarray(self.rows), codes, np.asarray(numbers)))

    @classmethod
    def unpack(cls, key: TaskKey, packed: Packed) -> "Predictions":
        """From what a store holds under this key."""
        names, (rows, codes, numbers) = unpack(key, packed)
        classes = np.array(names)
        kinds = {packed.kind: numbers} if packed.kind != LABELS else {}
        return cls(key, rows, classes, classes[codes], kinds.get(PROBABILITIES), kinds.get(SCORES))


def predict_rows(estimator: Any, X: Any, key: TaskKey, rows: IntArray) -> Predictions:
    """All that a fitted classifier predicts for these rows of a problem, whose inputs are `X`."""
    labels = check_labels(estimator, estimator.predict(X), len(rows))
    if not hasattr(estimator, "classes_"):  # then nobody can say which class a column belongs to
        return Predictions(key, rows, np.unique(labels), labels)
    classes = np.asarray(estimator.classes_)
    if hasattr(estimator, "predict_proba"):
        found = predict_probabilities(estimator, X).astype(np.float32)
        return Predictions(key, rows, classes, labels, probabilities=found)
    if hasattr(estimator, "decision_function"):
        return Predictions(key, rows, classes, labels, scores=_score_rows(estimator, X, len(rows)))
    return Predictions(key, rows, classes, labels)


def _score_rows(classifier: Any, X: Any, n: int) -> np.ndarray:
    given = np.asarray(classifier.decision_function(X), dtype=np.float64)
    if given.ndim not in (1, 2) or len(given) != n:
        raise ValueError(
            f"{type(classifier).__name__}.decision_function returned an array of shape {given.shape} for {n} rows: it "
            "must have one row per row of X."
        )
    with np.errstate(over="ignore"):  # what is too large for single precision is infinite, and refused
        single = given.reshape(n, -1).astype(np.float32)
    check_finite(classifier, "decision_function", single.astype(np.float64))
    return single


def _list_classes(classes: np.ndarray) -> Sequence[Any]:
    found = [label.item() if isinstance(label, np.generic) else label for label in np.asarray(classes).tolist()]
    kinds = {type(label) for label in found}
    if len(kinds) != 1 or not kinds <= {str, int, float, bool}:
        listed = ", ".join(sorted(kind.__name__ for kind in kinds))
        raise TypeError(f"the classes are of type {listed}: predictions are kept for numbers, text or truth values")
    return found
