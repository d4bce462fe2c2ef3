"""How each model of a panel scores samples that it was not trained on."""

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import gen_batches

from emphatic.answers import check_finite, predict_labels, predict_probabilities
from emphatic.audit.sampling import draw_sample
from emphatic.blending.ridge import Features, Kernel, RidgePath, draw_units, encode_targets
from emphatic.blending.temperature import score_columns
from emphatic.boosting.additive import AdditiveEnsemble
from emphatic.boosting.training import takes_sample_weight
from emphatic.check import FloatArray, IntArray
from emphatic.randomness import seed_clone

LEAST_PROBABILITY = 1e-3
"""No model is believed beyond odds of a thousand to one, least of all a tree with a pure leaf."""

MOST_KERNEL_ROWS = 20_000
"""That a kernel learns from: with a thousand units, 160 MB of activations."""

MOST_PREDICTED = 250_000_000
"""Activations of the rows of a table: fewer than a thousand units above 250,000 rows."""

BLOCK = 10_000
"""Rows whose activations are in memory at the same time when a kernel scores others than it learnt from."""


def score_held_out(
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
        return _place_columns(np.zeros((X.shape[0], 1)), present, classes, absent=np.log(LEAST_PROBABILITY))
    model = seed_clone(clone(model), rng)
    if np.ptp(weights) > 0 and takes_sample_weight(model):
        model.fit(table, labels, sample_weight=weights / weights.mean())
    else:
        model.fit(table, labels)
    return score_classes(model, X, classes)


def score_classes(model: Any, X: Any, classes: np.ndarray) -> FloatArray:
    """Scores (n, K) of a fitted classifier on a scale of its own; `calibrate` makes probabilities of them.

    The score of one of our ensembles is its mean over the rounds. With two classes that is, up to the factor 4 lambda,
    the difference of the mean log emphases of a sample under `Mixed(lambda)` when it has the one label or the other.
    Others give the logarithm of their probabilities, their decision function, or their predictions as +-1.
    """
    if isinstance(model, AdditiveEnsemble):
        rounds = list(model.staged_decision_function(X)) or [model.decision_function(X)]
        return _place_columns(score_columns(np.mean(rounds, axis=0)), model.classes_, classes)
    if hasattr(model, "predict_proba"):
        logarithms = _log(predict_probabilities(model, X))
        return _place_columns(logarithms, model.classes_, classes, absent=np.log(LEAST_PROBABILITY))
    if hasattr(model, "decision_function") and not _votes_on_pairs(model):
        scores = check_finite(model, "decision_function", np.asarray(model.decision_function(X), dtype=np.float64))
        return _place_columns(score_columns(scores), model.classes_, classes)
    return np.where(predict_labels(model, X)[:, None] == classes, 1.0, -1.0)


def score_by_kernel(
    kernel: Kernel, X: FloatArray, codes: IntArray, weights: FloatArray, rng: np.random.Generator
) -> FloatArray:
    """Leave-one-out scores (n, K) in closed form: n trainings for the price of one.

    Of more than 20,000 rows so many are drawn to learn from, and the others are scored by the model of all of these.
    """
    n, n_classes = len(codes), int(codes.max()) + 1
    drawn = np.arange(n) if n <= MOST_KERNEL_ROWS else draw_sample(codes, MOST_KERNEL_ROWS, rng)
    inputs, codes_drawn, weights_drawn = X[drawn], codes[drawn], weights[drawn]
    units = draw_units(len(drawn), MOST_PREDICTED * len(drawn) // n, rng)
    distances = kernel.measure(inputs, inputs[units])
    mean = float(distances.mean())
    features = Features.of(kernel.activate(distances, mean), units)
    path = RidgePath(features.Z, encode_targets(codes_drawn, n_classes), weights_drawn / weights_drawn.mean())
    left_out, ridge = path.choose_ridge(codes_drawn, weights_drawn)
    if len(drawn) == n:
        return left_out
    coefficients = features.coefficients(path.solution(ridge))
    scores = np.empty((n, n_classes))
    for rows in gen_batches(n, BLOCK):
        activations = kernel.activate(kernel.measure(X[rows], inputs[units]), mean)
        scores[rows] = score_columns(activations @ coefficients)
    scores[drawn] = left_out
    return scores


def score_by_forest(
    forest: Any, X: FloatArray, codes: IntArray, weights: FloatArray, rng: np.random.Generator
) -> FloatArray:
    """Out-of-bag scores (n, K); `X` was prepared without the labels, so it reveals none of them."""
    forest = seed_clone(clone(forest), rng).fit(X, codes, sample_weight=weights)
    return _log(forest.oob_decision_function_)


def _log(probabilities: FloatArray) -> FloatArray:
    return np.asarray(np.log(np.maximum(probabilities, LEAST_PROBABILITY)))


def _votes_on_pairs(model: Any) -> bool:
    """Whether the columns of the decision function are pairs of classes (an SVC of shape "ovo"), not classes."""
    return any(name.endswith("decision_function_shape") and v == "ovo" for name, v in model.get_params().items())


def _place_columns(
    scores: FloatArray, present: np.ndarray, classes: np.ndarray, absent: float | None = None
) -> FloatArray:
    """A column for every class; one that the training rows lacked gets `absent`, by default the lowest score."""
    result = np.full((len(scores), len(classes)), scores.min() if absent is None else absent)
    result[:, np.searchsorted(classes, present)] = scores
    return result
