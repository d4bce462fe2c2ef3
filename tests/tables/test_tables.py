"""TableTransformer: contract, values of each kind of cell, equal results from equal tables, and clear refusals."""

import datetime
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import RobustScaler, StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from emphatic import RBFNetworkClassifier
from emphatic.tables import TableTransformer

KINDS = [(nominal, scale) for nominal in ("one_hot", "ordinal") for scale in ("standard", "minmax", "robust", "none")]
HALF = np.sqrt(0.5)


@parametrize_with_checks([TableTransformer(nominal, scale) for nominal, scale in KINDS])
def test_estimator_contract(estimator, check):
    check(estimator)


def frame(**columns):
    return pd.DataFrame(columns)


# Random mixed tables, as plain columns that both libraries can take.
numbers = st.one_of(st.none(), st.floats(-1e300, 1e300), st.integers(-5, 5).map(float))
texts = st.one_of(st.none(), st.text("abc", max_size=2))
booleans = st.one_of(st.none(), st.booleans())


@st.composite
def tables(draw, min_rows=2):
    n = draw(st.integers(min_rows, 12))
    kinds = draw(st.lists(st.sampled_from(["number", "text", "boolean", "category"]), min_size=1, max_size=4))
    cells = {"number": numbers, "text": texts, "boolean": booleans, "category": texts}
    return [(kind, draw(st.lists(cells[kind], min_size=n, max_size=n))) for kind in kinds]


def to_pandas(table):
    dtypes = {"number": "float64", "text": "string", "boolean": "boolean", "category": "category"}
    return pd.DataFrame({f"c{j}": pd.Series(cells, dtype=dtypes[kind]) for j, (kind, cells) in enumerate(table)})


def to_polars(table):
    dtypes = {"number": pl.Float64, "text": pl.String, "boolean": pl.Boolean, "category": pl.Categorical}
    return pl.DataFrame([pl.Series(f"c{j}", cells, dtype=dtypes[kind]) for j, (kind, cells) in enumerate(table)])


@given(table=tables(), kind=st.sampled_from(KINDS))
@settings(max_examples=80, deadline=None)
def test_pandas_and_polars_give_the_same_finite_array(table, kind):
    first, second = TableTransformer(*kind), TableTransformer(*kind)
    X = first.fit_transform(to_pandas(table))
    np.testing.assert_array_equal(X, second.fit_transform(to_polars(table)))
    np.testing.assert_array_equal(X, first.transform(to_polars(table)))
    assert X.dtype == np.float64
    assert np.isfinite(X).all()
    assert first.get_feature_names_out().tolist() == second.get_feature_names_out().tolist()
    assert len(first.get_feature_names_out()) == X.shape[1]


@given(table=tables(min_rows=4), kind=st.sampled_from(KINDS))
@settings(max_examples=60, deadline=None)
def test_a_row_is_transformed_alone(table, kind):
    """What is learnt comes from fit only: the other rows of a batch, and rows never fitted, change nothing."""
    X = to_pandas(table)
    fitted = TableTransformer(*kind).fit(X.iloc[:2])
    together = fitted.transform(X)
    np.testing.assert_array_equal(together[:2], fitted.transform(X.iloc[:2]))
    np.testing.assert_array_equal(together, np.vstack([fitted.transform(X.iloc[[i]]) for i in range(len(X))]))
    assert np.isfinite(together).all()


@given(table=tables())
@settings(max_examples=60, deadline=None)
def test_one_hot_rows_have_one_indicator_for_each_nominal_column(table):
    fitted = TableTransformer().fit(to_pandas(table))
    X = fitted.transform(to_pandas(table))
    start = 0
    for categories in fitted.categories_:
        width = 1 if categories is None else len(categories)
        if categories is not None:
            np.testing.assert_allclose(X[:, start : start + width].sum(axis=1), HALF)
        start += width
    assert start == X.shape[1]


def test_standard_scale_is_that_of_scikit_learn():
    X = np.random.default_rng(0).normal(5, 3, size=(50, 4))
    np.testing.assert_allclose(TableTransformer().fit_transform(X), StandardScaler().fit_transform(X), rtol=1e-12)


def test_different_categories_are_at_squared_distance_one():
    X = TableTransformer().fit_transform(frame(colour=["red", "blue", "red"]))
    assert np.sum((X[0] - X[1]) ** 2) == pytest.approx(1)
    assert np.sum((X[0] - X[2]) ** 2) == 0


def test_missing_numbers_take_the_training_mean():
    X = frame(a=[1.0, None, 5.0])
    assert TableTransformer(scale="none").fit_transform(X)[1, 0] == 3
    assert TableTransformer(scale="standard").fit_transform(X)[1, 0] == 0
    assert TableTransformer(scale="minmax").fit_transform(X)[:, 0].tolist() == [0, 0.5, 1]
    assert TableTransformer().fit(X).means_.tolist() == [3]


def test_robust_scale_is_that_of_scikit_learn():
    X = np.random.default_rng(0).standard_normal((101, 3)) * [1.0, 1e-3, 1e200]
    X[0] = 1e250  # an extreme value that moves the mean, but not the median
    expected = np.clip(RobustScaler(unit_variance=True).fit_transform(X), -1e100, 1e100)
    np.testing.assert_allclose(TableTransformer(scale="robust").fit_transform(X), expected, rtol=1e-12, atol=1e-12)


