"""Accuracies of the classes and their geometric mean: by hand, as scikit-learn's scorers, and with bad input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.metrics import balanced_accuracy_score, make_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB

from emphatic.metrics import class_accuracies, geometric_mean_score

TRUTH = np.array(["a", "a", "a", "a", "b", "b", "c"])
SAID = np.array(["a", "a", "b", "c", "b", "a", "c"])

codes = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.floats(0.1, 10)), min_size=1, max_size=30)


def test_by_hand():
    np.testing.assert_array_equal(class_accuracies(TRUTH, SAID), [0.5, 0.5, 1.0])
    assert geometric_mean_score(TRUTH, SAID) == pytest.approx(0.25 ** (1 / 3), rel=1e-15)


def test_of_two_classes_it_is_the_root_of_the_product():
    """Table 4 of paper 002 from Table 3: Ionosphere, standard boosting."""
    truth = np.repeat([1, -1], 10_000)
    said = truth.copy()
    said[6891:10_000], said[10_000 + 9485 :] = -1, 1
    np.testing.assert_allclose(class_accuracies(truth, said), [0.9485, 0.6891])
    np.testing.assert_allclose(class_accuracies(truth, said, labels=[1, -1]), [0.6891, 0.9485])
    assert geometric_mean_score(truth, said) == pytest.approx(np.sqrt(0.6891 * 0.9485))
    assert round(100 * geometric_mean_score(truth, said), 1) == 80.8


@given(rows=codes)
def test_each_is_the_right_weight_of_its_class_over_all_of_it(rows):
    truth, said, weights = (np.array(column) for column in zip(*rows, strict=True))
    found = class_accuracies(truth, said, sample_weight=weights)
    classes = np.unique(truth)
    right = [weights[(truth == k) & (said == k)].sum() / weights[truth == k].sum() for k in classes]
    np.testing.assert_allclose(found, right, atol=1e-12)
    g = geometric_mean_score(truth, said, sample_weight=weights)
    assert g == pytest.approx(np.prod(right) ** (1 / len(classes)))


def test_their_mean_is_scikit_learns_balanced_accuracy():
    assert class_accuracies(TRUTH, SAID).mean() == pytest.approx(balanced_accuracy_score(TRUTH, SAID))


@given(rows=codes, times=st.integers(1, 4))
def test_a_weight_is_a_number_of_copies(rows, times):
    truth, said, _ = (np.array(column) for column in zip(*rows, strict=True))
    weights = np.arange(len(truth)) % times + 1
    again = np.repeat(np.arange(len(truth)), weights)
    found = class_accuracies(truth, said, sample_weight=weights)
    np.testing.assert_allclose(found, class_accuracies(truth[again], said[again]))


def test_a_class_that_is_never_found_makes_g_0_and_all_found_make_it_1():
    assert geometric_mean_score([0, 0, 1], [0, 0, 0]) == 0.0
    assert geometric_mean_score([0, 1, 2], [0, 1, 2]) == 1.0
    thousand = np.arange(1000)
    halves = np.repeat(thousand, 2), np.column_stack([thousand, (thousand + 1) % 1000]).ravel()
    assert geometric_mean_score(*halves) == pytest.approx(0.5)  # the product itself, 0.5^1000, would be 0 with more


def test_labels_choose_and_order_the_classes():
    np.testing.assert_array_equal(class_accuracies(TRUTH, SAID, labels=["c", "a"]), [1.0, 0.5])
    assert geometric_mean_score(TRUTH, SAID, labels=["c"]) == 1.0


def test_a_label_that_is_only_predicted_is_merely_wrong():
    np.testing.assert_array_equal(class_accuracies([0, 0, 1], [0, 7, 1]), [0.5, 1.0])


def test_samples_of_no_weight_are_not_there():
    np.testing.assert_array_equal(class_accuracies(TRUTH, SAID, sample_weight=[1, 0, 0, 0, 1, 0, 0]), [1.0, 1.0])


def test_scorers():
    X, y = load_iris(return_X_y=True)
    scorer = make_scorer(geometric_mean_score)
    scores = cross_val_score(GaussianNB(), X, y, cv=3, scoring=scorer)
    assert (scores > 0.85).all()
    search = GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 10.0]}, cv=3, scoring=scorer).fit(X, y)
    assert search.best_params_ == {"var_smoothing": 1e-9}


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([0, 1], [0, 1, 1]), {}, "inconsistent numbers of samples"),
        (([], []), {}, "y_true is empty"),
        (([0, 1], ["a", "b"]), {}, "Mix of label input types"),
        (([0, 1, None], [0, 1, 1]), {}, r"y_true holds labels of mixed type \(NoneType, int\)"),
        (([0.0, np.nan], [0, 1]), {}, "y_true contains NaN"),
        (([0, 1], [0, np.inf]), {}, "y_pred contains NaN or infinity"),
        (([0.5, 1.5], [0.5, 1.5]), {}, "continuous is not supported"),
        (([[0, 1]], [[0, 1]]), {}, "should be a 1d array"),
        (([0, 1], [0, 1]), {"labels": [0, 2]}, r"labels \[2\] have no samples of positive weight in y_true"),
        (([0, 1], [0, 1]), {"labels": [0, 1], "sample_weight": [1, 0]}, r"labels \[1\] have no samples"),
        (([0, 1], [0, 1]), {"labels": []}, "labels is empty"),
        (([0, 1], [0, 1]), {"labels": [0, 0]}, r"labels=\[0, 0\] is not allowed: each class must be listed only once"),
        (([0, 1], [0, 1]), {"sample_weight": [1]}, r"sample_weight has shape \(1,\)"),
        (([0, 1], [0, 1]), {"sample_weight": [1, -1]}, "sample_weight holds negative values"),
        (([0, 1], [0, 1]), {"sample_weight": [0, 0]}, "sample_weight is zero for every sample"),
        (([0, 1], [0, 1]), {"sample_weight": ["a", "b"]}, "sample_weight must hold numbers"),
    ],
)
def test_bad_input(arguments, options, message):
    for measure in (class_accuracies, geometric_mean_score):
        with pytest.raises(ValueError, match=message):
            measure(*arguments, **options)
