"""Rows of a group are never used both to train and to judge a model."""

from dataclasses import replace

import numpy as np
import pytest

from emphatic.auto import EmphaticClassifier
from emphatic.auto.candidates.gradient import GradientTrees
from emphatic.auto.candidates.kernels import KernelRidge
from emphatic.auto.candidates.points import Points
from emphatic.auto.candidates.training_data import TrainingData
from emphatic.auto.candidates.trees import BaggedTrees
from emphatic.auto.searching import attempt as module
from emphatic.blending.temperature import score_columns
from tests.auto.few import FEW


@pytest.fixture
def few_candidates(monkeypatch):
    monkeypatch.setattr(module, "list_candidates", lambda *size, **how: FEW)


def repeated(n_groups=60, copies=4, seed=0):
    """Every row several times, with a hardly predictable label: copies tell it, other rows do not."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_groups, 4))
    y = (X[:, 0] + 2.0 * rng.normal(size=n_groups) > 0).astype(int)
    groups = rng.permutation(np.repeat(np.arange(n_groups), copies))
    return X[groups], y[groups], groups


def draw(groups, X, y, seed=0):
    return TrainingData.draw(X, y, 2, np.ones(len(y)), np.random.default_rng(seed), groups)


@pytest.mark.usefixtures("few_candidates")
def test_copies_of_rows_make_errors_look_small_unless_they_are_groups():
    X, y, groups = repeated()
    alone = EmphaticClassifier(random_state=0).fit(X, y)
    together = EmphaticClassifier(random_state=0).fit(X, y, groups=groups)
    X_new, y_new, _ = repeated(2000, 1, seed=1)
    assert alone.best_model_.error < 0.02
    honest = 1.0 - together.score(X_new, y_new)
    assert together.best_model_.error == pytest.approx(honest, abs=0.1)
    assert together.best_model_.error > 0.2


@pytest.mark.parametrize("candidate", [*FEW, GradientTrees((5, 10))], ids=str)
def test_no_candidate_scores_a_row_by_a_model_that_saw_its_group(candidate):
    """Labels of one fold's groups change: scores of these rows, judged by models of other rows, may not."""
    X, y, groups = repeated(12, 3)
    data = draw(groups, X, y)
    changed = y.copy()
    changed[data.folds[0]] = 1 - changed[data.folds[0]]
    if isinstance(candidate, BaggedTrees):  # out of bag by groups: one group at a time
        changed = np.where(groups == 5, 1 - y, y)
    other = replace(data, codes=changed)
    rows = np.flatnonzero(changed != y)
    found = [_score(candidate, one, rows) for one in (data, other)]
    np.testing.assert_allclose(*found, atol=1e-9)


def _score(candidate, data, rows):
    """Scores of the rows; of a kernel, whose ridge all labels choose, those of one ridge."""
    if isinstance(candidate, KernelRidge):
        candidate = KernelRidge(candidate.metric, candidate.sharpness)
        path = candidate.decompose(data)[0]
        return score_columns(path.respond_left_out(1.0))[rows]
    scores, _ = candidate.fit(data, 0, np.random.default_rng(0))
    return scores[:, rows] if candidate.fits_once else scores[:, np.searchsorted(data.folds[0], rows)]


def test_a_bootstrap_takes_and_leaves_whole_groups():
    X, y, groups = repeated(10, 3)
    rows, left_out = draw(groups, X, y).draw_bootstrap(10**6, np.random.default_rng(0))
    assert set(groups[rows]).isdisjoint(groups[left_out])
    assert set(rows) | set(left_out) == set(range(30))
    times = np.bincount(rows, minlength=30)
    assert all(len(set(times[groups == group])) == 1 for group in range(10))


