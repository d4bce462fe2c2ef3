"""What a profile keeps of a column: counts per bin, a range, the texts that occurred."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emphatic.tables import decide_columns
from emphatic.tables.decision import Decision
from emphatic.tables.profile import known_texts
from emphatic.tables.profile.categories import N_CATEGORIES
from emphatic.tables.profile.known_texts import KnownTexts
from emphatic.tables.profile.numbers import N_BINS
from emphatic.tables.profile.profile import Profile, learn_column
from emphatic.tables.profile.texts import split_words

numbers = st.lists(st.floats(allow_infinity=False) | st.sampled_from([0.0, 1.0, 2.0]), min_size=1).map(np.array)


def test_few_numbers_have_a_bin_each():
    column = learn_column("n", "number", np.array([1.0, 1.0, 5.0, np.nan, 2.0]))
    assert (column.low, column.high) == (1.0, 5.0)
    assert column.bounds.tolist() == [1.0, 2.0, 5.0]
    assert column.counts.tolist() == [2, 1, 1, 1]


def test_many_numbers_are_divided_at_quantiles():
    column = learn_column("n", "number", np.random.default_rng(0).permutation(1000.0 * np.arange(1, 101)))
    assert column.bounds.tolist() == [10_000.0 * k for k in range(1, 11)]
    assert column.counts.tolist() == [10] * 10 + [0]


@given(numbers)
def test_numbers_are_counted_as_a_loop_over_bins_counts_them(values):
    column = learn_column("n", "number", values)
    known = values[~np.isnan(values)]
    if not len(known):
        assert column is None
        return
    lower = np.concatenate([[-np.inf], column.bounds[:-1]])
    expected = [sum(low < value <= high for value in known) for low, high in zip(lower, column.bounds, strict=True)]
    assert column.counts.tolist() == [*expected, len(values) - len(known)]
    assert len(column.bounds) <= N_BINS
    assert column.find_strange(values) == []
    column.check_saved()


def test_numbers_beyond_the_range_are_strange_and_belong_to_the_outer_bins():
    column = learn_column("n", "number", np.arange(4.0))
    assert column.find_strange(np.array([-1.0, 0.0, np.nan, 3.0, 4.0, 9.0])) == [-1.0, 4.0, 9.0]
    assert column.count(np.array([-1.0, 4.0, 9.0])).tolist() == [1, 0, 0, 2, 0]


def test_the_most_frequent_categories_have_a_bin_each():
    many = [f"c{k}" for k in range(60) for _ in range(100 - k)]
    column = learn_column("c", "category", [*many, None, "once"])
    assert column.frequent == [f"c{k}" for k in range(N_CATEGORIES)]
    assert column.counts.tolist() == [100 - k for k in range(50)] + [sum(100 - k for k in range(50, 60)) + 1, 1]
    assert column.n_strange == 1
    assert column.find_strange(["c1", "new", None, "new", "c59"]) == ["new", "new"]


def test_texts_are_known_by_their_words():
    column = learn_column("t", "text", ["The bolt is loose.", "the nut", "rust", None, "!"])
    assert column.counts.tolist() == [4, 1]
    assert column.n_strange == 1  # rust: no other text has the word
    assert column.find_strange(["RUST!", None, "all is well", "nothing here", "..."]) == ["nothing here"]


def test_no_more_texts_than_allowed_are_remembered_the_most_frequent_first(monkeypatch):
    monkeypatch.setattr(known_texts, "MANY", 3)
    known = KnownTexts.learn({"a": 1, "b": 5, "c": 4, "d": 2})
    assert ([one in known for one in "abcd"], known.complete) == ([False, True, True, True], False)
    assert KnownTexts.learn({"a": 1, "b": 5, "c": 4}).complete


@given(st.sets(st.text()))
def test_a_text_that_was_learnt_is_known(texts):
    assert KnownTexts.learn(dict.fromkeys(texts, 1)).knows_any(texts) == bool(texts)
    assert all(text in KnownTexts.learn(dict.fromkeys(texts, 1)) for text in texts)


def test_words_of_other_languages():
    assert split_words("Größe: naïve 東京 x_1") == {"größe", "naïve", "東京", "x_1"}


def test_empty_and_ignored_columns_have_no_profile():
    X = pd.DataFrame({"a": [np.nan], "b": [None], "c": [None], "d": ["x"], "e": ["TRUE"]})
    kinds = ("number", "category", "text", "ignore", "boolean")
    profile = Profile.learn(X, [Decision(name, kind) for name, kind in zip(X, kinds, strict=True)])
    assert [one.name for one in profile.columns] == [one.name for one in profile.decisions] == ["e"]
    assert profile.columns[0].frequent == ["True"]


def test_cells_are_read_as_the_decisions_say():
    X = pd.DataFrame({"price": ["1,5", "n/a", "20,0"], "day": ["1.2.2024", "3.2.2024", "29.2.2024"]})
    profile = Profile.learn(X, decide_columns(X))
    price, day = profile.columns
    assert (price.low, price.high, price.counts.tolist()) == (1.5, 20.0, [1, 1, 1])
    assert (day.high - day.low) / 86400 == 28


def test_a_profile_whose_decisions_are_about_other_columns_is_refused():
    X = pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]})
    profile = Profile.learn(X, [Decision("a", "number"), Decision("b", "category")])
    profile.check_saved()
    with pytest.raises(ValueError, match="the decision about b stands beside the profile of a"):
        Profile(profile.decisions[::-1], profile.columns).check_saved()


@pytest.mark.parametrize(
    ("column", "changes"),
    [
        (("n", "number", np.arange(5.0)), {"low": 3.0}),
        (("n", "number", np.arange(5.0)), {"bounds": np.array([0.0, 2.0, 1.0, 3.0, 4.0])}),
        (("n", "number", np.arange(5.0)), {"counts": np.ones(5, dtype=np.int64)}),
        (("n", "number", np.arange(5.0)), {"bounds": np.empty(0)}),
        (("c", "category", ["a", "b"]), {"counts": np.ones(3, dtype=np.int64)}),
        (("c", "category", ["a", "b"]), {"n_strange": 3}),
        (("t", "text", ["a b", "b c"]), {"n_strange": 3}),
    ],
)
def test_what_does_not_fit_together_is_refused(column, changes):
    good = learn_column(*column)
    good.check_saved()
    with pytest.raises(ValueError):
        replace(good, **changes).check_saved()
