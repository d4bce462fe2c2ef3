"""Gradient-boosted trees as flat arrays against scikit-learn, which grew them."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier

from emphatic.auto.candidate import LEAST_LOG, Points, TrainingData
from emphatic.auto.scikit_learn import GradientModel, GradientTrees, read_ensemble


def problem(n_classes, n=400):
    X, y = make_classification(n, 8, n_informative=6, n_classes=n_classes, flip_y=0.2, random_state=0)
    return X.astype(np.float32), y


def grow(X, y, n_rounds=15):
    return HistGradientBoostingClassifier(max_iter=n_rounds, max_bins=63, random_state=0).fit(X, y)


@pytest.mark.contract
@pytest.mark.parametrize("n_classes", [2, 3, 12])
def test_probabilities_are_scikit_learns_to_the_last_bit(n_classes):
    X, y = problem(n_classes)
    fitted = grow(X[:300], y[:300])
    ensemble = read_ensemble(fitted, X[300:])
    assert len(ensemble.trees) == len(ensemble.baselines) == (1 if n_classes == 2 else n_classes)
    np.testing.assert_array_equal(ensemble.probabilities(X), fitted.predict_proba(X))
    scores = GradientModel((ensemble,), n_classes).scores(Points(X))
    expected = np.log(np.maximum(fitted.predict_proba(X), np.exp(LEAST_LOG)))
    np.testing.assert_allclose(scores, expected, rtol=1e-14)


@pytest.mark.parametrize("n_classes", [2, 3, 12])
def test_a_row_alone_has_the_probabilities_that_it_has_among_others(n_classes):
    X, y = problem(n_classes)
    ensemble = read_ensemble(grow(X, y, 4), X)
    alone = np.vstack([ensemble.probabilities(X[i : i + 1]) for i in range(len(X))])
    np.testing.assert_array_equal(alone, ensemble.probabilities(X))


def test_classes_that_training_lacks_have_the_least_probability():
    X, y = problem(3)
    fitted = grow(X[y != 1], y[y != 1])
    scores = GradientModel((read_ensemble(fitted, X),), 3).scores(Points(X))
    np.testing.assert_array_equal(scores[:, 1], LEAST_LOG)
    np.testing.assert_allclose(scores[:, [0, 2]], np.log(np.maximum(fitted.predict_proba(X), np.exp(LEAST_LOG))))


def test_a_fold_without_the_only_row_of_a_class():
    X, y = problem(2)
    y[:] = 0
    y[7] = 1
    data = TrainingData.draw(X.astype(np.float64), y, 2, np.ones(len(y)), np.random.default_rng(0))
    fold = next(fold for fold, rows in enumerate(data.folds) if 7 in rows)
    scores, model = GradientTrees(3).fit(data, fold, np.random.default_rng(0))
    np.testing.assert_array_equal(scores[0], [[0.0, LEAST_LOG]] * len(data.folds[fold]))
    assert model.ensembles[0].classes.tolist() == [0]


def _lose_the_trees(fitted):
    del fitted._predictors


def _rename_a_field(fitted):
    tree = fitted._predictors[0][0]
    tree.nodes = tree.nodes.astype([(name.replace("num_", ""), kind) for name, kind in tree.nodes.dtype.descr])


def _store_logarithms(fitted):
    fitted._baseline_prediction = np.log(np.abs(fitted._baseline_prediction))
    fitted.decision_function = lambda X: np.zeros((len(X), 3))


@pytest.mark.parametrize("change", [_lose_the_trees, _rename_a_field, _store_logarithms])
def test_a_scikit_learn_that_keeps_its_trees_otherwise_is_noticed(change):
    X, y = problem(3)
    fitted = grow(X, y, 2)
    change(fitted)
    with pytest.raises(RuntimeError, match=r"scikit-learn \S+ keeps gradient-boosted trees in a form that emphatic"):
        read_ensemble(fitted, X)
