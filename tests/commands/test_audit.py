"""`emphatic audit` as a user runs it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from emphatic import cli
from emphatic.audit import labels
from tests.audit.audits import made_result

GOOD = "a,colour,y\n" + "".join(f"{i},{'red' if i % 3 else ''},{'yes' if i > 20 else 'no'}\n" for i in range(40))


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(folder):
    return lambda *arguments: CliRunner().invoke(cli.build_app(), ["audit", *arguments])


@pytest.fixture
def swift(monkeypatch):
    """In place of the audit: the first row is the worst; keeps what it was asked."""
    asked = {}

    def audit_labels(X, y, **options):
        asked.update(options, X=X, y=y)
        suspicion = np.linspace(0.9, 0.0, len(y))
        return made_result(X, y, suspicion, np.where(suspicion > 0.5, np.unique(y)[0], y))

    monkeypatch.setattr(labels, "audit_labels", audit_labels)
    return asked


def shell(*arguments, **options):
    command = [sys.executable, "-m", "emphatic.cli", "audit", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", **options)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(
    ("content", "target", "message"),
    [
        (b"", "y", "data.csv is empty"),
        (b"\n\n", "y", "data.csv is empty"),
        (b"a,y\n", "y", "data.csv has a header but no rows"),
        (b"y,a,y\nx,1,x\nz,2,z\n", "y", "several columns named y"),
        (b"a,label\n1,x\n2,z\n", "labl", "unknown column labl; did you mean label"),
        (b"a,y\n1,x\n2,\n3,NA\n", "y", "column y has no label in 2 of 3 rows, the first at index 1"),
        (b"a,y\n1,x\n1,2,3,4\n", "y", "line 3 of data.csv has 4 cells instead of 2"),
        (b"a,y\n1,x\n2,x\n", "y", "column y holds only one class (x)"),
        (b"y\nx\nz\n", "y", "the table has no features"),
        (b"a,b,y\n,,x\n,,z\n", "y", "the table has no features"),
        (b"a,y\n" + b"".join(b"1,%d.5\n" % i for i in range(60)), "y", "60 different numbers in 60 rows"),
    ],
)
def test_bad_file_is_two_and_one_line(run, folder, content, target, message):
    Path("data.csv").write_bytes(content)
    done = run("data.csv", "--target", target, "--report", "page.html", "--csv", "out.csv")
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stderr.startswith("emphatic: ")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert names(folder) == ["data.csv"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.csv", "--target", "y"], "there is no file missing.csv"),
        ([".", "--target", "y"], "is a folder"),
        (["data.csv", "--target", "y", "--report", "missing/page.html"], "cannot write missing/page.html"),
        (["data.csv", "--target", "y", "--csv", "."], "cannot write .: it is a folder"),
        (["data.csv", "--target", "y", "--csv", "data.csv"], "it is already an input"),
        (["data.csv", "--target", "y", "--csv", "o", "--report", "o"], "it is already an input or another output"),
        (["data.csv", "--target", "y", "--jobs", "0"], "--jobs"),
        (["data.csv", "--target", "y", "--separator", ";;;;"], "--separator must be one to three characters"),
        (["data.csv"], "--target"),
    ],
)
def test_wrong_use_is_two_and_no_traceback(run, folder, arguments, message):
    Path("data.csv").write_text(GOOD)
    done = run(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert names(folder) == ["data.csv"]


TROUBLED = "a,who,when,y\n" + "".join(
    f"{900 if i == 5 else (i * 37 % 101) / 10},{'ann' if i % 2 else 'bob'},2024-01-{1 + i % 28:02d},"
    f"{'yes' if i % 3 else 'no'}\n"
    for i in range(80)
)


def test_other_troubles_are_printed_and_on_the_page(run, folder, swift):
    Path("data.csv").write_text(TROUBLED)
    done = run("data.csv", "--target", "y", "--annotator", "who", "--time", "when", "--report", "page.html")
    assert done.exit_code == 0, done.output
    assert "Other troubles:" in done.stdout
    assert "Outliers (1): Row 5 is unlike any other" in " ".join(done.stdout.split())
    assert 'id="trouble-outliers"' in Path("page.html").read_text()
    record = json.loads(run("data.csv", "--target", "y", "--json", "--quiet").stdout)
    assert [5] in [one["rows"] for one in record["troubles"] if one["kind"] == "outliers"]


def test_other_troubles_can_be_left_out(run, folder, swift):
    Path("data.csv").write_text(TROUBLED)
    done = run("data.csv", "--target", "y", "--no-troubles", "--report", "page.html")
    assert done.exit_code == 0 and "Other troubles" not in done.stdout
    assert 'id="trouble' not in Path("page.html").read_text()
    assert "troubles" not in json.loads(run("data.csv", "--target", "y", "--no-troubles", "--json").stdout)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--groups", "clinic"], "unknown column clinic"),
        (["--annotator", "wo"], "unknown column wo; did you mean who"),
        (["--time", "who"], "time='who' is not allowed: the column is taken for category"),
        (["--time", "wen"], "unknown column wen; did you mean when"),
    ],
)
def test_columns_beside_the_features_are_checked(run, folder, swift, option, message):
    Path("data.csv").write_text(TROUBLED)
    done = run("data.csv", "--target", "y", *option, "--report", "page.html")
    assert done.exit_code == 2
    assert message in done.stderr
    assert names(folder) == ["data.csv"]


def test_suspects_are_printed_and_all_is_written(run, folder, swift):
    Path("data.csv").write_text(GOOD.replace("yes", "[yes]"))
    done = run("data.csv", "--target", "y", "--report", "page.html", "--csv", "out.csv", "--top", "3", "--seed", "7")
    assert done.exit_code == 0, done.output
    assert "40 samples, 2 classes" in done.stdout
    rows = [line.split() for line in done.stdout.splitlines() if "noisy" in line]
    assert ["0", "no", "[yes]", "noisy", "0.900"] in rows
    assert "Wrote page.html" in done.stdout
    assert "\x1b" not in done.stdout
    assert names(folder) == ["data.csv", "out.csv", "page.html"]
    table = pd.read_csv("out.csv")
    assert list(table.columns) == ["index", "label", "suggested", "kind", "suspicion"]
    assert sorted(table["index"]) == list(range(40))
    assert (swift["random_state"], swift["cv"], swift["n_jobs"]) == (7, 5, 1)
    assert list(swift["X"].columns) == ["a", "colour"]


def test_json_and_quiet(run, swift):
    Path("data.csv").write_text(GOOD)
    found = json.loads(run("data.csv", "--target", "y", "--json", "--quiet", "--top", "2").stdout)
    assert found["rows"] == 40
    assert [each["index"] for each in found["suspects"]] == [0, 1]
    assert set(found["suspects"][0]) == {"index", "label", "suggested", "kind", "suspicion"}
    assert run("data.csv", "--target", "y", "--quiet").output == ""


def test_other_separators_and_byte_order_marks(run, swift):
    Path("data.tsv").write_text("\ufeff" + GOOD.replace(",", "\t"), encoding="utf-8")
    for options in (["--separator", "\\t"], []):
        assert run("data.tsv", "--target", "y", *options, "--quiet").exit_code == 0
        assert list(swift["X"].columns) == ["a", "colour"]


def test_numbers_as_classes_are_allowed(run, swift):
    Path("data.csv").write_text("a,y\n" + "".join(f"{i / 2},{i % 60}\n" for i in range(240)))
    assert run("data.csv", "--target", "y", "--quiet").exit_code == 0


def test_interrupt_is_130_and_writes_nothing(run, folder, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(labels, "audit_labels", interrupted)
    Path("data.csv").write_text(GOOD)
    done = run("data.csv", "--target", "y", "--report", "page.html")
    assert done.exit_code == 130
    assert "Traceback" not in done.output
    assert names(folder) == ["data.csv"]


def test_real_audit_in_a_pipe(folder):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"a": rng.normal(size=60), "b": rng.normal(size=60)})
    table["y"] = np.where(table["a"] + table["b"] > 0, "yes", "no")
    table["a"] += np.where(table["y"] == "yes", 2.0, -2.0)
    table.loc[5, "y"] = "no" if table.loc[5, "y"] == "yes" else "yes"
    table.to_csv("data.csv", index=False)
    done = shell("data.csv", "--target", "y", "--report", "page.html", "--json", env={**os.environ, "NO_COLOR": "1"})
    assert done.returncode == 0
    assert "emphatic: data.csv: CSV, separated by commas, UTF-8, 3 columns, 60 rows\n" in done.stderr
    assert json.loads(done.stdout)["suspects"][0]["index"] == 5
    assert "<title>Label audit: data.csv</title>" in Path("page.html").read_text(encoding="utf-8")


def test_a_table_from_a_pipe_and_a_missing_file(folder):
    done = shell("/dev/stdin", "--target", "z", input="a,y\n1,2\n")
    assert done.returncode == 2 and done.stderr.endswith("emphatic: unknown column z; known: a, y\n")
    done = shell("missing.csv", "--target", "z")
    assert done.returncode == 2 and done.stderr.endswith("emphatic: there is no file missing.csv\n")


def test_help_waits_for_nothing_heavy():
    heavy = "{'sklearn', 'scipy', 'numba', 'pandas', 'plotly'}"
    script = f"import sys; from emphatic.cli import build_app; build_app(); sys.exit(bool({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
