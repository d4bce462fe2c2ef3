"""Nasty files are read as a person would read them, or refused with the remedy; none is misread in silence."""

import re

import pytest

from emphatic.tables.files import read_table
from tests.tables.files.corpus import FOLDER, NAMES, expect, judge

TABLES = [name for name in NAMES if "columns" in expect(name)]
MOST_REFUSED = 2 / 40


def _read(name):
    """The columns and the remarks, or the error."""
    try:
        found = read_table(FOLDER / name)
    except ValueError as error:
        return None, (), str(error)
    return {key: column.tolist() for key, column in found.table.items()}, found.layout.remarks, None


@pytest.mark.parametrize("name", NAMES)
def test_file_is_read_right_or_refused_with_the_remedy(name):
    expected = expect(name)
    columns, remarks, error = _read(name)
    if error is None:
        assert judge(expected, columns, None) == "right", (columns, remarks)
        assert "remark" not in expected or any(re.search(expected["remark"], remark) for remark in remarks), remarks
    else:
        pattern = expected.get("refused", expected.get("may_refuse"))
        assert pattern and re.search(pattern, error), error
        assert "\n" not in error and name in error


def test_almost_all_tables_are_read():
    assert len(TABLES) >= 60
    verdicts = [judge(expect(name), *_read(name)[::2]) for name in TABLES]
    assert verdicts.count("misread") == 0
    assert verdicts.count("refused") <= MOST_REFUSED * len(TABLES)


def test_plain_files_are_read_without_remarks():
    for name in ("comma.csv", "crlf.csv", "quoted_all.csv", "semicolon_decimal_comma.csv", "tab.tsv", "utf16_bom.csv"):
        assert read_table(FOLDER / name).layout.remarks == (), name


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("comma.csv", "CSV, separated by commas, UTF-8, 3 columns"),
        ("space_after_comma.csv", 'CSV, separated by commas and a space, UTF-8, quoted by ", 3 columns'),
        ("latin1.csv", "CSV, separated by commas, Windows-1252, 3 columns"),
        ("crlf.csv", r"CSV, separated by commas, UTF-8, lines end with \r\n, 3 columns"),
        ("title_padded_by_separators.csv", "CSV, separated by commas, UTF-8, 2 lines before the header, 3 columns"),
        ("backslash_quotes.csv", 'CSV, separated by commas, UTF-8, quoted by " with \\ before a quote, 3 columns'),
        ("utf16_excel_unicode_text.txt", "CSV, separated by tabs, UTF-16, lines end with \\r\\n, 3 columns"),
        ("gzip.csv.gz", "CSV, compressed by gzip, separated by commas, UTF-8, 3 columns"),
        ("sheet.xlsx", "Excel, sheet north, 2 lines before the header, 1 line after the last row left out, 4 columns"),
        ("table.parquet", "Parquet, 4 columns"),
        ("lines.jsonl", "JSON lines, UTF-8, 4 columns"),
        ("no_header.csv", "CSV, separated by commas, UTF-8, no header, 3 columns"),
    ],
)  # fmt: skip
def test_layout_is_one_line(name, line):
    assert read_table(FOLDER / name).layout.describe() == line
