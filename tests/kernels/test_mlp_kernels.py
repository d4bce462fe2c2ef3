"""Back-propagation against its slow twin and against finite differences (identity 18), alone and side by side."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from emphatic.kernels import mlp
from tests.reference import mlp as slow

seeds = st.integers(0, 2**32 - 1)
one_and_more_outputs = pytest.mark.parametrize("n_outputs", [1, 3])


class Problem:
    """Everything that a training takes, for `networks` of them that share a table."""

    def __init__(self, seed, n_outputs, networks=1, n=30, inputs=3, units=4, epochs=15):
        rng = np.random.default_rng(seed)
        self.X = rng.normal(size=(n, inputs))
        self.targets = rng.choice([-1.0, 1.0], size=(n, n_outputs))
        table = [rng.permutation(n).astype(np.int32) for _ in range(networks)]
        self.rows, self.judged = np.array([one[: n - 8] for one in table]), np.array([one[n - 8 :] for one in table])
        self.steps, self.shares = rng.uniform(0, 0.3, self.rows.shape), rng.random(self.judged.shape)
        self.hidden = rng.uniform(-0.5, 0.5, (networks, units, inputs + 1))
        self.output = rng.uniform(-0.5, 0.5, (networks, n_outputs, units + 1))
        orders = [[rng.permutation(n - 8) for _ in range(epochs)] for _ in range(networks)]
        self.orders = np.array(orders, dtype=np.int32)

    def train(self, m=0, stall=100, chunk=1000):
        """Best weights, last weights and errors of network m, the orders given in chunks."""
        network, best = (mlp.Network(self.hidden[m].copy(), self.output[m].copy()) for _ in range(2))
        training, judged = mlp.Part(self.rows[m], self.steps[m]), mlp.Part(self.judged[m], self.shares[m])
        errors, done = np.full(self.orders.shape[1], np.nan), 0
        for start in range(0, len(errors), chunk):
            orders = self.orders[m, start : start + chunk]
            done = mlp.train(self.X, self.targets, training, judged, orders, stall, network, best, errors, done)
        return best, network, errors[:done]

    def train_slowly(self, stall=100):
        parts = (self.rows[0], self.steps[0], self.judged[0], self.shares[0])
        return slow.train(self.X, self.targets, *parts, self.orders[0], stall, self.hidden[0], self.output[0])

    def train_many(self, stall=100):
        network, best = (mlp.Network(self.hidden.copy(), self.output.copy()) for _ in range(2))
        training, judged = mlp.Part(self.rows, self.steps), mlp.Part(self.judged, self.shares)
        errors, done = np.full(self.orders.shape[:2], np.nan), np.zeros(len(self.rows), dtype=np.intp)
        mlp.train_many(self.X, self.targets, training, judged, self.orders, stall, network, best, errors, done)
        return best, network, errors, done


def test_tanh():
    all_of_them = njit(lambda values: np.array([mlp.tanh(value) for value in values]))
    values = np.concatenate([np.linspace(-25, 25, 20_001), [0.0, 1e-300, -1e-9, 1e9, -1e300, np.inf, -np.inf]])
    np.testing.assert_allclose(all_of_them(values), np.tanh(values), rtol=0, atol=2e-14)
    assert np.abs(all_of_them(values)).max() <= 1
    assert np.isnan(all_of_them(np.array([np.nan]))).all()


@one_and_more_outputs
@settings(max_examples=20)
@given(seed=seeds)
def test_outputs(n_outputs, seed):
    problem = Problem(seed, n_outputs)
    found = mlp.outputs(problem.X, mlp.Network(problem.hidden[0], problem.output[0]))
    np.testing.assert_allclose(found, slow.outputs(problem.X, problem.hidden[0], problem.output[0]), atol=1e-13)


@one_and_more_outputs
@settings(max_examples=10)
@given(seed=seeds)
def test_training_equals_its_twin(n_outputs, seed):
    problem = Problem(seed, n_outputs, epochs=6)  # of some problems each epoch makes the last bit ten times as large
    best, last, errors = problem.train()
    slow_best, slow_last, slow_errors = problem.train_slowly()
    np.testing.assert_allclose(errors, slow_errors, atol=1e-10)
    for found, expected in zip((*best, *last), (*slow_best, *slow_last), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-10)


@one_and_more_outputs
@pytest.mark.parametrize("seed", range(5))
def test_a_stalled_training_ends_where_its_twin_does(n_outputs, seed):
    problem = Problem(seed, n_outputs, epochs=60)
    best, _, errors = problem.train(stall=3)
    slow_best, _, slow_errors = problem.train_slowly(stall=3)
    assert len(errors) == len(slow_errors) == errors.argmin() + 1 + 3 < 60
    np.testing.assert_allclose(best.hidden, slow_best[0], atol=1e-10)
    np.testing.assert_allclose(best.output, slow_best[1], atol=1e-10)


@one_and_more_outputs
@pytest.mark.parametrize("chunk", [1, 4, 15])
@pytest.mark.parametrize("stall", [2, 100])
def test_the_chunks_in_which_orders_come_make_no_difference(n_outputs, chunk, stall):
    problem = Problem(3, n_outputs)
    whole, parts = problem.train(stall=stall), problem.train(stall=stall, chunk=chunk)
    for found, expected in zip((*parts[0], *parts[1], parts[2]), (*whole[0], *whole[1], whole[2]), strict=True):
        np.testing.assert_array_equal(found, expected)


@one_and_more_outputs
@settings(max_examples=20)
@given(seed=seeds)
def test_a_visit_is_a_step_down_the_gradient_of_the_weighted_squared_error(n_outputs, seed):
    """Identity 18: change / step = minus the gradient of 1/2 (d - o)^2, the factor 2 being part of the step."""
    problem = Problem(seed, n_outputs, epochs=1)
    step, width, weight = 1e-6, 1e-5, 3.0
    problem.rows, problem.orders = problem.rows[:, :1], np.zeros((1, 1, 1), dtype=np.int32)
    problem.steps = np.full((1, 1), step * weight)
    row = problem.rows[0]

    def error():
        table = problem.X[row], problem.targets[row]
        return 0.5 * slow.weighted_error(*table, [weight], problem.hidden[0], problem.output[0])

    _, after, _ = problem.train()
    for layer, changed in zip((problem.hidden[0], problem.output[0]), after, strict=True):
        for place in np.ndindex(layer.shape):
            before = layer[place]
            layer[place] = before + width
            above = error()
            layer[place] = before - width
            slope = (above - error()) / (2 * width)
            layer[place] = before
            assert (changed[place] - before) / step == pytest.approx(-slope, abs=1e-6)


@one_and_more_outputs
@pytest.mark.parametrize("networks", [1, mlp.LANES, mlp.LANES + 3])
@pytest.mark.parametrize("stall", [2, 100])
def test_many_networks_at_once_equal_one_at_a_time(n_outputs, networks, stall):
    problem = Problem(0, n_outputs, networks)
    best, _, errors, done = problem.train_many(stall)
    for m in range(networks):
        alone, _, expected = problem.train(m, stall)
        assert done[m] == len(expected)
        np.testing.assert_allclose(errors[m, : done[m]], expected, atol=1e-10)
        np.testing.assert_allclose(best.hidden[m], alone.hidden, atol=1e-10)
        np.testing.assert_allclose(best.output[m], alone.output, atol=1e-10)


def test_places_of_no_weight_change_nothing():
    problem = Problem(0, 1, 2)
    shorter = Problem(0, 1, 2)
    shorter.rows, shorter.steps = shorter.rows[:, :-4].copy(), shorter.steps[:, :-4].copy()
    length = shorter.rows.shape[1]
    shorter.orders = np.array([[one[one < length] for one in orders] for orders in shorter.orders])
    problem.steps[:, -4:] = 0.0
    filled, exact = problem.train_many()[0], shorter.train_many()[0]
    np.testing.assert_array_equal(filled.hidden, exact.hidden)
    np.testing.assert_array_equal(filled.output, exact.output)