def test_robust_scale_of_equal_quartiles_is_the_deviation():
    X = np.array([[0.0]] * 9 + [[10.0]])
    np.testing.assert_allclose(TableTransformer(scale="robust").fit_transform(X), X / X.std(), rtol=1e-12)


def test_missing_names_are_a_category_only_if_fit_saw_one():
    with_hole, without = frame(a=["x", None, "y"]), frame(a=["x", "y", "y"])
    seen = TableTransformer().fit(with_hole)
    assert seen.get_feature_names_out().tolist() == ["a_x", "a_y", "a_missing"]
    np.testing.assert_allclose(seen.transform(with_hole)[1], [0, 0, HALF])
    unseen = TableTransformer().fit(without)
    np.testing.assert_array_equal(unseen.transform(with_hole)[1], [0, 0])
    assert TableTransformer("ordinal", "none").fit_transform(with_hole)[:, 0].tolist() == [0, 2, 1]


def test_unknown_categories():
    train, test = frame(a=["x", "y", "y"], b=[1.0, 2.0, 3.0]), frame(a=["z"], b=[2.0])
    np.testing.assert_array_equal(TableTransformer().fit(train).transform(test), [[0, 0, 0]])
    ordinal = TableTransformer("ordinal", "none").fit(train)
    np.testing.assert_allclose(ordinal.transform(test), [[2 / 3, 2]])  # codes 0, 1, 1


def test_ordinal_codes_are_scaled_and_keep_the_dimension():
    X = TableTransformer("ordinal").fit_transform(frame(sex=["M", "F", "I"], length=[1.0, 2.0, 3.0]))
    np.testing.assert_allclose(X[:, 0], np.sqrt(1.5) * np.array([1, -1, 0]), atol=1e-12)
    assert X.shape == (3, 2)


@pytest.mark.parametrize(("nominal", "scale"), KINDS)
def test_huge_tiny_constant_and_empty_columns(nominal, scale):
    train = np.array([[1e300, 5e-324, 0.1, np.nan], [-1.7e308, 0, 0.1, np.nan], [1.7e308, np.nan, 0.1, np.nan]])
    fitted = TableTransformer(nominal, scale).fit(train)
    X = fitted.transform(train)
    assert np.isfinite(X).all()
    assert np.isfinite(fitted.transform([[1.7e308, 1e300, -1e300, 7.0]])).all()
    assert (X[:, 3] == 0).all()
    assert fitted.transform([[0.0, 0.0, 0.1, 7.0]])[0, 3] == 0
    if scale == "standard":
        np.testing.assert_allclose(X[:, 0].std(), 1)
    if scale != "none":
        assert (X[:, 2] == 0).all()
        assert fitted.transform([[0.0, 0.0, 2.1, 7.0]])[0, 2] == pytest.approx(2)  # constant columns have scale 1


@pytest.mark.parametrize("scale", ["standard", "minmax", "robust", "none"])
@pytest.mark.parametrize("size", [1e300, 1e-300, 5e-324])
def test_learners_accept_ordinary_numbers_in_the_units_of_huge_and_tiny_ones(size, scale):
    train = np.column_stack([np.arange(20) % 7 * size, np.full(20, size)])  # one of them is constant
    fitted = make_pipeline(TableTransformer(scale=scale), RBFNetworkClassifier(random_state=0)).fit(train, [0, 1] * 10)
    for other in (0.0, 1.0, -1e50, 1e300, np.nan, size):
        assert np.isfinite(fitted.predict_proba([[other, other]])).all()


def test_a_constant_column_of_huge_numbers_is_measured_in_their_unit():
    fitted = TableTransformer().fit(np.full((3, 1), 1e300))
    X = fitted.transform([[1e300], [0.0], [2e300], [np.nan]])[:, 0]
    assert X[0] == X[3] == 0 and X[1] == -X[2] and 1 <= X[2] < 2
    assert fitted.means_.tolist() == [1e300]


def test_kinds_of_columns_in_object_arrays():
    X = np.array(
        [[1, "a", True, 1, None], [2.5, "b", False, "one", None], [np.nan, None, None, None, None]], dtype=object
    )
    kinds = TableTransformer().fit(X).categories_
    assert kinds == [None, ["a", "b", None], ["False", "True", None], ["1", "one", None], None]
    assert TableTransformer().fit([[1, "a"], [2, "b"]]).categories_ == [None, ["a", "b"]]
    assert TableTransformer().fit(np.array([["1"], ["2"]])).categories_ == [["1", "2"]]
    assert TableTransformer().fit(np.array([[True], [False]])).categories_ == [["False", "True"]]


def test_integer_categories_do_not_turn_into_floats():
    X = frame(a=pd.Categorical([1, None, 2]), b=pd.array([1, None, 3], dtype="Int64"))
    fitted = TableTransformer().fit(X)
    assert fitted.categories_ == [["1", "2", None], None]
    np.testing.assert_array_equal(fitted.transform(X)[[0]], fitted.transform(X.iloc[[0]]))


