"""The panel: which models judge the labels, and how each scores samples that it was not trained on."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from emphatic.answers import check_finite, predict_labels, predict_probabilities
from emphatic.blending.ridge import Features, Kernel, RidgePath, draw_units, encode_targets
from emphatic.blending.temperature import score_columns
from emphatic.boosting.additive import AdditiveEnsemble
from emphatic.boosting.real_adaboost import RealAdaBoostClassifier
from emphatic.boosting.training import takes_sample_weight
from emphatic.check import FloatArray, IntArray
from emphatic.emphasis import Mixed, Uniform
from emphatic.inputs import check_classifier
from emphatic.learners import MLPNetworkClassifier, RBFNetworkClassifier, SampledCentres
from emphatic.randomness import seed_clone

LEAST_PROBABILITY = 1e-3
"""No model is believed beyond odds of a thousand to one, least of all a tree with a pure leaf."""

MOST_ACTIVATIONS = 20_000_000
"""Of a kernel, 8 bytes each: fewer than a thousand units above 20,000 rows."""


@dataclass(frozen=True)
class Panel:
    """Models of two sorts, by how they score samples that they were not trained on.

    Attributes
    ----------
    fold_models : classifiers that are trained on all folds but one, and score that one
    scorers : functions of inputs, codes, weights and a generator that score each sample by a model without it: in
        closed form (`score_by_kernel`) or out of bag (`score_by_forest`)
    prepares : whether `fold_models` get numbers made by a `TableTransformer`, or the table as it was given
    """

    fold_models: tuple[Any, ...]
    scorers: tuple[Callable[..., FloatArray], ...] = ()
    prepares: bool = True


def choose_panel(estimator: Any, n_inputs: int, n_classes: int) -> Panel:
    """The user's classifier, which gets the table as it is; without one, the models of `default_panel`."""
    if estimator is None:
        return default_panel(n_inputs, n_classes)
    return Panel((check_classifier("estimator", estimator),), prepares=False)


def default_panel(n_inputs: int, n_classes: int) -> Panel:
    """Smooth models of many families, a forest, and boosted trees for tables with sharp edges and skewed columns.

    The cost is bounded: networks are small, kernels have at most a thousand units, and the wider the table and the more
    classes it has, the fewer and longer are the steps of the boosted trees.
    """
    networks = RBFNetworkClassifier(SampledCentres(0.1, max_centres=50), regularisation=1e-3)
    perceptrons = MLPNetworkClassifier(20, step=0.02, max_epochs=300, stall=30)
    n_steps = int(np.clip(200 / (n_classes * max(1.0, n_inputs / 100)), 20, 100))  # a step grows one tree per class
    return Panel(
        fold_models=(
            LogisticRegression(C=0.1, max_iter=1000),
            RealAdaBoostClassifier(networks, Mixed(0.3), n_estimators=30),
            RealAdaBoostClassifier(perceptrons, Uniform(), n_estimators=3),
            HistGradientBoostingClassifier(
                learning_rate=min(0.3, 7.0 / n_steps),
                max_iter=n_steps,
                max_leaf_nodes=16,
                max_bins=63,  # finding weighted bins takes longer than growing small trees
                l2_regularization=5.0,
                early_stopping=False,
            ),
        ),
        scorers=(
            partial(score_by_kernel, Kernel("cityblock", 0.5)),
            partial(score_by_kernel, Kernel("cityblock", 2.0)),
            partial(score_by_kernel, Kernel("sqeuclidean", 2.0)),
            partial(score_by_forest, ExtraTreesClassifier(400, min_samples_leaf=2, bootstrap=True, oob_score=True)),
        ),
    )


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
    """Leave-one-out scores (n, K) in closed form: n trainings for the price of one."""
    units = draw_units(len(codes), MOST_ACTIVATIONS, rng)
    features = Features.of(kernel.activations(X, units), units)
    path = RidgePath(features.Z, encode_targets(codes, int(codes.max()) + 1), weights / weights.mean())
    return path.choose_ridge(codes, weights)[0]


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
