"""CSV for people: no cell is a formula for a spreadsheet, and what is read is what was written."""

import csv
import io
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from typer.testing import CliRunner

from emphatic import cli
from emphatic.tables.files import read_table
from emphatic.tables.writing import escape_cell, format_csv, restore_cell

STARTS = "=+-@\t\r\n＝＋－＠"
texts = st.text() | st.builds(
    "{}{}{}".format, st.text("'", max_size=3), st.sampled_from(STARTS), st.text("=+-@'\t\r\n1.5eE,\"x ")
)


@given(texts)
@example("'=1")
@example("-1.5")
@example("'-1.5")
@example("'-1,5")
def test_what_is_escaped_is_restored(text):
    assert restore_cell(escape_cell(text)) == text


@given(texts)
def test_no_text_but_a_number_begins_as_a_formula_does(text):
    escaped = escape_cell(text)
    assert not escaped.startswith(tuple(STARTS)) or re.fullmatch(r"[+-][0-9.,]+([eE][+-]?[0-9]+)?%?", escaped)
    assert escaped in (text, f"'{text}")


@given(st.floats() | st.integers() | st.booleans() | st.none())
def test_numbers_are_left_alone(number):
    assert escape_cell(number) is restore_cell(number) is number
    if number == number and abs(number or 0) != float("inf"):
        assert escape_cell(str(number)) == str(number)


@pytest.mark.parametrize("text", ["-1.5", "+3", "-.5", "-2.", "-1e-7", "+1E5", "-1,5", "-1.234,5", "-5%"])
def test_text_that_is_a_number_stays_a_number(text):
    assert escape_cell(text) == text


@pytest.mark.parametrize(
    "text", ["-1-1", "-1e", "--1", "-", "+", "-1 000", "-inf", "-%", "-,", "-1%1", "=1", "@a", "-1\n", "-٣", "＝1"]
)
def test_text_that_is_no_number_is_escaped(text):
    assert escape_cell(text) == f"'{text}"


@given(st.lists(st.tuples(texts, texts, st.floats(allow_nan=False)), min_size=1))
def test_table_is_read_as_it_was_written(rows):
    table = pd.DataFrame(rows, columns=["label", "self", "number"])
    text = format_csv(table)
    cells = list(csv.reader(io.StringIO(text, newline="")))
    assert cells[0] == ["label", "self", "number"]
    assert [[restore_cell(cell) for cell in row[:2]] for row in cells[1:]] == [list(row[:2]) for row in rows]
    assert [float(row[2]) for row in cells[1:]] == [row[2] for row in rows]


def test_our_reader_restores(tmp_path):
    labels = ["=cmd|' /C calc'!A0", "'=x", "-1.5 kg", "@home", "plain", "it's", "a\rb", "\rc", "\t", "-1,5"]
    table = pd.DataFrame({"x": np.arange(10.0) - 5, "=y": labels})
    path = tmp_path / "out.csv"
    path.write_bytes(format_csv(table).encode())
    pd.testing.assert_frame_equal(read_table(path).table, table.astype({"x": str}).astype(object))


def test_columns_without_formulas_are_written_as_they_are():
    table = pd.DataFrame({"empty": pd.Series([np.nan, np.nan], dtype=object), "flag": [True, None], "t": ["a", "'b"]})
    assert format_csv(table) == table.to_csv(index=False, lineterminator="\n")


@pytest.fixture
def run(tmp_path, monkeypatch):
    """The command in a folder with a table whose labels are formulas."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    a = rng.normal(size=40)
    table = pd.DataFrame({"a": a, "b": rng.normal(size=40), "y": np.where(a > 0, "=HYPERLINK(1)", "-1")})
    table.to_csv("data.csv", index=False)
    return lambda *arguments: CliRunner().invoke(cli.build_app(), arguments)


def test_predictions_and_suspects_are_escaped_and_read_back(run, tmp_path):
    method = ["--method", "RealAdaBoost of trees"]
    assert run("fit", "data.csv", "--target", "y", "--model", "m.emphatic", *method).exit_code == 0
    assert run("predict", "m.emphatic", "data.csv", "--probabilities", "--output", "out.csv").exit_code == 0
    printed = run("predict", "m.emphatic", "data.csv", "--quiet").stdout.splitlines()
    done = run("audit", "data.csv", "--target", "y", "--csv", "suspects.csv")
    assert done.exit_code == 0, done.output
    predicted = read_table(tmp_path / "out.csv").table
    assert set(predicted["predicted"]) == {"=HYPERLINK(1)", "-1"}
    assert set(printed[1:]) == {"'=HYPERLINK(1)", "-1"}
    suspects = read_table(tmp_path / "suspects.csv").table
    assert set(suspects["label"]) == {"=HYPERLINK(1)", "-1"}
    for name in ("out.csv", "suspects.csv"):
        raw = (tmp_path / name).read_text()
        assert "'=HYPERLINK" in raw and not re.search(r"(^|[,\n])=", raw)
