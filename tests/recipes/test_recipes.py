"""What recipes are made of: the preparation of tables, the machine with probabilities, samples of rows."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.svm import SVC

from emphatic.recipes import RECIPES, sample_rows
from emphatic.recipes.preparation import CategoryColumns
from emphatic.recipes.svc import ProbableSVC
from tests.recipes.tables import make_mixed_table


@given(st.lists(st.integers(1, 40), min_size=2, max_size=4), st.integers(1, 200), st.integers(0, 9))
def test_a_sample_keeps_every_class_and_its_share(sizes, n_rows, seed):
    y = np.repeat(np.arange(len(sizes)), sizes)
    found = sample_rows(y, n_rows, np.random.default_rng(seed))
    assert len(set(found.tolist())) == len(found)
    counts = np.bincount(y[found], minlength=len(sizes))
    share = min(1, n_rows / len(y))
    assert (np.abs(counts - np.maximum(1, share * np.array(sizes))) <= 1).all()


def test_a_setting_does_not_reach_the_next_model():
    recipe = RECIPES["RealAdaBoost of RBF networks"]
    recipe.build({"emphasis__lam": 0.9, "estimator__design__fraction": 0.5}, 0)
    fresh = recipe.build({}, 0)["model"]
    assert (fresh.emphasis.lam, fresh.estimator.design.fraction) == (0.3, 0.1)


def test_many_categories_are_cut_to_the_most_frequent_and_identifiers_are_left_out():
    codes = [f"c{i}" for i in range(60)] * 2 + ["often"] * 30
    table = pd.DataFrame({"code": codes, "row": [f"r{i}" for i in range(150)], "x": np.arange(150.0) / 2})
    frame = CategoryColumns(max_categories=10).fit(table).transform(table)
    assert list(frame.columns) == ["0", "2"]
    assert len(frame["0"].cat.categories) == 10 and "often" in frame["0"].cat.categories
    assert len(CategoryColumns().fit(table).transform(table)["0"].cat.categories) == 61


def test_hist_gradient_boosting_takes_more_categories_than_it_has_bins():
    codes = np.repeat([f"c{i}" for i in range(400)], 2)
    model = RECIPES["HistGradientBoosting"].build({"max_iter": 2}, 0)
    assert model.fit(codes[:, None], np.arange(800) % 2).predict(codes[:, None]).shape == (800,)


def test_categories_keep_missing_values_and_forget_what_is_new():
    X, _ = make_mixed_table()
    frame = CategoryColumns().fit(X).transform(X)
    assert list(frame.dtypes.astype(str)) == ["float64", "float64", "category", "category"]
    np.testing.assert_array_equal(frame.isna(), X.isna())
    with pytest.raises(ValueError, match="feature names should match those that were passed during fit"):
        CategoryColumns().fit(X).transform(X.drop(columns="weight"))


def test_the_machine_decides_as_svc_does():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), np.repeat(["a", "b", "c"], 20)
    model = ProbableSVC().fit(X, y)
    np.testing.assert_array_equal(model.predict(X), SVC().fit(X, y).predict(X))


@pytest.mark.parametrize("smallest", [1, 2, 4])
def test_the_machine_takes_small_classes(smallest):
    X = np.random.default_rng(0).normal(size=(40 + smallest, 3))
    y = np.array([0, 1] * 20 + [2] * smallest)
    assert np.isfinite(ProbableSVC().fit(X, y).predict_proba(X)).all()
