"""Collections that cannot be fitted to: the error says what is wrong, and in which partition."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
from emphatic.learners import SampledCentres
from tests.partitions.conftest import make_table, split

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")

MODEL = RealAdaBoostClassifier(RBFNetworkClassifier(SampledCentres(n_centres=10)), n_estimators=2, random_state=0)


def fit_error(X: Any, y: Any, weights: Any = None) -> str:
    with pytest.raises((TypeError, ValueError)) as error:
        MODEL.fit(X, y, weights)
    return str(error.value)


def test_nan_in_one_partition_is_named() -> None:
    X, y = make_table()
    X[460, 2] = np.nan
    assert "partition 2 (rows from 450 on), first in row 460, column 2" in fit_error(*split(X, y, (300, 150, 430, 20)))


def test_a_class_missing_from_a_partition_and_empty_partitions_are_fine() -> None:
    X, y = make_table()
    order = np.argsort(y, kind="stable")
    X, y = X[order], y[order]
    expected = MODEL.fit(X, y).decision_function(X)
    found = MODEL.fit(*split(X, y, (0, 200, 0, 300, 400, 0)))
    np.testing.assert_allclose(found.decision_function(X), expected, rtol=0, atol=1e-8)


def test_unknown_chunk_sizes_are_counted() -> None:
    X, y = make_table()
    rows, labels = split(X, y, (300, 600))
    keep = da.from_array(np.arange(len(y)) % 3 > 0, chunks=(rows.chunks[0],))
    expected = MODEL.fit(X[np.arange(len(y)) % 3 > 0], y[np.arange(len(y)) % 3 > 0]).decision_function(X)
    found = MODEL.fit(rows[keep], labels.rechunk((rows.chunks[0],))[keep])
    np.testing.assert_allclose(found.decision_function(X), expected, rtol=0, atol=1e-8)


def test_differing_types_between_partitions() -> None:
    X, y = make_table()
    floats = da.concatenate([da.from_array(X[:300].astype(np.float32)), da.from_array(X[300:])])
    expected = MODEL.fit(np.vstack([X[:300].astype(np.float32), X[300:]]), y).decision_function(X)
    np.testing.assert_allclose(MODEL.fit(floats, y).decision_function(X), expected, rtol=0, atol=1e-8)
    words = np.array(["a"] * 600, dtype=object)
    mixed = da.concatenate([da.from_array(y[:300].astype(object), chunks=-1), da.from_array(words, chunks=-1)])
    assert "labels of mixed type" in fit_error(da.from_array(X, chunks=(300, -1)), mixed)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda X, y: (X, y[:-1]), "X has 900 rows but y has 899 labels"),
        (lambda X, y: (X[:1], y[:1]), "only one class"),
        (lambda X, y: (X[:0], y[:0]), "X has 0 rows"),
        (lambda X, y: (X[:, 0], y), "X has 1 dimension"),
        (lambda X, y: (da.full_like(X, "wet", dtype="U3"), y), "something other than numbers in partition 0"),
        (lambda X, y: (X * 1e200, y), r"values beyond \+-1e\+100 in partition 0"),
        (lambda X, y: (X, X[:, 0]), "looks like a measurement"),
        (lambda X, y: (X, da.full_like(y, None, dtype=object)), "y contains None in partition 0"),
        (lambda X, y: (X, y * np.nan), "y contains NaN or infinity in partition 0"),
    ],
)
def test_tables_that_cannot_be_used(change: Any, message: str) -> None:
    assert re.search(message, fit_error(*change(*split(*make_table(), (300, 600)))))


def test_weights_and_mixtures_of_kinds() -> None:
    X, y = make_table()
    rows, labels = split(X, y, (300, 600))
    weights = np.ones(len(y))
    weights[310] = -1.0
    assert "sample_weight must hold finite numbers of at least 0, and does not in partition 1" in fit_error(
        rows, labels, weights
    )
    assert "sample_weight is 0 for all rows" in fit_error(rows, labels, np.zeros(len(y)))
    assert "X has 900 rows but sample_weight has 5 entries" in fit_error(rows, labels, np.ones(5))
    assert "y is a Dask collection and X is not" in fit_error(X, labels)


def test_a_fit_that_fails_leaves_the_model_as_it_was() -> None:
    X, y = make_table()
    model = MODEL.fit(X, y)
    before = model.decision_function(X)
    X_bad = X.copy()
    X_bad[5, 0] = np.inf
    with pytest.raises(ValueError, match="partition 0"):
        model.fit(*split(X_bad, y, (450, 450)))
    np.testing.assert_array_equal(model.decision_function(X), before)


@pytest.mark.parametrize("damage", ["cut", "gone"])
def test_a_partition_that_cannot_be_read_is_named_with_its_file(damage: str, tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    dd = pytest.importorskip("dask.dataframe")
    X, y = make_table()
    frame = pd.DataFrame(X, columns=list("abcd")).assign(y=y)
    for number in range(3):
        frame[300 * number : 300 * (number + 1)].to_parquet(tmp_path / f"part.{number}.parquet")
    table = dd.read_parquet(str(tmp_path))
    expected = MODEL.fit(frame[list("abcd")], y).alphas_
    np.testing.assert_allclose(MODEL.fit(table[list("abcd")], table["y"]).alphas_, expected, rtol=0, atol=1e-8)
    file = tmp_path / "part.1.parquet"
    if damage == "cut":
        file.write_bytes(file.read_bytes()[:500])
    else:
        file.unlink()
    assert re.search(r"Partition 1 \(.*part\.1\.parquet\) cannot be read", fit_error(table[list("abcd")], table["y"]))


def test_rows_that_cannot_be_made_name_their_partition() -> None:
    X, y = make_table()
    rows, labels = split(X, y, (300, 600))
    broken = da.concatenate([rows[:300], rows[300:].map_blocks(fail, dtype=float, meta=np.empty((0, 0)))])
    assert "Partition 1 cannot be read: RuntimeError: the sensor is off" in fit_error(broken, labels)


def fail(rows: np.ndarray) -> np.ndarray:
    raise RuntimeError("the sensor is off")
