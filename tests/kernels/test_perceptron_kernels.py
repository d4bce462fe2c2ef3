"""Training of parallel perceptrons against its slow twin, and the exact facts about one epoch (identity 17)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emphatic.kernels import perceptron
from tests.reference import perceptron as slow

seeds = st.integers(0, 2**32 - 1)
batch_and_online = pytest.mark.parametrize("online", [False, True])


class Problem:
    """Everything that a training takes, for the kernel and for its twin."""

    def __init__(self, seed, n=40, columns=3, perceptrons=3, epochs=20, online=False, **options):
        rng = np.random.default_rng(seed)
        self.X = rng.random((n, columns))
        self.y = np.where(self.X @ rng.normal(size=columns) + 0.2 * rng.normal(size=n) > 0, 1.0, -1.0)
        self.weights = rng.dirichlet(np.ones(n))
        directions = rng.normal(size=(perceptrons, columns + 1))
        self.W = directions / np.linalg.norm(directions, axis=1, keepdims=True)
        self.orders = np.array([rng.permutation(n) if online else [] for _ in range(epochs)], dtype=np.int32)
        self.options = {"eta": 0.05, "gamma": 0.05, "step_scale": float(n), "gamma_scale": 1.0, "mu": 1.0, **options}

    def sample(self):
        blocks = perceptron.blocks_of_values
        weights, margin_weights = blocks(self.weights), blocks(self.options.get("d_gamma", self.weights))
        return perceptron.Sample(perceptron.blocks_of_rows(self.X), blocks(self.y), weights, margin_weights)

    def machine(self):
        weights = np.zeros((len(self.W), perceptron.n_inputs(self.X.shape[1]) + 1))
        weights[:, : self.X.shape[1]], weights[:, -1] = self.W[:, :-1], self.W[:, -1]
        return perceptron.Machine(weights, np.array([self.options["gamma"]]))

    def train(self, chunk=1000):
        """Best weights and margin, last ones, errors and rate, the orders given in chunks."""
        sample, machine, best, rate = self.sample(), self.machine(), self.machine(), np.array([self.options["eta"]])
        rule = perceptron.Rule(*(self.options[name] for name in ("step_scale", "gamma_scale", "mu")))
        errors, done = np.full(len(self.orders) + 1, np.nan), 0
        for start in range(0, len(self.orders), chunk):
            orders = self.orders[start : start + chunk]
            done = perceptron.train(sample, rule, orders, rate, machine, best, errors, done)
        perceptron.conclude(sample, rule, machine, best, errors, done)
        return *(self.trimmed(one) for one in (best, machine)), errors, rate[0]

    def trimmed(self, machine):
        """Without the inputs that only fill up their number: their weights never move."""
        columns = self.X.shape[1]
        assert not machine.weights[:, columns:-1].any()
        return np.column_stack([machine.weights[:, :columns], machine.weights[:, -1]]), machine.margin[0]

    def train_slowly(self):
        return slow.train(self.X, self.y, self.weights, self.orders, W=self.W, **self.options)


def assert_same(found, expected):
    for one, other in zip(found[:2], expected[:2], strict=True):
        np.testing.assert_allclose(one[0], other[0], rtol=0, atol=1e-10)
        assert one[1] == pytest.approx(other[1], abs=1e-10)
    np.testing.assert_allclose(found[2], expected[2], rtol=0, atol=1e-10)
    assert found[3] == pytest.approx(expected[3])


@batch_and_online
@settings(max_examples=15)
@given(seed=seeds, columns=st.integers(1, 6), perceptrons=st.sampled_from([1, 3, 5]))
def test_training_equals_its_twin(online, seed, columns, perceptrons):
    problem = Problem(seed, columns=columns, perceptrons=perceptrons, online=online)
    assert_same(problem.train(), problem.train_slowly())


@batch_and_online
@pytest.mark.parametrize(
    "options",
    [
        {"mu": 0.0},
        {"mu": 2.5},
        {"step_scale": 1.0},
        {"gamma_scale": 40.0},
        {"d_gamma": np.ones(40)},
        {"gamma": 1e-6},
        {"eta": 1.0},
    ],
    ids=lambda options: next(iter(options)),
)
def test_every_option_is_the_twins(online, options):
    for seed in range(3):
        problem = Problem(seed, online=online, **options)
        found = problem.train()
        assert_same(found, problem.train_slowly())
        assert not np.array_equal(found[1][0], Problem(seed, online=online).train()[1][0])


@batch_and_online
@pytest.mark.parametrize("n", [1, perceptron.BLOCK - 1, perceptron.BLOCK, 2 * perceptron.BLOCK + 1])
def test_any_number_of_rows_fills_its_blocks(online, n):
    problem = Problem(0, n=n, online=online, epochs=8)
    assert_same(problem.train(), problem.train_slowly())


@batch_and_online
@pytest.mark.parametrize("chunk", [1, 7])
def test_the_chunks_in_which_orders_come_make_no_difference(online, chunk):
    problem = Problem(1, online=online)
    whole, parts = problem.train(), problem.train(chunk)
    for one, other in zip(parts[:2], whole[:2], strict=True):
        np.testing.assert_array_equal(one[0], other[0])
        assert one[1] == other[1]
    np.testing.assert_array_equal(parts[2], whole[2])


@batch_and_online
@settings(max_examples=20)
@given(seed=seeds)
def test_rows_have_length_1_and_the_best_is_of_the_lowest_error(online, seed):
    problem = Problem(seed, online=online)
    best, last, errors, _ = problem.train()
    for weights, margin in (best, last):
        np.testing.assert_allclose(np.linalg.norm(weights, axis=1), 1.0, rtol=1e-14)
        assert margin >= 1e-6
    assert slow.error(problem.X, problem.y, problem.weights, best[0]) == pytest.approx(errors.min(), abs=1e-12)
    assert slow.error(problem.X, problem.y, problem.weights, last[0]) == pytest.approx(errors[-1], abs=1e-12)


@settings(max_examples=20)
@given(seed=seeds, eta=st.floats(1e-4, 1.0))
def test_the_margin_rises_by_a_quarter_of_the_right_weight_where_no_activation_is_within_it(seed, eta):
    problem = Problem(seed, epochs=1, gamma=1e-6, eta=eta)
    a = problem.y[:, None] * (slow.with_bias(problem.X) @ problem.W.T)
    right = (a > 0).sum(axis=1) > 1
    assert not ((a > 0) & (a < 1e-6)).any()
    _, (_, margin), errors, _ = problem.train()
    assert margin - 1e-6 == pytest.approx(0.25 * eta * problem.weights[right].sum(), rel=1e-12)
    assert errors[0] == pytest.approx(problem.weights[~right].sum())


def test_the_margin_falls_by_three_quarters_where_all_activations_are_within_it():
    problem = Problem(0, epochs=1, gamma=100.0)
    _, (_, margin), errors, _ = problem.train()
    assert margin == pytest.approx(100.0 - 0.75 * 0.05 * (1 - errors[0]), rel=1e-12)


@batch_and_online
@pytest.mark.parametrize(("gamma", "step"), [(1e-6, 0.25), (100.0, -0.75)])
def test_weights_of_1_move_the_margin_by_as_much_for_every_right_sample(online, gamma, step):
    """With so small a rate that no sample becomes right or wrong during the epoch, one by one or all at once."""
    problem = Problem(0, epochs=1, gamma=gamma, eta=1e-9, d_gamma=np.ones(40), online=online)
    n_right = sum(slow.is_right(y * (problem.W @ x)) for x, y in zip(slow.with_bias(problem.X), problem.y, strict=True))
    _, (_, margin), _, _ = problem.train()
    assert 0 < n_right < 40
    assert margin - gamma == pytest.approx(n_right * step * 1e-9, rel=1e-5)


def test_the_margin_has_a_floor():
    problem = Problem(0, epochs=3, gamma=0.3, gamma_scale=1e4)
    assert problem.train()[1][1] == 1e-6


def one_pattern(x, y, W, **options):
    """A problem of a single pattern, which weighs 1, and a single epoch."""
    problem = Problem(0, n=1, columns=len(x), perceptrons=len(W), epochs=1, **options)
    problem.X, problem.y, problem.weights, problem.W = np.array([x]), np.array([y]), np.ones(1), np.array(W)
    return problem


def test_only_wrong_perceptrons_of_a_wrong_machine_follow_rosenblatts_rule():
    problem = one_pattern([1.0], 1.0, [[0.8, 0.6], [-0.8, -0.6], [-0.6, -0.8]], eta=0.5)
    _, (weights, _), errors, _ = problem.train()
    np.testing.assert_allclose(weights[0], [0.8, 0.6])
    np.testing.assert_allclose(weights[1], np.array([-0.3, -0.1]) / np.hypot(0.3, 0.1))
    np.testing.assert_allclose(weights[2], np.array([-0.1, -0.3]) / np.hypot(0.1, 0.3))
    assert errors[0] == 1.0


def test_only_right_perceptrons_within_the_margin_of_a_right_machine_are_stabilised():
    rows = [[0.8, 0.6], [-0.6, 0.8], [-0.8, -0.6]]  # activation margins 1.4, 0.2, -1.4
    problem = one_pattern([1.0], 1.0, rows, eta=0.5, mu=2.0, gamma=0.3)
    _, (weights, _), errors, _ = problem.train()
    np.testing.assert_allclose(weights[[0, 2]], [rows[0], rows[2]])
    np.testing.assert_allclose(weights[1], np.array([0.4, 1.8]) / np.hypot(0.4, 1.8))
    assert errors[0] == 0.0


@pytest.mark.parametrize("y", [-1.0, 1.0])
@batch_and_online
def test_an_activation_of_exactly_0_is_wrong_whatever_the_class(y, online):
    problem = one_pattern([1.0], y, [[np.sqrt(0.5), -np.sqrt(0.5)]], eta=0.5, online=online)
    _, (weights, margin), errors, _ = problem.train()
    assert errors[0] == 1.0
    assert margin == 0.05
    assert_same(problem.train(), problem.train_slowly())
    assert (y * weights @ [1.0, 1.0] > 0).all()


@batch_and_online
def test_a_row_of_length_0_is_what_it_was_before(online):
    problem = one_pattern([0.0], 1.0, [[0.0, -1.0]], eta=1.0, online=online)
    _, (weights, _), errors, _ = problem.train()
    np.testing.assert_array_equal(weights, [[0.0, -1.0]])
    np.testing.assert_array_equal(errors, [1.0, 1.0])
    assert_same(problem.train(), problem.train_slowly())


def test_the_rate_falls_by_a_tenth_whenever_the_error_has_risen():
    problem = Problem(4, epochs=60, eta=0.3)
    *_, errors, rate = problem.train()
    rises = (np.diff(errors[:-1]) > 1e-12).sum()  # what the last epoch leads to, no epoch sees
    assert rises > 5
    assert rate == pytest.approx(0.3 * 0.9**rises)


def test_an_equal_error_summed_in_another_order_is_no_rise():
    """At first the row of weight 0.3 is wrong, then those of 0.1 and 0.2, whose sum is 0.30000000000000004."""
    problem = Problem(0, n=3, columns=1, perceptrons=1, epochs=2, eta=20 / 3, step_scale=1.0)
    problem.X, problem.y, problem.W = np.array([[-3.0], [-3.0], [1.0]]), np.ones(3), np.array([[-1.0, 0.0]])
    problem.weights = np.array([0.1, 0.2, 0.3])
    *_, errors, rate = problem.train()
    assert errors[0] < errors[1] == pytest.approx(0.3)
    assert rate == 20 / 3


@batch_and_online
def test_rows_of_no_weight_change_nothing(online):
    problem = Problem(2, online=online, epochs=10)
    more = Problem(2, online=online, epochs=10)
    more.X, more.y = np.vstack([problem.X, 9.0 - problem.X]), np.concatenate([problem.y, -problem.y])
    more.weights = np.concatenate([problem.weights, np.zeros(40)])
    if online:
        more.orders = np.hstack([problem.orders, problem.orders + 40])
    assert_same(more.train(), problem.train())
