"""TableTransformer learns from partitions what it learns from the same rows in memory."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.emphasis import Mixed
from emphatic.learners import SampledCentres
from emphatic.partitions import SAMPLE
from emphatic.partitions.sketch import SIZE
from emphatic.tables import TableTransformer
from emphatic.tables.decision import Decision
from tests.partitions.conftest import make_table

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
pd = pytest.importorskip("pandas")
dd = pytest.importorskip("dask.dataframe")

KINDS = [(nominal, scale) for nominal in ("one_hot", "ordinal") for scale in ("standard", "minmax", "robust", "none")]


def make_frame(n: int = 300) -> Any:
    """A table as people have them; some categories are in few rows, and so in few partitions."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"size": rng.standard_normal(n) * 1e3, "count": rng.integers(0, 9, n)})
    frame.loc[rng.random(n) < 0.1, "size"] = np.nan
    frame["constant"] = 3.1
    frame["nothing"] = np.nan
    frame["colour"] = pd.Series(rng.choice(["red", "blue", None], n), dtype="string")
    frame.loc[n - 1, "colour"] = "a colour that comes last"
    frame["grade"] = pd.Categorical(rng.choice(list("abc"), n), categories=list("cbad"))
    frame["sure"] = rng.random(n) < 0.5
    return frame


def make_useful_frame(n: int = 300) -> Any:
    """Besides, columns that must be understood: dates, text, numbers as text, identifiers."""
    rng = np.random.default_rng(1)
    frame = make_frame(n)
    frame["order"] = np.arange(n)
    frame["key"] = pd.Series([f"k{i:06d}" for i in rng.permutation(n)], dtype="string")
    frame["price"] = pd.Series([f"{i},50" for i in rng.integers(0, 99, n)], dtype="string")
    frame["sold"] = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 700, n), unit="D")
    words = np.array(["wine", "beer", "red", "white", "from", "Italy", "France", "old", "cheap"])
    frame["remark"] = pd.Series([" ".join(rng.choice(words, 6)) for _ in range(n)], dtype="string")
    frame["town"] = pd.Series([f"town {i}" for i in rng.integers(0, 80, n)], dtype="string")
    return frame


def collect(*parts: Any) -> Any:
    """A collection of frames that need not have the same types, as files need not."""
    return dd.from_map(lambda number: parts[number], range(len(parts)), meta=parts[0].iloc[:0], enforce_metadata=False)


def in_partitions(frame: Any, sizes: tuple[int, ...]) -> Any:
    """Of these sizes, in the order of the rows; empty ones are allowed."""
    edges = np.cumsum([0, *sizes])
    return collect(*(frame.iloc[start:stop] for start, stop in pairwise(edges)))


@pytest.mark.parametrize("sizes", [(300,), (100, 0, 150, 49, 1)], ids=str)
@pytest.mark.parametrize(("nominal", "scale"), KINDS)
def test_what_is_learnt_is_that_of_the_rows_in_memory(nominal: str, scale: str, sizes: tuple[int, ...]) -> None:
    frame = make_frame()
    rows = in_partitions(frame, sizes)
    expected, found = (TableTransformer(nominal, scale).fit(X) for X in (frame, rows))
    assert found.categories_ == expected.categories_
    assert found.feature_names_in_.tolist() == list(frame.columns)
    tolerance = 1e-10 if len(sizes) == 1 else 1e-8
    np.testing.assert_allclose(found.means_, expected.means_, rtol=tolerance)
    lazy = found.transform(rows)
    assert dask.is_dask_collection(lazy) and lazy.shape[1] == found.n_outputs
    np.testing.assert_allclose(lazy.compute(), expected.transform(frame), rtol=tolerance, atol=tolerance)
    np.testing.assert_array_equal(lazy.compute(), found.transform(frame))


