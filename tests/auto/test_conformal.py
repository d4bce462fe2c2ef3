"""Prediction sets of `EmphaticClassifier`: their coverage, and what is kept for them."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from emphatic.auto import EmphaticClassifier
from emphatic.auto.candidates.kernels import KernelRidge
from emphatic.auto.candidates.trees import BaggedTrees
from emphatic.auto.decisions import conformal
from emphatic.auto.decisions.conformal import Calibration, Quantiles
from emphatic.auto.searching import attempt as module
from emphatic.persistence import load, save


@pytest.fixture
def few_candidates(monkeypatch):
    monkeypatch.setattr(
        module, "list_candidates", lambda *_, **how: (KernelRidge("cityblock", 1.0), BaggedTrees(n_trees=10))
    )


@pytest.fixture
def fitted(few_candidates):
    X, y = make_blobs(150, centers=3, cluster_std=2.5, random_state=0)
    return EmphaticClassifier(random_state=0).fit(X, y), X


def draw_rows(n, rng):
    probabilities = rng.dirichlet([1.0, 0.5, 0.2], n)
    return probabilities, (probabilities.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1)


@pytest.mark.parametrize("n", [1, 4, 9, 19, 100])
@pytest.mark.parametrize("coverage", [0.5, 0.8, 0.9, 0.95])
def test_the_threshold_is_the_score_of_rank_coverage_times_n_plus_one(n, coverage):
    scores = np.random.default_rng(n).random(n)
    rank = next(k for k in range(1, n + 2) if k >= round(coverage * (n + 1), 9))
    expected = np.sort(scores)[rank - 1] if rank <= n else np.inf
    assert Quantiles.of(scores, np.ones(n)).threshold(coverage) == expected


def test_a_row_of_weight_two_is_two_rows():
    rng = np.random.default_rng(0)
    scores, weights = rng.random(40), np.repeat([1.0, 2.0], 20)
    whole = Quantiles.of(np.concatenate([scores, scores[20:]]), np.ones(60))
    for coverage in (0.3, 0.8):
        # the same rows: only the one more of n + 1 counts for less
        found = Quantiles.of(scores, weights).threshold(coverage * 61 / 60 * 40 / 41)
        assert found == whole.threshold(coverage)


def test_quantiles_that_are_left_out_are_rounded_up():
    scores = np.random.default_rng(0).random(5000)
    exact = np.sort(scores)
    few = Quantiles.of(scores, np.ones(5000))
    assert len(few.scores) <= conformal.MOST_QUANTILES
    for coverage in (0.01, 0.5, 0.9, 0.999):
        rank = int(np.ceil(coverage * 5001))
        assert exact[rank - 1] <= few.threshold(coverage) <= exact[min(rank + 5, 5000) - 1]
    assert few.threshold(0.99999) == np.inf


@pytest.mark.parametrize("per_class", [False, True])
def test_calibrated_rows_are_covered_as_promised_over_many_draws(per_class):
    rng, coverage = np.random.default_rng(0), 0.8
    held = []
    for _ in range(400):
        probabilities, codes = draw_rows(61, rng)
        calibration = Calibration.of(probabilities[:-1], codes[:-1], np.ones(60))
        chosen = calibration.choose_sets(probabilities[-1:], coverage, per_class=per_class)
        held.append(chosen[0, codes[-1]])
    assert np.mean(held) > coverage - 2.5 * np.sqrt(coverage * (1 - coverage) / 400)


def test_sets_hold_the_most_probable_class_grow_with_the_coverage_and_reject_what_is_undecided(fitted):
    model, X = fitted
    before = np.zeros((len(X), 3), dtype=bool)
    for coverage in (0.01, 0.5, 0.8, 0.9, 0.95, 0.99):
        sets = model.predict_sets(X, coverage)
        assert sets.dtype == bool and sets.shape == (len(X), 3)
        assert sets[np.arange(len(X)), model.predict_proba(X).argmax(axis=1)].all()
        assert (before <= sets).all()
        np.testing.assert_array_equal(model.rejects(X, coverage), sets.sum(axis=1) > 1)
        before = sets
    assert model.predict_sets(X, 0.9999).all()


def test_a_class_with_too_few_rows_for_the_coverage_is_in_every_set(few_candidates):
    X, y = make_blobs([60, 60, 5], centers=[[0, 0], [9, 0], [0, 9]], random_state=0)
    model = EmphaticClassifier(random_state=0).fit(X, y)
    assert not model.predict_sets(X[y < 2], 0.9)[:, 2].any()
    assert model.predict_sets(X, 0.9, per_class=True)[:, 2].all()
    assert not model.predict_sets(X[y < 2], 0.8, per_class=True)[:, 2].any()


@pytest.mark.parametrize("coverage", [0, 1, -0.1, 90, np.nan, "90%", None])
def test_a_coverage_is_between_0_and_1(fitted, coverage):
    model, X = fitted
    with pytest.raises(ValueError, match=r"coverage=.* is not allowed: coverage must be a finite number in \(0, 1\)"):
        model.predict_sets(X, coverage)
    with pytest.raises(ValueError, match="coverage"):
        model.rejects(X, coverage)


def test_sets_and_decisions_come_out_of_a_file_as_they_went_in(few_candidates, tmp_path):
    X, y = make_blobs(90, centers=3, cluster_std=2.5, random_state=0)
    for parameters in ({"decision": "f1"}, {"costs": {0: {1: 5.0, 2: 1}}, "class_weight": {2: 2.0}}):
        model = EmphaticClassifier(random_state=0, **parameters).fit(X, y)
        save(model, tmp_path / "model")
        again = load(tmp_path / "model")
        np.testing.assert_array_equal(again.predict(X), model.predict(X))
        for per_class in (False, True):
            expected = model.predict_sets(X, 0.8, per_class=per_class)
            np.testing.assert_array_equal(again.predict_sets(X, 0.8, per_class=per_class), expected)


def test_a_file_of_a_former_version_has_no_sets_and_predicts_by_probability():
    model = load(Path(__file__).parents[1] / "data/models/format-2/emphatic.emphatic")
    np.testing.assert_array_equal(model.decision_weights_, np.ones(len(model.classes_)))
    with pytest.raises(ValueError, match="had no prediction sets: fit the model again"):
        model.predict_sets(np.zeros((1, model.n_features_in_)))
