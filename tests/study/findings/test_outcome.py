"""Methods on one problem: tests that know that folds overlap, and say nothing where there are too few of them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from emphatic.study.findings.outcome import FEWEST, Finished, Outcome, compare_folds
from emphatic.study.findings.table import format_outcome, format_recalls, make_record, make_rich_tables

numbers = st.floats(-1, 1, allow_nan=False).map(lambda number: round(number, 6))


def made(*errors):
    """An outcome with these errors on the folds, one list per method."""
    finished = [
        Finished(
            f"method {i}",
            "ours",
            "",
            {"error": np.array(e), **dict.fromkeys(OTHERS, np.ones(len(e)))},
            {"no": np.ones(len(e)), "yes": np.array([math.nan] + [0.5] * (len(e) - 1))},
        )
        for i, e in enumerate(errors)
    ]
    return Outcome(finished, {}, 0.5)


OTHERS = ("balanced_accuracy", "log_loss", "roc_auc", "fit_seconds", "depth", "g")
SIX = [0.1, 0.2, 0.3, 0.1, 0.2, 0.3]


@given(st.lists(numbers, min_size=3, max_size=20), st.floats(0.05, 1))
def test_without_overlap_the_corrected_test_is_students(differences, share):
    values = np.array(differences)
    if values.std() < 1e-6:
        return
    plain = stats.ttest_1samp(values, 0)
    found = compare_folds(values, 0.0)
    assert found.p == pytest.approx(plain.pvalue, abs=1e-9)
    interval = plain.confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), abs=1e-9)
    wider = compare_folds(values, share)
    assert wider.p >= found.p - 1e-12 and wider.low <= found.low and wider.high >= found.high


def test_equal_methods_are_reported_as_equal():
    outcome = made(SIX, SIX, SIX)
    assert [None if one is None else one.p for one in outcome.differences()] == [None, 1.0, 1.0]
    assert outcome.friedman_p() == 1.0
    assert outcome.ranks().tolist() == [2.0, 2.0, 2.0]


def test_a_row_for_every_method_and_one_for_what_did_not_finish():
    outcome = made(SIX, [error + 0.1 for error in SIX])
    outcome.unfinished["slow"] = "exceeded the time limit"
    columns, rows = format_outcome(outcome)
    cells = [dict(zip(columns, row, strict=True)) for row in rows]
    assert [row["Method"] for row in cells] == ["method 0", "method 1", "slow"]
    assert cells[0]["Error %"] == "20.00 (8.94)"
    assert (cells[0]["Difference"], cells[0]["p"]) == ("best", "")
    assert cells[1]["Difference"].startswith("+10.00 [")
    assert (cells[2]["Error %"], cells[2]["Note"]) == ("not finished", "exceeded the time limit")
    assert columns[4:] == ["p", "Balanced acc. %", "Log loss", "AUC", "depth", "Fit s", "Mean rank", "Note"]
    assert make_record(outcome)["friedman_p"] is None


def test_too_few_folds_have_differences_but_no_p_and_no_interval():
    few, enough = made(*[[0.1, 0.2, 0.3, 0.2, 0.25]] * 2, [0.3] * 5), made(*[SIX] * 2, [0.3] * FEWEST)
    assert [one.p for one in few.differences()[1:]] == [None, None]
    assert few.friedman_p() is None and enough.friedman_p() is not None
    assert all(one.p is not None for one in enough.differences()[1:])
    assert format_outcome(few)[1][2][3:5] == ["+9.00", "too few folds"]
    assert make_record(few)["methods"][2]["difference_to_best"]["low"] is None


def test_six_is_the_first_number_of_pairs_that_can_be_told_apart():
    agree = [stats.wilcoxon(np.arange(1.0, n + 1)).pvalue for n in (FEWEST - 1, FEWEST)]
    assert agree[0] > 0.05 > agree[1]


def test_the_recall_of_a_class_is_the_mean_over_the_folds_that_have_it():
    labels, rows = format_recalls(made(SIX, SIX))
    assert labels == ["Method", "no", "yes"]
    assert rows[0] == ["method 0", "100.00", "50.00"]


def test_a_record_of_an_older_version_leaves_gaps_and_no_error():
    new, old = made(SIX, SIX).finished
    del old.values["log_loss"]
    old.recalls.clear()
    outcome = Outcome([new, old], {}, 0.5)
    columns, rows = format_outcome(outcome)
    assert [row[columns.index("Log loss")] for row in rows] == ["1.0000", ""]
    assert make_record(outcome)["methods"][1]["mean"]["log_loss"] is None
    assert len(format_recalls(outcome)[1]) == 1


@pytest.mark.parametrize(("width", "shown"), [(80, False), (200, True)])
def test_a_narrow_terminal_shows_the_most_important_columns(width, shown):
    whole, recalls = make_rich_tables(made(SIX, SIX), "a [title]", width)
    assert ("AUC" in [str(column.header) for column in whole.columns]) == shown
    assert "Method" in [str(column.header) for column in whole.columns]
    assert str(recalls.title) == "Recall of each class in %"
