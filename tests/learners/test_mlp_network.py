"""Multilayer perceptrons as learners: early stopping, weights, tiny tables, ensembles, many at once (identity 18)."""

import copy

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, make_moons
from sklearn.preprocessing import scale

from emphatic import MLPNetworkClassifier, RealAdaBoostClassifier
from emphatic.base import Lesson
from emphatic.boosting.together import Fit, fit_together
from emphatic.emphasis import Mixed
from emphatic.learners import mlp_training
from tests.reference import mlp as slow

two_and_more_classes = pytest.mark.parametrize("n_classes", [2, 3])


def problem(n_classes, n=120):
    if n_classes == 2:
        return make_moons(n, noise=0.1, random_state=0)
    X, y = load_iris(return_X_y=True)
    return scale(X), y


def drawn(network, X, y, weights=None):
    """Table and the start that a fit with random_state=0 draws."""
    network = clone(network)
    network.classes_ = np.unique(y)
    table = network.prepare(X, y)
    weights = np.full(len(y), 1 / len(y)) if weights is None else weights
    return table, network._draw_start(Lesson(table, y, weights, np.random.default_rng(0)))


def same(a, b):
    np.testing.assert_array_equal(a.hidden_weights_, b.hidden_weights_)
    np.testing.assert_array_equal(a.output_weights_, b.output_weights_)
    np.testing.assert_array_equal(a.validation_errors_, b.validation_errors_)


@two_and_more_classes
def test_learns(n_classes):
    X, y = problem(n_classes, 400)
    network = MLPNetworkClassifier(8, stall=400, random_state=1).fit(X, y)
    assert network.score(X, y) > 0.95
    assert np.abs(network.output(X)).max() <= 1
    n_outputs = 1 if n_classes == 2 else n_classes
    assert network.hidden_weights_.shape == (8, X.shape[1] + 1)
    assert network.output_weights_.shape == (n_outputs, 9)
    expected = slow.outputs(X, network.hidden_weights_, network.output_weights_)
    np.testing.assert_allclose(network.output(X).reshape(len(X), -1), expected, atol=1e-13)


@two_and_more_classes
def test_restored_weights_are_those_of_the_best_validation_epoch(n_classes):
    X, y = problem(n_classes)
    weights = np.random.default_rng(1).dirichlet(np.ones(len(y)))
    network = MLPNetworkClassifier(4, step=0.1, stall=10, random_state=0).fit(X, y, sample_weight=weights)
    errors = network.validation_errors_
    assert network.n_epochs_ == len(errors) == errors.argmin() + 1 + 10 < 1000
    table, start = drawn(network, X, y, weights)
    judges = start.judged.rows
    found = slow.weighted_error(
        X[judges], table.targets[judges], start.judged.weights, network.hidden_weights_, network.output_weights_
    )
    assert found == pytest.approx(errors.min(), rel=1e-10)
    np.testing.assert_allclose(start.judged.weights, weights[judges] / weights[judges].sum())


@two_and_more_classes
def test_a_fit_is_what_the_twin_makes_of_the_same_draws(n_classes):
    X, y = problem(n_classes)
    weights = np.random.default_rng(1).dirichlet(np.full(len(y), 0.05))
    network = MLPNetworkClassifier(3, max_epochs=5, largest_weight=4.0, random_state=0)
    table, start = drawn(network, X, y, weights)
    rows = start.training.rows
    steps = 0.01 * np.minimum(len(y) * weights, 4.0)[rows]
    assert steps.max() == 0.04
    orders = mlp_training._draw_orders(start.orders, 5, len(rows))
    shares = weights[start.judged.rows] / weights[start.judged.rows].sum()
    best, _, errors = slow.train(*table, rows, steps, start.judged.rows, shares, orders, 100, *start.network)
    network.fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(network.hidden_weights_, best[0], atol=1e-10)
    np.testing.assert_allclose(network.output_weights_, best[1], atol=1e-10)
    np.testing.assert_allclose(network.validation_errors_, errors, atol=1e-10)


def test_the_validation_part_is_stratified_and_drawn_anew():
    X, y = problem(3)
    network = MLPNetworkClassifier(validation_fraction=0.3)
    _, start = drawn(network, X, y)
    assert np.bincount(y[start.judged.rows]).tolist() == [15, 15, 15]
    assert np.bincount(y[start.training.rows]).tolist() == [35, 35, 35]
    assert not set(start.judged.rows) & set(start.training.rows)
    ensemble = RealAdaBoostClassifier(MLPNetworkClassifier(2, max_epochs=5), n_estimators=2, random_state=0).fit(X, y)
    first, second = ensemble.estimators_
    assert not np.array_equal(first.validation_errors_, second.validation_errors_)


