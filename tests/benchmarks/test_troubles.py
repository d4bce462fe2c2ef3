"""The benchmark of planted troubles: what is planted is what it says, and judged by hand."""

import numpy as np
import pytest

from benchmarks.troubles import Answer, ask_ours, judge, plant


def test_copies_are_near_their_rows_and_outliers_are_moved():
    X, y = np.random.default_rng(0).normal(size=(100, 4)), np.array([0, 1] * 50)
    tables = list(plant(X, y, 0))
    assert [(kind, size) for kind, size, *_ in tables] == [
        ("near duplicates", 0.01), ("near duplicates", 0.05), ("outliers", 3.0), ("outliers", 6.0),
    ]  # fmt: skip
    for kind, size, table, labels, true in tables:
        assert (table[:100] == X).all() and len(labels) == 105
        if kind == "near duplicates":
            gaps = np.abs(table[100:, None] - X[true[:100]]).max(axis=2).min(axis=1)
            assert true.sum() == 10 and (gaps < 5 * size).all()
        else:
            gaps = np.abs(table[100:, None] - X)
            moved = np.isclose(gaps, size * X.std(axis=0)).sum(axis=2)
            assert true.sum() == 5 and (moved.max(axis=1) >= 1).all()


def test_ours_is_judged_by_rows():
    true = np.array([True, True, False, False])
    answer = Answer(np.array([True, False, True, False]), np.array([0.9, 0.1, 0.8, 0.2]))
    recall, precision, average = judge(answer, true)
    assert (recall, precision) == (0.5, 0.5)
    assert average == pytest.approx(0.5 * 1.0 + 0.5 * 0.5)
    X, y = np.random.default_rng(0).normal(size=(300, 8)), np.array([0, 1] * 150)
    _, _, table, labels, true = next(iter(plant(X, y, 0)))
    assert (ask_ours(table, labels, "near duplicates").flagged == true).all()
