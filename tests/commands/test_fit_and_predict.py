"""`emphatic fit` and `emphatic predict` as a user runs them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from emphatic import RBFNetworkClassifier, cli
from emphatic.commands import predict as predict_command
from emphatic.commands import training
from emphatic.persistence import read, save

pytestmark = pytest.mark.contract  # with the oldest versions of other packages, too

METHOD = "RealAdaBoost of RBF networks"


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {"row": [f"r{i}" for i in range(60)], "a": rng.normal(size=60), "colour": ["red", "", "blue"] * 20}
    )
    table["y"] = np.where(table["a"] + (table["colour"] == "red") > 0, "yes", "no")
    table.loc[3, "a"] = np.nan
    table.to_csv("data.csv", index=False)
    return tmp_path


@pytest.fixture
def run(folder):
    return lambda *arguments: CliRunner().invoke(cli.build_app(), arguments)


@pytest.fixture
def fitted(run):
    done = run("fit", "data.csv", "--target", "y", "--model", "m.emphatic", "--method", METHOD, "--seed", "7")
    assert done.exit_code == 0, done.output
    return done


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_fit_says_what_it_did_and_predict_gives_a_row_for_a_row(run, folder, fitted):
    assert f"{METHOD} in " in fitted.stdout and "60 rows, 2 of 3 columns used, 2 classes of y" in fitted.stdout
    assert "Out-of-fold error" in fitted.stdout and "Log loss" in fitted.stdout
    assert "ignored: almost every value is unique (60 of 60)" in fitted.stdout
    assert "data.csv: CSV, separated by commas, UTF-8, 4 columns, 60 rows" in fitted.stderr
    assert "Wrote m.emphatic" in fitted.stdout
    saved = read("m.emphatic")
    assert saved.columns == {"a": "number", "colour": "category"}
    assert (saved.training["target"], saved.training["seed"], saved.training["rows"]) == ("y", 7, 60)
    done = run("predict", "m.emphatic", "data.csv", "--output", "out.csv", "--probabilities")
    assert (done.exit_code, done.stderr) == (0, "")
    table, X = pd.read_csv("out.csv"), pd.read_csv("data.csv")[["a", "colour"]]
    assert list(table.columns) == ["predicted", "P(no)", "P(yes)"]
    np.testing.assert_array_equal(table["predicted"], saved.model.predict(X))
    np.testing.assert_allclose(table[["P(no)", "P(yes)"]], saved.model.predict_proba(X), rtol=0, atol=1e-15)
    assert names(folder) == ["data.csv", "m.emphatic", "out.csv"]


def test_columns_may_stand_in_any_order_and_there_may_be_more(run, fitted):
    pd.read_csv("data.csv")[["colour", "y", "a"]].assign(more=1).to_csv("other.csv", index=False)
    first, second = run("predict", "m.emphatic", "data.csv"), run("predict", "m.emphatic", "other.csv")
    assert first.stdout == second.stdout
    assert "columns that the model does not know are ignored: more" in second.stderr
    assert run("predict", "m.emphatic", "other.csv", "--quiet").stderr == ""


def test_text_that_looks_like_numbers_stays_text(run):
    codes = pd.DataFrame({"code": ["1", "2", "x"] * 20, "y": ["no", "yes", "no"] * 20})
    codes.to_csv("codes.csv", index=False)
    assert run("fit", "codes.csv", "--target", "y", "--model", "m.emphatic", "--method", METHOD).exit_code == 0
    codes[codes["code"] != "x"].to_csv("digits.csv", index=False)
    done = run("predict", "m.emphatic", "digits.csv")
    assert done.exit_code == 0, done.output
    assert done.stdout.split() == ["predicted", *["no", "yes"] * 20]


def test_a_table_in_parts_gives_what_it_gives_whole(run, fitted, monkeypatch):
    whole = run("predict", "m.emphatic", "data.csv", "--probabilities").stdout
    monkeypatch.setattr(predict_command, "BATCH_ROWS", 7)
    parts = run("predict", "m.emphatic", "data.csv", "--probabilities").stdout
    np.testing.assert_array_equal(
        [row.split(",")[0] for row in parts.split()], [r.split(",")[0] for r in whole.split()]
    )
    assert len(parts.split()) == 61


def test_json_and_quiet(run):
    done = run("fit", "data.csv", "--target", "y", "--model", "m.emphatic", "--method", METHOD, "--json", "--quiet")
    found = json.loads(done.stdout)
    assert (found["method"], found["columns"], done.stderr) == (METHOD, ["a", "colour"], "")
    assert found["classes"] == dict(pd.read_csv("data.csv")["y"].value_counts())
    again = run("fit", "data.csv", "--target", "y", "--model", "m.emphatic", "--method", METHOD, "--quiet")
    assert again.output == ""


def test_the_same_seed_gives_the_same_model(run, fitted):
    first = run("predict", "m.emphatic", "data.csv", "--probabilities").stdout
    run("fit", "data.csv", "--target", "y", "--model", "m.emphatic", "--method", METHOD.lower(), "--seed", "7")
    assert run("predict", "m.emphatic", "data.csv", "--probabilities").stdout == first


def test_a_method_that_cannot_take_many_rows_gets_some_of_each_class(run):
    options = ["data.csv", "--target", "y", "--model", "m.emphatic", "--max-rows", "20"]
    done = run("fit", *options, "--method", METHOD)
    assert f"{METHOD} is trained on 20 of 60 rows" in done.stderr
    assert read("m.emphatic").training["rows"] == 20
    whole = run("fit", *options, "--method", "RandomForest")
    assert "trained on" not in whole.stderr
    assert read("m.emphatic").training["rows"] == 60


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["data.csv", "--target", "z", "--model", "m.emphatic"], "unknown column z"),
        (
            ["data.csv", "--target", "y", "--model", "m.emphatic", "--method", "random forst"],
            "did you mean RandomForest",
        ),
        (["data.csv", "--target", "y", "--model", "m.emphatic", "--method", "CatBoost"], "cannot be saved as data"),
        (["data.csv", "--target", "y", "--model", "m.emphatic", "--method", "SVC"], "SVC can be compared"),
        (["data.csv", "--target", "y", "--model", "missing/m.emphatic"], "its folder does not exist"),
        (["data.csv", "--target", "y", "--model", "data.csv"], "it is already an input"),
        (["missing.csv", "--target", "y", "--model", "m.emphatic"], "there is no file missing.csv"),
        (["data.csv", "--target", "y"], "--model"),
        (["three.csv", "--target", "y", "--model", "m", "--method", "Parallel perceptrons"], "two classes"),
        (
            ["names.csv", "--target", "y", "--model", "m.emphatic"],
            "no column to learn from (a: almost every",
        ),
        (
            ["data.csv", "--target", "y", "--model", "m", "--group", "y"],
            "column y is the target",
        ),
        (["data.csv", "--target", "y", "--model", "m", "--group", "color"], "did you mean colour?"),
        (["data.csv", "--target", "y", "--model", "m", "--group", "colour"], "column colour has no value in 20 rows"),
    ],
)
def test_wrong_use_of_fit_is_two_and_leaves_nothing(run, folder, arguments, message):
    Path("three.csv").write_text("a,y\n" + "".join(f"{i / 2},{i % 3}\n" for i in range(30)))
    Path("names.csv").write_text("a,y\n" + "".join(f"n{i},{i % 2}\n" for i in range(30)))
    before = names(folder)
    done = run("fit", *arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert names(folder) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.emphatic", "data.csv"], "there is no file missing.emphatic"),
        (["data.csv", "m.emphatic"], "is not a model that emphatic saved"),
        (["m.emphatic", "missing.csv"], "there is no file missing.csv"),
        (["m.emphatic", "few.csv"], "the table lacks columns that the model needs: a, colour (near: color)"),
        (["m.emphatic", "text.csv"], "column 'a' holds 'much', which is not a number"),
        (["m.emphatic", "data.csv", "--output", "missing/o.csv"], "cannot write missing/o.csv"),
        (["m.emphatic", "data.csv", "--output", "m.emphatic"], "it is already an input or another output"),
        (["old.skops", "data.csv"], "old.skops is a zip archive, such as emphatic 0.1 wrote (skops)"),
        (["changed.emphatic", "data.csv"], "changed.emphatic was changed after it was written"),
    ],
)
def test_wrong_use_of_predict_is_two(run, fitted, folder, arguments, message):
    Path("few.csv").write_text("color\nred\n")
    Path("text.csv").write_text("a,colour\n1,red\nmuch,red\n")
    Path("old.skops").write_bytes(b"PK\x03\x04" + bytes(100))
    whole = Path("m.emphatic").read_bytes()
    Path("changed.emphatic").write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    before = names(folder)
    done = run("predict", *arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert names(folder) == before


@pytest.mark.parametrize("method", ["", "RealAdaBoost of trees"])
def test_rows_of_a_group_stay_together_and_the_group_is_no_feature(run, method):
    """Each group has its own label, and nothing else tells: who knew the group would be right, others are not."""
    rng = np.random.default_rng(0)
    patients = np.repeat(np.arange(20), 4)
    table = pd.DataFrame({"code": patients % 7 + 0.01 * patients, "noise": rng.normal(size=80), "patient": patients})
    table["y"] = np.where(rng.permutation(20)[patients] < 10, "ill", "well")
    table.to_csv("visits.csv", index=False)
    options = ["visits.csv", "--target", "y", "--model", "m.emphatic", "--json", "--quiet", "--method", method]
    apart, mixed = (json.loads(run("fit", *options, *extra).stdout) for extra in (["--group", "patient"], []))
    assert apart["columns"] == ["code", "noise"]
    assert mixed["out_of_fold"]["error"] < 0.1 < 0.3 < apart["out_of_fold"]["error"]


def test_interrupt_is_130_and_writes_nothing(run, folder, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(training, "train", interrupted)
    done = run("fit", "data.csv", "--target", "y", "--model", "m.emphatic", "--method", METHOD)
    assert done.exit_code == 130
    assert names(folder) == ["data.csv"]


def test_a_model_of_other_versions_says_so(run, fitted, monkeypatch):
    monkeypatch.setattr("emphatic.persistence.file.__version__", "9.9.9")
    done = run("predict", "m.emphatic", "data.csv")
    assert done.exit_code == 0
    assert "the model was saved with other versions (emphatic" in done.stderr


def test_in_a_pipe(fitted, folder):
    command = [sys.executable, "-m", "emphatic.cli", "predict", "m.emphatic", "/dev/stdin"]
    done = subprocess.run(
        command, input="colour,a\nred,1\n,-1\n", capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1"}
    )
    assert (done.returncode, done.stdout) == (0, "predicted\nyes\nno\n")


def test_warnings_of_a_fit_are_one_line_each(run):
    """Of paper 000's ensemble on six samples: said in words, without a place in the code; and not if quiet."""
    Path("few.csv").write_text("a,b,y\n0,1,no\n7,8,yes\n3,4,no\n10,0,yes\n6,7,no\n2,3,maybe\n")
    options = ["few.csv", "--target", "y", "--model", "few.emphatic", "--method", METHOD]
    done = run("fit", *options)
    assert done.exit_code == 0
    (line,) = [one for one in done.stderr.splitlines() if "learners chase single samples" in one]
    assert line.startswith("emphatic: From round")
    assert run("fit", *options, "--quiet").stderr == ""


