"""TextEncoding and ManyCategories: equal texts, similar texts, strange texts, and a slow twin of the n-gram counts."""

import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emphatic.tables.encodings import ManyCategories, TextEncoding
from emphatic.tables.encodings.ngrams import LONGEST, SIZES, choose_ngrams, find_ngrams, normalise, weigh_ngrams

WORDS = ["apple", "apricot", "banana", "screw", "screwdriver", "nail", "hammer", "pear"]
FRUITS = [f"{size} {word}" for size in ("small", "large", "red", "green") for word in WORDS]
texts = st.lists(st.one_of(st.none(), st.text(max_size=12), st.text("ab ", max_size=5)), min_size=1, max_size=12)
encodings = st.sampled_from([TextEncoding, ManyCategories])


def slices(text):
    return [text[i : i + size] for size in SIZES for i in range(len(text) - size + 1)]


@given(st.lists(st.text(max_size=8).map(normalise), min_size=1, max_size=6))
@settings(max_examples=150, deadline=None)
def test_ngrams_are_the_slices_of_the_texts(texts):
    """Slow twin: a bucket for each slice of a text alone, found again in every text."""
    rows, buckets = find_ngrams(texts)
    for number, text in enumerate(texts):
        alone = [find_ngrams([part])[1][-1] for part in slices(text)]
        assert Counter(buckets[rows == number].tolist()) == Counter(alone)


def test_weights_are_those_of_the_formula():
    distinct, counts = [" ab ", " b "], np.array([3, 1])
    buckets, weights = choose_ngrams(distinct, counts, 100)
    inputs = weigh_ngrams(distinct, buckets, weights).toarray()
    # of 4 rows, "b " is in 4, the other slices of " ab " in 3 and those of " b " in 1
    idf = {4: 1.0, 3: np.log(5 / 4) + 1, 1: np.log(5 / 2) + 1}
    assert sorted(weights) == pytest.approx(sorted([idf[4], *[idf[3]] * 5, *[idf[1]] * 2]))
    np.testing.assert_allclose(np.linalg.norm(inputs, axis=1), 1)
    assert sorted(inputs[1][inputs[1] > 0]) == pytest.approx(
        np.array([idf[4], idf[1], idf[1]]) / np.linalg.norm([idf[4], idf[1], idf[1]])
    )


def test_the_most_frequent_ngrams_are_chosen():
    distinct, counts = [" ab ", " b "], np.array([3, 1])
    (most,), _ = choose_ngrams(distinct, counts, 1)
    assert most == find_ngrams(["b "])[1][0]


def test_components_are_those_of_an_exact_decomposition():
    """Slow twin: all distances between codes are those of the centred inputs, if no component is left out."""
    table = FRUITS[:20]
    encoding = TextEncoding.learn(table)
    inputs = weigh_ngrams([normalise(text) for text in table], encoding.buckets, encoding.weights).toarray()
    codes = encoding.encode(table)
    assert codes.shape == (20, np.linalg.matrix_rank(inputs))
    expected = np.linalg.norm(inputs[:, None] - inputs, axis=2)
    np.testing.assert_allclose(
        np.linalg.norm(codes[:, None] - codes, axis=2), expected / np.sqrt(inputs.var(axis=0).sum()), atol=1e-6
    )


def test_codes_are_centred_and_have_the_variance_of_a_number():
    table = FRUITS * 3 + ["large nail"] * 40
    codes = TextEncoding.learn(table).encode(table)
    np.testing.assert_allclose(codes.mean(axis=0), 0, atol=1e-6)
    assert codes.var(axis=0).sum() == pytest.approx(1, rel=1e-6)


def test_similar_texts_are_near_even_if_never_seen():
    codes = TextEncoding.learn(FRUITS).encode(["large screwdriver", "Large  screwdrivrs", "red pear"])
    near, far = np.linalg.norm(codes[1:] - codes[0], axis=1)
    assert near < far / 2


def test_case_and_white_space_do_not_count():
    encoding = TextEncoding.learn(FRUITS)
    codes = encoding.encode(["small pear", " Small\t\nPEAR "])
    np.testing.assert_array_equal(codes[0], codes[1])


@given(encodings, texts, texts)
@settings(max_examples=150, deadline=None)
def test_any_text_is_finite_and_encoded_alone(kind, known, asked):
    encoding = kind.learn(known)
    together = encoding.encode(asked)
    assert np.isfinite(together).all()
    assert together.shape == (len(asked), encoding.n_outputs) == (len(asked), len(encoding.names("t")))
    np.testing.assert_array_equal(together, np.vstack([encoding.encode([text]) for text in asked]))


@pytest.mark.parametrize("kind", [TextEncoding, ManyCategories])
def test_many_texts_are_encoded_as_single_ones(kind):
    rng = np.random.default_rng(0)
    table = [" ".join(rng.choice(WORDS, rng.integers(1, 30))) for _ in range(300)]
    encoding = kind.learn(table[:200])
    np.testing.assert_array_equal(encoding.encode(table), np.vstack([encoding.encode([text]) for text in table]))


