"""`emphatic predict`: a row for a row, in any format, in bounded memory, and with a word about what differs."""

import gzip
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from typer.testing import CliRunner

from emphatic import RBFNetworkClassifier, cli
from emphatic.commands import predict as predict_command
from emphatic.persistence import read, save
from emphatic.tables import TableTransformer
from emphatic.tables.profile import Profile
from tools.keep_models import make_table

METHOD = "LogisticRegression"
KEPT = sorted(Path("tests/data/models").resolve().glob("format-*/*.emphatic"))


def write_table(path, n=40, seed=0):
    """Text, as people write it: codes, decimal commas, a missing value, truth values."""
    rng = np.random.default_rng(seed)
    a = rng.normal(size=n).round(3)
    table = pd.DataFrame(
        {
            "id": [f"{k:03d}" for k in range(n)],
            "a": [str(one).replace(".", ",") for one in a],
            "colour": rng.choice(["red", "blue"], n),
            "paid": rng.choice(["TRUE", "FALSE"], n),
        }
    )
    table["y"] = np.where(a + (table["paid"] == "TRUE") > 0.5, "yes", "no")
    table.loc[3, "a"] = "NA"
    table.to_csv(path, index=False, sep=";")
    return pd.read_csv(path, sep=";", dtype=str, keep_default_na=False)