def test_layouts_and_precisions_agree():
    X = np.random.default_rng(1).integers(0, 9, size=(20, 3)).astype(np.float64)
    frozen = X.copy()
    frozen.flags.writeable = False
    expected = TableTransformer().fit_transform(X)
    for other in (frozen, np.asfortranarray(X), X.astype(np.float32), X.astype(int), X.astype(object), X.tolist()):
        np.testing.assert_array_equal(TableTransformer().fit_transform(other), expected)
    assert np.array_equal(frozen, X)


def test_ten_thousand_categories():
    X = np.array([[f"c{i:05d}"] for i in range(10_000)], dtype=object)
    result = TableTransformer().fit(X).transform(X[[3, 9_999]])
    assert result.shape == (2, 10_000)
    assert result.argmax(axis=1).tolist() == [3, 9_999]
    assert TableTransformer("ordinal", "none").fit_transform(X)[:, 0].tolist() == list(range(10_000))


def test_set_output_gives_named_columns():
    X = TableTransformer().set_output(transform="pandas").fit_transform(frame(a=["x", "y"], b=[1.0, 2.0]))
    assert X.columns.tolist() == ["a_x", "a_y", "b"]


DAY = datetime.date(2020, 1, 1)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (frame(ok=[1.0], far=[np.inf]), "'far' holds infinite"),
        (pl.DataFrame({"far": [1.0, -np.inf]}), "'far' holds infinite"),
        ([[10**400]], "'x0' holds numbers too large"),
        (frame(when=[DAY]), "'when' holds dates"),
        (frame(when=pd.to_datetime(["2020-01-01", None])), "'when' holds dates"),
        (frame(when=pd.period_range("2020", periods=2)), "'when' holds dates"),
        (pl.DataFrame({"when": [DAY]}), "'when' holds dates"),
        (np.array([["2020-01-01"]], dtype="datetime64[D]"), "'x0' holds dates"),
        (frame(odd=[{"a": 1}]), "'odd' holds values of type dict; allowed are numbers"),
        (frame(odd=[1 + 2j]), "'odd' holds values of type complex"),
        (pl.DataFrame({"odd": [[1, 2]]}), "'odd' holds values of type list"),
        (sparse.csr_matrix(np.eye(3)), "sparse"),
        (pl.DataFrame({"a": [1]}).lazy(), r"LazyFrame is not supported.*collect"),
        (frame(a=[1.0]).iloc[:0], "0 sample"),
        (np.array([1.0, 2.0]), "Reshape your data"),
    ],
)
def test_refusals_name_the_column(X, message):
    with pytest.raises(ValueError, match=message):
        TableTransformer().fit(X)


@pytest.mark.parametrize(
    ("train", "test", "message"),
    [
        (frame(a=[1.0], b=[2.0]), frame(a=[1.0], c=[2.0]), r"(?s)feature names should match.*c.*b"),
        (frame(a=[1.0], b=[2.0]), frame(a=[1.0]), r"(?s)feature names should match.*b"),
        (pl.DataFrame({"a": [1.0], "b": [2.0]}), pl.DataFrame({"b": [1.0], "a": [2.0]}), "feature names"),
        (np.eye(3), np.eye(2), "2 features.*expecting 3"),
        (frame(a=[1.0, 2.0]), frame(a=["x", "y"]), "'a' holds 'x', which is not a number"),
        (frame(a=["1.0", "2"]), frame(a=[1.0, 2.0]), "'a' held text in training and holds numbers"),
        (frame(a=[1.0, 2.0]), frame(a=[np.inf, 2.0]), "'a' holds infinite"),
    ],
)
def test_changes_since_fit_are_refused(train, test, message):
    with pytest.raises(ValueError, match=message):
        TableTransformer().fit(train).transform(test)


def test_empty_batches_of_another_type_are_only_missing():
    fitted = TableTransformer().fit(frame(a=[1.0, 3.0], b=["x", None]))
    holes = pd.DataFrame({"a": [None], "b": [np.nan]}, dtype=object)
    np.testing.assert_allclose(fitted.transform(holes), [[0, 0, HALF]])
    np.testing.assert_allclose(fitted.transform(holes.astype(float)), [[0, 0, HALF]])


@pytest.mark.parametrize("option", [{"nominal": "hash"}, {"scale": "cubic"}, {"scale": None}])
def test_bad_options_are_named(option):
    with pytest.raises(ValueError, match=f"{next(iter(option))}=.*must be one of"):
        TableTransformer(**option).fit([[1.0]])


def test_no_data_frame_library_is_imported():
    """scikit-learn itself may import pandas; what is asked here is that a polars table works where pandas cannot."""
    code = (
        "import sys; sys.modules['pandas'] = sys.modules['pyarrow'] = None\n"
        "import emphatic.tables as t\n"
        "assert 'polars' not in sys.modules\n"
        "import polars as pl\n"
        "X = t.TableTransformer().fit_transform(pl.DataFrame({'a': ['x', None], 'b': [1, 2]}))\n"
        "assert X.shape == (2, 3)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