@pytest.mark.parametrize("visits", [1, 1000])
def test_the_number_of_orders_drawn_at_once_makes_no_difference(visits, monkeypatch):
    X, y = problem(2)
    network = MLPNetworkClassifier(3, step=0.1, stall=7, max_epochs=60)
    rng = np.random.default_rng(5)
    whole = clone(network).set_params(random_state=rng).fit(X, y)
    after = rng.random()
    monkeypatch.setattr(mlp_training, "VISITS", visits)
    rng = np.random.default_rng(5)
    same(clone(network).set_params(random_state=rng).fit(X, y), whole)
    assert rng.random() == after


@two_and_more_classes
def test_same_seed_same_bits(n_classes):
    X, y = problem(n_classes)
    first, second, other = (MLPNetworkClassifier(3, max_epochs=30, random_state=seed).fit(X, y) for seed in (0, 0, 1))
    same(first, second)
    assert not np.array_equal(first.hidden_weights_, other.hidden_weights_)


def test_equal_weights_are_none_and_a_larger_weight_is_a_longer_step():
    X, y = problem(2)
    network = MLPNetworkClassifier(3, max_epochs=10, random_state=0)
    plain, weighted = clone(network).fit(X, y), clone(network).fit(X, y, sample_weight=np.full(len(y), 3))
    same(plain, weighted)
    double = np.where(np.arange(len(y)) < 60, 2.0, 1.0)
    _, start = drawn(network, X, y, double / double.sum())
    steps = dict(zip(start.training.rows, start.training.weights, strict=True))
    assert {round(step, 12) for row, step in steps.items() if row < 60} == {round(0.01 * 4 / 3, 12)}
    assert {round(step, 12) for row, step in steps.items() if row >= 60} == {round(0.01 * 2 / 3, 12)}


@two_and_more_classes
def test_samples_of_no_weight_are_not_there(n_classes):
    X, y = problem(n_classes)
    kept = np.arange(len(y)) % 4 > 0
    network = MLPNetworkClassifier(3, max_epochs=10, random_state=0)
    same(clone(network).fit(X, y, sample_weight=kept), clone(network).fit(X[kept], y[kept]))
    inside = clone(network)  # as an ensemble trains it, where the weights of some samples have underflown
    inside.classes_ = np.unique(y)
    output = inside.learn(Lesson(inside.prepare(X, y), y, kept / kept.sum(), np.random.default_rng(0)))
    assert len(output) == len(y)
    same(inside, clone(network).fit(X[kept], y[kept]))


@pytest.mark.parametrize("n", range(2, 11))
def test_tiny_tables(n):
    X = np.random.default_rng(n).normal(size=(n, 2))
    y = np.arange(n) % 2
    network = MLPNetworkClassifier(3, max_epochs=20, random_state=0).fit(X, y)
    assert np.isfinite(network.output(X)).all()
    _, start = drawn(network, X, y)
    if n < 6:  # a class of fewer than 3 samples has none to spare
        assert len(start.training.rows) == len(start.judged.rows) == n
    else:
        assert len(start.training.rows) + len(start.judged.rows) == n
        assert set(y[start.judged.rows]) == {0, 1}


def test_without_a_validation_part_the_training_error_decides():
    X, y = problem(2)
    network = MLPNetworkClassifier(4, validation_fraction=0, max_epochs=15, random_state=0).fit(X, y)
    error = ((np.where(y == 1, 1, -1) - network.output(X)) ** 2).mean()
    assert error == pytest.approx(network.validation_errors_.min())


def test_one_class_of_all_the_weight_is_learnt_as_such():
    X, y = problem(2)
    network = MLPNetworkClassifier(2, max_epochs=50)
    network.classes_ = np.array([0, 1])
    output = network.learn(Lesson(network.prepare(X, y), y, (y == 1) / (y == 1).sum(), np.random.default_rng(0)))
    assert (output > 0).all()