def test_a_model_without_column_names_takes_the_columns_in_order(run, folder):
    X, y = np.random.default_rng(0).normal(size=(40, 2)), np.arange(40) % 2
    save(RBFNetworkClassifier(random_state=0).fit(X, y), "plain.emphatic")
    pd.DataFrame(X, columns=["a", "b"]).to_csv("plain.csv", index=False)
    done = run("predict", "plain.emphatic", "plain.csv")
    assert done.exit_code == 0
    assert done.stderr.count("\n") == 1 and "columns are used in the order of the table" in done.stderr


COSTS = "true,no,yes\nno,0,1\nyes,20,0\n"


def test_fit_keeps_to_a_budget(run, folder):
    done = run("fit", "data.csv", "--target", "y", "--model", "m.emphatic", "--budget", "0.5", "--json")
    assert done.exit_code == 0, done.output
    assert read("m.emphatic").model.time_budget == 0.5


def test_fit_decides_by_costs_and_the_model_keeps_them(run, folder):
    Path("costs.csv").write_text(COSTS, encoding="utf-8")
    done = run("fit", "data.csv", "--target", "y", "--model", "m.emphatic", "--costs", "costs.csv")
    assert done.exit_code == 0, done.output
    model, X = read("m.emphatic").model, pd.read_csv("data.csv")[["a", "colour"]]
    assert model.costs == {"no": {"no": 0.0, "yes": 1.0}, "yes": {"no": 20.0, "yes": 0.0}}
    probabilities = model.predict_proba(X)
    np.testing.assert_array_equal(model.predict(X) == "yes", 20 * probabilities[:, 1] > probabilities[:, 0])


