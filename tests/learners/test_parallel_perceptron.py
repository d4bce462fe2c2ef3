"""Parallel perceptrons as learners: votes, hidden margins, weights, tiny tables, bad parameters (identity 17)."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, make_blobs
from sklearn.exceptions import NotFittedError
from sklearn.preprocessing import minmax_scale
from sklearn.utils.estimator_checks import parametrize_with_checks

from emphatic import RealAdaBoostClassifier
from emphatic.base import Lesson
from emphatic.emphasis import Exponential
from emphatic.emphasis.pattern_type import PatternType
from emphatic.kernels import draws
from emphatic.learners import parallel_perceptron
from emphatic.learners.parallel_perceptron import ParallelPerceptronClassifier
from tests.reference import perceptron as slow

two_and_more_classes = pytest.mark.parametrize("n_classes", [2, 3])
batch_and_online = pytest.mark.parametrize("updates", ["batch", "online"])

REPEATS = "check_sample_weight_equivalence_on_dense_data"


def problem(n_classes=2, n=150):
    if n_classes == 2:
        X, y = make_blobs([n - 50, 50], centers=[[0.3, 0.3], [0.7, 0.6]], cluster_std=0.15, random_state=0)
        return X, y
    X, y = load_iris(return_X_y=True)
    return minmax_scale(X), y


def same(a, b, **tolerance):
    for name in ("weights_", "margins_", "training_errors_"):
        if tolerance:
            np.testing.assert_allclose(getattr(a, name), getattr(b, name), **tolerance)
        else:
            np.testing.assert_array_equal(getattr(a, name), getattr(b, name))


# the number of rows is a factor of every step, and orders are drawn from the rows: a repeated row is not a weight of 2
ROWS_COUNT = [
    ParallelPerceptronClassifier(n_epochs=50),
    ParallelPerceptronClassifier(n_epochs=20, updates="online"),
    RealAdaBoostClassifier(ParallelPerceptronClassifier(n_epochs=50), n_estimators=3),
    RealAdaBoostClassifier(ParallelPerceptronClassifier(n_epochs=50), PatternType("balanced"), n_estimators=3),
]
ROWS_DO_NOT = [ParallelPerceptronClassifier(learning_rate=1.0, n_epochs=50, step="mean")]


def expected(estimator):
    return {REPEATS: "the number of rows is a factor"} if any(estimator is one for one in ROWS_COUNT) else {}


# scikit-learn fits noise and a handful of samples, of which ours say what they should
@pytest.mark.filterwarnings("ignore:From round .* on the emphasis rests on fewer than:UserWarning")
@pytest.mark.filterwarnings("ignore:No learner had an edge:UserWarning")
@pytest.mark.contract
@parametrize_with_checks([*ROWS_COUNT, *ROWS_DO_NOT], expected_failed_checks=expected)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


@batch_and_online
@two_and_more_classes
def test_learns(n_classes, updates):
    X, y = problem(n_classes)
    machine = ParallelPerceptronClassifier(updates=updates, random_state=0).fit(X, y)
    assert machine.score(X, y) > 0.93
    machines = 1 if n_classes == 2 else n_classes
    assert machine.weights_.shape == (machines, 3, X.shape[1] + 1)
    assert machine.margins_.shape == (machines,) and (machine.margins_ >= 1e-6).all()
    assert machine.training_errors_.shape == (machines, 251)
    np.testing.assert_allclose(np.linalg.norm(machine.weights_, axis=2), 1.0, rtol=1e-14)


@batch_and_online
@pytest.mark.parametrize("keep", ["best", "last"])
@pytest.mark.parametrize(
    "options",
    [{}, {"step": "mean"}, {"gamma_step": "sum"}, {"gamma_step": "unweighted"}, {"stabilisation": 0.5}],
    ids=repr,
)
def test_a_fit_is_what_the_twin_makes_of_the_same_draws(updates, keep, options):
    X, y = problem(2, 80)
    weights = np.random.default_rng(1).dirichlet(np.ones(len(y)))
    machine = ParallelPerceptronClassifier(5, n_epochs=12, updates=updates, keep=keep, random_state=0, **options)
    machine.fit(X, y, sample_weight=weights)
    rng = np.random.default_rng(0)
    first = rng.standard_normal((5, 3))
    first = first / np.linalg.norm(first, axis=1, keepdims=True)
    orders = np.empty((12, len(y) if updates == "online" else 0), dtype=np.int32)
    draws.shuffle(rng.integers(2**32, size=orders.shape, dtype=np.uint32), orders)
    n, mu = len(y), options.get("stabilisation", 1.0)
    scales = 1.0 if options.get("step") == "mean" else n, n if options.get("gamma_step") == "sum" else 1.0
    d_gamma = np.ones(n) if options.get("gamma_step") == "unweighted" else None
    best, last, errors, _ = slow.train(X, 2.0 * y - 1, weights, orders, 0.01, first, 0.05, *scales, mu, d_gamma)
    expected = best if keep == "best" else last
    np.testing.assert_allclose(machine.weights_[0], expected[0], rtol=0, atol=1e-10)
    assert machine.margins_[0] == pytest.approx(expected[1], abs=1e-10)
    np.testing.assert_allclose(machine.training_errors_[0], errors, rtol=0, atol=1e-10)


def by_hand(machine, X, k):
    return slow.with_bias(X) @ machine.weights_[k].T


def test_two_classes_have_the_sign_of_the_majority():
    X, y = problem()
    machine = ParallelPerceptronClassifier(5, random_state=0).fit(X, y)
    votes = np.sign(by_hand(machine, X, 0)).sum(axis=1)
    np.testing.assert_array_equal(machine.output(X), np.sign(votes))
    np.testing.assert_array_equal(machine.predict(X), (votes > 0).astype(int))


def test_more_classes_have_votes_and_then_activations():
    X, y = problem(3)
    machine = ParallelPerceptronClassifier(random_state=0).fit(X, y)
    output = machine.output(X)
    assert output.shape == (150, 3) and np.abs(output).max() <= 1
    lengths = np.linalg.norm(slow.with_bias(X), axis=1)
    for k in range(3):
        activations = by_hand(machine, X, k)
        votes = np.sign(activations).sum(axis=1)
        np.testing.assert_array_equal(np.sign(output[:, k]), np.sign(votes))
        np.testing.assert_allclose(output[:, k] * 4, votes + activations.mean(axis=1) / lengths, atol=1e-14)


def test_a_machine_of_several_is_the_one_that_tells_its_class_from_the_rest():
    X, y = problem(3)
    machine = ParallelPerceptronClassifier(random_state=0).fit(X, y)
    alone = ParallelPerceptronClassifier(random_state=0).fit(X, y == 0)  # the first takes the first draws
    np.testing.assert_array_equal(machine.weights_[0], alone.weights_[0])
    assert machine.margins_[0] == alone.margins_[0]


@pytest.mark.parametrize("keep", ["best", "last"])
def test_what_is_kept(keep):
    X, y = problem()
    weights = np.random.default_rng(0).random(len(y))
    machine = ParallelPerceptronClassifier(keep=keep, random_state=0).fit(X, y, sample_weight=weights)
    errors = machine.training_errors_[0]
    wrong = weights[machine.predict(X) != y].sum() / weights.sum()
    assert wrong == pytest.approx(errors.min() if keep == "best" else errors[-1], abs=1e-12)


# hidden margins


@two_and_more_classes
def test_hidden_margins_are_signed_activations_in_units_of_the_margin(n_classes):
    X, y = problem(n_classes)
    names = np.array(["ape", "bee", "cow"])
    machine = ParallelPerceptronClassifier(random_state=0).fit(X, names[y])
    found = machine.hidden_margins(X, names[y])
    machines = [1] if n_classes == 2 else range(3)
    expected = [
        np.where(y == own, 1.0, -1.0)[:, None] * by_hand(machine, X, k) / machine.margins_[k]
        for k, own in enumerate(machines)
    ]
    np.testing.assert_allclose(found, np.hstack(expected), rtol=1e-12, atol=1e-12)


def test_hidden_margins_of_the_other_label_are_the_negative_ones():
    X, y = problem()
    machine = ParallelPerceptronClassifier(random_state=0).fit(X, y)
    np.testing.assert_array_equal(machine.hidden_margins(X, y), -machine.hidden_margins(X, 1 - y))
    mostly = (machine.hidden_margins(X, y) > 0).sum(axis=1) > 1
    np.testing.assert_array_equal(mostly, machine.predict(X) == y)


def test_hidden_margins_of_bad_input():
    X, y = problem()
    with pytest.raises(NotFittedError):
        ParallelPerceptronClassifier().hidden_margins(X, y)
    machine = ParallelPerceptronClassifier(n_epochs=2, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match=r"y holds the label (np.int64\(2\)|2), which is not one of classes_ \[0, 1\]"):
        machine.hidden_margins(X, y + 1)
    with pytest.raises(ValueError, match=r"y holds the label .*'0'.*, which is not one of classes_ \[0, 1\]"):
        machine.hidden_margins(X, y.astype(str))
    with pytest.raises(ValueError, match="X has 150 rows but y has 149 labels"):
        machine.hidden_margins(X, y[1:])
    with pytest.raises(ValueError, match="X has 1 features, but ParallelPerceptronClassifier is expecting 2"):
        machine.hidden_margins(X[:, :1], y)


# weights and draws


@batch_and_online
@two_and_more_classes
def test_same_seed_same_bits(n_classes, updates):
    X, y = problem(n_classes)
    learner = ParallelPerceptronClassifier(n_epochs=30, updates=updates)
    first, second, other = (clone(learner).set_params(random_state=seed).fit(X, y) for seed in (0, 0, 1))
    same(first, second)
    assert not np.array_equal(first.weights_, other.weights_)


@batch_and_online
def test_only_ratios_of_weights_matter(updates):
    X, y = problem()
    machine = ParallelPerceptronClassifier(n_epochs=20, updates=updates, random_state=0)
    same(clone(machine).fit(X, y), clone(machine).fit(X, y, sample_weight=np.full(len(y), 3.0)))


@two_and_more_classes
def test_in_a_batch_of_means_a_weight_of_2_is_a_sample_twice(n_classes):
    """With step="sum" it is not: N is the number of rows."""
    X, y = problem(n_classes)
    counts = np.random.default_rng(0).integers(1, 4, len(y))
    again = np.repeat(np.arange(len(y)), counts)
    machine = ParallelPerceptronClassifier(step="mean", learning_rate=1.0, random_state=0)
    weighted, repeated = clone(machine).fit(X, y, sample_weight=counts), clone(machine).fit(X[again], y[again])
    same(weighted, repeated, rtol=0, atol=1e-10)


def test_with_equal_weights_every_sample_moves_the_margin_as_in_a_sum():
    X, y = problem()
    machine = ParallelPerceptronClassifier(random_state=0)
    unweighted, summed = (clone(machine).set_params(gamma_step=step).fit(X, y) for step in ("unweighted", "sum"))
    same(unweighted, summed, rtol=0, atol=1e-10)


@batch_and_online
@two_and_more_classes
@pytest.mark.parametrize("gamma_step", ["mean", "unweighted"])
def test_samples_of_no_weight_are_not_there(n_classes, updates, gamma_step):
    X, y = problem(n_classes)
    kept = np.arange(len(y)) % 4 > 0
    machine = ParallelPerceptronClassifier(n_epochs=10, gamma_step=gamma_step, updates=updates, random_state=0)
    without = clone(machine).fit(X[kept], y[kept])
    same(clone(machine).fit(X, y, sample_weight=kept), without)
    inside = clone(machine)  # as an ensemble trains it, where the weights of some samples have underflown
    inside.classes_ = np.unique(y)
    output = inside.learn(Lesson(inside.prepare(X, y), y, kept / kept.sum(), np.random.default_rng(0)))
    assert len(output) == len(y)
    same(inside, without, rtol=0, atol=1e-10)


def test_the_number_of_orders_drawn_at_once_makes_no_difference(monkeypatch):
    X, y = problem()
    machine = ParallelPerceptronClassifier(n_epochs=10, updates="online", random_state=0)
    whole = clone(machine).fit(X, y)
    monkeypatch.setattr(parallel_perceptron, "VISITS", 2 * len(y))
    same(clone(machine).fit(X, y), whole)


def test_an_ensemble_trains_anew_in_every_round():
    X, y = problem()
    ensemble = RealAdaBoostClassifier(ParallelPerceptronClassifier(), Exponential(), n_estimators=5, random_state=0)
    ensemble.fit(X, y)
    first, second, *_ = ensemble.estimators_
    assert not np.array_equal(first.weights_, second.weights_)
    assert set(np.unique(first.output(X))) == {-1.0, 1.0}
    np.testing.assert_allclose(next(ensemble.staged_decision_function(X)), ensemble.alphas_[0] * first.output(X))


# small, constant and large inputs


@batch_and_online
@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_tiny_tables(n, updates):
    X = np.random.default_rng(n).random((n, 2))
    y = np.arange(n) % 2
    machine = ParallelPerceptronClassifier(updates=updates, random_state=0).fit(X, y)
    assert set(machine.output(X)) <= {-1.0, 1.0}
    assert np.isfinite(machine.hidden_margins(X, y)).all()


@batch_and_online
@two_and_more_classes
def test_constant_columns(n_classes, updates):
    """Only the bias is left to say anything: the same for every row, and never NaN."""
    _, y = problem(n_classes)
    for constant in (0.0, 1.0, -3.0):
        X = np.full((len(y), 2), constant)
        machine = ParallelPerceptronClassifier(n_epochs=20, updates=updates, random_state=0).fit(X, y)
        assert len(np.unique(machine.predict(X))) == 1
        assert np.isfinite(machine.output(X)).all() and np.isfinite(machine.weights_).all()


@batch_and_online
@pytest.mark.parametrize("scale", [1e-300, 1e-100, 1e50, 1e100])
def test_any_scale_that_is_not_refused_gives_numbers(scale, updates):
    X, y = problem()
    X = scale * minmax_scale(X)
    largest = {"margin": 1e6, "learning_rate": 1e6, "stabilisation": 1e6, "gamma_step": "sum"}
    for options in ({}, largest):
        machine = ParallelPerceptronClassifier(n_epochs=20, updates=updates, random_state=0, **options).fit(X, y)
        np.testing.assert_allclose(np.linalg.norm(machine.weights_, axis=2), 1.0)
        assert np.isfinite(machine.hidden_margins(X, y)).all()


def test_a_class_of_all_the_weight_is_learnt_as_such():
    X, y = problem()
    machine = ParallelPerceptronClassifier(random_state=0)
    weights = np.where(y == 1, 1.0, 1e-12)
    assert (machine.fit(X, y, sample_weight=weights).predict(X[y == 1]) == 1).all()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_perceptrons": 4}, r"n_perceptrons=4 is not allowed: n_perceptrons must be odd.*can tie"),
        ({"n_perceptrons": 0}, r"n_perceptrons=0 is not allowed: n_perceptrons must be an integer of at least 1"),
        ({"n_perceptrons": 3.0}, r"n_perceptrons=3.0 is not allowed"),
        ({"margin": 0}, r"margin=0 is not allowed: margin must be a finite number in \(0, 1e\+06\]"),
        ({"margin": -1.0}, r"margin=-1.0 is not allowed"),
        ({"margin": np.nan}, r"margin=nan is not allowed"),
        ({"learning_rate": 0.0}, r"learning_rate=0.0 is not allowed"),
        ({"learning_rate": 1e7}, r"learning_rate=10000000.0 is not allowed"),
        ({"n_epochs": 0}, r"n_epochs=0 is not allowed: n_epochs must be an integer of at least 1"),
        ({"keep": "first"}, r"keep='first' is not allowed: keep must be one of 'best', 'last'"),
        ({"step": "max"}, r"step='max' is not allowed: step must be one of 'sum', 'mean'"),
        (
            {"gamma_step": None},
            r"gamma_step=None is not allowed: gamma_step must be one of 'mean', 'sum', 'unweighted'",
        ),
        ({"stabilisation": -0.1}, r"stabilisation=-0.1 is not allowed"),
        ({"updates": "stochastic"}, r"updates='stochastic' is not allowed: updates must be one of 'batch', 'online'"),
        ({"random_state": "0"}, r"random_state='0' is not allowed"),
    ],
)
def test_parameters_that_are_not_allowed(parameters, message):
    X, y = problem()
    with pytest.raises(ValueError, match=message):
        ParallelPerceptronClassifier(**parameters).fit(X, y)
