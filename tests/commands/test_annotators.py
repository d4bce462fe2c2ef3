"""`emphatic audit --annotators` as a user runs it."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from emphatic import cli

PEOPLE = ["--annotators", "ann, bob,cem"]


@pytest.fixture
def run(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(cli.build_app(), ["audit", "data.csv", *arguments])


@pytest.fixture
def table(run):
    """Two classes; ann is good, bob fair, cem guesses; some labels are missing, in several spellings."""
    rng = np.random.default_rng(0)
    yes = rng.random(80) < 0.5
    table = pd.DataFrame({"a": yes * 2.0 + rng.normal(size=80), "b": rng.normal(size=80)})
    for name, accuracy in {"ann": 0.95, "bob": 0.8, "cem": 0.5}.items():
        labels = np.where((rng.random(80) < accuracy) == yes, "[yes]", "no").astype(object)
        labels[rng.random(80) < 0.3] = rng.choice(["", "NA", "?"])
        table[name] = labels
    table.to_csv("data.csv", index=False)
    return table


def names():
    return sorted(path.name for path in Path().iterdir())


def test_annotators_and_questions_are_printed_and_all_is_written(run, table):
    done = run(
        *PEOPLE, "--top", "3", "--folds", "2", "--output", "out.csv", "--csv", "rows.csv", "--report", "page.html"
    )
    assert done.exit_code == 0, done.output
    assert "80 rows, 3 annotators" in done.stdout and "of 2 classes." in done.stdout
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines if " for " in line] == ["ann", "bob", "cem"]  # by quality
    asked = lines[next(i for i, line in enumerate(lines) if "probability" in line) + 2 :][:3]
    assert all(line.split()[1] in ("no", "[yes]") for line in asked)
    assert [line for line in lines if line.startswith("Wrote")] == [
        "Wrote page.html",
        "Wrote rows.csv",
        "Wrote out.csv",
    ]
    assert names() == ["data.csv", "out.csv", "page.html", "rows.csv"]
    written = pd.read_csv("out.csv", keep_default_na=False)
    assert list(written.columns) == [*table.columns, "consensus", "probability"]
    assert written["ann"].tolist() == table["ann"].tolist()
    assert set(written["consensus"]) == {"[yes]", "no"} and written["probability"].between(0.5, 1).all()
    rows = pd.read_csv("rows.csv")
    assert rows["index"].tolist()[:3] == [int(line.split()[0]) for line in asked]


def test_json_and_quiet(run, table):
    table[["ann", "bob", "cem"]].to_csv("data.csv", index=False)
    found = json.loads(run(*PEOPLE, "--json", "--quiet", "--top", "2").stdout)
    assert found["rows"] == 80 and len(found["questions"]) == 2
    assert {each["annotator"] for each in found["annotators"]} == {"ann", "bob", "cem"}
    assert run(*PEOPLE, "--quiet").output == ""


def test_labels_alone_count_without_other_columns(run, table):
    table[["ann", "bob", "cem"]].to_csv("data.csv", index=False)
    done = run(*PEOPLE, "--top", "0")
    assert done.exit_code == 0
    assert "emphatic: there is no other column to learn from: the labels alone count\n" in done.stderr
    assert "probability" not in done.stdout


def test_what_is_known_of_labels_is_said(run):
    Path("data.csv").write_text("ann,bob\nyes,Yes\nno,no\nno,\nno,no\n" + ",\n")
    done = run("--annotators", "ann,bob")
    assert "labels of the annotators that look alike are different classes: 'yes' and 'Yes'" in done.stderr
    assert "1 row without any label, the first at position 4" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name the labels: either --target COLUMN, or --annotators"),
        (["--target", "a", "--annotators", "ann"], "either --target COLUMN, or --annotators"),
        (["--target", "ann", "--output", "out.csv"], "--output is for --annotators"),
        (["--annotators", "ann,bbo"], "unknown column bbo; did you mean bob?"),
        (["--annotators", "ann,ann"], "--annotators must name different columns, such as ann,bob; got 'ann,ann'"),
        (["--annotators", " , "], "--annotators must name different columns"),
        (["--annotators", "ann,a"], "column a holds 80 different numbers in 80 rows"),
        ([*PEOPLE, "--bins", "3"], "--bins is for a --target of numbers"),
        ([*PEOPLE, "--output", "data.csv"], "it is already an input"),
        ([*PEOPLE, "--folds", "200"], "cv=200 is not allowed"),
        ([*PEOPLE, "--column", "z=text"], "unknown column z"),
    ],
)
def test_wrong_use_is_two_and_one_line(run, table, arguments, message):
    done = run(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == "" and names() == ["data.csv"]


def test_a_column_that_would_be_written_twice_is_refused(run, table):
    table.rename(columns={"b": "consensus"}).to_csv("data.csv", index=False)
    done = run(*PEOPLE, "--output", "out.csv")
    assert done.exit_code == 2
    assert "the table has a column consensus already, which --output would add: rename it" in done.stderr


def test_a_file_of_which_only_a_sample_is_read_is_not_written(run, table, monkeypatch):
    from emphatic.commands import data

    monkeypatch.setattr(data, "MOST_ROWS", 30)
    done = run(*PEOPLE, "--output", "out.csv")
    assert done.exit_code == 2 and "has 80 rows, and --output can write at most 30" in done.stderr
    done = run(*PEOPLE, "--folds", "2")
    assert done.exit_code == 0 and "a sample of 30 of its rows is used" in done.stderr
