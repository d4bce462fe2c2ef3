"""Formats with types: numbers, times and booleans stay what they are, text is text, and what is nested is refused."""

import datetime
import decimal
import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from emphatic.tables.files import Options, iterate_table, read_table
from emphatic.tables.files.values import find_kind, make_column
from tests.tables.files.corpus import FOLDER

pytestmark = pytest.mark.contract  # with the oldest versions of other packages, too

DAY = datetime.date(2020, 1, 5)
TYPES = {
    "whole": (pa.array([1, 2, 3]), "int64", [1, 2, 3]),
    "gaps": (pa.array([1, None, 3]), "float64", [1, None, 3]),
    "real": (pa.array([1.5, None, 3]), "float64", [1.5, None, 3]),
    "flag": (pa.array([True, False, True]), "bool", [True, False, True]),
    "flag with gaps": (pa.array([True, None, False]), "object", [True, None, False]),
    "text": (pa.array(["a", None, "b"]), "object", ["a", None, "b"]),
    "category": (pa.array(["a", None, "a"]).dictionary_encode(), "object", ["a", None, "a"]),
    "price": (pa.array([decimal.Decimal("1.50"), None, decimal.Decimal("2.25")]), "float64", [1.5, None, 2.25]),
    "clock": (pa.array([datetime.time(10, 30), None, datetime.time(11, 0)]), "object", ["10:30:00", None, "11:00:00"]),
    "nothing": (pa.nulls(3), "object", [None, None, None]),
}


@pytest.mark.parametrize("write", [parquet.write_table, feather.write_feather])
def test_types_of_arrow_and_parquet(tmp_path, write):
    write(pa.table({name: column for name, (column, _, _) in TYPES.items()}), tmp_path / "data")
    table = read_table(tmp_path / "data").table
    assert table.dtypes.astype(str).to_dict() == {name: kind for name, (_, kind, _) in TYPES.items()}
    cells = {name: [None if pd.isna(cell) else cell for cell in column] for name, column in table.items()}
    assert cells == {name: cells for name, (_, _, cells) in TYPES.items()}


def test_dates_and_times_are_times(tmp_path):
    moments = pa.array([datetime.datetime(2020, 1, 5, 10), None], pa.timestamp("us", "UTC"))
    parquet.write_table(pa.table({"day": pa.array([DAY, None]), "moment": moments}), tmp_path / "data")
    table = read_table(tmp_path / "data").table
    assert [column.dtype.kind for _, column in table.items()] == ["M", "M"]
    assert table["day"][0] == pd.Timestamp("2020-01-05") and table["moment"][0] == pd.Timestamp("2020-01-05 10:00Z")
    assert table.isna().to_numpy().tolist() == [[False, False], [True, True]]


@pytest.mark.parametrize("column", [pa.array([[1], [2]]), pa.array([{"a": 1}, {"a": 2}]), pa.array([b"a", b"b"])])
def test_what_is_nested_is_refused(tmp_path, column):
    parquet.write_table(pa.table({"x": column}), tmp_path / "data")
    with pytest.raises(ValueError, match=r"column x of .* make one plain column of each part"):
        read_table(tmp_path / "data")


def test_a_saved_index_of_pandas_is_a_column_without_a_name(tmp_path):
    pd.DataFrame({"a": [1, 2]}, index=[5, 7]).to_parquet(tmp_path / "data")
    found = read_table(tmp_path / "data")
    assert found.table.to_dict("list") == {"a": [1, 2], "Unnamed: 1": [5, 7]}
    assert found.layout.remarks == ("1 column without a name: the first is called Unnamed: 1",)


def test_batches_are_chunks(tmp_path):
    table = pa.table({"i": np.arange(25)})
    parquet.write_table(table, tmp_path / "parquet", row_group_size=7)
    feather.write_feather(table, tmp_path / "feather", chunksize=7)
    for name in ("parquet", "feather"):
        chunks = list(iterate_table(tmp_path / name, rows=5)[1])
        assert max(map(len, chunks)) == 5
        assert pd.concat(chunks)["i"].tolist() == pd.concat(chunks).index.tolist() == list(range(25))


def test_columns_of_json_lines_have_the_same_kind_in_every_chunk(tmp_path):
    records = [{"a": 1, "b": "x"}, {"a": 2.5, "c": True}, {"b": 7}, {"a": None, "d": 10**30}]
    path = tmp_path / "data.jsonl"
    path.write_text("\n".join(map(json.dumps, records)))
    chunks = list(iterate_table(path, rows=1)[1])
    assert all(list(chunk) == ["a", "b", "c", "d"] for chunk in chunks)
    table = read_table(path).table
    assert table["b"].tolist() == ["x", None, "7", None]
    assert table["d"].tolist() == [None, None, None, str(10**30)]
    assert table["a"].dtype == np.float64
    path.write_text('{"a": 1, "a": 2}\n')
    with pytest.raises(ValueError, match=r"line 1 of .*a name occurs twice"):
        read_table(path)


def test_a_sheet_is_chosen():
    assert read_table(FOLDER / "sheet.xlsx").table["id"].dtype == np.int64
    with pytest.raises(ValueError, match="has a header but no rows"):
        read_table(FOLDER / "sheet.xlsx", Options(sheet="south"))


@pytest.mark.parametrize(
    ("cells", "kind", "read"),
    [
        ([1.0, 2.0, 3], "number", [1, 2, 3]),
        ([1.5, ""], "number", [1.5, None]),
        ([1.0, "a", ""], "text", ["1", "a", None]),
        ([True, False], "boolean", [True, False]),
        ([True, "", False], "boolean", [True, None, False]),
        ([True, 1], "text", ["True", "1"]),
        ([datetime.datetime(2020, 1, 5), "x"], "text", ["2020-01-05 00:00:00", "x"]),
        ([DAY, ""], "date", [pd.Timestamp(DAY), None]),
        (["", None], "text", [None, None]),
    ],
)
def test_cells_of_a_sheet_as_a_column(cells, kind, read):
    assert find_kind(cells) == kind
    assert [None if pd.isna(cell) else cell for cell in make_column(cells, kind)] == read
