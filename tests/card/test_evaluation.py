"""The figures of an evaluation are those of scikit-learn, to the last bit."""

import numpy as np
import pytest
from sklearn import metrics as sklearn_metrics

from emphatic.card import evaluate
from emphatic.metrics import bin_probabilities, calibration_error
from tests.reference.probabilities import draw_probabilities


@pytest.fixture(params=[2, 3, 7])
def drawn(request):
    """Classes, labels, and probabilities in 64ths, so that rows sum to exactly 1."""
    rng, n_classes = np.random.default_rng(request.param), request.param
    return np.array([f"c{k}" for k in range(n_classes)]), *draw_probabilities(rng, 90, n_classes)


def test_all_figures_are_those_of_scikit_learn(drawn):
    classes, probabilities, codes = drawn
    found = evaluate(probabilities, classes, classes[codes])
    predicted = probabilities.argmax(axis=1)
    labels = np.arange(len(classes))
    precision, recall, f1, rows = sklearn_metrics.precision_recall_fscore_support(
        codes, predicted, labels=labels, zero_division=np.nan
    )
    assert found.error == sklearn_metrics.zero_one_loss(codes, predicted, normalize=False) / len(codes)
    assert found.log_loss == sklearn_metrics.log_loss(codes, probabilities, labels=labels)
    assert found.balanced_accuracy == sklearn_metrics.balanced_accuracy_score(codes, predicted)
    assert found.confusion.tolist() == sklearn_metrics.confusion_matrix(codes, predicted, labels=labels).tolist()
    assert found.rows.tolist() == rows.tolist()
    np.testing.assert_array_equal(found.recall, recall)
    np.testing.assert_array_equal(found.precision, precision)
    np.testing.assert_allclose(found.f1, f1, rtol=1e-15)
    for k in range(len(classes)):
        given = codes == k, probabilities[:, k]
        assert found.average_precision[k] == sklearn_metrics.average_precision_score(*given)
        assert found.roc_auc[k] == sklearn_metrics.roc_auc_score(*given)


def test_brier_score_of_two_classes_is_twice_scikit_learns():
    probabilities, codes = draw_probabilities(np.random.default_rng(0), 50, 2)
    found = evaluate(probabilities, [0, 1], codes)
    assert found.brier_score == pytest.approx(
        2 * sklearn_metrics.brier_score_loss(codes, probabilities[:, 1]), rel=1e-15
    )


def test_calibration_bins_are_those_of_scikit_learn():
    from sklearn.calibration import calibration_curve

    rng = np.random.default_rng(0)
    probabilities, happened = rng.integers(0, 101, 400) / 100, rng.random(400) < 0.5
    means, shares, counts = bin_probabilities(probabilities, happened)
    expected = calibration_curve(happened, probabilities, n_bins=10, strategy="uniform")
    np.testing.assert_array_equal(shares, expected[0])
    np.testing.assert_array_equal(means, expected[1])
    assert counts.sum() == 400


def test_calibration_error_by_hand():
    # 10 rows at 0.9 of which 7 are right, 10 rows at 0.55 of which 5 are: (0.2 + 0.05) / 2
    probabilities = np.repeat([[0.9, 0.1], [0.55, 0.45]], 10, axis=0)
    codes = np.array([0] * 7 + [1] * 3 + [0] * 5 + [1] * 5)
    assert calibration_error(probabilities, codes) == pytest.approx(0.125)


def test_interval_is_wilsons():
    found = evaluate(None, [0, 1], [0] * 96 + [1] * 4, predicted=[0] * 100)
    assert found.interval == pytest.approx((0.01566330, 0.09837071), abs=1e-7)  # the textbook's for 4 of 100
    assert found.standard_error == pytest.approx(np.sqrt(0.04 * 0.96 / 100))
    never_wrong = evaluate(None, [0, 1], [0, 1] * 10, predicted=[0, 1] * 10)
    assert never_wrong.interval[0] == 0.0
    assert never_wrong.interval[1] > 0.1  # twenty rows without a mistake prove little


def test_labels_alone():
    found = evaluate(None, ["a", "b"], ["a", "a", "b"], predicted=["a", "b", "b"])
    assert (found.error, found.recall.tolist(), found.precision.tolist()) == (1 / 3, [0.5, 1.0], [1.0, 0.5])
    figures = (found.log_loss, found.brier_score, found.calibration_error, found.average_precision, found.roc_auc)
    assert figures == (None,) * 5


def test_predicted_labels_need_not_be_the_most_probable():
    found = evaluate([[0.6, 0.4], [0.6, 0.4]], ["a", "b"], ["b", "b"], predicted=["b", "a"])
    assert found.error == 0.5


def test_a_class_that_is_never_predicted_has_no_precision():
    record = evaluate([[1.0, 0.0]] * 3, ["a", "b"], ["a", "a", "b"]).as_record()
    assert record["classes"][1] == {
        "class": "b",
        "rows": 1,
        "recall": 0.0,
        "precision": None,
        "f1": 0.0,
        "average_precision": pytest.approx(1 / 3),
        "roc_auc": 0.5,
    }


def test_the_rarer_of_two_classes_is_the_positive_one():
    assert evaluate(None, ["a", "b"], ["a", "b", "b"], predicted=["a", "a", "a"]).positive == 0
    assert evaluate(None, ["a", "b"], ["a", "a", "b"], predicted=["a", "a", "a"]).positive == 1
    assert evaluate(None, ["a", "b"], ["a", "b"], predicted=["a", "a"]).positive == 1


@pytest.mark.parametrize(
    ("probabilities", "classes", "y", "predicted", "message"),
    [
        ([[0.5, 0.5]], ["a", "b"], ["c"], None, "y holds 'c', which is not among the classes"),
        ([[0.5, 0.5]], ["a", "b"], [], None, "y is empty"),
        ([[0.5, 0.5]], ["a", "b"], ["a", "b"], None, r"has shape \(1, 2\): it must be \(2, 2\)"),
        ([[0.5, 0.6]], ["a", "b"], ["a"], None, "each row with the sum 1"),
        ([[-0.5, 1.5]], ["a", "b"], ["a"], None, "at least 0"),
        ([[np.nan, 0.5]], ["a", "b"], ["a"], None, "at least 0"),
        ([["x", "y"]], ["a", "b"], ["a"], None, "probabilities must hold real numbers"),
        ([[1.0]], ["a"], ["a"], None, "at least 2 distinct labels"),
        ([[0.5, 0.5]], ["a", "a"], ["a"], None, "at least 2 distinct labels"),
        (None, ["a", "b"], ["a"], None, "both None"),
        (None, ["a", "b"], ["a"], ["a", "b"], "predicted has 2 rows and y has 1"),
        (None, ["a", "b"], ["a"], ["c"], "predicted holds 'c'"),
        (None, ["a", "b"], [["a"]], ["a"], "y must be a list of labels"),
        ([[0.5, 0.5]], 3, ["a"], None, "classes must be a list of labels"),
        ([[0.5, 0.5]], ["a", {}], ["a"], None, "classes must be a list of labels"),
    ],
)
def test_bad_input(probabilities, classes, y, predicted, message):
    with pytest.raises(ValueError, match=message):
        evaluate(probabilities, classes, y, predicted)
