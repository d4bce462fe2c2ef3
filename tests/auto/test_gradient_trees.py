"""The candidate of gradient-boosted trees: what it scores is what its model predicts."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier

from emphatic.auto.candidates.contract import LEAST_LOG
from emphatic.auto.candidates.gradient import GradientModel, GradientTrees
from emphatic.auto.candidates.points import Points
from emphatic.auto.candidates.training_data import TrainingData

SMALL = GradientTrees((3, 6, 10), leaves=8)


def problem(n_classes, n=400):
    X, y = make_classification(n, 8, n_informative=6, n_classes=n_classes, flip_y=0.2, random_state=0)
    return X.astype(np.float32), y


def share(X, y, n_classes):
    return TrainingData.draw(X.astype(np.float64), y, n_classes, np.ones(len(y)), np.random.default_rng(0))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_each_checkpoint_scores_what_its_model_predicts(n_classes):
    data = share(*problem(n_classes), n_classes)
    scores, learnt = SMALL.fit(data, 1, np.random.default_rng(0))
    for variant in range(3):
        model = SMALL.merge([learnt], variant)
        assert len(model.ensembles[0].trees[0].roots) == SMALL.checkpoints[variant]
        np.testing.assert_allclose(model.scores(Points(data.singles[data.folds[1]])), scores[variant], rtol=1e-10)


def test_models_of_several_folds_predict_the_mean_of_their_logarithms():
    data = share(*problem(3), 3)
    learnt = [SMALL.fit(data, fold, np.random.default_rng(fold))[1] for fold in range(3)]
    points = Points(data.singles)
    alone = [SMALL.merge([one], 1).scores(points) for one in learnt]
    np.testing.assert_allclose(SMALL.merge(learnt, 1).scores(points), np.mean(alone, axis=0))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_row_alone_has_the_scores_that_it_has_among_others(n_classes):
    data = share(*problem(n_classes), n_classes)
    model = SMALL.merge([SMALL.fit(data, 0, np.random.default_rng(0))[1]], -1)
    alone = np.vstack([model.scores(Points(data.singles[i : i + 1])) for i in range(50)])
    np.testing.assert_array_equal(alone, model.scores(Points(data.singles[:50])))


def test_classes_that_training_lacks_have_the_least_probability():
    X, y = problem(3)
    data = share(X[y != 1], y[y != 1], 3)
    scores, learnt = SMALL.fit(data, 0, np.random.default_rng(0))
    np.testing.assert_array_equal(scores[:, :, 1], LEAST_LOG)
    assert learnt[0].classes.tolist() == [0, 2]


def test_a_fold_without_the_only_row_of_a_class():
    X, y = problem(2)
    y[:] = 0
    y[7] = 1
    data = share(X, y, 2)
    fold = next(fold for fold, rows in enumerate(data.folds) if 7 in rows)
    scores, learnt = SMALL.fit(data, fold, np.random.default_rng(0))
    np.testing.assert_array_equal(scores[0], [[0.0, LEAST_LOG]] * len(data.folds[fold]))
    model = SMALL.merge([learnt], 0)
    np.testing.assert_array_equal(model.scores(Points(data.singles[:3])), [[0.0, LEAST_LOG]] * 3)
    model.check_shape(8, 0, 2)


def test_training_ends_when_more_rounds_make_it_worse():
    X, _ = problem(2)
    y = np.random.default_rng(0).integers(2, size=len(X))  # nothing can be learnt
    candidate = GradientTrees((5, 10, 20, 40, 1000), rate=0.3)
    scores, learnt = candidate.fit(share(X, y, 2), 0, np.random.default_rng(0))
    assert len(learnt[0].trees[0].roots) < 1000
    np.testing.assert_array_equal(scores[-1], scores[-2])
    GradientModel.check_shape(candidate.merge([learnt], -1), 8, 0, 2)  # fewer rounds than the checkpoint says


def test_it_is_as_good_as_scikit_learns():
    X, y = make_classification(3000, 10, n_informative=6, n_clusters_per_class=3, flip_y=0.02, random_state=1)
    data = share(X, y, 2)
    rows, held_out = data.split(0)
    scores, _ = GradientTrees((100,)).fit(data, 0, np.random.default_rng(0))
    peer = HistGradientBoostingClassifier(learning_rate=0.05, random_state=0).fit(data.singles[rows], y[rows])
    ours = np.mean(scores[0].argmax(axis=1) != y[held_out])
    assert ours <= 1.1 * np.mean(peer.predict(data.singles[held_out]) != y[held_out])
