"""Curves and thresholds against scikit-learn's, and by hand."""

import numpy as np
import pytest
from sklearn import metrics as sklearn_metrics

from emphatic.card import evaluate
from emphatic.card.curves import (
    MAX_POINTS,
    draw_precision_recall,
    draw_roc,
    find_best,
    list_thresholds,
    rank_by_certainty,
)
from tests.reference.probabilities import draw_probabilities


def evaluated(n_classes, n_rows=80, seed=0):
    probabilities, codes = draw_probabilities(np.random.default_rng(seed), n_rows, n_classes)
    return evaluate(probabilities, np.arange(n_classes), codes)


def test_roc_and_precision_recall_are_scikit_learns():
    found = evaluated(3)
    roc, precision_recall = draw_roc(found), draw_precision_recall(found)
    assert [curve.name for curve in roc] == [curve.name for curve in precision_recall] == ["0", "1", "2"]
    for k in range(3):
        given = found.codes == k, found.probabilities[:, k]
        x, y, _ = sklearn_metrics.roc_curve(*given)
        np.testing.assert_array_equal([roc[k].x, roc[k].y], [x, y])
        precision, recall, _ = sklearn_metrics.precision_recall_curve(*given)
        np.testing.assert_array_equal([precision_recall[k].x, precision_recall[k].y], [recall[::-1], precision[::-1]])
        assert roc[k].area == sklearn_metrics.auc(x, y)


def test_two_classes_have_one_roc_and_many_their_worst_and_the_mean():
    assert len(draw_roc(evaluated(2))) == 1
    assert len(draw_precision_recall(evaluated(2))) == 2
    found = evaluated(9)
    for curves, areas in ((draw_roc(found), found.roc_auc), (draw_precision_recall(found), found.average_precision)):
        worst = sorted(np.argsort(found.average_precision)[:4])
        assert [curve.name for curve in curves] == [*map(str, worst), "mean of all classes"]
        assert curves[-1].area == pytest.approx(areas.mean())


def test_long_curves_are_thinned_and_keep_their_ends():
    rng = np.random.default_rng(0)
    probability = rng.random(5000)
    found = evaluate(np.column_stack([1 - probability, probability]), [0, 1], rng.random(5000) < probability)
    for curve in (*draw_roc(found), *draw_precision_recall(found), rank_by_certainty(found)):
        assert len(curve.x) <= MAX_POINTS
    roc = draw_roc(found)[0]
    assert (roc.x[0], roc.y[0], roc.x[-1], roc.y[-1]) == (0.0, 0.0, 1.0, 1.0)
    assert rank_by_certainty(found).y[-1] == found.error


def test_the_most_certain_rows_first():
    found = evaluate([[0.6, 0.4], [0.9, 0.1], [0.3, 0.7], [0.2, 0.8]], [0, 1], [1, 0, 0, 1])
    curve = rank_by_certainty(found)
    assert curve.x.tolist() == [0.25, 0.5, 0.75, 1.0]
    assert curve.y.tolist() == [0.0, 0.0, 1 / 3, 0.5]


def test_thresholds_are_those_of_scikit_learns_measures():
    found = evaluated(2, seed=1)
    truth, given = found.codes == found.positive, found.probabilities[:, found.positive]
    thresholds = list_thresholds(found)
    assert [one.value for one in thresholds] == [percent / 100 for percent in range(1, 100)]
    for one in thresholds[4::10]:
        predicted = given >= one.value
        matrix = [one.right_negative, one.wrong_positive, one.wrong_negative, one.right_positive]
        assert sklearn_metrics.confusion_matrix(truth, predicted).ravel().tolist() == matrix
        assert one.recall == pytest.approx(sklearn_metrics.recall_score(truth, predicted))
        assert one.precision == pytest.approx(sklearn_metrics.precision_score(truth, predicted))
        assert one.f1 == pytest.approx(sklearn_metrics.f1_score(truth, predicted))
        assert one.balanced_accuracy == pytest.approx(sklearn_metrics.balanced_accuracy_score(truth, predicted))


def test_the_best_threshold_separates_and_is_near_one_half():
    given = np.array([0.1, 0.2, 0.3, 0.75])
    found = evaluate(np.column_stack([1 - given, given]), ["no", "yes"], ["no", "no", "no", "yes"])
    best = find_best(list_thresholds(found), "f1")
    assert (best.value, best.f1) == (0.5, 1.0)


def test_no_thresholds_for_more_classes_or_without_probabilities():
    assert list_thresholds(evaluated(3)) == []
    assert list_thresholds(evaluate(None, [0, 1], [0, 1], predicted=[0, 1])) == []