@pytest.mark.parametrize("columns", ["useful", {"count": "category", "town": "text", "sold": "ignore"}], ids=str)
@pytest.mark.parametrize("nominal", ["one_hot", "ordinal"])
def test_what_columns_are_is_decided_on_all_rows_of_a_small_table(columns: Any, nominal: str) -> None:
    frame = make_useful_frame()
    rows = in_partitions(frame, (100, 0, 150, 49, 1))
    expected, found = (TableTransformer(nominal, columns=columns).fit(X) for X in (frame, rows))
    assert list(map(str, found.columns_)) == list(map(str, expected.columns_))
    assert found.remarks_ == expected.remarks_
    assert found.get_feature_names_out().tolist() == expected.get_feature_names_out().tolist()
    np.testing.assert_allclose(found.transform(rows).compute(), expected.transform(frame), rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("nominal", ["one_hot", "ordinal"])
def test_what_a_user_decided_stays(nominal: str) -> None:
    frame = make_useful_frame(SAMPLE + 500)[["order", "colour"]]
    wishes = {"order": "number", "colour": Decision("colour", "category", categories=["blue", "green", None])}
    rows = in_partitions(frame, (12_000, SAMPLE - 11_500))
    expected, found = (TableTransformer(nominal, columns=wishes).fit(X) for X in (frame, rows))
    assert list(map(str, found.columns_)) == list(map(str, expected.columns_))
    np.testing.assert_allclose(found.transform(frame), expected.transform(frame), rtol=1e-8, atol=1e-8)
    wishes.pop("order")
    assert TableTransformer(columns=wishes).fit(rows).columns_[0].reason.startswith("row numbers")


@pytest.mark.parametrize("without", [["remark", "town"], pytest.param([], marks=pytest.mark.slow)], ids=str)
def test_a_large_table_is_judged_by_a_sample_and_measured_by_all_rows(without: list[str]) -> None:
    frame = make_useful_frame(SAMPLE + 5_000).drop(columns=without)
    expected = TableTransformer(columns="useful").fit(frame)
    one, many = (
        TableTransformer(columns="useful").fit(in_partitions(frame, sizes))
        for sizes in ((len(frame),), (9_000, 1, 15_999))
    )
    assert [one.kind for one in many.columns_] == [one.kind for one in expected.columns_]
    np.testing.assert_allclose(many.means_, expected.means_, rtol=1e-10)
    colour = list(frame.columns).index("colour")
    assert "a colour that comes last" in many.categories_[colour]  # whether or not its row is in the sample
    head = frame.iloc[:200]
    np.testing.assert_allclose(many.transform(head), one.transform(head), rtol=1e-8, atol=1e-8)


def test_quartiles_of_many_numbers_are_as_near_as_the_sketch_says() -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((20 * SIZE, 1)) ** 3
    fitted = TableTransformer(scale="robust").fit(da.from_array(X, chunks=(5_000, 1)))
    median, upper = fitted._scales.unit * fitted._scales.offset, fitted._scales.unit * fitted._scales.spread
    ranks = np.searchsorted(np.sort(X[:, 0]), [median[0]]) / len(X)
    assert abs(ranks[0] - 0.5) < (1 + np.log2(20)) / SIZE + 1 / SIZE
    quartiles = np.quantile(X, [0.25, 0.75])
    assert upper[0] == pytest.approx((quartiles[1] - quartiles[0]) / 1.349, rel=0.02)


def test_numbers_of_any_size_do_not_overflow_when_merged() -> None:
    X = np.array([[1e300], [-1e300], [0.0], [0.0], [3e-300], [5e299]])
    for column in (X, X[2:5]):
        rows = da.from_array(column, chunks=(1, 1))
        expected, found = TableTransformer().fit(column), TableTransformer().fit(rows)
        np.testing.assert_allclose(found.transform(column), expected.transform(column), rtol=1e-10)


def test_arrays_of_objects_and_of_unknown_size() -> None:
    table = np.array([["red", 1.0], ["blue", 3.0], ["red", None], ["green", 7.5]], dtype=object)
    rows = da.from_array(table, chunks=(2, 1))
    expected = TableTransformer(scale="minmax").fit(table)
    for one in (rows, rows[da.from_array(np.ones(4, dtype=bool), chunks=2)]):
        found = TableTransformer(scale="minmax").fit(one)
        assert found.categories_ == expected.categories_
        np.testing.assert_allclose(found.transform(one).compute(), expected.transform(table), rtol=0, atol=1e-12)


def test_types_that_differ_between_partitions() -> None:
    whole = pd.DataFrame({"a": [1.0, 2.0, np.nan, 0.5]})
    rows = collect(*(pd.DataFrame({"a": cells}) for cells in ([1, 2], [np.nan, 0.5])))
    expected = TableTransformer().fit_transform(whole)
    np.testing.assert_allclose(TableTransformer().fit_transform(rows).compute(), expected, rtol=1e-12, atol=1e-12)
    # categories that differ; and a partition in which all are missing, as numbers or as text
    for cells in (["y", "x"], [np.nan, np.nan]):
        rows = collect(pd.DataFrame({"a": pd.Categorical(["z", "x"])}), pd.DataFrame({"a": cells}))
        together = pd.DataFrame({"a": ["z", "x", *cells]}, dtype=object)
        expected = TableTransformer().fit(together)
        found = TableTransformer().fit(rows)
        assert found.categories_ == expected.categories_
        np.testing.assert_array_equal(found.transform(rows).compute(), expected.transform(together))


def test_text_in_one_partition_and_numbers_in_another_is_an_error_that_names_both() -> None:
    rows = collect(*(pd.DataFrame({"a": cells}) for cells in ([1.0, 2.0], [3.0], ["wet", "dry"])))
    with pytest.raises(ValueError, match="column 'a' holds text in partition 2 and numbers in partition 0"):
        TableTransformer().fit(rows)
    with pytest.raises(ValueError, match="partition 0: column 'a' held text in training and holds numbers"):
        TableTransformer(columns={"a": "category"}).fit(rows)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (da.from_array(np.array([[1.0], [2.0], [np.inf]]), chunks=1), "partition 2: column 'x0' holds infinite values"),
        (da.from_array(np.array([["a"], [[1]], ["b"]], dtype=object), chunks=1), "partition 1: column 'x0' holds val"),
        (da.from_array(np.zeros((0, 2)), chunks=1), "X has 0 rows"),
        (da.from_array(np.zeros(3), chunks=1), r"X has 1 dimension\(s\), and 2 are needed"),
        (da.from_array(np.array([["2024-01-01"]], dtype="M8[s]"), chunks=1), "partition 0: column 'x0' holds dates"),
    ],
)
def test_tables_that_cannot_be_used(X: Any, message: str) -> None:
    with pytest.raises(ValueError) as error:
        TableTransformer().fit(X)
    assert re.search(message, str(error.value))


