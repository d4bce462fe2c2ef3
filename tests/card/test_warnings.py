"""Warnings appear when they should, with the names and the remedy, and only then."""

import numpy as np

from emphatic.card import evaluate
from emphatic.card.columns import ColumnNote
from emphatic.card.warnings import find_warnings, suspect_labels
from emphatic.importance import Importances
from emphatic.tables.decision import Decision


def importances(**values):
    found = np.array(list(values.values()))
    return Importances(list(values), np.arange(len(found)), found, found * 0, "log loss", 100, 5)


def binary(given, happened):
    """An evaluation of probabilities of "yes"."""
    given = np.asarray(given, dtype=float)
    return evaluate(np.column_stack([1 - given, given]), ["no", "yes"], np.where(happened, "yes", "no"))


def warn(evaluation, columns=(), **values):
    return find_warnings(
        evaluation, columns, importances(**(values or {"a": 0.1, "b": 0.1})), suspect_labels(evaluation)
    )


def good(n=400):
    """Calibrated and mostly right: nothing to warn of."""
    rng = np.random.default_rng(0)
    given = rng.beta(0.3, 0.3, n)
    return binary(given, rng.random(n) < given)


def test_nothing_to_warn_of():
    assert warn(good()) == []


def test_a_class_that_is_never_predicted_and_the_threshold_that_would_predict_it():
    # 10 of 1000 are "yes": nine have a probability of 0.3, one of 0.01; so do three and the rest of the others.
    given = np.array([0.3] * 9 + [0.01] + [0.3] * 3 + [0.01] * 987)
    [first, *_] = [one for one in warn(binary(given, np.arange(1000) < 10)) if "never" in one]
    assert first == (
        "Class 'yes' (10 of 1,000 rows) is never predicted. Predicting 'yes' from a probability of 0.30 on "
        "(`emphatic predict --threshold 0.30 --positive yes`) would find 90.0% of its rows, and 75.0% of the rows so "
        "predicted would be right."
    )


def test_a_rare_class_that_is_mostly_missed():
    given = np.array([0.9] * 2 + [0.2] * 8 + [0.1] * 190)
    assert any(
        "Class 'yes' (10 of 200 rows) is mostly missed (recall 20.0%)" in one
        for one in warn(binary(given, np.arange(200) < 10))
    )


def test_of_many_classes_the_remedy_is_another_metric():
    codes = np.array([0] * 90 + [1] * 90 + [2] * 10 + [3] * 10)
    probabilities = np.eye(4)[np.minimum(codes, 1)]
    [first] = [
        one for one in warn(evaluate(probabilities, list("abcd"), np.array(list("abcd"))[codes])) if "never" in one
    ]
    assert first.startswith("Classes 'c' (10 of 200 rows), 'd' (10 of 200 rows) are never predicted.")
    assert 'decision="f1"' in first


def test_no_better_than_the_most_frequent_class():
    given = np.full(100, 0.3)
    assert "no better than always predicting 'no' (30.0% wrong)" in warn(binary(given, np.arange(100) < 30))[0]


def test_one_column_that_decides_alone():
    perfect = binary(np.tile([0.05, 0.95], 100), np.tile([False, True], 100))
    [warning] = [one for one in warn(perfect, paid=2.0, age=0.01) if "paid" in one]
    assert "Column 'paid' alone almost decides the target" in warning
    assert not any("alone" in one for one in warn(perfect, paid=1.0, age=1.0))
    assert not any("alone" in one for one in warn(good(), paid=2.0, age=0.01))  # it is wrong too often for a leak


def test_what_the_policy_says_of_a_column():
    notes = [
        ColumnNote(Decision("paid", "number", warning="alone tells 100.0% of the labels"), 0),
        ColumnNote(Decision("id", "ignore", "almost every value is unique"), 0),
    ]
    perfect = binary(np.tile([0.05, 0.95], 100), np.tile([False, True], 100))
    assert warn(perfect, notes, paid=2.0, age=0.01) == [
        "Column 'paid' alone tells 100.0% of the labels.",  # once
        "Ignored: 'id' (almost every value is unique).",
    ]


def test_labels_that_may_be_wrong():
    happened = np.tile([False, True], 200)
    given = np.where(happened, 0.97, 0.03)
    assert not any("may be wrong" in one for one in warn(binary(given, happened)))
    flipped = happened.copy()
    flipped[::10] ^= True
    [warning] = [one for one in warn(binary(given, flipped)) if "may be wrong" in one]
    assert warning.startswith("About 4") and "emphatic audit" in warning  # 40 of 400


def test_even_classes_that_overlap_are_neither_rare_nor_mislabelled():
    rng = np.random.default_rng(0)
    probabilities = rng.dirichlet(np.full(7, 0.5), 400)
    codes = np.array([rng.choice(7, p=row) for row in probabilities])
    found = evaluate(probabilities, list("abcdefg"), np.array(list("abcdefg"))[codes])
    assert found.error > 0.3 and found.recall.min() < 0.5
    assert warn(found) == []


def test_classes_with_few_rows_and_poor_probabilities():
    found = evaluate(np.eye(3)[[0] * 10 + [1] * 10 + [2]], list("abc"), ["a"] * 10 + ["b"] * 10 + ["c"])
    assert "Class with fewer than 10 rows, whose figures mean little: 'c' (1 row)." in warn(found)
    timid = binary(np.tile([0.4, 0.6], 200), np.tile([False, True], 200))  # always right, and never sure
    assert "Probabilities are off by 40.0% on average: do not take them at their word." in warn(timid)


def test_long_lists_of_classes_are_cut():
    names = list("abcdefgh")
    found = evaluate(None, names, names * 10, predicted=["a"] * 80)
    assert any("and 2 more are never predicted" in one for one in warn(found))
