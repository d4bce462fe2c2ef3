"""Splits of rows that depend on each other: no group on both sides, no training on the future."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emphatic.study import GroupFolds, OwnProblem, TimeFolds

LABELS = [0, 1] * 10


def make(**columns):
    n = len(next(iter(columns.values())))
    return OwnProblem("own", np.zeros((n, 1)), np.arange(n) % 2, **columns)


@given(st.lists(st.integers(0, 9), min_size=20, max_size=60), st.integers(1, 3))
def test_a_group_is_never_on_both_sides_and_every_row_tests_once_per_repeat(groups, repeats):
    if len(set(groups)) < 3:
        return
    splits = list(GroupFolds(3, repeats).splits(make(groups=groups)))
    values = np.array(groups)
    assert len({split.id for split in splits}) == len(splits) == 3 * repeats
    for split in splits:
        assert set(values[split.train]).isdisjoint(values[split.test])
        assert sorted([*split.train, *split.test]) == list(range(len(groups)))
    tested = np.concatenate([split.test for split in splits])
    assert np.bincount(tested, minlength=len(groups)).tolist() == [repeats] * len(groups)


def test_groups_are_drawn_anew_for_each_repeat_but_alike_in_each_run():
    problem = make(groups=np.repeat(np.arange(12), 4))
    first, again = list(GroupFolds(3, 2).splits(problem)), list(GroupFolds(3, 2).splits(problem))
    assert [split.test.tolist() for split in first] == [split.test.tolist() for split in again]
    assert {tuple(split.test) for split in first[:3]} != {tuple(split.test) for split in first[3:]}


@given(st.lists(st.integers(0, 39), max_size=6), st.permutations(range(40)), st.integers(1, 5))
def test_all_training_rows_are_earlier_than_all_test_rows(more, distinct, n_folds):
    times = [*distinct, *more]  # those in `more` occur several times
    splits = list(TimeFolds(n_folds).splits(make(order=times)))
    values = np.array(times)
    assert len(splits) == n_folds
    for split in splits:
        assert values[split.train].max() < values[split.test].min()
    for earlier, later in itertools.pairwise(splits):
        assert set(later.train.tolist()) == {*earlier.train.tolist(), *earlier.test.tolist()}
    assert {*splits[-1].train.tolist(), *splits[-1].test.tolist()} == set(range(len(times)))


def test_distinct_times_make_equal_parts():
    order = np.random.default_rng(0).permutation(60)
    sizes = [(len(split.train), len(split.test)) for split in TimeFolds(5).splits(make(order=order))]
    assert sizes == [(10, 10), (20, 10), (30, 10), (40, 10), (50, 10)]


@pytest.mark.parametrize(
    ("protocol", "columns", "message"),
    [
        (GroupFolds(3), {"order": LABELS}, r"own has no groups: give it with OwnProblem\(groups=...\)"),
        (TimeFolds(3), {"groups": LABELS}, "own has no order"),
        (GroupFolds(3), {"groups": LABELS}, "own has 2 groups, fewer than the 3 folds"),
        (TimeFolds(3), {"order": LABELS}, "own has 2 distinct times, too few or too unevenly filled for 3 folds"),
        (TimeFolds(1), {"order": [7] * 20}, "own has 1 distinct time, .* for 1 fold: use fewer folds"),
        (TimeFolds(1), {"order": ["x"] * 20}, "the order of own cannot be ordered in time"),
    ],
)
def test_what_cannot_be_split_is_refused(protocol, columns, message):
    with pytest.raises(ValueError, match=message):
        list(protocol.splits(make(**columns)))


def test_groups_and_order_need_a_value_for_every_row():
    with pytest.raises(ValueError, match="own: groups has 1 rows and y has 2"):
        OwnProblem("own", [[0], [1]], [0, 1], groups=["a"])
