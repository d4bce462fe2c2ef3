"""Simulated reviews: what they flip, and what they report."""

import numpy as np
import pytest

from benchmarks.audit_review import Outcome, flip, mark, report
from tests.audit.audits import fruits


def test_flips_are_other_classes_and_as_many_as_asked_for():
    y = np.arange(3000) % 3
    given, wrong = flip(y, 0.2, 0)
    assert ((given != y) == wrong).all() and set(given) == {0, 1, 2}
    assert wrong.mean() == pytest.approx(0.2, abs=0.03)


def test_a_reviewer_knows_the_true_labels():
    audit = fruits()
    true = audit.y.copy()
    true[1] = "grape"
    marks = mark(audit, true, np.array([1, 4]))
    assert (marks.rows.tolist(), marks.wrong.tolist(), marks.correct.tolist()) == ([1, 4], [True, False], [1, 1])


def test_the_report_sums_up():
    found = [
        Outcome("a, 10%", 100, 10, 20, 9, [1.0, -1.0], [True, True], 0.5, 0.7),
        Outcome("b, 10%", 100, 10, 30, 6, [2.0, -2.0], [True, False], 0.0, 0.0),
    ]
    lines = report(found)
    assert lines[2] == "| a, 10% | 100 | 10 | 20 | 9 | 0.500 | 0.700 |"
    assert lines[-1].startswith("Looks at 25% of the samples find 75% of the wrong labels.")
    assert "in 3 of 4 cases; mean error +0.0, its root mean square 1.6." in lines[-1]
    assert lines[-1].endswith("0.500, after an update 0.700.")  # of those with anything left
