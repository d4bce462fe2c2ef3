"""What places sum for trees: plain sums, whatever their number."""

import numpy as np
import pytest

from emphatic.kernels.gradient_trees import FINEST, LOWER
from emphatic.kernels.spread_trees import BLOCK, find_largest, move_rows, pack, sum_nodes


def test_sums_of_more_rows_than_a_packed_sum_has_room_for():
    n = 2 * BLOCK + 17
    rng = np.random.default_rng(0)
    bins = rng.integers([3, 5], size=(n, 2)).astype(np.uint8)
    gradient, second = rng.integers(-FINEST, 1, size=n), rng.integers(FINEST - 3, FINEST + 1, size=n)
    nodes = rng.integers(3, size=n).astype(np.int16)
    packed = (gradient << LOWER) + second
    slots, features = np.array([1, -1, 0], np.int32), np.array([1, 0], np.int32)
    found = sum_nodes(bins, packed, nodes, slots, features, np.array([0, 5, 8]), 2)
    for slot, node in ((1, 0), (0, 2)):
        own = nodes == node
        for place, addends in enumerate((gradient, second)):
            expected = [addends[own & (bins[:, 1] == b)].sum() for b in range(5)]
            expected += [addends[own & (bins[:, 0] == b)].sum() for b in range(3)]
            assert found[slot, place].tolist() == expected


@pytest.mark.parametrize("n_outputs", [1, 3])
def test_the_largest_derivatives_become_the_finest_steps(n_outputs):
    rng = np.random.default_rng(0)
    score, codes = rng.normal(size=(n_outputs, 50)), rng.integers(max(2, n_outputs), size=50)
    largest = find_largest(score, codes, np.ones(50))
    packed = pack(score, codes, np.ones(50), largest)
    gradient, second = packed >> LOWER, packed & (2**LOWER - 1)
    assert np.abs(gradient).max(axis=0).tolist() == second.max(axis=0).tolist() == [FINEST] * n_outputs
    halves = pack(score, codes, np.ones(50), 2.0 * largest)
    assert np.abs(halves >> LOWER).max(axis=0).tolist() == [FINEST // 2] * n_outputs


def test_rows_go_to_the_children_of_their_node_and_stay_where_there_are_none():
    bins = np.array([[2, 3], [2, 1], [4, 3], [4, 2]], dtype=np.uint8)
    nodes = np.array([0, 0, 1, 0], dtype=np.int16)
    split = np.array([1, 0], np.int32), np.array([1, 0], np.uint8), np.array([2, 0], np.int32)
    assert move_rows(bins, np.array([False, False]), *split, nodes).tolist() == [3, 2, 1, 3]
    # of a bundle, the second child has one bin
    assert move_rows(bins, np.array([False, True]), *split, nodes).tolist() == [2, 2, 1, 3]
