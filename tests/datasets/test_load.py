"""What `load` returns, and what it refuses."""

import builtins
import dataclasses
import pickle

import numpy as np
import pandas as pd
import pytest

from emphatic.datasets import load, names
from emphatic.tables import TableTransformer


def test_mixed_tables_are_frames_of_categories():
    problem = load("hepatitis")
    assert isinstance(problem.X, pd.DataFrame)
    for name, kind in zip(problem.feature_names, problem.feature_types):
        assert isinstance(problem.X[name].dtype, pd.CategoricalDtype) == (kind == "nominal")
        assert kind == "nominal" or problem.X[name].dtype == np.float64
    assert problem.X["sex"].iloc[:2].tolist() == ["female", "male"]
    assert problem.X["age"].iloc[:2].tolist() == [30.0, 50.0]
    assert problem.feature_types.count("nominal") == 13


def test_nominal_digits_stay_text():
    assert load("breast_cancer_ljubljana").X["deg-malig"].cat.categories.tolist() == ["1", "2", "3"]
    assert load("vowel").y.dtype.kind == "U"


def test_numeric_tables_are_float_arrays():
    problem = load("ionosphere")
    assert isinstance(problem.X, np.ndarray)
    assert problem.X.dtype == np.float64
    assert problem.X[0, 2] == 0.99539


def _without_pandas(monkeypatch):
    real = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name.partition(".")[0] == "pandas":
            raise ImportError("no pandas here")
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)


def test_numeric_tables_do_not_need_pandas(monkeypatch):
    _without_pandas(monkeypatch)
    assert load("thyroid", paper="002", numeric=True).X.shape == (7200, 21)


def test_mixed_tables_say_what_to_install(monkeypatch):
    _without_pandas(monkeypatch)
    with pytest.raises(ImportError, match=r'pip install "emphatic\[cli\]"'):
        load("abalone")


def test_loads_do_not_share_data():
    first = load("ripley")
    first.X[:] = 0
    first.y[:] = "9"
    first.train[:] = 0
    second = load("ripley")
    assert second.X[0, 0] == 0.05100797
    assert second.y[0] == "0"
    assert second.train[-1] == 249


def test_problem_is_frozen_and_pickles():
    problem = load("abalone", paper="001")
    with pytest.raises(dataclasses.FrozenInstanceError):
        problem.name = "other"
    again = pickle.loads(pickle.dumps(problem))
    assert again.sizes == problem.sizes
    assert np.array_equal(again.y, problem.y)


def test_views_of_mfeat_are_the_published_widths():
    problem = load("mfeat")
    widths = {view: columns.stop - columns.start for view, columns in problem.views.items()}
    assert widths == {"fou": 76, "fac": 216, "kar": 64, "pix": 240, "zer": 47, "mor": 6}
    assert sum(widths.values()) == problem.X.shape[1] == 649
    for view, columns in problem.views.items():
        assert all(name.startswith(view) for name in problem.feature_names[columns])
    pixels = problem.X[:, problem.views["pix"]]
    assert pixels.min() == 0
    assert pixels.max() == 6  # averages over 2x3 windows of a bitmap: pixels are 0..6
    assert load("ripley").views is None


def test_numeric_is_fitted_on_the_training_rows():
    problem, plain = load("image", numeric=True), load("image")
    train = problem.X[problem.train]
    np.testing.assert_allclose(train.mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(train.std(axis=0), 1, atol=1e-9)
    assert np.abs(problem.X[problem.test].mean(axis=0)).max() > 1e-3
    expected = TableTransformer().fit(plain.X[plain.train]).transform(plain.X)
    np.testing.assert_array_equal(problem.X, expected)


def test_numeric_without_split_is_fitted_on_all_rows():
    problem = load("credit", paper="001", numeric=True)
    np.testing.assert_allclose(problem.X.mean(axis=0), 0, atol=1e-9)
    assert problem.feature_names == load("credit").feature_names


def test_numeric_without_paper_is_one_hot():
    problem = load("abalone", numeric=True)
    assert problem.feature_names[:4] == ("sex_F", "sex_I", "sex_M", "length")
    assert set(problem.feature_types) == {"numeric"}


@pytest.mark.parametrize("name", names())
def test_numeric_is_finite_for_every_set(name):
    problem = load(name, numeric=True)
    assert problem.X.dtype == np.float64
    assert np.isfinite(problem.X).all()
    assert problem.X.shape == (len(problem.y), len(problem.feature_names))


def test_unknown_name_lists_near_matches():
    with pytest.raises(ValueError, match=r"'ionosfere'.*'ionosphere'.*names\(\)"):
        load("ionosfere")
    with pytest.raises(ValueError, match=r"names\(\)"):
        load("qqqq")
    with pytest.raises(ValueError, match="no data set"):
        load(3)


@pytest.mark.parametrize("paper", [None, "000", "001"])
def test_kwok_is_refused_and_the_stand_in_named(paper):
    with pytest.raises(ValueError, match=r"not known.*five_gaussians_not_kwok"):
        load("kwok", paper=paper)


def test_only_the_stand_in_is_flagged():
    assert [name for name in names() if load(name).stand_in] == ["five_gaussians_not_kwok"]


def test_repr_and_summary():
    problem = load("crabs", paper="001")
    assert repr(problem).startswith("Problem('crabs', paper='001': 200 rows, 6 numeric and 1 nominal features")
    assert "random split of 120/80" in repr(problem)
    assert "STAND-IN" in repr(load("five_gaussians_not_kwok"))
    for text in ("+1 is: M", "train sizes: 1 59, -1 61", "neither whether sex or species", "GPL", "Campbell"):
        assert text in problem.summary()
    assert "pix 240" in load("mfeat").summary()
