"""Quantiles by a sketch: exact of few numbers, and never further off than it says, nor than is promised."""

from __future__ import annotations

from math import floor, log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emphatic.partitions.sketch import SIZE, QuantileSketch, find_quantiles

SHARES = np.linspace(0.0, 1.0, 21)


@st.composite
def numbers_in_partitions(draw: st.DrawFn) -> tuple[list[np.ndarray], int]:
    """Partitions of numbers, often with ties, often sorted over all partitions: the hardest case of merging."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    sizes = draw(st.lists(st.integers(1, 400), min_size=1, max_size=12))
    values = rng.standard_normal(sum(sizes)).round(draw(st.integers(0, 8)))
    if draw(st.booleans()):
        values = np.sort(values)
    return np.split(values, np.cumsum(sizes)[:-1]), draw(st.integers(2, 64))


def merge_in_a_tree(sketches: list[QuantileSketch], fan_in: int) -> QuantileSketch:
    while len(sketches) > 1:
        sketches = [QuantileSketch.merge(sketches[i : i + fan_in]) for i in range(0, len(sketches), fan_in)]
    return sketches[0]


def rank_error(sketch: QuantileSketch, values: np.ndarray) -> int:
    """The largest difference between how many numbers are at most x, and what the sketch says, over all x."""
    counted = sum(
        (1 << h) * np.searchsorted(np.sort(level), np.sort(values), side="right")
        for h, level in enumerate(sketch.levels)
    )
    return int(np.abs(counted - np.searchsorted(np.sort(values), np.sort(values), side="right")).max())


@given(numbers_in_partitions(), st.integers(2, 5))
@settings(max_examples=150, deadline=None)
def test_ranks_are_never_further_off_than_the_sketch_says(case: tuple[list[np.ndarray], int], fan_in: int) -> None:
    parts, size = case
    values = np.concatenate(parts)
    sketch = merge_in_a_tree([QuantileSketch.of(part, size) for part in parts], fan_in)
    n = len(values)
    assert sketch.n == n
    assert rank_error(sketch, values) <= sketch.error
    promised = n / size * (1 + floor(log2(n / size))) if n > size else 0
    assert sketch.error <= promised
    assert all(len(level) <= size for level in sketch.levels)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60), st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_few_numbers_have_their_exact_quantiles(values: list[float], n_parts: int) -> None:
    array = np.array(values)
    parts = [part for part in np.array_split(array, n_parts) if len(part)]
    sketch = QuantileSketch.merge([QuantileSketch.of(part) for part in parts])
    assert sketch.error == 0
    np.testing.assert_allclose(sketch.find(SHARES), np.quantile(array, SHARES), rtol=1e-12, atol=1e-6)


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 5)), min_size=1, max_size=9))
@settings(max_examples=60, deadline=None)
def test_numbers_with_counts_are_so_many_numbers(pairs: list[tuple[int, int]]) -> None:
    values, counts = (np.array(one) for one in zip(*pairs, strict=True))
    found = find_quantiles(values.astype(float), counts, SHARES)
    np.testing.assert_allclose(found, np.quantile(np.repeat(values, counts), SHARES), rtol=0, atol=1e-12)


@pytest.mark.parametrize("order", ["sorted", "shuffled"])
def test_a_million_numbers_in_a_hundred_partitions(order: str) -> None:
    values = np.arange(1_000_000.0)
    if order == "shuffled":
        values = np.random.default_rng(0).permutation(values)
    sketch = merge_in_a_tree([QuantileSketch.of(part) for part in np.array_split(values, 100)], 16)
    assert sketch.error <= len(values) / SIZE * (1 + floor(log2(len(values) / SIZE)))
    # each number is its own rank; one that is kept stands for others of up to so many ranks
    assert np.abs(sketch.find(SHARES) - SHARES * (len(values) - 1)).max() <= 2 * sketch.error
    assert sum(map(len, sketch.levels)) < 40_000
