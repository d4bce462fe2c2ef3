"""Files that cannot be read right are refused in one line, with the remedy, in bounded memory and time."""

import gzip
import io
import subprocess
import sys
import zipfile

import pytest

from emphatic.tables.files import Options, iterate_table, read_table
from emphatic.tables.files.header import MOST_COLUMNS
from emphatic.tables.files.options import FIND_OUT
from emphatic.tables.files.survey import SAMPLE

N = 4_000
ROWS = "".join(f"{i},{'long ' * 60}name {i}\n" for i in range(N))
"""More than what is looked at first."""
assert len(ROWS) > SAMPLE


@pytest.fixture
def refuse(tmp_path):
    """Write a file, and return the one line that refuses it."""

    def refuse(content, options=FIND_OUT, name="data.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        with pytest.raises(ValueError) as caught:
            read_table(path, options)
        message = str(caught.value)
        assert "\n" not in message and len(message) < 500
        if len(content) < 5_000_000:  # in chunks too
            with pytest.raises(ValueError):
                list(iterate_table(path, options)[1])
        return message.replace(str(path), name)

    return refuse


def test_no_file_and_folders(tmp_path):
    with pytest.raises(ValueError, match="there is no file"):
        read_table(tmp_path / "missing.csv")
    with pytest.raises(ValueError, match="is a folder, not a file"):
        read_table(tmp_path)


def test_a_million_columns(refuse):
    names = ",".join(f"c{i}" for i in range(1_000_000))
    row = ",".join("1" for _ in range(1_000_000))
    assert "has 1,000,000 columns, over 100,000" in refuse(f"{names}\n{row}\n")


def test_as_many_columns_as_are_allowed_but_all_without_a_name(refuse):
    # The empty names are dropped one by one: that must not take the square of their number.
    assert "has a header but no rows" in refuse("a" + "," * (MOST_COLUMNS - 1) + "\n" + "\n")


def test_a_cell_of_200_megabytes(refuse):
    message = refuse(b'a,b\n1,2\n3,"' + b"x" * 200_000_000 + b'"\n')
    assert "line 3 of data.csv" in message


def test_a_quote_that_is_never_closed_swallows_no_more_than_a_cell_may_hold(refuse):
    message = refuse(f'id,name\n{ROWS}7,"open\n{ROWS * 16}')
    assert f"line {N + 2} of data.csv: a cell is longer than any should be" in message and "--quote none" in message
    assert f"line {N + 2} of data.csv: a quote is opened and never closed" in refuse(f'id,name\n{ROWS}7,"open\n{ROWS}')


def test_ragged_rows_far_below_the_sample_are_found(refuse):
    assert refuse(f"id,name\n{ROWS}1\n{ROWS}").startswith(f"line {N + 2} of data.csv has 1 cell instead of 2")
    assert f"line {N + 2} of data.csv has 3 cells" in refuse(f"id,name\n{ROWS}1,2,3\n{ROWS}")


def test_merged_rows_far_below_the_sample_are_found(refuse):
    message = refuse(f'id,name\n{ROWS}1,"open\n2,b\n3,close"\n{ROWS}')
    assert message.startswith(f"line {N + 2} of data.csv: a quoted cell runs over 3 lines")


def test_the_user_may_insist_on_a_quote(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text('id,note,kind\n1,"open,x\n2,b,y\n3,close",z\n')
    assert len(read_table(path, Options(quote='"')).table) == 1
    assert len(read_table(path, Options(quote="none")).table) == 3


def test_bytes_that_are_not_utf8_far_below_the_sample_count(tmp_path, refuse):
    content = f"id,name\n{ROWS}1,Müller\n".encode("latin-1")
    path = tmp_path / "latin.csv"
    path.write_bytes(content)
    found = read_table(path, max_rows=10)
    assert found.layout.encoding == "cp1252" and "Müller" in found.layout.remarks[0]
    message = refuse(content, Options(encoding="utf-8"))
    assert message == f"line {N + 2} of data.csv is not utf-8: name the right --encoding"


def test_nul_bytes_far_below_the_sample_are_found(refuse):
    assert f"line {N + 2} of data.csv holds a NUL byte" in refuse(f"id,name\n{ROWS}1,\x00\n")


@pytest.mark.parametrize(
    "start", [b"\xff\xd8\xff\xe0\x00", b"%PDF-1.7", b"SQLite format 3\x00", b"\x80\x04\x95\x00\x00"]
)
def test_other_files_are_named(refuse, start):
    assert "not a table" in refuse(start + bytes(100))


@pytest.mark.parametrize("name", ["BM", "RIFF", "ORC", "GIF8", "Rar!", "PK", "RDX"])
def test_a_header_may_begin_as_other_files_do(tmp_path, name):
    path = tmp_path / "data.csv"
    path.write_text(f"{name},b\n1,2\n")
    assert read_table(path).table.to_dict("list") == {name: ["1"], "b": ["2"]}


def test_a_model_file_is_no_table(refuse, tmp_path):
    from sklearn.datasets import load_iris

    from emphatic import RealAdaBoostClassifier
    from emphatic.persistence import save

    save(RealAdaBoostClassifier(n_estimators=2).fit(*load_iris(return_X_y=True)), tmp_path / "model")
    assert refuse((tmp_path / "model").read_bytes()) == "data.csv is a model file, not a table"


def test_excel_files_that_are_cut_off_or_too_large(refuse, monkeypatch):
    from tests.tables.files.corpus import FOLDER

    whole = (FOLDER / "sheet.xlsx").read_bytes()
    assert "damaged or cut off" in refuse(whole[:-400], name="sheet.xlsx")
    assert "unknown sheet west" in refuse(whole, Options(sheet="west"), name="sheet.xlsx")
    broken = io.BytesIO()
    with zipfile.ZipFile(broken, "w") as archive:
        archive.writestr("xl/workbook.xml", "nonsense")
    assert "cannot read sheet.xlsx as Excel" in refuse(broken.getvalue(), name="sheet.xlsx")
    monkeypatch.setattr("emphatic.tables.files.excel.LARGEST", 100)
    assert "save it as CSV" in refuse(whole, name="sheet.xlsx")


@pytest.mark.parametrize(
    ("module", "name", "package"),
    [
        ("pyarrow", "table.parquet", "reading Parquet needs pyarrow"),
        ("pyarrow", "table.feather", "reading Arrow and Feather needs pyarrow"),
        ("pyarrow", "zstd.csv.zst", "reading zstd needs pyarrow"),
        ("python_calamine", "sheet.xlsx", "reading Excel needs python-calamine"),
    ],
)
def test_a_package_that_is_missing_is_named(monkeypatch, module, name, package):
    from tests.tables.files.corpus import FOLDER

    for one in [known for known in sys.modules if known.split(".")[0] == module]:
        monkeypatch.delitem(sys.modules, one)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ValueError) as caught:
        read_table(FOLDER / name)
    assert str(caught.value) == f'{package}: pip install "emphatic[tables]"'


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"separator": ""}, "--separator must be"),
        ({"separator": "\n"}, "--separator must be"),
        ({"quote": "ab"}, "--quote must be"),
        ({"separator": ",", "quote": ","}, "--quote must be"),
        ({"encoding": "nonsense"}, "unknown encoding 'nonsense'"),
        ({"encoding": "hex"}, "unknown encoding 'hex'"),
        ({"header": 3}, "--header must be 0, 1 or 2"),
        ({"skip": -1}, "--skip=-1 is not allowed"),
        ({"format": "word"}, "--format='word' is not allowed"),
    ],
)
def test_options_are_checked(options, message):
    with pytest.raises(ValueError, match=message):
        Options(**options)


def test_a_bomb_is_read_in_bounded_memory(tmp_path):
    path, rows = tmp_path / "bomb.csv.gz", (b"1," + b"x" * 9_997 + b"\n") * 1_000
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b"a,b\n")
        for _ in range(15):
            file.write(rows)
    code = (
        "import pathlib, resource, sys; from emphatic.tables.files import read_table; import pandas\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "found = read_table(pathlib.Path(sys.argv[1]), max_rows=100)\n"
        "print(found.n_rows, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    n_rows, growth = map(int, done.stdout.split())
    assert n_rows == 15_000 and growth < 100_000  # kilobytes; the text has 150,000


def test_a_quote_inside_a_cell_that_is_not_quoted_is_said(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text('id,kind,note\n1,"a, b",c\n2,x;"a, b"\n3,"5"" pipe",d\n')
    found = read_table(path)
    assert found.table["kind"].tolist() == ["a, b", 'x;"a', '5" pipe']
    assert found.layout.remarks == ("a quote inside a cell of line 3 is read as plain text",)
