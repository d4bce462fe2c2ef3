"""Large tables: samples, the panel that learns from them, and neighbours; all limits lowered to a few rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joblib import parallel_config
from scipy.spatial.distance import cdist
from sklearn.datasets import make_blobs
from sklearn.linear_model import LogisticRegression

from emphatic.audit import audit_labels, neighbours, panel, scoring
from emphatic.audit.neighbours import find_neighbours
from emphatic.audit.panel import choose_panel, default_panel, large_panel
from emphatic.audit.sampling import LEAST_OF_CLASS, draw_sample
from emphatic.audit.scoring import score_by_kernel
from emphatic.audit.troubles import neighbours as references
from emphatic.blending.ridge import RIDGES, Kernel


def blobs(n, n_classes, n_flips):
    """Separable classes, the labels given, and which of them are wrong."""
    X, y = make_blobs(n, n_features=5, centers=8.0 * np.eye(5)[:n_classes], random_state=0)
    wrong = np.isin(np.arange(n), np.random.default_rng(0).permutation(n)[:n_flips])
    return X, np.where(wrong, (y + 1) % n_classes, y), wrong


# Samples


@given(st.lists(st.integers(0, 3), min_size=1, max_size=200), st.floats(0.0, 1.0), st.integers(0, 9))
def test_a_sample_has_every_class_in_its_share_and_rare_ones_too(codes, part, seed):
    codes = np.array(codes)
    n = max(1, round(part * len(codes)))
    rows = draw_sample(codes, n, np.random.default_rng(seed))
    assert (np.diff(rows) > 0).all() and set(rows) <= set(range(len(codes)))
    counts, drawn = np.bincount(codes), np.bincount(codes[rows], minlength=codes.max() + 1)
    share = counts * n // len(codes)
    least = np.minimum(counts, min(LEAST_OF_CLASS, n // len(counts)))
    assert (drawn == np.maximum(share, least)).all()


def test_a_sample_of_all_rows_is_all_rows_and_another_seed_draws_others():
    codes = np.repeat([0, 1], [60, 40])
    assert draw_sample(codes, 100, np.random.default_rng(0)).tolist() == list(range(100))
    one, two = (draw_sample(codes, 50, np.random.default_rng(seed)) for seed in (0, 1))
    assert one.tolist() != two.tolist()


# Kernels


@pytest.fixture
def few_kernel_rows(monkeypatch):
    monkeypatch.setattr(scoring, "MOST_KERNEL_ROWS", 30)


def test_rows_that_a_kernel_did_not_learn_from_are_scored_by_plain_kernel_ridge_regression(few_kernel_rows):
    X, codes, _ = blobs(80, 3, 8)
    kernel = Kernel("cityblock", 2.0)
    scores = score_by_kernel(kernel, X, codes, np.ones(80), np.random.default_rng(4))
    drawn = draw_sample(codes, 30, np.random.default_rng(4))
    others = np.setdiff1d(np.arange(80), drawn)
    distances = cdist(X, X[drawn], "cityblock")
    activations = np.exp(-2.0 * distances / distances[drawn].mean()) + 1.0
    targets = np.where(codes[drawn][:, None] == np.arange(3), 1.0, -1.0)
    plain = [
        activations @ np.linalg.solve(activations[drawn] + ridge * np.eye(len(drawn)), targets) for ridge in RIDGES
    ]
    gaps = [np.abs(one[others] - scores[others]).max() for one in plain]
    assert min(gaps) < 1e-4
    ridge = int(np.argmin(gaps))
    assert np.abs(plain[ridge][drawn] - scores[drawn]).max() > 1e-3  # these are left out one by one


def test_how_many_rows_are_scored_at_a_time_changes_nothing(few_kernel_rows, monkeypatch):
    X, codes, _ = blobs(80, 2, 8)
    found = []
    for block in (7, 1000):
        monkeypatch.setattr(scoring, "BLOCK", block)
        found.append(score_by_kernel(Kernel("sqeuclidean", 2.0), X, codes, np.ones(80), np.random.default_rng(0)))
    np.testing.assert_allclose(*found, rtol=1e-9, atol=1e-9)


# The panel


def test_tables_are_large_by_rows_and_by_numbers():
    small = {one.name for one in default_panel(20, 2).members}
    for n, n_inputs in ((5_000, 10_000), (20_000, 50), (10_000, 100)):
        assert {one.name for one in choose_panel(None, n_inputs, 2, n).members} == small
    for n, n_inputs in ((20_001, 20), (10_001, 100), (1_000_000, 1)):
        assert {one.name for one in choose_panel(None, n_inputs, 2, n).members} < small
    own = choose_panel(LogisticRegression(), 20, 2, 1_000_000)
    assert own.most_rows is None and not own.prepares  # the user's own model learns from all rows


def test_the_wider_the_table_the_fewer_rows_are_learnt_from():
    rows = [large_panel(n_inputs, 2, 1_000_000).most_rows for n_inputs in (1, 20, 200, 10_000)]
    assert rows == [100_000, 90_909, 9_900, 5_000]
    trees = [large_panel(20, 2, n).at_once[-1].model.args[0].n_estimators for n in (20_001, 100_000, 1_000_000)]
    assert trees == [400, 100, 50]


@pytest.fixture
def tiny_limits(few_kernel_rows, monkeypatch):
    """Tables of more than 100 rows are large, and models learn from 60 rows at most."""
    monkeypatch.setattr(panel, "LARGE_ROWS", 100)
    monkeypatch.setattr(panel, "LARGE_CELLS", 0)
    monkeypatch.setattr(panel, "MOST_TRAINING", 60)
    monkeypatch.setattr(panel, "MOST_GROWN", 60)
    monkeypatch.setattr(panel, "TREES", (20, 20))
    monkeypatch.setattr(neighbours, "MOST_ROWS", 100)
    monkeypatch.setattr(references, "MOST_REFERENCES", 50)


@pytest.mark.parametrize("n_classes", [2, 5])
def test_flips_are_found_by_models_of_samples(tiny_limits, n_classes):
    X, given_labels, wrong = blobs(150, n_classes, 10)
    found = audit_labels(X, given_labels)
    assert set(found.order[:10]) == set(np.flatnonzero(wrong))
    assert found.notes == ("Models were trained on samples of 60 rows at most.",)
    assert found.notes[0] in found.summary()
    assert found.neighbours.shape == (150, 10)


def test_samples_depend_on_the_seed_and_not_on_the_number_of_jobs(tiny_limits):
    X, given_labels, _ = blobs(150, 2, 10)
    one = audit_labels(X, given_labels)
    with parallel_config("threading"):  # processes of their own would not know the lowered limits
        two = audit_labels(X, given_labels, n_jobs=2)
    assert (one.probabilities == two.probabilities).all() and (one.neighbours == two.neighbours).all()
    other = audit_labels(X, given_labels, random_state=1)
    assert (one.probabilities != other.probabilities).any()


def test_the_only_row_of_a_class_is_in_every_sample_that_may_have_it(tiny_limits):
    X, given_labels, _ = blobs(150, 2, 0)
    given_labels[7] = 2
    found = audit_labels(X, given_labels)
    assert np.isfinite(found.probabilities).all() and found.suggested[7] != 2


# Neighbours


def test_neighbours_are_the_nearest_other_rows():
    inputs = np.random.default_rng(0).normal(size=(40, 3))
    distances = cdist(inputs, inputs) + np.diag(np.full(40, np.inf))
    assert (find_neighbours(inputs, np.random.default_rng(0)) == np.argsort(distances, axis=1)[:, :10]).all()


def test_in_a_large_table_neighbours_are_the_nearest_of_a_draw_of_the_rows(monkeypatch):
    monkeypatch.setattr(neighbours, "MOST_ROWS", 100)
    monkeypatch.setattr(references, "MOST_REFERENCES", 30)
    inputs = np.random.default_rng(0).normal(size=(120, 3))
    found = find_neighbours(inputs, np.random.default_rng(1))
    drawn = np.sort(np.random.default_rng(1).choice(np.arange(120), 30, replace=False))
    distances = cdist(inputs, inputs) + np.diag(np.full(120, np.inf))
    assert (found == drawn[np.argsort(distances[:, drawn], axis=1)[:, :10]]).all()


# What is no classification


def test_a_measurement_is_refused_and_what_may_be_one_is_told():
    X = np.random.default_rng(0).normal(size=(442, 2))
    with pytest.raises(ValueError, match="214 different numbers in 442 rows, which looks like a measurement"):
        audit_labels(X, np.arange(442) % 214)
    with pytest.raises(ValueError, match="looks like a measurement"):
        audit_labels(X, X[:, 0])
    with pytest.warns(UserWarning, match=r"y has 30 classes in 85 rows: .* cut it into classes first"):
        audit_labels(X[:85], np.arange(85) % 30, LogisticRegression())
