"""Inputs in bins: what a tree decides on bins it decides on values, too."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from emphatic.auto.candidates.binning import MOST_BINS, Binned

COLUMNS = arrays(np.float32, st.tuples(st.integers(1, 600), st.just(1)), elements=st.floats(-1e6, 1e6, width=32))


@given(COLUMNS)
def test_a_value_is_at_most_an_edge_exactly_if_its_bin_is_at_most_that_edges(inputs):
    binned = Binned.of(inputs)
    edges = binned.edges[0]
    assert binned.n_bins[0] <= MOST_BINS
    assert np.all(np.diff(edges) > 0)
    for last, edge in enumerate(edges):
        np.testing.assert_array_equal(inputs[:, 0] <= edge, binned.codes[:, 0] <= last)
    found, thresholds = binned.find_splits(np.zeros(len(edges), np.int32), np.arange(len(edges), dtype=np.uint8))
    np.testing.assert_array_equal(found, 0)
    np.testing.assert_array_equal(thresholds, edges)


def test_few_values_have_a_bin_each_with_edges_half_way():
    binned = Binned.of(np.array([[1, 0], [3, 0], [1, 0], [7, 0]], dtype=np.float32))
    assert [edges.tolist() for edges in binned.edges] == [[2.0, 5.0], []]
    assert binned.codes.tolist() == [[0, 0], [1, 0], [0, 0], [2, 0]]
    assert binned.n_bins.tolist() == [3, 1]


def test_indicators_of_which_one_is_set_share_a_column():
    inputs = np.array([[5, 1, 0, 0, 1], [6, 0, 1, 0, 1], [7, 0, 0, 2, 0], [5, 0, 0, 0, 0]], dtype=np.float32)
    binned = Binned.of(inputs)
    assert [one.tolist() for one in binned.bundles] == [[0], [1, 2, 3], [4]]  # the last is set beside others
    assert binned.codes.tolist() == [[0, 1, 1], [1, 2, 1], [2, 3, 0], [0, 0, 0]]
    assert binned.n_bins.tolist() == [3, 4, 2]
    assert binned.exclusive.tolist() == [False, True, False]
    found, thresholds = binned.find_splits(np.array([0, 1, 1, 2], np.int32), np.array([1, 0, 2, 0], np.uint8))
    assert found.tolist() == [0, 1, 3, 4]
    assert thresholds.tolist() == [6.5, 0.5, 1.0, 0.5]


def test_a_column_holds_as_many_indicators_as_a_byte_can_tell_apart():
    binned = Binned.of(np.eye(2 * MOST_BINS + 1, dtype=np.float32))
    assert [len(one) for one in binned.bundles] == [MOST_BINS, MOST_BINS, 1]
    assert binned.codes.max() == MOST_BINS


def test_many_values_are_cut_into_equally_full_bins():
    binned = Binned.of(np.random.default_rng(0).normal(size=(25_500, 1)).astype(np.float32))
    counts = np.bincount(binned.codes[:, 0])
    assert len(counts) == MOST_BINS
    assert counts.min() > 0.9 * 100 and counts.max() < 1.1 * 100 + 1
