"""What is said about a table that differs from the training table: the same however it is cut into batches."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emphatic.tables.profile import Differences, Profile, known_texts

TEXTS = st.sampled_from([None, "a", "b", "a b", "c d", "e", "f g h", "."])
columns = st.integers(1, 40).flatmap(
    lambda n: st.tuples(
        st.lists(st.floats(-5, 5) | st.just(np.nan), min_size=n, max_size=n).map(np.array),
        *[st.lists(TEXTS, min_size=n, max_size=n)] * 2,
    )
)
NAMES, KINDS = ("number", "category", "text"), ("number", "category", "text")


def learn(*values):
    return Profile.learn(zip(NAMES, KINDS, values, strict=True))


def compare(profile, *tables):
    differences = Differences(profile)
    for values in tables:
        for name, one in zip(NAMES, values, strict=True):
            differences.add(name, one)
    return differences.list_remarks()


@given(columns)
def test_nothing_is_said_about_the_training_table_itself(values):
    assert compare(learn(*values), values) == []


@given(columns, columns, st.integers(0, 40))
def test_a_table_in_batches_gives_what_it_gives_whole(training, values, cut):
    parts = [tuple(one[:cut] for one in values), tuple(one[cut:] for one in values)]
    assert compare(learn(*training), *parts) == compare(learn(*training), values)


@given(st.permutations(range(12)))
def test_the_order_of_rows_changes_nothing_but_examples(order):
    training = np.arange(5.0), ["a"] * 5, ["b c"] * 5
    values = np.arange(12.0), ["x"] * 12, ["y"] * 12
    shuffled = values[0][order], values[1], values[2]
    assert compare(learn(*training), shuffled) == compare(learn(*training), values)


def test_every_kind_of_difference_has_its_line():
    rng = np.random.default_rng(0)
    day = 86400.0
    profile = Profile.learn(
        [
            ("age", "number", np.append(rng.uniform(20, 60, 498), [20.0, 60.0])),
            ("weight", "number", np.arange(500.0) % 4),
            ("colour", "category", ["red", "blue"] * 250),
            ("paid", "boolean", ["True", "False"] * 250),
            ("when", "date", day * np.arange(500)),
            ("note", "text", ["bolt loose", "nut loose"] * 250),
        ]
    )
    differences = Differences(profile)
    differences.add("age", np.append(rng.uniform(20, 60, 198), [17.0, 99.0]))
    differences.add("weight", np.append(np.full(199, 3.0), np.nan))
    differences.add("colour", ["mauve", "red", "blue", "teal"] * 50)
    differences.add("paid", ["maybe", *["True", "False"] * 99, "False"])
    differences.add("when", np.append(day * np.arange(199), 600.5 * day))
    differences.add("note", ["quite another matter"] * 200)
    differences.add("extra", ["not of the model"] * 200)
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
    profile = Profile.learn([(f"c{k}", "category", ["a"] * 9) for k in range(6)])
    differences = Differences(profile)
    for k in range(6):
        differences.add(f"c{k}", ["new"] * k + ["a"] * (9 - k))
    (line,) = differences.list_remarks()
    assert [word for word in line.split() if word.startswith("c") and word[1:].isdigit()] == ["c5", "c4", "c3"]
    assert line.endswith(", 2 more")


def test_new_rows_from_where_the_training_rows_came_from_say_little():
    """Only facts that chance explains too: the ends of a range. No drift, no unusual text."""
    rng = np.random.default_rng(0)
    words = [f"w{k}" for k in range(3000)]

    def draw(n):
        texts = [" ".join(rng.choice(words, 2)) for _ in range(n)]
        return rng.normal(size=n), rng.choice(list("abcdef"), n).tolist(), texts

    profile = learn(*draw(300))
    for _ in range(20):
        lines = compare(profile, draw(100))
        assert all(line.startswith("numbers outside the range") for line in lines)


def test_of_too_many_categories_only_an_excess_of_unknown_ones_is_said(monkeypatch):
    monkeypatch.setattr(known_texts, "MANY", 20)
    rng = np.random.default_rng(0)
    profile = Profile.learn([("c", "category", [f"c{k}" for k in rng.zipf(1.6, 2000)])])
    same, other = Differences(profile), Differences(profile)
    same.add("c", [f"c{k}" for k in rng.zipf(1.6, 1000)])
    other.add("c", [f"d{k}" for k in rng.zipf(1.6, 1000)])
    assert same.list_remarks() == []
    assert other.list_remarks()[0].startswith(
        "categories that the training table does not have, or rarely: c (1,000 of 1,000 rows, such as 'd"
    )


@pytest.mark.parametrize("seconds", [1e300, -1e300, 1e13])
def test_a_date_that_no_calendar_has_is_shown_as_seconds(seconds):
    differences = Differences(Profile.learn([("d", "date", np.zeros(3))]))
    differences.add("d", np.array([seconds]))
    (line,) = differences.list_remarks()
    assert f"{seconds:g} s, instead of 1970-01-01 to 1970-01-01" in line


def test_a_long_example_is_cut():
    differences = Differences(Profile.learn([("c", "category", ["a"])]))
    differences.add("c", ["x" * 1000])
    assert differences.list_remarks()[0].endswith(f"such as '{'x' * 27}...')")