@pytest.mark.parametrize("columns", ["all", "useful"])
def test_a_partition_that_cannot_be_read_is_named_with_its_file(columns: str, tmp_path: Path) -> None:
    frame = make_frame()
    for number in range(3):
        frame[100 * number : 100 * (number + 1)].to_parquet(tmp_path / f"part.{number}.parquet")
    rows = dd.read_parquet(str(tmp_path))
    file = tmp_path / "part.1.parquet"
    file.write_bytes(file.read_bytes()[:500])
    with pytest.raises(ValueError, match=r"Partition 1 \(.*part\.1\.parquet\) cannot be read"):
        TableTransformer(columns=columns).fit(rows)


def test_too_many_categories_are_refused() -> None:
    from emphatic.tables.partitions import MOST_CATEGORIES

    texts = np.arange(MOST_CATEGORIES + 2).astype(str).astype(object)[:, None]
    with pytest.raises(ValueError, match="column 'x0' holds more than 100,000 categories"):
        TableTransformer().fit(da.from_array(texts, chunks=(60_000, 1)))


def test_one_row_and_one_column() -> None:
    rows = dd.from_pandas(pd.DataFrame({"a": [3.5]}), npartitions=1)
    assert TableTransformer().fit_transform(rows).compute().tolist() == [[0.0]]
    assert TableTransformer(columns="useful").fit_transform(rows).compute().tolist() == [[0.0]]


def test_a_fit_to_partitions_can_be_saved(tmp_path: Any) -> None:
    from emphatic import persistence

    frame = make_useful_frame()
    fitted = TableTransformer(scale="robust", columns="useful").fit(in_partitions(frame, (150, 150)))
    persistence.save(fitted, tmp_path / "t.emphatic")
    np.testing.assert_array_equal(persistence.load(tmp_path / "t.emphatic").transform(frame), fitted.transform(frame))


@pytest.mark.parametrize("columns", ["all", "useful"])
def test_a_pipeline_is_fitted_and_predicts_lazily(columns: str) -> None:
    X, y = make_table()
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["e"] = np.where(X[:, 0] > 0.3, "high", "low")
    frame.loc[::9, "b"] = np.nan
    labels = pd.Series(np.where(y == 1, "yes", "no"))
    network = RBFNetworkClassifier(SampledCentres(n_centres=15))
    model = make_pipeline(
        TableTransformer(columns=columns), RealAdaBoostClassifier(network, Mixed(0.3), 3, random_state=0)
    )
    rows = in_partitions(frame, (300, 150, 430, 20))
    expected, found = clone(model).fit(frame, labels), clone(model).fit(rows, dd.from_pandas(labels, npartitions=2))
    np.testing.assert_allclose(found.decision_function(frame), expected.decision_function(frame), rtol=0, atol=1e-8)
    predicted = found.predict(rows)
    assert dask.is_dask_collection(predicted)
    np.testing.assert_array_equal(predicted.compute(), found.predict(frame))
    assert found.score(rows, dd.from_pandas(labels, npartitions=2)) == pytest.approx(found.score(frame, labels))
    probabilities = found.predict_proba(rows)
    np.testing.assert_array_equal(probabilities.compute(), found.predict_proba(frame))
