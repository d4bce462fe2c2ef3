"""Tables written in any dialect are read back cell by cell, or refused, or said to be ambiguous; none in silence."""

import csv
import io

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from emphatic.tables.files import Options, read_table

WORDS = [
    "red",
    "Smith, Ann",
    "a;b",
    "it's",
    'the "best"',
    "two\nlines",
    "x|y",
    "x\ty",
    "5 inch",
    "café",
    "C:\\dir\\",
    "#4",
]
NUMBERS = ["1", "-2.5", "1,5", "1.234,5", "3e5", "", "NA", "12", "0.001", "50%"]
DATES = ["2020-01-05", "05.01.2020", "1/2/2021 10:30", "", "2020-01-06T10:30:00Z"]
kinds = [st.sampled_from(words) for words in (WORDS, NUMBERS, DATES, WORDS[:1] + WORDS[3:5])]


@st.composite
def tables(draw: st.DrawFn) -> list[list[str]]:
    """A header of words, and rows."""
    columns = [st.sampled_from(["1", "2", "3.5"]), *draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=4))]
    names = draw(st.permutations(["age", "name", "unit price", "town/city", "the_label"]))[: len(columns)]
    rows = draw(st.lists(st.tuples(*columns), min_size=2, max_size=12))
    return [names, *map(list, rows)]


dialects = st.fixed_dictionaries(
    {
        "delimiter": st.sampled_from([",", ";", "\t", "|"]),
        "quoting": st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
        "lineterminator": st.sampled_from(["\n", "\r\n"]),
    }
)
encodings = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])


def _write(path, rows, dialect, encoding="utf-8"):
    out = io.StringIO(newline="")
    csv.writer(out, **dialect).writerows(rows)
    path.write_bytes(out.getvalue().encode(encoding))


def _expect(rows):
    return {name: [cell or None for cell in cells] for name, *cells in zip(*rows, strict=True)}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("dialects") / "data.csv"


@given(rows=tables(), dialect=dialects, encoding=encodings)
@example(
    [["name", "town", "age"], ["3.5", "café", "5 inch"], ["3.5", "C:\\dir\\", "x\ty"]],
    {"delimiter": ",", "quoting": csv.QUOTE_ALL, "lineterminator": "\n"},
    "cp1252",
)
def test_what_csv_writes_is_read_back_or_the_doubt_is_said(path, rows, dialect, encoding):
    _write(path, rows, dialect, encoding)
    try:
        found = read_table(path)
    except ValueError:
        return
    read = {name: column.tolist() for name, column in found.table.items()}
    assert read == _expect(rows) or found.layout.remarks, (path.read_bytes(), read)


@given(rows=tables(), dialect=dialects)
def test_with_the_options_named_every_table_is_read_back(path, rows, dialect):
    assume(any(any(row) for row in rows[1:]))
    _write(path, rows, dialect)
    options = Options(dialect["delimiter"], quote='"', encoding="utf-8", skip=0, header=1, footer=0)
    found = read_table(path, options)
    assert {name: column.tolist() for name, column in found.table.items()} == _expect(rows)
