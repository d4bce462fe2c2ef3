"""Cells that repeat: a sequence like the list that they were made of."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emphatic.tables.repeated import Repeated, tally

CELLS = ["b", None, "a", "b", "b", None]


def test_they_are_the_cells_that_they_were_made_of():
    cells = Repeated.of(CELLS)
    assert list(cells) == CELLS
    assert [cells[k] for k in range(-6, 6)] == CELLS + CELLS
    assert list(cells[1:4]) == CELLS[1:4]
    assert len(cells) == 6
    assert cells.different == ["b", None, "a"]


@pytest.mark.parametrize("cell", ["a", None])
def test_only_what_a_row_has_is_among_them(cell):
    assert cell in Repeated.of(CELLS)
    assert cell not in Repeated(["b", "a", None], np.array([0, 0]))  # categories that no row has


def test_a_function_sees_each_different_cell_once():
    seen = []
    changed = Repeated.of(CELLS).change(lambda cells: [seen.append(cell) or str(cell) for cell in cells])
    assert seen == ["b", None, "a"]
    assert list(changed) == ["b", "None", "a", "b", "b", "None"]


def test_numbers_are_looked_up_for_every_row():
    np.testing.assert_array_equal(Repeated.of(CELLS).look_up({"a": 5, None: 2}, -1), [-1, 2, 5, -1, -1, 2])


def test_there_may_be_none():
    cells = Repeated.of([])
    assert list(cells) == []
    assert cells.look_up({}, -1).shape == (0,)


@given(st.lists(st.sampled_from(["b", "a", "c", None]), max_size=30))
def test_they_are_counted_in_the_order_in_which_they_appear(cells):
    counts = tally(Repeated.of(cells))
    assert list(counts.items()) == list(Counter(cells).items())
    assert counts == tally(cells)


def test_categories_that_are_written_alike_count_together_and_those_without_rows_do_not():
    cells = Repeated(["1", "b", "1", "never", None], np.array([2, -1, 0, 1, -1], dtype=np.int8))
    assert list(cells.tally().items()) == [("1", 2), (None, 2), ("b", 1)]


def test_some_rows_are_taken():
    assert list(Repeated.of(CELLS).take(np.array([5, 0, 2]))) == [None, "b", "a"]
