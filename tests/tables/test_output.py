"""Tables that are written in batches: the same as whole ones, in every format."""

import csv
import gzip
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emphatic.tables.output import open_output
from emphatic.tables.writing import format_csv, restore_cell

NASTY = ["=1+1", 'quo"te', "new\nline", "return\r", "\r\n", "a,b", "", None, "'=x", "-1,5", "ünï", " x "]
TABLE = pd.DataFrame(
    {"text": pd.Series(NASTY, dtype=object), "=name": np.arange(12) / 3, "flag": np.arange(12) % 2 == 0}
)


def cut(table, size):
    return [table.iloc[start : start + size] for start in range(0, len(table), size)]


@pytest.mark.parametrize("size", [1, 5, 12])
@pytest.mark.parametrize("name", ["t.csv", "t.CSV", "t.csv.gz"])
def test_csv_in_batches_is_csv(tmp_path, name, size):
    with open_output(tmp_path / name) as write:
        for batch in cut(TABLE, size):
            write(batch)
    content = (tmp_path / name).read_bytes()
    text = (gzip.decompress(content) if name.endswith("gz") else content).decode()
    assert text == format_csv(TABLE)
    header, *rows = csv.reader(io.StringIO(text, newline=""))
    assert header == ["text", "'=name", "flag"]
    assert [restore_cell(row[0]) for row in rows] == [cell or "" for cell in NASTY]


@given(st.lists(st.text("\r\n,\"' =x", max_size=4), min_size=1))
def test_every_line_ends_alike_whatever_the_cells_hold(cells):
    text = format_csv(pd.DataFrame({"a": cells, "b": 1}))
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert [restore_cell(row[0]) for row in rows[1:]] == cells
    assert text.count(",1\n") == len(cells) and not text.endswith("\r\n")


def test_equal_tables_make_equal_files(tmp_path):
    for name in ("one.csv.gz", "two.csv.gz", "one.parquet", "two.parquet"):
        with open_output(tmp_path / name) as write:
            write(TABLE)
    for ending in ("csv.gz", "parquet"):
        assert (tmp_path / f"one.{ending}").read_bytes() == (tmp_path / f"two.{ending}").read_bytes()


@pytest.mark.parametrize("size", [1, 5, 12])
def test_parquet_in_batches_is_the_table(tmp_path, size):
    with open_output(tmp_path / "t.parquet") as write:
        for batch in cut(TABLE, size):
            write(batch)
    again = pd.read_parquet(tmp_path / "t.parquet")
    assert [None if pd.isna(cell) else cell for cell in again["text"]] == NASTY  # not escaped: it has types
    assert again["=name"].equals(TABLE["=name"]) and again["flag"].equals(TABLE["flag"])


def test_a_column_that_is_empty_at_first_is_text(tmp_path):
    with open_output(tmp_path / "t.parquet") as write:
        write(pd.DataFrame({"a": pd.Series([None, None], dtype=object)}))
        write(pd.DataFrame({"a": pd.Series([None, "x"], dtype=object)}))
    assert pd.read_parquet(tmp_path / "t.parquet")["a"].tolist()[3] == "x"


def test_a_column_that_changes_its_type_is_refused_and_nothing_left(tmp_path):
    def write_both():
        with open_output(tmp_path / "t.parquet") as write:
            write(pd.DataFrame({"a": [1, 2]}))
            write(pd.DataFrame({"a": ["x", "y"]}))

    with pytest.raises(ValueError, match=r"as Parquet, write \.csv instead"):
        write_both()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["t", "t.txt", "t.xlsx", "t.gz", "csv"])
def test_an_ending_that_says_no_format_is_refused_before_any_work(tmp_path, name):
    with pytest.raises(ValueError, match=r"must end with \.csv, \.csv\.gz or \.parquet"), open_output(tmp_path / name):
        raise AssertionError
    assert not list(tmp_path.iterdir())
