"""Which rows of a user's table train and which test."""

import numpy as np
import pandas as pd
import pytest

from emphatic.comparison.splitting import check_folds, check_parts, choose_splitting
from emphatic.names import UnknownName
from emphatic.study import OwnProblem
from emphatic.tables import decide_columns

N = 60
Y = np.array(["no", "yes"] * (N // 2))
TABLE = pd.DataFrame(
    {
        "a": np.arange(N, dtype=float),
        "patient": [f"p{i // 4}" for i in range(N)],
        "when": pd.date_range("2024-01-01", periods=N, freq="D").astype(str),
        "one": "same",
        "gaps": [None, *["g"] * (N - 1)],
        "words": ["Monday"] * N,
    }
)


def choose(table=TABLE, y=Y, n_folds=5, n_repeats=2, **options):
    return choose_splitting(table, y, decide_columns(table), n_folds, n_repeats, **options)


def make_problem(splitting, y=Y):
    return OwnProblem("own", TABLE, y, groups=splitting.groups, order=splitting.order)


def splits_of(splitting):
    return list(splitting.protocol.splits(make_problem(splitting)))


@pytest.mark.parametrize(
    "write",
    [
        lambda days: days.strftime("%Y-%m-%d"),
        lambda days: days.strftime("%d.%m.%Y"),
        lambda days: days,
        lambda days: [str(number) for number in range(1, N + 1)],
        lambda days: [f"{number / 2:.1f}".replace(".", ",") for number in range(N)],
    ],
    ids=["ISO", "German dates", "typed dates", "row numbers", "decimal commas"],
)
def test_time_is_read_however_it_is_written(write):
    days = write(pd.date_range("2024-01-01", periods=N, freq="9D"))
    shuffled = TABLE.assign(day=days).sample(frac=1, random_state=0)
    order = choose(shuffled, time="day").order
    np.testing.assert_array_equal(np.argsort(order), np.argsort(shuffled.index))


def test_the_number_of_folds_is_part_of_the_name_of_a_split():
    """Else a store would give a fold of three to who asks for one of five."""
    for options in ({}, {"group": "patient"}, {"time": "when"}):
        three = {split.id for split in splits_of(choose(n_folds=3, **options))}
        five = {split.id for split in splits_of(choose(n_folds=5, **options))}
        assert three.isdisjoint(five)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "2 x 5 folds"),
        ({"group": "patient"}, "2 x 5 folds of patient"),
        ({"time": "when"}, "5 test parts, each later in when than its training rows"),
    ],
)
def test_the_splits_in_words(options, words):
    assert choose(**options).words == words


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"group": "patent"}, "unknown column patent; did you mean patient?"),
        ({"time": "wen"}, "unknown column wen; did you mean when"),
        ({"group": "one"}, "column one holds one group only"),
        ({"group": "gaps"}, "column gaps has no value in 1 row"),
        ({"time": "words"}, "column words cannot be ordered in time: 'Monday'"),
        ({"time": "gaps"}, "column gaps has no value in 1 row"),
    ],
)
def test_columns_that_cannot_split_are_refused(options, message):
    with pytest.raises((ValueError, UnknownName), match=message.replace("?", r"\?")):
        choose(**options)


def test_fewer_groups_than_folds_are_refused_with_the_remedy():
    table = TABLE.assign(side=["left", "right", "middle"] * 20)
    with pytest.raises(ValueError, match="column side has 3 groups, fewer than the 5 folds: use --folds 3"):
        choose(table, group="side")


def test_folds_need_rows_of_every_class():
    check_folds(["a"] * 3 + ["b"] * 9, 3)
    with pytest.raises(ValueError, match="class a has 3 rows, fewer than the 5 folds: use --folds 3"):
        check_folds(["a"] * 3 + ["b"] * 9, 5)
    with pytest.raises(ValueError, match="class a has a single row"):
        check_folds(["a", "b", "b"], 2)


@pytest.mark.parametrize(("late", "part"), [("yes", "training part 1 holds only class no"), ("no", "test part")])
def test_a_part_with_one_class_is_refused(late, part):
    y = np.where(np.arange(N) < N // 2, "no", "yes") if late == "yes" else Y.copy()
    if late == "no":
        y[40:] = "no"
    splitting = choose(y=y, time="when")
    problem = make_problem(splitting, y)
    with pytest.raises(ValueError, match=f"{part}.*use fewer --folds"):
        check_parts(problem, splitting.protocol)
