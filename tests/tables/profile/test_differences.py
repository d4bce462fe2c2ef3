"""What is said about a table that differs from the training table: the same however it is cut into batches."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emphatic.tables import decide_columns
from emphatic.tables.decision import Decision
from emphatic.tables.profile import Differences, Profile, known_texts
from emphatic.tables.profile.differences import ColumnDifferences
from emphatic.tables.profile.profile import learn_column

TEXTS = st.sampled_from([None, "a", "b", "a b", "c d", "e", "f g h", "."])
columns = st.integers(1, 40).flatmap(
    lambda n: st.tuples(
        st.lists(st.floats(-5, 5) | st.just(np.nan), min_size=n, max_size=n).map(np.array),
        *[st.lists(TEXTS, min_size=n, max_size=n)] * 2,
    )
)
KINDS = ("number", "category", "text")


def find(training, *tables):
    """The differences of three columns, one of each kind, whose rows come in several tables."""
    found = []
    for kind, *values in zip(KINDS, training, *tables, strict=True):
        profile = learn_column(kind, kind, values[0])
        column = None if profile is None else ColumnDifferences(profile)
        for batch in values[1:] if column else ():
            column.add(batch)
        found += list(column.list_differences(3)) if column else []
    return found


def learn_one(kind, values):
    return Profile.learn(pd.DataFrame({"c": values}), [Decision("c", kind)])


@given(columns)
def test_nothing_is_said_about_the_training_table_itself(values):
    assert find(values, values) == []


@given(columns, columns, st.integers(0, 40))
def test_a_table_in_batches_gives_what_it_gives_whole(training, values, cut):
    parts = [tuple(one[:cut] for one in values), tuple(one[cut:] for one in values)]
    assert find(training, *parts) == find(training, values)


@given(st.permutations(range(12)))
def test_the_order_of_numbers_changes_nothing(order):
    training = np.arange(5.0), ["a"] * 5, ["b c"] * 5
    values = np.arange(12.0), ["x"] * 12, ["y"] * 12
    assert find(training, (values[0][order], *values[1:])) == find(training, values)
    assert len(find(training, values)) == 3


def test_every_kind_of_difference_has_its_line():
    rng = np.random.default_rng(0)
    days = pd.Timestamp("1970-01-01") + pd.to_timedelta(np.arange(500), "D")
    training = pd.DataFrame(
        {
            "age": np.append(rng.uniform(20, 60, 498), [20.0, 60.0]),
            "weight": np.arange(500.0) % 4,
            "colour": ["red", "blue"] * 250,
            "paid": ["TRUE", "FALSE"] * 250,
            "when": days,
            "note": ["bolt loose", "nut loose"] * 250,
        }
    )
    differences = Differences(Profile.learn(training, decide_columns(training, columns={"note": "text"})))
    new = pd.DataFrame(
        {
            "age": np.append(rng.uniform(20, 60, 198), [17.0, 99.0]),
            "weight": np.append(np.full(199, 3.0), np.nan),
            "colour": ["mauve", "red", "blue", "teal"] * 50,
            "paid": ["maybe", *["True", "false"] * 99, "FALSE"],
            "when": [*days[:199], pd.Timestamp("1971-08-24 12:00")],
            "note": ["quite another matter"] * 200,
            "extra": ["not of the model"] * 200,
        }
    )
    differences.add(new)
    assert differences.list_remarks() == [
        "categories that the training table does not have: colour (100 of 200 rows, such as 'mauve', 'teal'), "
        "paid (1 of 200 rows, such as 'maybe')",
        "text without a word of the training table: note (200 of 200 rows, such as 'quite another matter')",
        "numbers outside the range of the training table: age (2 of 200 rows: 17 to 99, instead of 20 to 60)",
        "dates outside the range of the training table: when (1 of 200 rows: 1971-08-24 12:00:00, "
        "instead of 1970-01-01 to 1971-05-15)",
        "missing values where the training table has none: weight (1 of 200 rows)",
        "columns that are distributed otherwise than in training: weight (distance 0.75), colour (distance 0.50)",
    ]


def test_the_worst_columns_come_first_and_the_others_are_counted():
    names = [f"c{k}" for k in range(6)]
    training = pd.DataFrame({name: ["a"] * 9 for name in names})
    differences = Differences(Profile.learn(training, [Decision(name, "category") for name in names]))
    differences.add(pd.DataFrame({name: ["new"] * k + ["a"] * (9 - k) for k, name in enumerate(names)}))
    (line,) = differences.list_remarks()
    assert [word for word in line.split() if word in names] == ["c5", "c4", "c3"]
    assert line.endswith(", 2 more")


def test_new_rows_from_where_the_training_rows_came_from_say_little():
    """Only facts that chance explains too: the ends of a range. No drift, no unusual text."""
    rng = np.random.default_rng(0)
    words = [f"w{k}" for k in range(3000)]

    def draw(n):
        texts = [" ".join(rng.choice(words, 2)) for _ in range(n)]
        return rng.normal(size=n), rng.choice(list("abcdef"), n).tolist(), texts

    training = draw(300)
    for _ in range(20):
        assert all(one.title.startswith("numbers outside the range") for one in find(training, draw(100)))


def test_of_too_many_categories_only_an_excess_of_unknown_ones_is_said(monkeypatch):
    monkeypatch.setattr(known_texts, "MANY", 20)
    rng = np.random.default_rng(0)
    profile = learn_one("category", [f"c{k}" for k in rng.zipf(1.6, 2000)])
    same, other = Differences(profile), Differences(profile)
    same.add(pd.DataFrame({"c": [f"c{k}" for k in rng.zipf(1.6, 1000)]}))
    other.add(pd.DataFrame({"c": [f"d{k}" for k in rng.zipf(1.6, 1000)]}))
    assert same.list_remarks() == []
    assert other.list_remarks()[0].startswith(
        "categories that the training table does not have, or rarely: c (1,000 of 1,000 rows, such as 'd"
    )


@pytest.mark.parametrize("seconds", [1e300, -1e300, 1e13])
def test_a_date_that_no_calendar_has_is_shown_as_seconds(seconds):
    column = ColumnDifferences(learn_column("d", "date", np.zeros(3)))
    column.add(np.array([seconds]))
    texts = [one.text for one in column.list_differences(1)]
    assert texts == [f"d (1 of 1 rows: {seconds:g} s, instead of 1970-01-01 to 1970-01-01)"]


def test_a_long_example_is_cut():
    differences = Differences(learn_one("category", ["a"]))
    differences.add(pd.DataFrame({"c": ["x" * 1000]}))
    assert differences.list_remarks()[0].endswith(f"such as '{'x' * 27}...')")


def test_a_profile_of_no_columns_differs_from_nothing():
    differences = Differences(Profile.learn(pd.DataFrame({"c": ["x"]}), [Decision("c", "ignore")]))
    differences.add(pd.DataFrame({"c": ["y"]}))
    assert differences.list_remarks() == []
