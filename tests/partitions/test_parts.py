"""Partitions with cells of any type: their rows in memory are those of the table, however it is partitioned."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from emphatic.partitions import RowSample
from emphatic.partitions.parts import Parts
from emphatic.tables import TableTransformer

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")

FRAME = pd.DataFrame({"size": np.arange(7.0), "colour": pd.Categorical(list("rgbrgbr"))}, index=list("tuvwxyz"))
NUMBERS = np.array([0, 2, 5])


@pytest.fixture(autouse=True)
def in_this_thread() -> Any:
    with dask.config.set(scheduler="synchronous"):
        yield


def collect(*frames: pd.DataFrame) -> Any:
    return dd.from_map(lambda k: frames[k], range(len(frames)), meta=frames[0].iloc[:0], enforce_metadata=False)


def cut(frame: pd.DataFrame) -> Any:
    return collect(frame.iloc[:3], frame.iloc[3:3], frame.iloc[3:])


def test_rows_of_a_data_frame() -> None:
    expected = FRAME.reset_index(drop=True)
    parts = Parts(cut(FRAME))
    assert parts.sizes == (3, 0, 4) and len(parts) == 7
    pd.testing.assert_frame_equal(parts.take(), expected)
    pd.testing.assert_frame_equal(parts.take(NUMBERS), expected.iloc[NUMBERS].reset_index(drop=True))
    rows, numbers = parts.gather(RowSample(np.random.default_rng(0), 7))
    pd.testing.assert_frame_equal(rows, expected)
    np.testing.assert_array_equal(numbers, np.arange(7))


@pytest.mark.parametrize("dtype", [np.float64, object])
def test_rows_of_an_array(dtype: Any) -> None:
    table = np.arange(14).reshape(7, 2).astype(dtype)
    array = da.from_array(table, chunks=(3, 1))
    for rows in (array, array[da.from_array(np.ones(7, bool), chunks=3)]):  # of known size, and not
        parts = Parts(rows)
        assert parts.sizes == (3, 3, 1)
        np.testing.assert_array_equal(parts.take(), table)
        np.testing.assert_array_equal(parts.take(NUMBERS), table[NUMBERS])


def test_the_same_sample_however_the_rows_are_partitioned() -> None:
    table = np.arange(1000.0)[:, None]
    samples = [
        Parts(da.from_array(table, chunks=(size, 1))).gather(RowSample(np.random.default_rng(0), 1000, 50))
        for size in (1000, 130)
    ]
    for rows, numbers in samples:
        np.testing.assert_array_equal(rows[:, 0], numbers)
        np.testing.assert_array_equal(numbers, samples[0][1])


@pytest.mark.parametrize("others", [["b", "n"], [1, 2], [0.5, 1.5]], ids=str)
def test_categories_of_partitions_are_united(others: list[Any]) -> None:
    frames = [pd.DataFrame({"a": pd.Categorical(values)}) for values in (["r", "b"], others)]
    joined = Parts(collect(*frames)).take()["a"]
    assert isinstance(joined.dtype, pd.CategoricalDtype)
    assert joined.tolist() == ["r", "b", *others]


def test_numbers_do_not_become_text_beside_text() -> None:
    blocks = [da.from_array(np.array(one), chunks=-1) for one in ([[1.5]], [["red"]])]
    assert Parts(da.concatenate(blocks).map_blocks(_as_it_was, dtype=object)).take().tolist() == [[1.5], ["red"]]


def _as_it_was(block: np.ndarray) -> np.ndarray:
    return block if block[0, 0] == "red" else block.astype(np.float64)


def test_partitions_keep_their_numbers() -> None:
    parts = Parts(cut(FRAME)).choose([0, 2])
    assert parts.numbers == (0, 2) and parts.sizes == (3, 4)

    def refuse(part: pd.DataFrame) -> None:
        if len(part) == 4:
            raise ValueError("four rows")

    with pytest.raises(ValueError, match="partition 2: four rows"):
        parts.total(refuse, list)
    kept = parts.keep_each(lambda part: part[["size"]].to_numpy(), 1, np.float64)
    assert kept.chunks == ((3, 4), (1,))
    np.testing.assert_array_equal(kept.compute(), FRAME[["size"]])


def test_rows_are_counted_with_one_column() -> None:
    read: list[Any] = []

    def read_columns(number: int, columns: list[str] | None = None) -> pd.DataFrame:
        read.append(columns)
        return FRAME if columns is None else FRAME[columns]

    parts = Parts(dd.from_map(read_columns, range(2), meta=FRAME.iloc[:0]))
    read.clear()
    assert parts.sizes == (7, 7)
    assert read == [["size"]] * 2


def test_columns_that_differ_are_named_when_they_are_checked() -> None:
    rows = collect(FRAME, FRAME.assign(size="large"))
    assert Parts(rows).sizes == (7, 7)
    with pytest.raises(ValueError, match="'size' holds numbers in partition 0 of X and text in partition 1 of X"):
        Parts(rows).check_columns()


def test_sparse_blocks_are_refused() -> None:
    sparse = da.from_array(np.eye(4), chunks=(2, -1)).map_blocks(csr_array)
    with pytest.raises(TypeError, match="sparse blocks"):
        TableTransformer().fit(sparse)