def test_texts_are_encoded_in_blocks_and_of_long_ones_the_beginning_counts(monkeypatch):
    encoding = TextEncoding.learn(FRUITS)
    whole = encoding.encode(FRUITS)
    monkeypatch.setattr(sys.modules[TextEncoding.__module__], "BLOCK", 50)
    np.testing.assert_array_equal(encoding.encode(FRUITS), whole)
    tail = encoding.encode(["a" * LONGEST, "a" * LONGEST + "b" * 100, "a" * 10_000_000])
    np.testing.assert_array_equal(tail[0], tail[1])
    np.testing.assert_array_equal(tail[0], tail[2])


@pytest.mark.parametrize("kind", [TextEncoding, ManyCategories])
@pytest.mark.parametrize(
    "table",
    [[], [None], [""], ["a"], ["", " "], ["a", "a"], ["a", None], ["\ud800", "\U0001f600", "\0"], ["İ", "ß", "ﬁ"]],
    ids=repr,
)
def test_strange_tables(kind, table):
    encoding = kind.learn(table)
    codes = encoding.encode([*table, "new", "", None, "\udfff" * 3])
    assert np.isfinite(codes).all()
    assert codes.shape == (len(table) + 4, encoding.n_outputs)


def test_texts_that_are_all_equal_say_nothing():
    assert TextEncoding.learn(["same"] * 5).n_outputs == 0
    assert TextEncoding.learn([None] * 5).n_outputs == 0


def test_a_missing_text_is_at_the_mean_and_marked():
    encoding = TextEncoding.learn([*FRUITS, None])
    codes = encoding.encode([None, "never seen ☂", FRUITS[0]])
    assert codes[0].tolist() == [0.0] * (encoding.n_outputs - 1) + [np.sqrt(0.5)]
    assert codes[1, -1] == codes[2, -1] == 0.0
    assert not TextEncoding.learn(FRUITS).encode([None]).any()  # no row of the training was like that


def test_the_order_of_the_rows_does_not_matter():
    one, other = TextEncoding.learn(FRUITS), TextEncoding.learn(FRUITS[::-1])
    np.testing.assert_array_equal(one.components, other.components)


def test_of_many_texts_a_sample_is_learnt_from():
    rng = np.random.default_rng(1)
    table = [f"{word} {rng.integers(10**6)}" for word in rng.choice(WORDS, 30_000)]
    encoding = TextEncoding.learn(table, seed=3)
    np.testing.assert_array_equal(encoding.components, TextEncoding.learn(table, seed=3).components)
    assert encoding.encode(table).var(axis=0).sum() == pytest.approx(1, rel=0.05)  # as the sample says


def test_what_is_kept_of_many_categories_is_below_a_megabyte():
    rng = np.random.default_rng(1)
    kept = ManyCategories.learn(["".join(rng.choice(list("abcdefghij"), 8)) for _ in range(3_000)]).similarity
    assert kept.components.shape == (3_900, 60)
    assert kept.components.nbytes + kept.weights.nbytes + kept.buckets.nbytes + kept.centre.nbytes < 1e6


def test_frequent_categories_have_indicators_and_all_are_near_what_is_written_alike():
    towns = ["Paris"] * 5 + ["Lyon"] * 3 + ["Lyons", "Paaris", "Nice", "Nancy", None]
    encoding = ManyCategories.learn(towns, n_frequent=2)
    assert encoding.frequent == ("Paris", "Lyon")
    codes = encoding.encode(["Paris", "Lyon", "Lyons", "Bordeaux", None])
    np.testing.assert_array_equal(codes[:, :2], np.sqrt(0.5) * np.array([[1, 0], [0, 1], [0, 0], [0, 0], [0, 0]]))
    similar = TextEncoding.learn(towns[:-1])
    np.testing.assert_array_equal(codes[:, 2:], similar.encode(["Paris", "Lyon", "Lyons", "Bordeaux", None]))
    assert encoding.names("town")[:3] == ["town_Paris", "town_Lyon", "town_similar1"]


def test_ties_of_frequency_are_in_the_order_of_the_text_with_missing_values_last():
    assert ManyCategories.learn([None, "b", "a", "c"], n_frequent=3).frequent == ("a", "b", "c")
    encoding = ManyCategories.learn([None, "b", "a", "c", None], n_frequent=3)
    assert encoding.frequent == (None, "a", "b")
    assert encoding.names("t")[:3] == ["t_missing", "t_a", "t_b"]
    assert encoding.encode([None])[0].tolist() == [np.sqrt(0.5)] + [0.0] * (encoding.n_outputs - 1)


def test_saved_parts_are_checked():
    encoding = ManyCategories.learn(FRUITS)
    encoding.check_saved()
    encoding.similarity.check_saved()
    with pytest.raises(ValueError, match="must differ"):
        ManyCategories(("a", "a"), encoding.similarity).check_saved()
    whole = encoding.similarity
    unsorted = TextEncoding(whole.buckets[::-1], whole.weights, whole.components, whole.centre, whole.has_missing)
    with pytest.raises(ValueError, match="sorted"):
        unsorted.check_saved()
