"""Importances and partial dependence against functions whose answer is known, and against scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from sklearn.inspection import partial_dependence
from sklearn.linear_model import LogisticRegression

from emphatic.card import importance as importance_module
from emphatic.card import shuffling
from emphatic.card.dependence import measure_dependence
from emphatic.card.importance import measure_importances

RNG = np.random.default_rng(0)


def as_share(first):
    return np.column_stack([1.0 - first, first])


def test_only_what_is_read_is_important():
    X = pd.DataFrame({"read": np.tile([0.1, 0.9], 50), "unread": np.arange(100), "skipped": 0})
    codes = np.tile([0, 1], 50)
    found = measure_importances(
        lambda table, rows: as_share(table["read"].to_numpy()),
        X,
        codes,
        rng=np.random.default_rng(0),
        skip={2},
    )
    assert found.names == ["read", "unread"]
    assert found.values[1] == 0.0 and found.spreads[1] == 0.0
    # Shuffled, half of the rows have the other value: the mean loss grows by about (ln 0.9 - ln 0.1) / 2.
    assert found.values[0] == pytest.approx(np.log(9.0) / 2, abs=0.15)
    assert found.order.tolist() == [0, 1]
    assert (found.n_rows, found.n_repeats, found.loss) == (100, 5, "log loss")


def test_error_instead_of_the_log_loss():
    X = pd.DataFrame({"read": np.tile([0.0, 1.0], 50)})
    found = measure_importances(
        lambda table, rows: as_share(table["read"].to_numpy()),
        X,
        np.tile([0, 1], 50),
        rng=np.random.default_rng(0),
        has_probabilities=False,
    )
    assert found.loss == "error"
    assert found.values[0] == pytest.approx(0.5, abs=0.1)


def test_shuffled_cells_keep_their_type_and_the_table_is_not_changed():
    X = pd.DataFrame(
        {
            "text": ["a", None, "c"] * 4,
            "objects": pd.Series(["a", None, "c"] * 4, dtype=object),
            "kind": pd.Categorical(["x", "y", "z"] * 4),
            "when": pd.date_range("2024", periods=12),
        }
    )
    before = X.copy()
    seen = []

    def predict(table, rows):
        seen.append(table.dtypes.tolist())
        assert set(table["objects"]) == {"a", None, "c"}
        return np.full((len(table), 2), 0.5)

    measure_importances(predict, X, np.tile([0, 1], 6), rng=np.random.default_rng(0))
    assert seen == [X.dtypes.tolist()] * 2
    pd.testing.assert_frame_equal(X, before)


def test_columns_of_one_name_are_measured_apart():
    X = pd.DataFrame(np.column_stack([np.zeros(20), np.tile([0.1, 0.9], 10)]), columns=["x", "x"])
    found = measure_importances(
        lambda table, rows: as_share(table.iloc[:, 1].to_numpy()), X, np.tile([0, 1], 10), rng=RNG
    )
    assert found.values[0] == 0.0
    assert found.values[1] > 0.5


@pytest.mark.parametrize(
    ("n_columns", "n_rows", "n_repeats", "n_measured"),
    [(3, 30, 5, 3), (8, 25, 5, 8), (12, 16, 5, 12), (25, 10, 4, 25), (60, 10, 5, 5)],
)
def test_the_work_is_limited(monkeypatch, n_columns, n_rows, n_repeats, n_measured):
    limits = {"MAX_PREDICTIONS": 1000, "MAX_CELLS": 50_000, "MAX_ROWS": 30, "FEWEST_ROWS": 10, "FEWEST_SHUFFLES": 1}
    for name, value in limits.items():
        monkeypatch.setattr(importance_module, name, value)
    X, done = pd.DataFrame(np.zeros((100, n_columns))), []

    def predict(table, rows):
        done.append(len(rows))
        return np.full((len(rows), 2), 0.5)

    found = measure_importances(predict, X, np.zeros(100, dtype=int), rng=RNG)
    assert (found.n_rows, found.n_repeats, len(found.names)) == (n_rows, n_repeats, n_measured)
    assert found.n_left == n_columns - n_measured
    assert sum(done[1:]) <= 1000 and sum(done[1:]) * n_columns <= 50_000


@pytest.mark.parametrize("n_columns", [300, 1023])
def test_important_columns_of_a_wide_table_are_found(monkeypatch, n_columns):
    monkeypatch.setattr(importance_module, "MAX_CELLS", 200 * n_columns * 150)  # 150 shuffles
    rng = np.random.default_rng(0)
    values = rng.normal(size=(200, n_columns))
    score = 3 * values[:, 17] - 2 * values[:, 211] + values[:, 212]
    codes = (score > 0).astype(int)

    def predict(table, rows):
        known = table.to_numpy()
        return as_share(1 / (1 + np.exp(-3 * known[:, 17] + 2 * known[:, 211] - known[:, 212])))

    found = measure_importances(predict, pd.DataFrame(values), codes, rng=rng)
    assert [found.names[place] for place in found.order[:3]] == ["17", "211", "212"]
    assert found.n_left == n_columns - len(found.names) > 0


def test_changed_tables_are_predicted_alike_in_batches_of_any_size(monkeypatch):
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": list("wxyz")})
    rows = np.array([1, 3])
    changes = [{0: np.array([0, 0])}, {}, {1: np.array([2, 1]), 0: np.array([3, 3])}]

    def predict(table, rows):
        return np.column_stack([table["a"], rows, [ord(one) for one in table["b"]]])

    expected = [[[1, 1, 120], [1, 3, 122]], [[2, 1, 120], [4, 3, 122]], [[4, 1, 121], [4, 3, 120]]]
    for limit in (1, 8, 10**6):
        monkeypatch.setattr(shuffling, "MAX_CELLS", limit)
        assert np.array(shuffling.predict_changed(predict, X, rows, changes)).tolist() == expected


def test_dependence_on_a_number_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(150, 2)), columns=["a", "b"])
    y = (X["a"] + X["b"] + rng.normal(size=150) > 0).astype(int)
    model = LogisticRegression().fit(X, y)
    found = measure_dependence(
        lambda table, rows: model.predict_proba(table), X, 0, "number", X["a"].to_numpy(), np.random.default_rng(0)
    )
    assert len(found.values) == 21 and found.values == sorted(found.values)
    assert set(found.values) <= set(X["a"])  # cells as they are, so that any spelling can be read
    expected = partial_dependence(model, X, ["a"], custom_values={"a": np.array(found.values)}, method="brute")
    np.testing.assert_allclose(found.means[:, 1], expected["average"][0], rtol=1e-12)
    np.testing.assert_allclose(found.means.sum(axis=1), 1.0)
    np.testing.assert_array_equal(found.deciles, np.quantile(X["a"], np.arange(1, 10) / 10))


def test_dependence_on_categories_lists_the_most_frequent_and_missing_ones():
    cells = ["red"] * 5 + [None] * 3 + ["blue"] * 2
    X = pd.DataFrame({"colour": pd.Series(cells, dtype=object)})
    shares = {"red": 0.75, None: 0.5, "blue": 0.25}
    found = measure_dependence(
        lambda table, rows: as_share(np.array([shares[cell] for cell in table["colour"]])), X, 0, "category", cells, RNG
    )
    assert found.values == ["red", None, "blue"]
    assert found.counts == [5, 3, 2]
    assert found.means[:, 1].tolist() == [0.75, 0.5, 0.25]


def test_cells_are_given_to_the_model_as_they_are_written():
    X = pd.DataFrame({"price": ["1,5", "2,5", "3,5", None]})

    def predict(table, rows):
        assert set(table["price"]) <= {"1,5", "2,5", "3,5"}
        return np.full((len(table), 2), 0.5)

    found = measure_dependence(predict, X, 0, "number", np.array([1.5, 2.5, 3.5, np.nan]), RNG)
    assert found.values == [1.5, 2.5, 3.5]


@pytest.mark.parametrize(
    ("kind", "values"), [("number", [1.0, 1.0]), ("number", [np.nan] * 2), ("category", ["a", "a"])]
)
def test_a_column_whose_values_do_not_differ_has_no_dependence(kind, values):
    assert measure_dependence(lambda *_: None, pd.DataFrame({"x": [0, 0]}), 0, kind, values, RNG) is None