@pytest.fixture(scope="module")
def model_bytes(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "m.emphatic"
    X = write_table(path.with_suffix(".csv"))
    y = X.pop("y")
    fitted = make_pipeline(TableTransformer(columns={"id": "ignore"}), LogisticRegression()).fit(X, y)
    decisions = fitted[0].columns_
    kinds = {one.name: one.kind for one in decisions}
    kinds.pop("id")
    fitted = make_pipeline(TableTransformer(columns="useful"), LogisticRegression()).fit(X.drop(columns="id"), y)
    profile = Profile.learn(X.drop(columns="id"), fitted[0].columns_)
    save(fitted, path, columns=kinds, training={"target": "y", "left_out": {"id": "unique"}}, profile=profile)
    return path.read_bytes()


@pytest.fixture
def run(monkeypatch, tmp_path, model_bytes):
    """The command in a folder with a table and a model of it."""
    monkeypatch.chdir(tmp_path)
    Path("m.emphatic").write_bytes(model_bytes)
    write_table("data.csv")
    return lambda *arguments: CliRunner().invoke(cli.build_app(), arguments)


def names():
    return sorted(path.name for path in Path().iterdir())


def lines(done):
    assert done.exit_code == 0, done.output
    return done.stdout.splitlines()


def test_nothing_is_said_about_the_training_table_itself(run):
    done = run("predict", "m.emphatic", "data.csv")
    assert done.stderr.splitlines() == ["emphatic: data.csv: CSV, separated by semicolons, UTF-8, 5 columns"]
    pd.read_csv("data.csv", sep=";", dtype=str, keep_default_na=False).to_csv("commas.csv", index=False)
    assert run("predict", "m.emphatic", "commas.csv").stderr == ""
    saved, X = read("m.emphatic"), pd.read_csv("data.csv", sep=";", dtype=str, keep_default_na=False)
    assert lines(done) == ["predicted", *saved.model.predict(X[list(saved.columns)])]


def test_kept_columns_come_first_with_their_cells_as_they_are_written(run):
    X = pd.read_csv("data.csv", sep=";", dtype=str, keep_default_na=False)
    done = run("predict", "m.emphatic", "data.csv", "--keep", "id, a", "--output", "out.csv", "--probabilities")
    assert done.exit_code == 0, done.output
    table = pd.read_csv("out.csv", dtype=str, keep_default_na=False)
    assert list(table.columns) == ["id", "a", "predicted", "P(no)", "P(yes)"]
    assert table[["id", "a"]].equals(X[["id", "a"]])
    assert table["a"][3] == "NA"


def test_names_to_keep_may_hold_a_comma_and_come_twice(run):
    X = pd.read_csv("data.csv", sep=";", dtype=str, keep_default_na=False)
    X.rename(columns={"id": "number, of the order"}).to_csv("data.csv", sep=";", index=False)
    assert (
        lines(run("predict", "m.emphatic", "data.csv", "--keep", "number, of the order"))[1]
        == "000," + lines(run("predict", "m.emphatic", "data.csv"))[1]
    )
    assert lines(run("predict", "m.emphatic", "data.csv", "--keep", "paid,colour,paid"))[0] == "paid,colour,predicted"


@pytest.mark.parametrize("threshold", ["0.02", "0.3", "0.5", "0.97"])
def test_the_positive_class_is_predicted_from_the_threshold_on(run, threshold):
    for positive, other in (("yes", "no"), ("no", "yes")):
        options = ["--threshold", threshold, "--positive", positive, "--probabilities", "--output", "out.csv"]
        assert run("predict", "m.emphatic", "data.csv", *options).exit_code == 0
        table = pd.read_csv("out.csv")
        assert (table["predicted"] == np.where(table[f"P({positive})"] >= float(threshold), positive, other)).all()


RARER = [({"no": 3, "yes": 37}, "no"), ({"no": 20, "yes": 20}, "yes"), (7, "yes")]


@pytest.mark.parametrize(("counts", "positive"), RARER)
def test_the_threshold_is_that_of_the_rarer_class_unless_said_otherwise(run, counts, positive):
    """As on the model card; where the file does not know, of the second one."""
    saved = read("m.emphatic")
    save(saved.model, "m.emphatic", columns=saved.columns, training={"classes": counts})
    asked = run("predict", "m.emphatic", "data.csv", "--threshold", "0.2", "--positive", positive)
    alone = run("predict", "m.emphatic", "data.csv", "--threshold", "0.2")
    assert alone.stdout == asked.stdout
    assert f"emphatic: the threshold is that of class {positive}; --positive names the other" in alone.stderr


def test_of_several_classes_one_has_a_threshold_and_the_most_probable_of_the_others_wins_below_it(run):
    X, y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 3
    save(LogisticRegression().fit(X + y[:, None], y), "three.emphatic")
    pd.DataFrame(X).to_csv("three.csv", index=False)
    options = ["--threshold", "0.4", "--positive", "1", "--probabilities", "--output", "out.csv", "--quiet"]
    assert run("predict", "three.emphatic", "three.csv", *options).exit_code == 0
    table = pd.read_csv("out.csv")
    expected = np.where(table["P(1)"] >= 0.4, 1, np.where(table["P(0)"] >= table["P(2)"], 0, 2))
    assert table["predicted"].tolist() == expected.tolist()
    assert set(expected) == {0, 1, 2}


def test_all_outputs_hold_the_same(run):
    options = ["predict", "m.emphatic", "data.csv", "--probabilities", "--keep", "id,paid"]
    printed = run(*options).stdout
    for name in ("out.csv", "out.csv.gz", "out.PARQUET"):
        assert lines(run(*options, "--output", name)) == [f"Wrote {name}"]
    assert Path("out.csv").read_text() == printed
    assert gzip.decompress(Path("out.csv.gz").read_bytes()).decode() == printed
    table = pd.read_parquet("out.PARQUET")
    assert table["id"].tolist() == [f"{k:03d}" for k in range(40)]
    np.testing.assert_array_equal(table["P(yes)"], pd.read_csv("out.csv")["P(yes)"])


def test_all_inputs_give_the_same(run):
    text = pd.read_csv("data.csv", sep=";", dtype=str)
    typed = text.assign(a=text["a"].str.replace(",", ".").astype(float), paid=text["paid"] == "TRUE")
    typed.to_parquet("data.parquet")
    text.to_csv("data.tsv.gz", sep="\t", index=False)
    text.to_csv("latin.csv", index=False, encoding="utf-16")
    expected = run("predict", "m.emphatic", "data.csv", "--probabilities").stdout
    for name in ("data.parquet", "data.tsv.gz", "latin.csv"):
        assert run("predict", "m.emphatic", name, "--probabilities").stdout == expected, name


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet"])
def test_a_table_in_batches_gives_what_it_gives_whole(run, monkeypatch, ending):
    options = ["predict", "m.emphatic", "data.csv", "--probabilities", "--keep", "id,a"]
    whole, remarks = run(*options).stdout, run(*options).stderr
    monkeypatch.setattr(predict_command, "BATCH_ROWS", 7)
    parts = run(*options)
    assert (parts.stdout, parts.stderr) == (whole, remarks)
    run(*options, "--output", f"out.{ending}")
    table = pd.read_parquet("out.parquet") if ending == "parquet" else pd.read_csv(f"out.{ending}", dtype={"id": str})
    assert table["id"].tolist() == [f"{k:03d}" for k in range(40)]
    assert table["predicted"].tolist() == [line.split(",")[-3] for line in whole.splitlines()[1:]]


def test_what_differs_from_the_training_table_is_said_in_the_end(run):
    table = pd.read_csv("data.csv", sep=";", dtype=str, keep_default_na=False)
    table = pd.concat([table] * 5, ignore_index=True).drop(columns="y")
    table.loc[7, "a"] = "99,5"
    table.loc[8:9, "colour"] = ["mauve", ""]
    table = table[["paid", "a", "colour", "id"]].assign(more=1)
    table.to_csv("new.csv", sep=";", index=False)
    done = run("predict", "m.emphatic", "new.csv")
    low, high = read("m.emphatic").profile.columns[0].low, read("m.emphatic").profile.columns[0].high
    assert done.stderr.splitlines() == [
        "emphatic: new.csv: CSV, separated by semicolons, UTF-8, 5 columns",
        "emphatic: columns that the model does not know are ignored: more",
        "emphatic: categories that the training table does not have: colour (1 of 200 rows, such as 'mauve')",
        "emphatic: numbers outside the range of the training table: "
        f"a (1 of 200 rows: 99.5, instead of {low:g} to {high:g})",
        "emphatic: missing values where the training table has none: colour (1 of 200 rows)",
    ]
    assert "does not know" not in run("predict", "m.emphatic", "new.csv", "--keep", "more").stderr
    quiet = run("predict", "m.emphatic", "new.csv", "--quiet")
    assert (quiet.stdout, quiet.stderr) == (done.stdout, "")


def test_a_text_column_whose_every_value_is_unseen_is_said(run):
    table = pd.read_csv("data.csv", sep=";", dtype=str)
    table.assign(colour="mauve").to_csv("new.csv", index=False)
    done = run("predict", "m.emphatic", "new.csv")
    assert "does not have: colour (40 of 40 rows, such as 'mauve')" in done.stderr
    assert "distributed otherwise than in training: colour (distance 1.00)" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["m.emphatic"], "m.emphatic"),
        (["picture.png"], "picture.png"),
        (["folder"], "folder"),
        (["data.csv", "--keep", "idd"], "unknown column idd; did you mean id"),
        (["clash.csv", "--keep", "predicted"], "--keep predicted: the output has a column of this name already"),
        (["clash.csv", "--keep", "P(no)", "--probabilities"], "--keep P(no): the output has a column of this name"),
        (
            ["data.csv", "--threshold", "0", "--positive", "no"],
            "--threshold must be between 0 and 1, such as 0.3; got 0",
        ),
        (["data.csv", "--threshold", "1", "--positive", "no"], "--threshold must be between 0 and 1"),
        (["data.csv", "--threshold", "30", "--positive", "no"], "--threshold must be between 0 and 1"),
        (["data.csv", "--threshold", "nan", "--positive", "no"], "--threshold must be between 0 and 1"),
        (["data.csv", "--threshold", "0.3", "--positive", "yess"], "unknown class yess; did you mean yes"),
        (["data.csv", "--positive", "yes"], "--positive yes needs --threshold, such as --threshold 0.3"),
        (["data.csv", "--output", "out.xlsx"], "its name must end with .csv, .csv.gz or .parquet"),
        (["points.csv"], "column 'a' holds '1.5', which is not a number"),
        (["empty.csv"], "empty.csv is empty"),
        (["header.csv"], "header.csv has a header but no rows"),
    ],
)
def test_wrong_use_is_two_in_one_line_and_leaves_nothing(run, arguments, message):
    text = Path("data.csv").read_text()
    Path("picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
    Path("folder").mkdir()
    Path("empty.csv").write_text("")
    Path("header.csv").write_text("a;colour;paid\n")
    Path("points.csv").write_text("a;colour;paid\n1.5;red;TRUE\n-2.5;red;TRUE\n")
    Path("clash.csv").write_text(text.replace("id;a;", "predicted;a;").replace(";y\n", ";P(no)\n"))
    before = names()
    done = run("predict", "m.emphatic", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert names() == before


def test_a_wrong_cell_in_a_later_batch_leaves_the_old_file_whole(run, monkeypatch):
    monkeypatch.setattr(predict_command, "BATCH_ROWS", 10)
    table = pd.read_csv("data.csv", sep=";", dtype=str)
    table.loc[35, "a"] = "much"
    table.to_csv("wrong.csv", sep=";", index=False)
    for name in ("out.csv", "out.csv.gz", "out.parquet"):
        Path(name).write_text("old")
        before = names()
        done = run("predict", "m.emphatic", "wrong.csv", "--output", name)
        assert done.exit_code == 2 and "'much'" in done.stderr
        assert Path(name).read_text() == "old"
        assert names() == before


def test_an_interrupt_between_batches_is_130_and_leaves_nothing(run, monkeypatch):
    monkeypatch.setattr(predict_command, "BATCH_ROWS", 10)
    batches = iter(range(3))

    def interrupt(self, rows):
        if next(batches) == 2:
            assert any(name.startswith(".out.csv") for name in names())
            raise KeyboardInterrupt

    monkeypatch.setattr("emphatic.tables.profile.Differences.add", interrupt)
    before = names()
    done = run("predict", "m.emphatic", "data.csv", "--output", "out.csv")
    assert done.exit_code == 130 and "no file was left half-written" in done.stderr
    assert names() == before


@pytest.mark.slow
def test_sigterm_in_a_large_table_is_130_and_leaves_nothing(run):
    with open("large.csv", "w") as file:
        file.write("a;colour;paid\n")
        file.writelines("0,5;red;TRUE\n" for _ in range(2_000_000))
    before = names()
    command = [sys.executable, "-m", "emphatic.cli", "predict", "m.emphatic", "large.csv", "--output", "out.csv"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    while not any(name.startswith(".out.csv") for name in names()):
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    assert "Stopped; no file was left half-written" in process.communicate()[1]
    assert process.returncode == 130
    assert names() == before


def test_whoever_reads_the_output_may_stop(run):
    with open("large.csv", "w") as file:
        file.write("a;colour;paid\n")
        file.writelines("0,5;red;TRUE\n" for _ in range(25_000))
    command = f"{sys.executable} -m emphatic.cli predict m.emphatic large.csv --keep a,colour,paid --quiet | head -n 2"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert (done.stdout.splitlines()[0], done.stderr) == ("a,colour,paid,predicted", "")


# the lines of the issue


def test_truth_values_as_excel_writes_them_are_read_by_predict_as_by_fit(run):
    """`predict` on the very file that a model was fitted to was wrong in 93 of 200 rows."""
    rng = np.random.default_rng(0)
    flag, x = rng.random(200) < 0.5, rng.normal(size=200)
    table = pd.DataFrame({"flag": np.where(flag, "TRUE", "FALSE"), "x": x, "y": np.where(flag, "a", "b")})
    table.to_csv("flags.csv", index=False)
    assert run("fit", "flags.csv", "--target", "y", "--model", "f.emphatic", "--method", METHOD).exit_code == 0
    assert lines(run("predict", "f.emphatic", "flags.csv"))[1:] == table["y"].tolist()
    lower = table.assign(flag=table["flag"].str.lower())
    lower.to_csv("lower.csv", index=False)
    assert lines(run("predict", "f.emphatic", "lower.csv"))[1:] == table["y"].tolist()


def test_a_table_of_one_column_keeps_its_rows_with_an_empty_cell(run):
    Path("one.csv").write_text("x,y\n" + "".join(f"{'abc'[k % 3]},{'uvu'[k % 3]}\n" for k in range(30)))
    assert run("fit", "one.csv", "--target", "y", "--model", "o.emphatic", "--method", METHOD).exit_code == 0
    Path("new.csv").write_text("x\na\n\nb\nc\n")
    printed = lines(run("predict", "o.emphatic", "new.csv"))
    assert len(printed) == 5
    assert [printed[1], *printed[3:]] == ["u", "v", "u"]


def test_a_last_row_that_looks_like_a_total_is_a_row(run):
    """Other commands leave it out, and say so; but for every row there is a prediction."""
    text = "id;a;colour;paid\nx;0,5;red;TRUE\ny;-1,5;red;FALSE\nTotal;-1,0;;\n"
    Path("total.csv").write_text(text)
    kept = [line.split(",")[0] for line in lines(run("predict", "m.emphatic", "total.csv", "--keep", "id"))]
    assert kept == ["id", "x", "y", "Total"]
    Path("noted.csv").write_text(f"Machines in May\n\n{text}")
    options = ["--keep", "id", "--skip", "2", "--header", "1", "--footer", "1"]
    assert len(lines(run("predict", "m.emphatic", "noted.csv", *options))) == 3


def test_a_semicolon_file_is_read_without_an_option_also_with_one(run):
    X = pd.read_csv("data.csv", sep=";", dtype=str, keep_default_na=False)
    X.to_csv("commas.csv", index=False)
    expected = lines(run("predict", "m.emphatic", "commas.csv"))
    assert lines(run("predict", "m.emphatic", "data.csv")) == expected
    assert lines(run("predict", "m.emphatic", "data.csv", "--separator", ";")) == expected


def test_numbers_as_people_write_them_are_read_as_in_training(run):
    """1,234 and 5% and a Unicode minus and a question mark."""
    rng = np.random.default_rng(0)
    x = rng.integers(3000, 9000, 60) * rng.choice([-1, 1], 60)
    texts = [f"{one:,}".replace("-", "\N{MINUS SIGN}") for one in x]
    texts[5] = "?"
    table = pd.DataFrame({"x": texts, "rate": [f"{one % 100}%" for one in x], "y": np.where(x > 0, "up", "down")})
    table.to_csv("written.csv", index=False)
    assert run("fit", "written.csv", "--target", "y", "--model", "w.emphatic", "--method", METHOD).exit_code == 0
    found = lines(run("predict", "w.emphatic", "written.csv"))[1:]
    assert [one for k, one in enumerate(found) if k != 5] == [one for k, one in enumerate(table["y"]) if k != 5]


# models of other kinds


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_files_of_earlier_versions_predict_in_the_command_as_they_did(run, path):
    expected = np.array(json.loads((path.parent / "expected.json").read_text())[path.stem])
    pd.DataFrame(make_table(path.stem)[0]).to_csv("kept.csv", index=False)
    done = run("predict", str(path), "kept.csv", "--probabilities", "--output", "out.csv")
    assert done.exit_code == 0, done.output
    np.testing.assert_allclose(pd.read_csv("out.csv").iloc[:, 1:], expected, atol=1e-6)


def test_a_model_without_a_transformer_gets_numbers(run):
    X, y = pd.DataFrame(np.random.default_rng(0).normal(size=(40, 2)), columns=["a", "b"]), np.arange(40) % 2
    for columns in ({"a": "numbers", "b": "numbers"}, {"a": "number", "b": "number"}, None):
        fitted = RBFNetworkClassifier(random_state=0).fit(X if columns else X.to_numpy(), y)
        save(fitted, "plain.emphatic", columns=columns)
        X.to_csv("plain.csv", index=False)
        expected = fitted.predict(X if columns else X.to_numpy()).tolist()
        assert lines(run("predict", "plain.emphatic", "plain.csv"))[1:] == list(map(str, expected))
        Path("wrong.csv").write_text("a,b\n1,2\n3,x\n")
        done = run("predict", "plain.emphatic", "wrong.csv", "--quiet")
        assert done.exit_code == 2 and "column 'b' holds 'x', which is not a number" in done.stderr


def test_a_model_that_predicts_no_probabilities_is_refused_what_needs_them(run):
    class Voter:
        classes_ = np.array(["a", "b"])

    for options in ({"probabilities": True}, {"threshold": object()}):
        from emphatic.commands.predictions import Predictions

        with pytest.raises(ValueError, match="a Voter does not predict probabilities"):
            Predictions(Voter(), "", **{"probabilities": False, "threshold": None, **options})


def test_standard_input(run):
    text = "colour;a;paid\nred;0,5;TRUE\n;-1,5;FALSE\n"
    arguments = ["predict", "m.emphatic", "-", "--keep", "colour"]
    done = CliRunner().invoke(cli.build_app(), arguments, input=text.encode())
    assert (done.exit_code, done.stdout) == (0, "colour,predicted\nred,yes\n,no\n")
    assert "missing values where the training table has none: colour (1 of 2 rows)" in done.stderr
