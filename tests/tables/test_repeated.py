"""Cells that repeat: a sequence like the list that they were made of."""

import numpy as np
import pytest

from emphatic.tables.repeated import Repeated

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
