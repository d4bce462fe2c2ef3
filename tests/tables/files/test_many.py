"""A folder or a pattern is one table; what does not fit together is named, file and column."""

from pathlib import Path

import pandas as pd
import pytest

from emphatic.tables.files import iterate_table, read_table
from emphatic.tables.files.many import find_files


@pytest.fixture
def folder(tmp_path):
    for number in (10, 2, 1):
        table = pd.DataFrame({"a": [number, number + 0.5], "b": ["x", None]})
        table.to_parquet(tmp_path / f"part-{number}.parquet")
    (tmp_path / "_SUCCESS").write_text("")
    return tmp_path


@pytest.mark.parametrize("pattern", ["", "part-*.parquet"])
def test_files_are_one_table_in_the_order_of_their_numbers(folder, pattern, monkeypatch):
    monkeypatch.chdir(folder.parent)
    for path in (folder / pattern, Path(folder.name) / pattern):
        found = read_table(path, several=True)
        assert found.table["a"].tolist() == [1, 1.5, 2, 2.5, 10, 10.5]
        assert found.n_rows == 6
        layout, chunks = iterate_table(path, rows=4, several=True)
        batches = list(chunks)
        pd.testing.assert_frame_equal(pd.concat(batches), found.table)
        assert layout == found.layout


def test_csv_files_are_read_as_each_is_laid_out(tmp_path):
    (tmp_path / "a.csv").write_text("x;y\n1;2\n3;4\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("x,y\n5,é\n7,8\n", encoding="cp1252")
    assert read_table(tmp_path, several=True).table["y"].tolist() == ["2", "4", "é", "8"]


def test_what_does_not_fit_together_is_named(folder):
    pd.DataFrame({"a": ["one", "two"], "b": ["x", "y"]}).to_parquet(folder / "part-3.parquet")
    with pytest.raises(ValueError, match=r"column 'a' holds numbers in .*part-1.parquet and text in .*part-3.parquet"):
        read_table(folder, several=True)
    pd.DataFrame({"a": [1.0], "c": ["x"]}).to_parquet(folder / "part-3.parquet")
    with pytest.raises(ValueError, match=r"part-3.parquet has other columns than .*part-1.parquet \('b', 'c'\)"):
        read_table(folder, several=True)
    (folder / "part-3.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(ValueError, match=r"cannot read .*part-3.parquet as Parquet"):
        read_table(folder, several=True)
    (folder / "part-3.parquet").write_text("a,b\n1,x\n")
    with pytest.raises(ValueError, match=r"part-3.parquet is CSV, .* and .*part-1.parquet is Parquet"):
        read_table(folder, several=True)


def test_folders_and_patterns_without_files(tmp_path):
    with pytest.raises(ValueError, match="is a folder without files"):
        find_files(tmp_path)
    with pytest.raises(ValueError, match="no file matches"):
        find_files(tmp_path / "*.csv")
    (tmp_path / "year=2024").mkdir()
    (tmp_path / "year=2024" / "a.csv").write_text("x\n1\n")
    with pytest.raises(ValueError, match=r"is partitioned by values \(year=2024\)"):
        find_files(tmp_path)
    (tmp_path / "[1].csv").write_text("x\n1\n")  # a file of this name is no pattern
    assert find_files(tmp_path / "[1].csv") == [tmp_path / "[1].csv"]
