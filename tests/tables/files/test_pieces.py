"""Pieces of a table, one after another, are the table as `read_table` gives it."""

import pandas as pd
import pytest

from emphatic.tables.files import read_table
from emphatic.tables.files.pieces import cut_table


def read_pieces(path, **options):
    pieces = cut_table(path, **options).pieces
    return pieces, pd.concat([piece.read() for piece in pieces], ignore_index=True)


def make_table(n=500):
    numbers = [None if i % 7 == 0 else i / 3 for i in range(n)]
    days = pd.Timestamp("2024-01-01") + pd.to_timedelta(range(n), "D")
    return pd.DataFrame({"a": numbers, "b": [f"word {i % 5}" for i in range(n)], "day": days, "yes": [True] * n})


def test_row_groups_of_parquet(tmp_path):
    for number in range(2):
        make_table().to_parquet(tmp_path / f"{number}.parquet", row_group_size=100)
    pieces, found = read_pieces(tmp_path, piece_bytes=4000)
    assert len(pieces) > 2
    pd.testing.assert_frame_equal(found, read_table(tmp_path, several=True).table)
    assert len(cut_table(tmp_path).pieces) == 2


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"{i};wörd, {i}\n" for i in range(300)),
        "".join(f'{i};"a;b ""{i}"""\r\n' for i in range(300)),
        "".join(f"{i};x\n" for i in range(300)) + "total;300\n\n",
    ],
)
@pytest.mark.parametrize("before", ["", "A title\n\n"])
def test_blocks_of_csv(tmp_path, text, before):
    path = tmp_path / "table.csv"
    for encoding in ("utf-8-sig", "cp1252"):
        path.write_bytes((before + "number;text\n" + text).encode(encoding))
        pieces, found = read_pieces(path, piece_bytes=700)
        assert len(pieces) > 1
        pd.testing.assert_frame_equal(found, read_table(path).table)


def test_pieces_that_cannot_be_read_name_their_file(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,b\n" + '1,"two\nlines"\n' * 50 + "3,4\n")
    with pytest.raises(ValueError, match=r"table.csv has a line break inside quotes, .* convert it to Parquet"):
        read_pieces(path, piece_bytes=100)
    path.write_text("a,b\n" + "1,2\n" * 50 + "3,4,5\n")
    with pytest.raises(ValueError, match=r"line .* of .*table.csv \(counted from byte .* has 3 cells instead of 2"):
        read_pieces(path, piece_bytes=100)
    make_table().to_parquet(tmp_path / "a.parquet", row_group_size=100)
    pieces = cut_table(tmp_path / "a.parquet").pieces
    (tmp_path / "a.parquet").write_bytes(b"PAR1 cut off")
    with pytest.raises(ValueError, match=r"cannot read .*a.parquet as Parquet"):
        pieces[0].read()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.jsonl", b'{"a": 1}\n', "in the format jsonl, and cannot be read in pieces: convert it to Parquet"),
        ("t.csv", "a;b\n1;2\n3;4\n".encode("utf-16"), "lines whose ends cannot be found"),
        ("t.csv", b"a;b\r1;2\r3;4\r", "lines whose ends cannot be found"),
    ],
)
def test_files_that_cannot_be_cut_are_refused(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=message):
        cut_table(tmp_path / name)


def test_schemas_that_differ_are_named_before_rows_are_read(tmp_path):
    make_table().to_parquet(tmp_path / "1.parquet")
    make_table().assign(a="text").to_parquet(tmp_path / "2.parquet")
    with pytest.raises(ValueError, match=r"column 'a' holds numbers in .*1.parquet and text in .*2.parquet"):
        cut_table(tmp_path)
    make_table().rename(columns={"a": "c"}).to_parquet(tmp_path / "2.parquet")
    with pytest.raises(ValueError, match=r"2.parquet has other columns than .*1.parquet \('a', 'c'\)"):
        cut_table(tmp_path)
    (tmp_path / "2.parquet").write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match=r"2.parquet is of another format than .*1.parquet"):
        cut_table(tmp_path)