def test_without_groups_a_bootstrap_draws_rows():
    X, y, _ = repeated(10, 3)
    rows, left_out = draw(None, X, y).draw_bootstrap(10**6, np.random.default_rng(0))
    assert rows.tolist() == sorted(np.random.default_rng(0).integers(30, size=30).tolist())
    assert left_out.tolist() == sorted(set(range(30)) - set(rows.tolist()))


@pytest.mark.usefixtures("few_candidates")
def test_groups_fewer_than_folds_make_fewer_folds():
    X, y, _ = repeated(40, 1)
    model = EmphaticClassifier(random_state=0).fit(X, y, groups=np.arange(40) % 3)
    assert np.isfinite(model.out_of_fold_).all()
    assert len(draw(np.arange(40) % 3, X, y).folds) == 3


@pytest.mark.usefixtures("few_candidates")
def test_pairs_with_a_row_of_each_class_are_groups():
    X, _, _ = repeated(40, 1)
    y = np.arange(40) % 2
    model = EmphaticClassifier(random_state=0).fit(X, y, groups=np.arange(40) // 2)
    assert np.isfinite(model.out_of_fold_).all()


@pytest.mark.usefixtures("few_candidates")
def test_rows_of_weight_0_count_for_no_group():
    X, y, groups = repeated(20, 2)
    weights = np.where(groups < 10, 0.0, 1.0)
    model = EmphaticClassifier(random_state=0).fit(X, y, weights, groups)
    kept = groups >= 10
    same = EmphaticClassifier(random_state=0).fit(X[kept], y[kept], groups=groups[kept])
    np.testing.assert_array_equal(model.predict_proba(X), same.predict_proba(X))
    with pytest.raises(ValueError, match="groups holds one group only"):
        EmphaticClassifier().fit(X[: len(y)], np.arange(40) % 2, np.where(groups == 3, 1.0, 0.0), groups)


@pytest.mark.usefixtures("few_candidates")
def test_a_class_within_one_group_is_said_and_all_classes_within_one_are_refused():
    X, _, _ = repeated(30, 1)
    groups = np.repeat(np.arange(6), 5)
    with pytest.warns(UserWarning, match="class 'rare' of y: all rows are in one group") as warned:
        EmphaticClassifier(random_state=0).fit(X, np.where(groups == 0, "rare", np.tile(["a", "b"], 15)), groups=groups)
    assert warned[0].filename == __file__
    with pytest.raises(ValueError, match="groups keeps every class within one group"):
        EmphaticClassifier().fit(X, groups < 3, groups=groups < 3)


@pytest.mark.usefixtures("few_candidates")
def test_two_groups_one_of_which_has_a_single_class_can_be_learnt():
    X, y, _ = repeated(30, 1)
    groups = (np.arange(30) > 20).astype(int)
    y[groups == 1] = 1
    y[:2] = [0, 1]
    with pytest.warns(UserWarning, match="class 0 of y"):
        model = EmphaticClassifier(random_state=0).fit(X, y, groups=groups)
    assert np.isfinite(model.predict_proba(X)).all()


def test_kernels_left_out_by_folds_are_fitted_to_the_other_folds():
    X, y, groups = repeated(12, 3)
    data = draw(groups, X, y)
    candidate = KernelRidge("euclidean", 0.5)
    scores, _ = candidate.fit(data, 0, np.random.default_rng(0))
    assert scores.shape == (1, 36, 2)
    points = Points(X, X[data.units].T)
    activations = np.exp(-0.5 * points.distances("euclidean") / points.distances("euclidean").mean()) + 1.0
    path = candidate.decompose(data)[0]
    for fold in data.folds:
        rest = np.setdiff1d(np.arange(36), fold)
        kernel = activations[np.ix_(rest, rest)]
        dual = np.linalg.solve(kernel + 1.0 * np.eye(len(rest)), 2.0 * y[rest] - 1.0)
        np.testing.assert_allclose(
            path.respond_left_out(1.0)[fold, 0], activations[np.ix_(fold, rest)] @ dual, atol=1e-4
        )
