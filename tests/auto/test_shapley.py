"""Shapley values against what they must be, and against plain enumeration."""

from itertools import permutations

import numpy as np
import pytest

from emphatic.auto.why import shapley
from emphatic.auto.why.shapley import draw_background, explain_inputs, list_players

RNG = np.random.default_rng(0)
WEIGHTS = RNG.normal(size=(12, 2))


def additive(inputs):
    return np.asarray(inputs, dtype=np.float64) @ WEIGHTS[: inputs.shape[1]]


def curved(inputs):
    x = np.asarray(inputs, dtype=np.float64)
    f = np.tanh(x[:, 0] * x[:, 1] + x[:, 2]) + 0.3 * x[:, 0]
    return np.column_stack([f, -f])


def explain(predict, row, background, starts=None):
    starts = np.arange(len(row) + 1) if starts is None else starts
    players = list_players(predict, row, background, starts)
    return explain_inputs(predict, row, background, players, starts)


def make_rows(n, d, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=d).astype(np.float32), rng.normal(size=(n, d)).astype(np.float32)


@pytest.mark.parametrize("d", [3, 12])  # enumerated, sampled
def test_of_an_additive_model_they_are_its_terms(d):
    row, background = make_rows(7, d)
    found = explain(additive, row, background)
    expected = (row - background.mean(axis=0, dtype=np.float64))[:, None] * WEIGHTS[:d]
    np.testing.assert_allclose(found.values, expected, atol=1e-6)


@pytest.mark.parametrize("most_exact", [8, 0])
def test_they_add_up_to_the_prediction(monkeypatch, most_exact):
    monkeypatch.setattr(shapley, "MOST_EXACT", most_exact)
    row, background = make_rows(9, 4)
    found = explain(curved, row, background)
    np.testing.assert_allclose(found.base + found.values.sum(axis=0), curved(row[None])[0], atol=1e-12)
    np.testing.assert_allclose(found.base, curved(background).mean(axis=0), atol=1e-12)


def test_enumeration_is_the_mean_over_all_orders():
    row, background = make_rows(3, 3)
    expected = np.zeros((3, 2))
    for order in permutations(range(3)):
        for other in background:
            now = other.copy()
            for j in order:
                before = curved(now[None])[0]
                now[j] = row[j]
                expected[j] += (curved(now[None])[0] - before) / (6 * len(background))
    found = explain(curved, row, background)
    np.testing.assert_allclose(found.values, expected, atol=1e-12)
    assert not found.errors.any()


def test_samples_agree_with_enumeration_within_their_standard_errors(monkeypatch):
    row, background = make_rows(20, 4)
    exact = explain(curved, row, background).values
    monkeypatch.setattr(shapley, "MOST_EXACT", 0)
    monkeypatch.setattr(shapley, "MOST_PREDICTIONS", 20 * 2 * 4 * 10)
    found = explain(curved, row, background)
    assert (found.errors[:3] > 0).all()
    assert (np.abs(found.values - exact) <= 3 * found.errors + 1e-12).all()
    assert (np.abs(found.values - exact)[:3] > 0).any()  # or it was no sample


def test_what_is_not_read_or_does_not_differ_contributes_nothing_and_equals_share_alike():
    row, background = make_rows(6, 4)
    background[:, 2] = row[2]
    found = explain(curved, row, background)
    assert found.players == [[0], [1], [3]]
    assert not found.values[2].any()
    row, background = row[[0, 0]], background[:, [0, 0]]
    found = explain(lambda x: np.column_stack([x[:, 0] * x[:, 1]] * 2).astype(float), row, background)
    np.testing.assert_allclose(found.values[0], found.values[1], atol=1e-12)


def test_the_inputs_of_a_column_move_together():
    row, background = make_rows(5, 3)
    found = explain(curved, row, background, starts=np.array([0, 2, 2, 3]))  # the second column is ignored
    assert found.players == [[0], [2]]
    joined = np.repeat(background, 2, axis=0).reshape(5, 2, 3)
    joined[:, 1, :2] = row[:2]  # only the first column is replaced
    first = curved(joined[:, 1]).mean(axis=0) - curved(background).mean(axis=0)
    joined[:, 0, 2] = row[2]  # only the last one is
    last = curved(row[None])[0] - curved(joined[:, 0]).mean(axis=0)
    np.testing.assert_allclose(found.values[0], (first + last) / 2, atol=1e-12)


def test_of_very_many_columns_those_that_change_least_count_together(monkeypatch):
    monkeypatch.setattr(shapley, "MOST_PLAYERS", 4)
    row, background = make_rows(6, 12)
    found = explain(additive, row, background)
    assert [len(one) for one in found.players] == [1, 1, 1, 9]
    assert sorted(j for one in found.players for j in one) == list(range(12))
    expected = (row - background.mean(axis=0, dtype=np.float64))[:, None] * WEIGHTS
    for columns, value in zip(found.players, found.values, strict=True):
        np.testing.assert_allclose(value, expected[columns].sum(axis=0), atol=1e-6)


@pytest.mark.parametrize(("n", "d", "size"), [(500, 5, 100), (30, 5, 30), (500, 10_000, 50), (500, 10**6, 10)])
def test_the_background_is_a_few_rows(n, d, size):
    background = draw_background(np.broadcast_to(np.arange(n)[:, None], (n, 1)), np.array([0, d]))
    assert background.shape == (size, 1) and background.dtype == np.float32
    assert len(np.unique(background)) == size
