"""`emphatic audit apply`, and `emphatic audit --marks`: from marks to a better table and a better audit."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from emphatic import cli
from emphatic.audit import labels
from emphatic.tables.files import read_table
from tests.audit.audits import made_result, marks_file

ROWS = [("1.50", "a", "no"), ("2", "", "no"), ("3", "=b", "yes"), ("2", "", "yes"), ("5", "c", "yes"), ("6", "d", "no")]
TABLE = "x;colour;y\n" + "".join(";".join(row) + "\n" for row in ROWS)


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(folder):
    return lambda *arguments: CliRunner().invoke(cli.build_app(), ["audit", *arguments])


def read(path="data.csv"):
    return read_table(Path(path)).table


@pytest.fixture
def marked(folder):
    """A table, and marks of it: one label is corrected, one is wrong, one right."""
    Path("data.csv").write_text(TABLE)
    write_marks({1: ("wrong", "yes"), 2: ("wrong", None), 4: ("right", "yes")})


def write_marks(marks, path="marks.csv"):
    table = read()
    y = table["y"].to_numpy()
    marks_file(made_result(table[["x", "colour"]], y, [0.5] * len(y), y), marks).to_csv(path, index=False)


def apply(run, *options, data="data.csv", marks="marks.csv"):
    return run("apply", data, marks, "--target", "y", "--output", "clean.csv", *options)


def test_the_corrected_table_and_its_log_are_written(run, marked):
    done = apply(run, "--log", "log.csv")
    assert done.exit_code == 0, done.output
    clean = read("clean.csv")
    assert clean["y"].tolist() == ["no", "yes", "yes", "yes", "yes", "no"]
    pd.testing.assert_frame_equal(clean[["x", "colour"]], read()[["x", "colour"]])  # as written, 1.50 included
    assert Path("log.csv").read_text() == (
        'index,before,after,why\n1,no,yes,marked wrong\n2,yes,,"marked wrong, right one unknown: kept"\n'
    )
    assert done.stdout == "corrected: 1, right: 1, not known: 1, dropped: 0\nWrote clean.csv\nWrote log.csv\n"


def test_rows_without_a_right_label_can_be_dropped(run, marked):
    done = apply(run, "--drop-unknown", "--json", "--quiet")
    assert json.loads(done.stdout) == {"rows": 5, "corrected": 1, "right": 1, "not known": 0, "dropped": 1}
    assert read("clean.csv")["x"].tolist() == ["1.50", "2", "2", "5", "6"]


def test_applied_twice_or_to_rows_in_another_order_is_the_same(run, marked):
    assert apply(run, "--quiet").exit_code == 0
    assert apply(run, "--quiet", data="clean.csv").exit_code == 2  # it would overwrite its input
    Path("clean.csv").rename("once.csv")
    done = apply(run, data="once.csv")
    assert done.stdout.startswith("corrected: 0, right: 2, not known: 1")
    assert Path("once.csv").read_text() == Path("clean.csv").read_text()
    header, *lines = TABLE.splitlines(keepends=True)
    Path("turned.csv").write_text(header + "7;new;no\n" + "".join(lines[::-1]))
    assert apply(run, "--quiet", data="turned.csv").exit_code == 0
    assert read("clean.csv")["y"].tolist() == ["no", "no", "yes", "yes", "yes", "yes", "no"]


def test_types_are_kept_in_parquet(run, folder):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    table = pd.DataFrame({"x": [1.5, 2.0, 3.0], "when": pd.to_datetime(["2024-01-01"] * 3), "y": [0, 1, 1]})
    table.to_parquet("data.parquet")
    result = made_result(table[["x", "when"]], table["y"], [0.5] * 3, table["y"])
    marks_file(result, {2: ("wrong", 0)}).to_csv("marks.csv", index=False)
    done = run("apply", "data.parquet", "marks.csv", "--target", "y", "--output", "clean.parquet", "--quiet")
    assert done.exit_code == 0, done.output
    pd.testing.assert_frame_equal(pd.read_parquet("clean.parquet"), table.assign(y=[0, 1, 0]), check_dtype=False)
    assert pd.read_parquet("clean.parquet")["y"].dtype == table["y"].dtype


def test_rows_without_a_label_and_a_last_line_that_looks_like_a_total_stay(run, marked):
    Path("data.csv").write_text(TABLE + "9;e;\ntotal;;\n")
    assert apply(run, "--quiet").exit_code == 0
    assert read("clean.csv")["x"].tolist()[-2:] == ["9", "total"]


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        (lambda: None, ["--output", "missing/clean.csv"], "cannot write missing/clean.csv"),
        (lambda: None, ["--output", "clean.xlsx"], "its name must end with .csv, .csv.gz or .parquet"),
        (lambda: None, ["--output", "marks.csv"], "it is already an input"),
        (lambda: None, ["--target", "z"], "unknown column z"),
        (lambda: Path("marks.csv").unlink(), [], "there is no file marks.csv"),
        (
            lambda: Path("marks.csv").write_text("index,mark\n1,wrong\n"),
            [],
            "marks.csv has no column label, correct, row",
        ),
        (lambda: Path("data.csv").write_text(TABLE.replace(";c", ";changed")), [], "1 of 3 marked rows (the first has"),
        (lambda: Path("data.csv").write_text(TABLE.replace("x;", "id;x;").replace("\n", "\n7;")[:-2]), [], "3 of 3"),
    ],
)
def test_bad_input_is_two_one_line_and_no_file(run, folder, marked, change, options, message):
    change()
    before = sorted(path.name for path in folder.iterdir())
    done = apply(run, *options)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr and done.stderr.count("\n") == 1
    assert sorted(path.name for path in folder.iterdir()) == before


def test_marks_of_a_changed_table_can_be_forced(run, marked):
    Path("data.csv").write_text(TABLE.replace(";c;", ";changed;").replace("=b;yes", "=b;no"))
    done = apply(run, "--force")
    assert done.exit_code == 0
    assert "1 of 3 marked rows (the first has index 2) are left out" in done.stderr
    assert done.stdout.startswith("corrected: 1, right: 1, not known: 0")


def test_a_file_called_apply_is_reached_by_its_path(run, folder):
    Path("apply").write_text("a,y\n1,x\n2,x\n")
    assert "holds only one class (x)" in run("./apply", "--target", "y").stderr
    assert "Missing argument" in run("apply", "--target", "y").stderr
    assert "emphatic audit apply --help" in " ".join(run("--help").stdout.split())


# emphatic audit --marks


@pytest.fixture
def swift(monkeypatch):
    """In place of the audit: the first row is the worst; keeps the marks that it was given."""
    asked = {}

    def audit_labels(X, y, *, marks=None, **_):
        asked["marks"] = marks
        suspicion = np.linspace(0.9, 0.1, len(y))
        result = made_result(X, y, suspicion, y)
        return result if marks is None else labels.settle(result, marks)

    monkeypatch.setattr(labels, "audit_labels", audit_labels)
    return asked


def test_an_audit_goes_on_with_marks(run, marked, swift):
    done = run("data.csv", "--target", "y", "--marks", "marks.csv", "--report", "page.html", "--no-troubles")
    assert done.exit_code == 0, done.output
    assert "2 of 3 marked labels were wrong." in done.stdout
    assert swift["marks"].rows.tolist() == [1, 2, 4]
    text = Path("page.html").read_text()
    assert "data.csv · labels in y" in text and "<title>Label audit: data.csv</title>" in text
    assert '"marks":{"1":["wrong",1],"2":["wrong",null],"4":["right",1]}' in text
    record = json.loads(run("data.csv", "--target", "y", "--marks", "marks.csv", "--no-troubles", "--json").stdout)
    assert [one["index"] for one in record["suspects"]] == [0, 3, 5]  # what is left to look at
    assert (record["review"]["n_marked"], record["review"]["n_unmarked"]) == (3, 3)


def test_marks_of_another_table_stop_an_audit_before_its_work(run, marked, swift):
    Path("data.csv").write_text(TABLE.replace(";c", ";changed"))
    done = run("data.csv", "--target", "y", "--marks", "marks.csv")
    assert done.exit_code == 2 and "1 of 3 marked rows" in done.stderr and not swift
    assert run("data.csv", "--target", "y", "--marks", "marks.csv", "--force", "--quiet").exit_code == 0
    assert "--marks is for --target" in run("data.csv", "--annotators", "x,y", "--marks", "marks.csv").stderr
    assert "--force is for --marks" in run("data.csv", "--target", "y", "--force").stderr