@pytest.mark.parametrize("constant", [0.0, 1.0])
def test_a_constant_column_does_no_harm(constant):
    X, y = problem(2, 400)
    wider = np.column_stack([X, np.full(len(y), constant)])
    assert MLPNetworkClassifier(8, stall=400, random_state=1).fit(wider, y).score(wider, y) > 0.85


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("n_hidden", 0),
        ("n_hidden", 2.5),
        ("step", 0),
        ("step", np.nan),
        ("max_epochs", 0),
        ("stall", 0),
        ("stall", True),
        ("validation_fraction", -0.1),
        ("validation_fraction", 0.6),
        ("weight_range", 0.0),
        ("largest_weight", "many"),
        ("updates", "both"),
    ],
)
def test_a_bad_parameter_is_named(parameter, value):
    X, y = problem(2)
    with pytest.raises(ValueError, match=f"{parameter}=.*is not allowed: {parameter} must be"):
        MLPNetworkClassifier(**{parameter: value}).fit(X, y)


def test_a_diverging_step_is_reported():
    X, y = problem(2)
    with pytest.raises(ValueError, match=r"step=1e\+308 makes training diverge"):
        MLPNetworkClassifier(step=1e308, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="beyond"):
        MLPNetworkClassifier().fit(1e200 * X, y)


def test_a_large_step_saturates_but_stays_finite():
    X, y = problem(2)
    network = MLPNetworkClassifier(step=1e3, random_state=0).fit(100 * X, y)
    assert np.isfinite(network.output(X)).all()


@two_and_more_classes
def test_an_ensemble_of_networks(n_classes):
    X, y = problem(n_classes)
    learner = MLPNetworkClassifier(3, max_epochs=50)
    ensemble = RealAdaBoostClassifier(learner, Mixed(0.5), n_estimators=3, random_state=0).fit(X, y)
    assert len(ensemble.estimators_) == 3
    assert ensemble.score(X, y) > 0.8


def test_a_read_only_table_is_read():
    X, y = problem(2)
    network = MLPNetworkClassifier(2, max_epochs=3, random_state=0)
    writable = clone(network).fit(X, y)
    X.flags.writeable = False
    same(network.fit(X, y), writable)
    np.testing.assert_array_equal(network.output(X), writable.output(X))


@two_and_more_classes
def test_many_at_once_are_what_they_are_one_at_a_time(n_classes):
    X, y = problem(n_classes)
    rng = np.random.default_rng(0)
    weights = rng.dirichlet(np.ones(len(y)), 37)
    weights[:5][:, rng.random(len(y)) < 0.2] = 0.0  # folds: other networks have other numbers of rows
    weights /= weights.sum(axis=1, keepdims=True)
    learner = MLPNetworkClassifier(3, step=0.02, stall=2, max_epochs=60)
    learner.classes_ = np.unique(y)
    table = learner.prepare(X, y)
    other = learner.prepare(X[::-1].copy(), y[::-1])  # of equal width: it is trained on beside the first

    def make_lesson(m):
        return Lesson(*((table, y) if m % 3 else (other, y[::-1])), weights[m], np.random.default_rng(m))

    many = [copy.copy(learner) for _ in weights]
    outputs = MLPNetworkClassifier.learn_many(many, [make_lesson(m) for m in range(len(weights))])
    assert len({network.n_epochs_ for network in many}) > 3  # they stop one by one
    for m, network in enumerate(many):
        alone = copy.copy(learner)
        output = alone.learn(make_lesson(m))
        np.testing.assert_allclose(outputs[m], output, atol=1e-10)
        np.testing.assert_allclose(network.validation_errors_, alone.validation_errors_, atol=1e-10)
        np.testing.assert_allclose(network.hidden_weights_, alone.hidden_weights_, atol=1e-10)
        np.testing.assert_allclose(network.output_weights_, alone.output_weights_, atol=1e-10)


@pytest.mark.parametrize("n_networks", [1, 8])
@pytest.mark.parametrize("stall", [1, 4])
def test_a_network_stops_as_many_epochs_after_its_best_as_stall_says(stall, n_networks):
    """Were a stalled network to go on, though its kernel does not, it would never end; the timeout of a test does."""
    X, y = problem(2)
    learner = MLPNetworkClassifier(2, step=0.3, stall=stall)
    models = [RealAdaBoostClassifier(learner, n_estimators=1, random_state=m) for m in range(n_networks)]
    for model in fit_together([Fit(model, X, y) for model in models]):
        errors = model.estimators_[0].validation_errors_
        assert len(errors) == errors.argmin() + 1 + stall < 1000
