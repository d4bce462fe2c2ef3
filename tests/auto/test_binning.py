"""Inputs in bins: what a tree decides on bins it decides on values, too."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from emphatic.auto.binning import MOST_BINS, Binned

COLUMNS = arrays(np.float32, st.tuples(st.integers(1, 600), st.just(1)), elements=st.floats(-1e6, 1e6, width=32))


@given(COLUMNS)
def test_a_value_is_at_most_an_edge_exactly_if_its_bin_is_at_most_that_edges(inputs):
    binned = Binned.of(inputs)
    edges = binned.edges[0]
    assert binned.n_bins[0] <= MOST_BINS
    assert np.all(np.diff(edges) > 0)
    for last, edge in enumerate(edges):
        np.testing.assert_array_equal(inputs[:, 0] <= edge, binned.codes[:, 0] <= last)
    found = binned.thresholds(np.zeros(len(edges), np.int32), np.arange(len(edges), dtype=np.uint8))
    np.testing.assert_array_equal(found, edges)


def test_few_values_have_a_bin_each_with_edges_half_way():
    binned = Binned.of(np.array([[1, 0], [3, 0], [1, 0], [7, 0]], dtype=np.float32))
    assert [edges.tolist() for edges in binned.edges] == [[2.0, 5.0], []]
    assert binned.codes.tolist() == [[0, 0], [1, 0], [0, 0], [2, 0]]
    assert binned.n_bins.tolist() == [3, 1]


def test_many_values_are_cut_into_equally_full_bins():
    binned = Binned.of(np.random.default_rng(0).normal(size=(25_500, 1)).astype(np.float32))
    counts = np.bincount(binned.codes[:, 0])
    assert len(counts) == MOST_BINS
    assert counts.min() > 0.9 * 100 and counts.max() < 1.1 * 100 + 1
