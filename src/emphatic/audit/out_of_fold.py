"""Opinions on samples by models that were trained without them."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from emphatic.boosting.additive import AdditiveEnsemble
from emphatic.boosting.training import takes_sample_weight
from emphatic.check import FloatArray, IntArray
from emphatic.inputs import take_rows
from emphatic.randomness import seed_clone

LEAST_PROBABILITY = 1e-3
"""No model is believed more than a thousand to one, least of all a tree with a pure leaf."""


def held_out_scores(
    model: Any,
    training: tuple[Any, np.ndarray, FloatArray],
    X: Any,
    classes: np.ndarray,
    rng: np.random.Generator,
) -> FloatArray:
    """Scores (rows of X, K) of a clone of `model` that is trained on a table, its labels and their weights.

    A model that cannot take weights is trained without. With one class there is nothing to train, and it wins.
    """
    table, labels, weights = training
    present = np.unique(labels)
    if len(present) < 2:
        return _columns(np.zeros((X.shape[0], 1)), present, classes, absent=np.log(LEAST_PROBABILITY))
    model = seed_clone(clone(model), rng)
    if np.ptp(weights) > 0 and takes_sample_weight(model):
        model.fit(table, labels, sample_weight=weights / weights.mean())
    else:
        model.fit(table, labels)
    return scores_of(model, X, classes)


def scores_of(model: Any, X: Any, classes: np.ndarray) -> FloatArray:
    """What a fitted classifier says, (n, K), on a scale of its own: `tempered` makes probabilities of it.

    An ensemble of ours says the mean score over its rounds. With two classes that is, but for the factor 4 lambda, the
    difference of the mean log emphases that a sample draws under `Mixed(lambda)` if its label is the one or the other.
    Others say the logarithm of their probabilities, their decision function, or their predictions as +-1.
    """
    if isinstance(model, AdditiveEnsemble):
        rounds = list(model.staged_decision_function(X)) or [model.decision_function(X)]
        return _columns(_both(np.mean(rounds, axis=0)), model.classes_, classes)
    if hasattr(model, "predict_proba"):
        probabilities = np.asarray(model.predict_proba(X), dtype=np.float64)
        logarithms = np.log(np.maximum(probabilities, LEAST_PROBABILITY))
        return _columns(logarithms, model.classes_, classes, absent=np.log(LEAST_PROBABILITY))
    if hasattr(model, "decision_function") and not _votes_on_pairs(model):
        scores = _both(np.asarray(model.decision_function(X), dtype=np.float64))
        return _columns(scores, model.classes_, classes)
    return np.where(np.asarray(model.predict(X))[:, None] == classes, 1.0, -1.0)


def _votes_on_pairs(model: Any) -> bool:
    """Whether the columns of the decision function are pairs of classes (an SVC of shape "ovo"), not classes."""
    return any(name.endswith("decision_function_shape") and v == "ovo" for name, v in model.get_params().items())


def _both(score: FloatArray) -> FloatArray:
    """Two columns (-f, f) for two classes."""
    return np.column_stack([-score, score]) if score.ndim == 1 else score


def _columns(scores: FloatArray, present: np.ndarray, classes: np.ndarray, absent: float | None = None) -> FloatArray:
    """A column for every class; one that the training rows lacked gets `absent`, by default the least score."""
    result = np.full((len(scores), len(classes)), scores.min() if absent is None else absent)
    result[:, np.searchsorted(classes, present)] = scores
    return result


def training_part(
    X: Any, labels: np.ndarray, weights: FloatArray, rows: IntArray
) -> tuple[Any, np.ndarray, FloatArray]:
    """Table, labels and weights of all samples but those of a fold."""
    others = np.setdiff1d(np.arange(len(labels)), rows)
    return take_rows(X, others), labels[others], weights[others]
