"""Outliers: found where they were planted, few elsewhere, explained by the columns that make them so."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.spatial.distance import cdist

from emphatic.audit.troubles import neighbours
from emphatic.audit.troubles.chance import score_large
from emphatic.audit.troubles.neighbours import find_neighbours
from emphatic.audit.troubles.outliers import find_class_outliers, find_outliers, score_outliers, share_distance
from tests.audit.troubles.planted import blobs, evidence_of


@given(hnp.arrays(float, st.integers(1, 60), elements=st.just(0.0) | st.floats(1e-3, 1e6)), st.floats(0.01, 100.0))
@settings(deadline=None)
def test_scores_of_sizes_rise_with_them_on_any_scale(sizes, unit):
    scores = score_large(sizes)
    assert ((scores >= 0.0) & (scores <= 1.0)).all()
    assert (np.diff(scores[np.argsort(sizes, kind="stable")]) >= -1e-12).all()
    np.testing.assert_allclose(score_large(unit * sizes), scores, atol=1e-6)


def test_scores_are_calibrated_where_the_model_holds():
    """One of a table is expected beyond a score of one half, and three beyond a quarter."""
    rng = np.random.default_rng(0)
    scores = np.array([score_large(np.exp(rng.normal(size=1000))) for _ in range(400)])
    assert (scores > 0.5).sum(axis=1).mean() == pytest.approx(1.0, abs=0.25)
    assert (scores > 0.25).sum(axis=1).mean() == pytest.approx(3.0, abs=0.5)


@pytest.mark.parametrize("n_columns", [2, 5, 20])
@pytest.mark.parametrize("seed", range(3))
def test_planted_outliers_are_found_and_few_others(n_columns, seed):
    X, y = blobs(500, n_columns, seed)
    rows = np.arange(10)
    X[rows, rows % n_columns] = 12.0 + rows  # in one column each
    found = {row for one in find_outliers(evidence_of(X, y)) for row in one.rows}
    assert len(found & set(range(10))) >= 9
    assert len(found - set(range(10))) <= 3  # precision above 0.75; in two columns a cloud has a long tail of its own


def test_the_columns_that_make_a_row_unusual_are_named_with_their_cells():
    X, y = blobs(200, 4)
    table = pd.DataFrame(X, columns=list("abcd")).assign(colour=["red", "blue"] * 100)
    table.loc[17, "c"] = 99.0
    one, *_ = find_outliers(evidence_of(table, y))
    assert (one.rows, one.columns) == ((17,), ("c",))
    assert "c is 99 (in the nearest rows " in one.explanation
    assert one.score > 0.999


def test_shares_of_the_distance_are_those_of_the_squares_and_add_up():
    X, y = blobs(100, 3)
    table = pd.DataFrame(X, columns=list("abc")).assign(colour=["red", "blue", "green", "red"] * 25)
    evidence = evidence_of(table, y)
    hood = evidence.neighbourhood
    shares = share_distance(evidence, hood, 5)
    gaps = evidence.inputs[hood.neighbours[5]] - evidence.inputs[5]
    expected = [(gaps[:, j] ** 2).sum() for j in range(3)] + [(gaps[:, 3:] ** 2).sum()]
    np.testing.assert_allclose(shares, np.array(expected) / (hood.distances[5] ** 2).sum())
    assert shares.sum() == pytest.approx(1.0)


def test_an_outlier_that_was_entered_twice_is_still_one():
    X, y = blobs(200, 4)
    X[3] = X[150] = [30.0, -30.0, 30.0, -30.0]
    evidence = evidence_of(X, y)
    one, *_ = find_outliers(evidence)
    assert one.rows == (3, 150)
    scores = score_outliers(evidence)
    assert scores[3] == scores[150] > 0.99


def test_a_row_among_those_of_another_class_is_unlike_its_own():
    rng = np.random.default_rng(0)
    y = np.repeat(["low", "high"], 100)
    X = rng.normal(size=(200, 3)) + 12.0 * (y == "high")[:, None]
    y[4] = "high"
    evidence = evidence_of(X, y)
    assert 4 not in {row for one in find_outliers(evidence) for row in one.rows}
    [one] = [one for one in find_class_outliers(evidence) if 4 in one.rows]
    assert "unlike the others labelled high" in one.explanation
    assert one.explanation.endswith("Of the 10 rows nearest to it, 10 are labelled low.")


def test_missing_cells_and_categories_are_described():
    X, y = blobs(120, 2)
    table = pd.DataFrame(X, columns=["a", "b"]).assign(shape=["round"] * 119 + ["square"])
    table.loc[119, "a"] = 60.0
    table.loc[table["b"] > 1.5, "b"] = np.nan
    one, *_ = find_outliers(evidence_of(table, y))
    assert one.rows == (119,) and one.columns[0] == "a"


def test_a_category_that_no_other_row_has_is_shown_beside_those_of_its_neighbours():
    table = pd.DataFrame({"a": np.linspace(0.0, 0.1, 60), "b": ["plain"] * 30 + ["ribbed"] * 29 + ["odd"]})
    for size in range(6):
        table[f"c{size}"] = table["b"].replace({"odd": f"odd {size}"})
    one, *_ = find_outliers(evidence_of(table, [0, 1] * 30))
    assert one.rows == (59,)
    assert "is 'odd" in one.explanation and "(in the nearest rows 'ribbed')" in one.explanation


def test_constant_and_small_tables_have_no_outliers():
    assert not find_outliers(evidence_of(np.random.default_rng(0).normal(size=(20, 3)), [0, 1] * 10))
    constant = evidence_of(pd.DataFrame({"a": ["x"] * 40}), [0, 1] * 20)
    assert not find_outliers(constant) and not find_class_outliers(constant)
    assert (score_outliers(constant) == 0.0).all()


# Neighbours


@pytest.mark.parametrize("n_columns", [2, 12])
def test_neighbours_are_the_nearest_other_rows(n_columns):
    X = np.random.default_rng(0).normal(size=(80, n_columns))
    X[7] = X[8]  # as near as the row itself
    rows = np.arange(0, 80, 2)
    found = find_neighbours(X, rows, np.random.default_rng(0))
    distances = cdist(X[rows], X[rows])
    np.fill_diagonal(distances, np.inf)
    np.testing.assert_allclose(found.distances, np.sort(distances, axis=1)[:, :10], atol=1e-7)
    assert (found.neighbours != rows[:, None]).all() and (found.neighbours % 2 == 0).all()
    assert found.share == 1.0 and found.n_inside == 10


def test_of_many_rows_a_sample_is_searched_and_outliers_stay(monkeypatch):
    monkeypatch.setattr(neighbours, "MOST_REFERENCES", 150)
    X, y = blobs(600, 5)
    X[33] = 25.0
    evidence = evidence_of(X, y)
    assert evidence.neighbourhood.share == 0.25 and evidence.neighbourhood.n_inside == 40
    assert (evidence.neighbourhood.neighbours != np.arange(600)[:, None]).all()
    assert find_outliers(evidence)[0].rows == (33,)
