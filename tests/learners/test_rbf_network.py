"""RBF networks: designs, solvers and their limits (identities 13, 15, 16)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg.lapack import dposv
from scipy.stats import chisquare
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification, make_moons

from emphatic import RBFNetworkClassifier
from emphatic.base import Lesson
from emphatic.kernels.draws import first_arrivals
from emphatic.learners import Design, SampledCentres, rbf_units
from emphatic.learners.rbf_design import _shares
from emphatic.learners.rbf_network import shortest_weights, solve_ridge
from emphatic.learners.rbf_units import CHUNK, KEPT, TILE, Table, Units
from emphatic.threads import several_threads
from tests.reference import rbf as slow


def moons(n=150, noise=0.25, seed=0):
    return make_moons(n, noise=noise, random_state=seed)


class Fixed(Design):
    """Units given by hand, whatever the samples."""

    def __init__(self, centres, widths):
        self.centres = centres
        self.widths = widths

    def check_parameters(self):
        pass

    def place_units(self, table, weights, rng):
        units = Units(table, self.centres)
        units.widths = self.widths
        return units


@given(st.integers(1, 60), st.lists(st.integers(0, 40), min_size=2, max_size=5).filter(lambda c: sum(c) >= 2))
def test_centres_are_shared_by_class_frequency(total, frequencies):
    shares = np.array(_shares(total, tuple(frequencies)))
    frequencies = np.array(frequencies)
    present = frequencies > 0
    assert (shares[~present] == 0).all() and (shares[present] >= 1).all() and (shares <= frequencies).all()
    assert shares.sum() == min(max(total, present.sum()), frequencies.sum())
    exact = shares.sum() * frequencies / frequencies.sum()
    if (exact[present] >= 1).all():
        assert (abs(shares - exact) < 1).all()


def test_the_number_of_centres_is_the_fraction_rounded_half_up():
    X, y = moons(250)
    for fraction, expected in [(0.1, 25), (0.02, 5), (0.01, 3), (1e-6, 2), (1.0, 250)]:
        assert len(RBFNetworkClassifier(SampledCentres(fraction)).fit(X, y).centres_) == expected
    assert len(RBFNetworkClassifier(SampledCentres(1.0, max_centres=40)).fit(X, y).centres_) == 40
    assert len(RBFNetworkClassifier(SampledCentres(n_centres=7)).fit(X, y).centres_) == 7


def test_draws_without_replacement_have_the_frequencies_of_successive_drawing():
    """Two of four from D: P({i, j}) = D_i D_j / (1 - D_i) + D_j D_i / (1 - D_j)."""
    D = np.array([0.4, 0.3, 0.2, 0.1])
    y = np.zeros(4, dtype=np.intp)
    rng = np.random.default_rng(0)
    pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    draws = 20_000
    drawn = [tuple(first_arrivals(rng.standard_exponential(4), D, y, np.array([2]))) for _ in range(draws)]
    observed = [drawn.count(pair) for pair in pairs]
    expected = [draws * (D[i] * D[j] / (1 - D[i]) + D[j] * D[i] / (1 - D[j])) for i, j in pairs]
    assert sum(observed) == draws
    assert chisquare(observed, expected).pvalue > 1e-3


@given(st.integers(1, 12), st.integers(0, 12), st.integers(0, 99))
def test_draws_are_distinct_even_where_most_weights_are_zero(count, positive, seed):
    D = np.zeros(12)
    D[:positive] = 1.0
    noise = np.random.default_rng(seed).standard_exponential(12)
    drawn = first_arrivals(noise, D, np.zeros(12, dtype=np.intp), np.array([count]))
    assert len(set(drawn.tolist())) == count
    assert (drawn < positive).sum() == min(positive, count)
    if count > positive:  # those without weight come last, by index
        assert drawn.tolist() == list(range(count))


@pytest.mark.parametrize("replace", [False, True])
def test_centres_follow_the_design_weights(replace):
    X, y = moons()
    design_weight = np.where(X[:, 0] > 0.5, 1.0, 1e-9)
    network = RBFNetworkClassifier(SampledCentres(0.1, replace=replace), random_state=0)
    network.fit(X, y, design_weight=design_weight)
    assert (network.centres_[:, 0] > 0.5).all()
    assert len(network.centres_) == 15


@pytest.mark.parametrize("assign", ["any_class", "same_class"])
def test_the_widths_of_a_fitted_network_are_the_papers(assign):
    X, y = moons()
    weights = np.random.default_rng(1).dirichlet(np.ones(len(y)))
    network = RBFNetworkClassifier(SampledCentres(0.05, assign=assign), random_state=0)
    network.fit(X, y, sample_weight=weights)
    owner = np.array([y[(X == centre).all(axis=1)][0] for centre in network.centres_])
    cell, distance = slow.cells(X, network.centres_, y, owner if assign == "same_class" else None)
    for k, width in enumerate(network.widths_):
        members = cell == k
        assert members.sum() >= 2
        assert width == pytest.approx(slow.width(distance[members], weights[members]))


MEMORY = pytest.mark.parametrize(
    ("chunk", "kept"),
    [(CHUNK, KEPT), (TILE, KEPT), (CHUNK, 0), (TILE, 0)],
    ids=["one chunk", "chunks", "computed again", "chunks computed again"],
)


@MEMORY
@pytest.mark.parametrize("n_units", [1, 2, 3, 9])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_ridge_weights_solve_the_normal_equations(n_classes, n_units, chunk, kept, monkeypatch):
    monkeypatch.setattr(rbf_units, "CHUNK", chunk)
    monkeypatch.setattr(rbf_units, "KEPT", kept)
    X, y = moons(2 * TILE + 9) if n_classes == 2 else load_iris(return_X_y=True)
    weights = np.random.default_rng(0).dirichlet(np.ones(len(y)))
    root = np.sqrt(weights)
    table = Table(X, y, n_classes)
    units = Units(table, X[:n_units])
    units.widths = np.linspace(0.5, 1.5, n_units)
    found = solve_ridge(*units.sum_products(root, table.targets), 1e-3)
    activation = slow.activations(units.centres, units.widths, X).T
    np.testing.assert_allclose(found, slow.ridge(activation, table.targets.T, weights, 1e-3), rtol=1e-8)
    np.testing.assert_allclose(units.combine(root, found), found @ activation.T, atol=1e-10)


@pytest.mark.parametrize("n_features", [2, 8, rbf_units.MANY_COLUMNS + 3])
@MEMORY
def test_a_fit_does_not_depend_on_the_chunks(chunk, kept, n_features, monkeypatch):
    X, y = make_classification(2 * TILE + 9, n_features, n_informative=2, n_redundant=0, random_state=0)
    network = RBFNetworkClassifier(SampledCentres(n_centres=8), random_state=0)
    whole = clone(network).fit(X, y)
    monkeypatch.setattr(rbf_units, "CHUNK", chunk)
    monkeypatch.setattr(rbf_units, "KEPT", kept)
    parts = clone(network).fit(X, y)
    np.testing.assert_array_equal(parts.centres_, whole.centres_)
    np.testing.assert_allclose(parts.weights_, whole.weights_, rtol=1e-9)
    np.testing.assert_allclose(parts.output(X), whole.output(X), atol=1e-10)


@pytest.mark.parametrize("solver", ["ridge", "sgd", "pseudo_inverse"])
def test_any_number_of_threads_gives_the_same_bits(solver):
    X, y = moons(3 * CHUNK + 100)
    network = RBFNetworkClassifier(SampledCentres(n_centres=20), solver=solver, n_epochs=1, random_state=0)
    alone = clone(network).fit(X, y)
    for n_threads in (2, 3):
        with several_threads(n_threads):
            together = clone(network).fit(X, y)
        np.testing.assert_array_equal(together.widths_, alone.widths_)
        np.testing.assert_array_equal(together.weights_, alone.weights_)


def test_equal_units_without_regularisation_are_solved_all_the_same():
    X, y = moons()
    design = Fixed(np.repeat(X[:3], 2, axis=0), np.ones(6))
    single = RBFNetworkClassifier(Fixed(X[:3], np.ones(3)), regularisation=0).fit(X, y)
    doubled = RBFNetworkClassifier(design, regularisation=0).fit(X, y)
    np.testing.assert_allclose(doubled.output(X), single.output(X), atol=1e-6)


@pytest.mark.parametrize("seed", range(30))
def test_nearly_equal_units_without_regularisation_have_no_wild_weights(seed):
    """Cholesky may find their matrix regular by luck; the weights, 1e8 and cancelling, then lost the answer."""
    X, y = moons()
    rng = np.random.default_rng(seed)
    centres = X[rng.choice(len(X), 2, replace=False)]
    near = centres + 10 ** rng.uniform(-8.5, -6.5) * rng.normal(size=centres.shape)
    single, doubled = (
        RBFNetworkClassifier(Fixed(units, np.ones(len(units))), regularisation=0, output_range="none").fit(X, y)
        for units in (centres, np.vstack([centres, near]))
    )
    errors = [np.mean((network.output(X) - (2 * y - 1)) ** 2) for network in (single, doubled)]
    assert errors[1] < errors[0] + 0.02
    assert np.abs(doubled.weights_).max() < 2e7  # 1 / sqrt(4 eps): the most that a direction above the rounding needs


def test_regular_equations_without_regularisation_are_solved_by_cholesky():
    X, y = moons()
    units = Units(Table(X, y, 2), X[:6])
    units.widths, root = np.full(6, 0.5), np.full(len(y), len(y) ** -0.5)
    gram, moments = units.sum_products(root, units.table.targets)
    _, expected, _ = dposv(gram, moments, lower=1)
    np.testing.assert_array_equal(solve_ridge(gram, moments, 0.0), expected.T)


# the pseudo-inverse of paper 003


def activate(X, y, centres):
    """Units of width 0.7 over the samples."""
    units = Units(Table(X, y, 2), centres)
    units.widths = np.full(len(centres), 0.7)
    return units


@pytest.mark.parametrize("doubled", [False, True], ids=["full rank", "rank-deficient"])
@MEMORY
def test_pseudo_inverse_weights_are_numpys_pinv(doubled, chunk, kept, monkeypatch):
    monkeypatch.setattr(rbf_units, "CHUNK", chunk)
    monkeypatch.setattr(rbf_units, "KEPT", kept)
    X, y = moons(2 * TILE + 9)
    centres = np.repeat(X[:6], 2, axis=0) if doubled else X[:9]
    weights = np.random.default_rng(0).dirichlet(np.ones(len(y)))
    root = np.sqrt(weights)
    units = activate(X, y, centres)
    found = shortest_weights(units.activations(root), units.table.targets * root)
    H, d = slow.activations(centres, units.widths, X).T, units.table.targets.T
    expected = np.linalg.pinv(root[:, None] * H, rcond=len(H) * np.finfo(float).eps) @ (root[:, None] * d)
    np.testing.assert_allclose(found, expected.T, rtol=1e-7)
    np.testing.assert_allclose(found, slow.pseudo_inverse(H, d, weights), rtol=1e-7)
    if doubled:  # equal units share their weight: that is the shortest solution
        np.testing.assert_allclose(found[:, ::2], found[:, 1::2], rtol=1e-7)


def test_ridge_approaches_the_pseudo_inverse_as_its_regularisation_vanishes():
    X, y = moons()
    design = Fixed(X[:9], np.full(9, 0.7))
    exact = RBFNetworkClassifier(design, solver="pseudo_inverse").fit(X, y)
    gaps = [
        np.abs(RBFNetworkClassifier(design, regularisation=rho).fit(X, y).weights_ - exact.weights_).max()
        for rho in (1e-2, 1e-4, 1e-6, 1e-8)
    ]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] < 1e-3 * gaps[0]


def test_the_pseudo_inverse_does_not_hang_on_the_last_bit():
    """Nearly equal units: what rounding alone would tell apart counts as equal, so their order does not matter."""
    X, y = moons()
    centres = np.vstack([X[:4], np.nextafter(X[:4], np.inf)])
    outputs = [
        RBFNetworkClassifier(Fixed(centres[order], np.ones(8)), solver="pseudo_inverse").fit(X, y).output(X)
        for order in (slice(None), slice(None, None, -1))
    ]
    single = RBFNetworkClassifier(Fixed(X[:4], np.ones(4)), solver="pseudo_inverse").fit(X, y)
    np.testing.assert_allclose(outputs[0], outputs[1], atol=1e-9)
    np.testing.assert_allclose(outputs[0], single.output(X), atol=1e-9)


def test_an_integer_weight_is_a_repeated_sample():
    """Ridge, same units, D normalised: to 1e-12."""
    X, y = moons(60)
    counts = np.random.default_rng(0).integers(1, 4, len(y))
    network = RBFNetworkClassifier(Fixed(X[::10], np.full(6, 0.7)))
    weighted = network.fit(X, y, sample_weight=counts).weights_
    repeated = network.fit(np.repeat(X, counts, axis=0), np.repeat(y, counts)).weights_
    np.testing.assert_allclose(weighted, repeated, rtol=1e-12)


@pytest.mark.parametrize("step_scale", ["max", "mean", "resample"])
def test_long_descent_approaches_the_ridge_solution(step_scale):
    X, y = moons(100)
    design = Fixed(np.array([[-1.0, 0.5], [0.0, 1.0], [0.5, 0.0], [1.0, -0.5], [2.0, 0.5]]), np.full(5, 0.4))
    ridge = RBFNetworkClassifier(design, regularisation=1e-9).fit(X, y)
    short, long = (
        RBFNetworkClassifier(design, solver="sgd", n_epochs=epochs, step_scale=step_scale, random_state=0).fit(X, y)
        for epochs in (5, 2000)
    )
    near, far = (np.abs(network.weights_ - ridge.weights_).max() for network in (long, short))
    assert near < 0.05 and near < far / 3


def test_descent_under_raw_steps_hardly_moves():
    X, y = moons(100)
    raw, scaled = (
        RBFNetworkClassifier(solver="sgd", step_scale=scale, random_state=0).fit(X, y) for scale in ("raw", "max")
    )
    assert np.abs(raw.weights_).max() < 0.2 * np.abs(scaled.weights_).max()


@pytest.mark.parametrize("solver", ["ridge", "sgd"])
@pytest.mark.parametrize("output_range", ["clip", "tanh"])
def test_output_stays_in_its_range_and_separates_moons(solver, output_range):
    X, y = moons(noise=0.1)
    network = RBFNetworkClassifier(solver=solver, output_range=output_range, random_state=0).fit(X, y)
    assert np.abs(network.output(X)).max() <= 1
    assert network.score(X, y) > 0.93


def test_training_output_is_what_the_network_says_afterwards():
    X, y = moons()
    network = RBFNetworkClassifier(random_state=0).fit(X, y)
    network.classes_ = np.array([0, 1])
    for weights in (np.full(len(y), 1 / len(y)), np.where(X[:, 0] > 0, 1 / (X[:, 0] > 0).sum(), 0.0)):
        learnt = network.learn(Lesson(network.prepare(X, y), y, weights, np.random.default_rng(3)))
        np.testing.assert_allclose(learnt, network.output(X), atol=1e-10)


def test_far_from_the_data_the_output_is_zero_and_the_tie_goes_to_class_one():
    X, y = moons()
    network = RBFNetworkClassifier(random_state=0).fit(X, y)
    far = np.array([[1e6, 1e6]])
    assert network.output(far) == 0
    assert network.predict(far) == network.classes_[1]
    assert network.predict_proba(far).argmax() == 1


def test_scaling_all_columns_together_changes_nothing():
    X, y = moons()
    small = RBFNetworkClassifier(random_state=0).fit(X, y)
    large = RBFNetworkClassifier(random_state=0).fit(1000 * X, y)
    np.testing.assert_allclose(large.output(1000 * X), small.output(X), atol=1e-8)


def test_degenerate_cells_take_the_median_of_the_valid_widths():
    X = np.array([[0.0], [0.3], [1.0], [10.0], [50.0]])
    y = np.array([0, 0, 0, 1, 1])
    network = RBFNetworkClassifier(SampledCentres(1.0), random_state=0).fit(X, y)  # every sample is a centre
    gaps = [0.3, 0.3, 0.7, 9.0, 40.0]  # all cells are degenerate: the mean distance between nearest centres
    np.testing.assert_allclose(network.widths_, np.mean(gaps))


@pytest.mark.parametrize("step", [0.1, 0.3, 1.0 / 7.0, 1.1])
@pytest.mark.parametrize("own_class", [False, True])
def test_a_sample_halfway_between_two_centres_belongs_to_the_first_whatever_rounding_says(step, own_class):
    X = step * np.arange(41.0)[:, None]
    table = Table(X, np.zeros(len(X), dtype=np.intp), 2)
    units = Units(table, X[::2].copy())
    cell, _ = units.cells(np.zeros(len(units.centres), dtype=np.intp) if own_class else None)
    np.testing.assert_array_equal(cell, np.arange(41) // 2)