@pytest.mark.parametrize(
    ("options", "content", "message"),
    [
        (["--decision", "f2"], "", "decision must be one of 'probability', 'f1'"),
        (["--decision", "cost"], "", "needs costs"),
        (["--decision", "f1", "--method", METHOD], "", f"are for EmphaticClassifier, not for {METHOD}"),
        (["--budget", "0"], "", "time_budget=0.0 is not allowed"),
        (["--budget", "5", "--method", METHOD], "", f"are for EmphaticClassifier, not for {METHOD}"),
        (["--costs", "missing.csv"], "", "cannot read missing.csv: No such file"),
        (["--costs", "costs.csv"], "", "there are no costs"),
        (["--costs", "costs.csv"], "true,no,yes\nno,0\n", "the row of 'no' has 1 costs, and 2 are expected"),
        (["--costs", "costs.csv"], "true,no,yes\nno,0,dear\n", "predicting 'yes' for 'no' is 'dear', no number"),
        (["--costs", "costs.csv"], "true,no,yes\nno,0,-1\n", "costs['no']['yes']=-1.0 is not allowed"),
        (["--costs", "costs.csv"], "true,no,yse\nno,0,1\n", "unknown label in costs: 'yse'; did you mean 'yes'"),
    ],
)
def test_a_bad_decision_is_refused_before_anything_is_written(run, folder, options, content, message):
    Path("costs.csv").write_text(content, encoding="utf-8")
    done = run("fit", "data.csv", "--target", "y", "--model", "m.emphatic", *options)
    assert done.exit_code == 2
    assert message in done.stderr
    assert names(folder) == ["costs.csv", "data.csv"]
