"""Tables from files: text exactly as it is written, chunks and samples that do not depend on how the file is cut."""

import gzip
import io
import os
import threading
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emphatic.tables.files import Options, iterate_table, read_table
from emphatic.tables.files.lines import decode_lines, leave_out_last
from emphatic.tables.files.sampling import sample_rows


@pytest.fixture
def write(tmp_path):
    """Write bytes, or text as UTF-8, to a file."""

    def write(content, name="data.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_cells_are_text_as_written_and_none_where_empty(write):
    table = read_table(write('id,flag,sum,mark\n01,TRUE,"1,234",NA\n1,,5%,?\n')).table
    assert table.to_dict("list") == {
        "id": ["01", "1"],
        "flag": ["TRUE", None],
        "sum": ["1,234", "5%"],
        "mark": ["NA", "?"],
    }
    assert set(table.dtypes) == {np.dtype(object)}


@given(st.integers(1, 7), st.integers(1, 60), st.integers(0, 5))
def test_sample_is_that_of_the_smallest_random_numbers_however_the_table_is_cut(rows, max_rows, seed):
    table = pd.DataFrame({"i": np.arange(50)})
    chunks = [table.iloc[start : start + rows] for start in range(0, 50, rows)]
    kept, n_rows = sample_rows(chunks, max_rows, seed)
    keys = np.random.default_rng(seed).random(50)
    assert n_rows == 50
    assert pd.concat(kept)["i"].tolist() == sorted(np.argsort(keys)[:max_rows])


def test_sample_of_a_file_keeps_the_order_and_counts_all_rows(write):
    path = write("i,j\n" + "".join(f"{i},{i * i}\n" for i in range(25_000)))
    sample = read_table(path, max_rows=100, seed=3)
    again = read_table(path, max_rows=100, seed=3).table
    i = sample.table["i"].astype(int)
    assert sample.n_rows == 25_000 and len(i) == 100 and i.is_monotonic_increasing and i.max() > 12_500
    assert (sample.table["j"].astype(int) == i**2).all()
    pd.testing.assert_frame_equal(sample.table, again)
    assert not sample.table.equals(read_table(path, max_rows=100, seed=4).table)


@pytest.mark.parametrize("rows", [1, 3, 1000])
def test_chunks_make_up_the_whole_table(write, rows):
    path = write("Title\na;b\n" + "".join(f"{i};x{i}\n" for i in range(20)) + "Total;190\n")
    layout, chunks = iterate_table(path, rows=rows)
    whole = read_table(path)
    pd.testing.assert_frame_equal(pd.concat(chunks), whole.table)
    assert layout == whole.layout and whole.n_rows == 20


def test_options_overrule_what_would_be_found(write):
    path = write("a,b\n1,'2'\nTotal,3\n")
    assert read_table(path).table.to_dict("list") == {"a": ["1"], "b": ["2"]}
    options = Options(quote="none", footer=0)
    assert read_table(path, options).table.to_dict("list") == {"a": ["1", "Total"], "b": ["'2'", "3"]}
    assert read_table(path, Options(separator="\\t", footer=0)).table.columns.tolist() == ["a,b"]
    assert list(read_table(path, Options(header=0)).table) == ["column_1", "column_2"]
    assert read_table(path, Options(skip=1, header=1)).table.columns.tolist() == ["1", "2"]


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_standard_input_is_read(monkeypatch, name):
    for read in (lambda path: read_table(path).table, lambda path: pd.concat(iterate_table(path, rows=1)[1])):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a;b\n1;2\n3;4\n")))
        assert read(Path(name)).to_dict("list") == {"a": ["1", "3"], "b": ["2", "4"]}
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(ValueError, match="standard input is empty"):
        read_table(Path(name))


def test_a_pipe_is_read(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(gzip.compress(b"a,b\n1,2\n"),))
    writer.start()
    assert read_table(pipe).table.to_dict("list") == {"a": ["1"], "b": ["2"]}
    writer.join()


@pytest.mark.parametrize("start", ["", "sep=,\n", "Title\n\n", "# a\n# b\n", "\n"])
def test_errors_name_the_line_of_the_file(write, start):
    path = write(f'{start}id,note,y\n1,"two\nlines",a\n2,b\n3,c,d\n')
    line = start.count("\n") + 4
    with pytest.raises(ValueError, match=f"^line {line} of .* has 2 cells instead of 3"):
        read_table(path)


@pytest.mark.parametrize("size", [3, 7, 64])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-be", "utf-32", "shift_jis"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_do_not_depend_on_how_the_file_is_cut(size, encoding, end):
    lines = ["a,b" + end, "日本,x" + end, end, "1,2"]
    content = "".join(lines).encode(encoding)
    blocks = [content[start : start + size] for start in range(0, len(content), size)]
    assert list(decode_lines(blocks, encoding, "data.csv")) == lines


@given(st.lists(st.sampled_from(["a,b\n", "\n", " \n", "Total\n"])), st.integers(1, 4))
def test_last_lines_are_left_out_as_a_slow_twin_does(lines, n):
    kept = list(lines)
    for _ in range(n):
        while kept and kept[-1].isspace():
            kept.pop()
        if kept:
            kept.pop()
    read = list(leave_out_last(lines, n))
    while kept and kept[-1].isspace():
        kept.pop()
    while read and read[-1].isspace():
        read.pop()
    assert read == kept
