"""Duplicates: equal rows whatever their types, near ones that were planted, and those with different labels."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from emphatic.audit.troubles import find_troubles
from emphatic.audit.troubles.copies import estimate_dimension, find_exact_sets, find_near_sets, score_copies
from emphatic.audit.troubles.duplicates import find_duplicates
from tests.audit.troubles.planted import blobs, evidence_of


@given(
    st.lists(st.tuples(st.sampled_from(["a", "b", None]), st.sampled_from([0.5, 1.5, None])), min_size=4, max_size=30)
)
@settings(deadline=None, max_examples=40)
def test_exact_sets_are_those_of_a_dictionary(cells):
    table = pd.DataFrame(cells, columns=["text", "number"])
    wishes = {"text": "category", "number": "number"}
    table["number"] = table["number"].astype(float)
    rows: dict = {}
    for i, row in enumerate(cells):
        rows.setdefault(row, []).append(i)
    expected = sorted(one for one in rows.values() if len(one) > 1)
    found = find_exact_sets(evidence_of(table, [0, 1] + [0] * (len(cells) - 2), wishes))
    assert sorted(one.rows.tolist() for one in found) == expected
    share = sum(map(len, expected)) / len(cells)
    assert all(one.score == pytest.approx(1.0 - share) for one in found)


def test_columns_that_are_not_used_may_differ_and_are_named():
    X, y = blobs(60)
    table = pd.DataFrame(X).rename(columns=str).assign(id=[f"k{i}" for i in range(60)])
    table.iloc[7, :5] = table.iloc[3, :5]
    y[7] = y[3]
    [one] = find_duplicates(evidence_of(table, y))
    assert (one.kind, one.rows, one.columns) == ("exact duplicates", (3, 7), ("id",))
    assert one.explanation == "Rows 3 and 7 are equal (but for id, which is not used)."
    assert one.score == pytest.approx(58 / 60)


def plant_copies(n_columns, n_copies=12, noise=0.01, n=600, seed=0):
    """A cloud, and noisy copies of its first rows at the end."""
    X, y = blobs(n, n_columns, seed)
    moved = X[:n_copies] + noise * np.random.default_rng(seed).normal(size=(n_copies, n_columns))
    return np.vstack([X, moved]), np.concatenate([y, y[:n_copies]])


@pytest.mark.parametrize("n_columns", [5, 10, 20, 40])
@pytest.mark.parametrize("seed", range(3))
def test_planted_copies_are_found_and_nothing_else(n_columns, seed):
    X, y = plant_copies(n_columns, noise=0.002 if n_columns == 5 else 0.02, seed=seed)
    sets = {tuple(one.rows.tolist()) for one in find_near_sets(evidence_of(X, y))}
    planted = {(i, 600 + i) for i in range(12)}
    assert len(sets & planted) >= 11  # recall above 0.9
    assert len(sets - planted) <= 1  # less than one pair is expected by chance


def test_the_score_of_a_row_is_that_of_its_nearest_row_reported_or_not():
    X, y = plant_copies(10, noise=0.02)
    X = np.vstack([X, X[:1]])  # an exact copy shares the score
    evidence = evidence_of(X, np.append(y, y[0]))
    scores = score_copies(evidence)
    for one in find_near_sets(evidence):
        np.testing.assert_allclose(scores[one.rows], one.score, rtol=1e-9)
    distances = cdist(evidence.inputs, evidence.inputs)
    distances[distances == 0.0] = np.inf
    sure, unsure = scores > 0.99, scores < 0.01
    assert sure.sum() >= 24 and unsure.sum() >= 500
    assert distances[sure].min(axis=1).max() < distances[unsure].min(axis=1).min()


def test_rows_whose_distances_vanish_in_rounding_have_no_score():
    X = np.vstack([np.full((30, 2), 1e-170) * np.arange(30)[:, None], [[1.0, 1.0]]])
    scores = score_copies(evidence_of(X, [0, 1] * 15 + [0]))
    assert ((scores >= 0.0) & (scores <= 1.0)).all()


@pytest.mark.parametrize("n_columns", [1, 2, 3, 8])
def test_a_table_without_copies_has_none_though_some_rows_are_near(n_columns):
    n_found = [len(find_near_sets(evidence_of(*blobs(500, n_columns, seed)))) for seed in range(5)]
    assert np.mean(n_found) <= 1.0


def test_distances_and_pairs_are_those_of_all_rows():
    X, y = plant_copies(30)
    evidence = evidence_of(X, y)
    distances = cdist(evidence.inputs, evidence.inputs)
    ordered = np.sort(distances, axis=1)
    for one in find_near_sets(evidence):
        i, j = one.rows
        assert one.distance == pytest.approx(distances[i, j])
        assert one.usual == pytest.approx(min(ordered[i, 10], ordered[j, 10]))
        assert one.distance <= 0.1 * one.usual


def test_copies_of_copies_are_one_set_with_their_exact_copies():
    X, y = blobs(300, 8)
    X = np.vstack([X, X[5] + 0.001, X[5] - 0.001, X[5]])
    [near] = find_near_sets(evidence_of(X, [*y, y[5], y[5], y[5]]))
    assert near.rows.tolist() == [5, 300, 301, 302]
    [exact] = find_exact_sets(evidence_of(X, [*y, y[5], y[5], y[5]]))
    assert exact.rows.tolist() == [5, 302]


def test_different_labels_of_copies_are_told():
    X, y = blobs(300, 8)
    X, y = np.vstack([X, X[5], X[6] + 0.001]), [*y, 1 - y[5], 1 - y[6]]
    found = {one.rows: one for one in find_duplicates(evidence_of(X, y)) if one.kind == "conflicting duplicates"}
    assert set(found) == {(5, 300), (6, 301)}
    assert found[5, 300].explanation == "Rows 5 and 300 are equal but have the labels 0 (1), 1 (1)."
    assert "nearly equal but" in found[6, 301].explanation


def test_copies_that_are_the_rule_are_told_in_one_sentence():
    X = pd.DataFrame({"a": ["x", "y"] * 50, "b": ["p", "p", "q", "q"] * 25})
    y = np.random.default_rng(0).integers(2, size=100)
    found = {one.kind: one for one in find_duplicates(evidence_of(X, y))}
    assert found["exact duplicates"].explanation.startswith("100% of the rows have an equal one, in 4 sets")
    assert found["exact duplicates"].score == 0.0
    assert "do not suffice" in found["conflicting duplicates"].explanation


def test_the_order_of_rows_and_columns_does_not_matter():
    X, y = plant_copies(10)
    order = np.random.default_rng(1).permutation(len(X))
    one = {frozenset(f.rows) for f in find_troubles(X, y).of("near duplicates")}
    two = {
        frozenset(order[list(f.rows)].tolist())
        for f in find_troubles(X[order][:, ::-1], y[order]).of("near duplicates")
    }
    assert one == two and len(one) >= 11


@pytest.mark.parametrize("dimension", [2, 4, 8])
def test_the_dimension_of_a_cube_is_found_among_more_columns(dimension):
    rng = np.random.default_rng(0)
    cube = rng.uniform(size=(3000, dimension)) @ np.linalg.qr(rng.normal(size=(10, dimension)))[0].T
    distances = np.sort(cdist(cube[:500], cube), axis=1)[:, 1:11]
    assert estimate_dimension(distances, 10) == pytest.approx(dimension, rel=0.3)


def test_equal_distances_and_small_tables_give_no_near_copies():
    X = np.eye(40)
    assert find_near_sets(evidence_of(X, [0, 1] * 20)) == []
    assert find_near_sets(evidence_of(blobs(10)[0], [0, 1] * 5)) == []
    assert find_near_sets(evidence_of(pd.DataFrame({"a": ["x"] * 30}), [0, 1] * 15)) == []
