"""Batch training of networks: gradients are sums over rows, so what a row counts is what it weighs, wherever it is."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from sklearn.base import clone
from sklearn.datasets import load_iris, make_moons
from sklearn.preprocessing import scale

from emphatic import MLPNetworkClassifier, RealAdaBoostClassifier
from emphatic.boosting.together import Fit, fit_together
from emphatic.emphasis import Mixed
from emphatic.kernels import mlp
from emphatic.learners.mlp_batch import Judges, Parts, sum_up
from emphatic.learners.mlp_training import Table
from emphatic.randomness import RowNoise
from tests.reference import mlp as slow

two_and_more_classes = pytest.mark.parametrize("n_classes", [2, 3])


def problem(n_classes, n=300):
    if n_classes == 2:
        return make_moons(n, noise=0.15, random_state=0)
    X, y = load_iris(return_X_y=True)
    return scale(X), y


def batch(n_hidden=4, **options):
    return MLPNetworkClassifier(n_hidden, updates="batch", random_state=0, **options)


def same(a, b, tolerance):
    np.testing.assert_allclose(a.hidden_weights_, b.hidden_weights_, rtol=0, atol=tolerance)
    np.testing.assert_allclose(a.output_weights_, b.output_weights_, rtol=0, atol=tolerance)
    np.testing.assert_allclose(a.validation_errors_, b.validation_errors_, rtol=0, atol=tolerance)


@pytest.mark.parametrize("n_outputs", [1, 3])
def test_error_and_gradient_are_those_of_the_formula(n_outputs):
    rng = np.random.default_rng(0)
    X, targets = rng.normal(size=(30, 3)), rng.choice([-1.0, 1.0], (30, n_outputs))
    network = mlp.Network(rng.normal(size=(4, 4)), rng.normal(size=(n_outputs, 5)))
    rows = rng.permutation(30).astype(np.int32)
    parts = Parts(mlp.Part(rows[:20], rng.random(20)), mlp.Part(rows[20:], rng.random(10)))

    def error_of(flat, part=parts.training):
        hidden, output = flat[:16].reshape(4, 4), flat[16:].reshape(n_outputs, 5)
        return slow.weighted_error(X[part.rows], targets[part.rows], part.weights, hidden, output)

    flat = np.concatenate([network.hidden.ravel(), network.output.ravel()])
    error, hidden, output, judged = sum_up(Table(X, targets), parts, network)
    assert error == pytest.approx(error_of(flat), rel=1e-12)
    assert judged == pytest.approx(error_of(flat, parts.judged), rel=1e-12)
    gradient = np.concatenate([hidden.ravel(), output.ravel()])
    np.testing.assert_allclose(gradient, approx_fprime(flat, error_of, 1e-7), atol=1e-5)


@two_and_more_classes
def test_a_row_of_weight_2_is_two_rows(n_classes):
    X, y = problem(n_classes)
    network = batch(validation_fraction=0, max_epochs=15)
    counts = np.random.default_rng(0).integers(1, 4, len(y))
    repeated = clone(network).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    same(network.fit(X, y, sample_weight=counts), repeated, 1e-8)


def test_the_order_of_rows_means_nothing_to_those_that_train():
    X, y = problem(2)
    network = batch(validation_fraction=0, max_epochs=15)
    same(clone(network).fit(X[::-1], y[::-1]), network.fit(X, y), 1e-8)


@two_and_more_classes
def test_learns_what_online_training_learns(n_classes):
    X, y = problem(n_classes)
    network = batch(8, max_epochs=200).fit(X, y)
    assert network.score(X, y) > 0.95
    assert np.abs(network.output(X)).max() <= 1


def test_the_best_network_for_the_judges_is_kept():
    X, y = problem(2)
    network = batch(10, max_epochs=150, stall=5).fit(X, y)
    errors = network.validation_errors_
    assert len(errors) == network.n_epochs_
    assert len(errors) - 1 - errors.argmin() == 5  # it stalled
    rng = np.random.default_rng(0)
    network._draw_network(2, rng)
    judge = Judges(RowNoise(rng, len(y)), 0.2, 2).choose(np.ones(len(y)), 0)
    gap = np.where(y[judge] == 1, 1.0, -1.0) - network.output(X[judge])
    assert np.mean(gap**2) == pytest.approx(errors.min(), rel=1e-10)


def test_epochs_are_networks_that_were_tried():
    X, y = problem(2)
    assert batch(max_epochs=7).fit(X, y).n_epochs_ == 7
    first = batch(max_epochs=1).fit(X, y)
    assert np.abs(first.hidden_weights_).max() <= 0.2  # the one that was drawn


def test_a_class_without_a_judge_makes_all_rows_train_and_judge():
    X = np.vstack([np.random.default_rng(0).normal(size=(20, 2)), [[9.0, 9.0]]])
    y = np.repeat([0, 1], [20, 1])
    same(batch(max_epochs=10).fit(X, y), batch(max_epochs=10, validation_fraction=0).fit(X, y), 0.0)


def test_a_sample_of_weight_0_is_absent():
    X, y = problem(2)
    weights = np.ones(len(y))
    weights[200:] = 0.0
    same(batch(max_epochs=10).fit(X, y, weights), batch(max_epochs=10).fit(X[:200], y[:200]), 1e-10)


def test_a_strongly_emphasised_sample_trains_with_no_more_than_the_cap_and_judges_with_what_it_has():
    weights = np.array([0.7, 0.2, 0.0, 0.1])
    judges = Judges(RowNoise(np.random.default_rng(0), 4), 0.0, 2)
    training, judged = judges.divide(weights, share=0.25, judged=0.0)
    assert training.rows.tolist() == judged.rows.tolist() == [0, 1, 3]
    assert training.weights.tolist() == [0.25, 0.2, 0.1]
    assert judged.weights.tolist() == [0.7, 0.2, 0.1]


def test_every_row_trains_or_judges():
    weights = np.random.default_rng(1).dirichlet(np.ones(5000))
    judges = Judges(RowNoise(np.random.default_rng(0), 5000), 0.2, 2)
    _, _, weight = judges.count(np.zeros(5000, np.intp), weights)
    training, judged = judges.divide(weights, share=1.0, judged=weight)
    assert sorted([*training.rows, *judged.rows]) == list(range(5000))
    assert 0.18 < len(judged.rows) / 5000 < 0.22
    assert judged.weights.sum() == pytest.approx(1.0)


def test_large_values_saturate_but_stay_finite():
    X, y = problem(2)
    for factor in (1e3, 1e60):
        assert np.isfinite(batch(max_epochs=20).fit(factor * X, y).output(factor * X)).all()


def test_side_by_side_with_networks_that_visit_samples():
    X, y = problem(2)
    models = [
        RealAdaBoostClassifier(MLPNetworkClassifier(3, max_epochs=10, updates=one), Mixed(0.3), 2, random_state=0)
        for one in ("batch", "online", "batch")
    ]
    together = [clone(model) for model in models]
    fit_together([Fit(model, X, y) for model in together])
    for model, other in zip(models, together, strict=True):
        np.testing.assert_allclose(other.decision_function(X), model.fit(X, y).decision_function(X), atol=1e-10)
