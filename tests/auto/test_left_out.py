"""Training rows, and changed versions of them, are scored by models that were not trained on these rows."""

import pickle

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from emphatic.auto.candidates import training_data as module
from emphatic.auto.candidates.kernels import KernelRidge
from emphatic.auto.candidates.logistic import Logistic
from emphatic.auto.candidates.networks import Network
from emphatic.auto.candidates.points import Points
from emphatic.auto.candidates.training_data import TrainingData
from emphatic.auto.candidates.trees import BaggedTrees, BoostedTrees
from emphatic.blending.ridge import RidgePath, encode_targets
from emphatic.kernels.leaves import add_leaves
from emphatic.learners.random_tree import Shape

CANDIDATES = (
    KernelRidge("cityblock", 1.0),
    KernelRidge("sqeuclidean", 1.0, most_units=20),
    BaggedTrees(n_trees=10),
    Logistic((0.1, 1.0)),
    Network(n_units=8, dropout=0.2, checkpoints=(20, 40)),
    BoostedTrees(0.5, Shape(3), rounds=(2, 4)),
)


def make_data(n_classes=2, n=60):
    X, y = make_blobs(n, 3, centers=n_classes, cluster_std=3.0, random_state=0)
    weights = np.random.default_rng(1).uniform(0.5, 2.0, n)
    return TrainingData.draw(X / 5, y, n_classes, weights, np.random.default_rng(0))


def fit(candidate, data):
    fits = [candidate.fit(data, k, np.random.default_rng(k)) for k in range(1 if candidate.fits_once else 5)]
    scores = np.zeros((len(fits[0][0]), len(data.codes), data.n_classes))
    for rows, (found, _) in zip([slice(None)] if candidate.fits_once else data.folds, fits, strict=True):
        scores[:, rows] = found
    return scores, [learnt for _, learnt in fits]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("candidate", CANDIDATES, ids=str)
def test_unchanged_rows_have_the_scores_of_the_search(monkeypatch, candidate, n_classes):
    monkeypatch.setattr(module, "MOST_EXAMPLES", 55)
    data = make_data(n_classes)
    scores, learnt = fit(candidate, data)
    assert len(data.examples) == 55
    for variant in range(len(scores)):
        left_out = candidate.leave_out(data, learnt, variant)
        places = np.random.default_rng(0).permutation(55)  # any order, here each once
        rows = data.examples[places]
        found = left_out.scores(Points(data.inputs[rows], data.points.centres), places)
        np.testing.assert_allclose(found, scores[variant][rows], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("n_outputs", [1, 3])
def test_a_ridge_model_without_a_sample_is_the_one_that_is_fitted_without_it(n_outputs):
    rng = np.random.default_rng(0)
    Z, weights = rng.normal(size=(12, 4)), rng.uniform(0.5, 2.0, 12)
    targets = encode_targets(rng.integers(3, size=12), 3)[:, :n_outputs]
    path, elsewhere = RidgePath(Z, targets, weights), rng.normal(size=(5, 4))
    departures = path.leave_out(0.3, np.arange(12))
    whole, influences = elsewhere @ path.solution(0.3), elsewhere @ departures.solve()
    for i in range(12):
        others = np.arange(12) != i
        root = np.sqrt(weights[others])[:, None]
        A = (root * Z[others]).T @ (root * Z[others]) + 0.3 * np.eye(4)
        expected = elsewhere @ np.linalg.solve(A, (root * Z[others]).T @ (root * targets[others]))
        np.testing.assert_allclose(whole - influences[:, [i]] * departures.pulls[i], expected, atol=1e-12)


def test_a_bagged_tree_scores_no_row_of_its_bootstrap():
    data = make_data()
    [learnt] = fit(BaggedTrees(n_trees=6), data)[1]
    assert 0.2 < 1 - learnt.used.mean() < 0.55  # e^-1 of the rows are in no bootstrap
    changed = data.singles[data.examples] + np.float32(0.5)
    total = np.full((60, 2), 1e-3 / 2)
    for i in range(60):
        for tree in np.flatnonzero(~learnt.used[:, i]):
            one = learnt.trees._replace(roots=learnt.trees.roots[tree : tree + 1], values=6 * learnt.trees.values)
            add_leaves(changed[i : i + 1], one, total[i : i + 1])
    expected = np.log(np.maximum(total / total.sum(axis=1, keepdims=True), np.exp(-7.0)))
    np.testing.assert_allclose(learnt.scores(Points(changed), np.arange(60)), expected, atol=1e-12)


def test_a_kernel_is_the_same_after_pickle():
    data = make_data()
    [(_, learnt)] = fit(KernelRidge("euclidean", 0.5), data)[1]
    again = pickle.loads(pickle.dumps(learnt))
    points, places = Points(data.inputs[data.examples] + 0.1, data.points.centres), np.arange(60)
    np.testing.assert_array_equal(again.scores(points, places), learnt.scores(points, places))


def test_examples_are_fewer_in_a_wide_table(monkeypatch):
    monkeypatch.setattr(module, "MOST_CELLS", 3 * 20)
    monkeypatch.setattr(module, "FEWEST_EXAMPLES", 2)
    examples = make_data().examples
    assert len(examples) == 20 == len(set(examples.tolist()))
    assert (np.diff(examples) > 0).all()
