"""`emphatic compare`: the same folds for all, a store that goes on, tests that know that folds overlap."""

import contextlib
import json
import sqlite3
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from emphatic import cli
from emphatic.comparison import contenders
from emphatic.comparison.plan import Capped, choose_recipes, name_problem, plan_fits
from emphatic.recipes import Recipe
from emphatic.study import RepeatedKFold, runner
from tests.engines.conftest import start_cluster

FEW = "LogisticRegression,AdaBoost,RealAdaBoost of trees"


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"a": rng.normal(size=90), "colour": ["red", "", "blue"] * 30})
    table["y"] = np.where(table["a"] + 0.5 * rng.normal(size=90) > 0, "yes", "no")
    table.to_csv("data.csv", index=False)
    return tmp_path


def is_progress(line):
    """On a busy machine even short work has a line."""
    return line.startswith("emphatic: compare: ")


@pytest.fixture
def run(folder):
    return lambda *arguments: CliRunner().invoke(cli.build_app(), ["compare", *arguments])


def test_a_cap_takes_training_rows_only_and_the_same_each_time(folder):
    table = pd.read_csv("data.csv")
    problem = name_problem(Path("data.csv"), "y", table[["a"]], table["y"].to_numpy())
    outer = RepeatedKFold(3, 2)
    capped = list(Capped(outer, 20).splits(problem))
    for split, whole, again in zip(capped, outer.splits(problem), Capped(outer, 20).splits(problem), strict=True):
        assert set(split.train.tolist()) < set(whole.train.tolist())
        assert abs(len(split.train) - 20) <= 1
        np.testing.assert_array_equal(split.test, whole.test)
        np.testing.assert_array_equal(split.train, again.train)
        assert split.id == whole.id


def test_those_that_cannot_take_many_rows_are_capped_and_it_is_said(folder):
    table = pd.read_csv("data.csv")
    problem = name_problem(Path("data.csv"), "y", table[["a"]], table["y"].to_numpy())
    who, _ = choose_recipes(["svc", "AdaBoost"], 2)
    machine, stumps = plan_fits(who, problem, RepeatedKFold(3, 1), max_rows=30)
    assert (machine.note, stumps.note) == ("trained on 30 of 60 rows", "")
    assert all(len(task.split.train) == 30 for task in machine.study.tasks())
    assert all(len(task.split.train) == 60 for task in stumps.study.tasks())
    [whole] = plan_fits(who[:1], problem, RepeatedKFold(3, 1), max_rows=60)
    assert {task.key for task in whole.study.tasks()}.isdisjoint(task.key for task in machine.study.tasks())


def test_a_problem_is_known_by_its_content():
    X, y = pd.DataFrame({"a": [1.0, 2.0]}), np.array(["no", "yes"])
    name = name_problem(Path("d/data.csv"), "y", X, y).name
    assert name == name_problem(Path("other/data.csv"), "y", X.copy(), y.copy()).name
    others = [
        name_problem(Path("data.csv"), "z", X, y),
        name_problem(Path("data.csv"), "y", X, y, seed=1),
        name_problem(Path("data.csv"), "y", X + 1, y),
        name_problem(Path("data.csv"), "y", X, y[::-1]),
        name_problem(Path("data.csv"), "y", X.rename(columns={"a": "b"}), y),
        name_problem(Path("data.csv"), "y", X, y, groups=np.array(["p", "q"])),
        name_problem(Path("data.csv"), "y", X, y, order=np.array([0.0, 1.0])),
        name_problem(Path("data.csv"), "y", X, y, order=np.array([1.0, 0.0])),
    ]
    assert len({name, *(one.name for one in others)}) == 9


def test_a_comparison_is_printed_written_and_not_run_again(run, folder, monkeypatch):
    done = run("data.csv", "--target", "y", "--quick", "--methods", FEW, "--report", "page.html")
    assert done.exit_code == 0, done.output
    assert "data.csv: y, 90 rows, 2 columns, 1 x 3 folds" in done.stdout
    for name in FEW.split(","):
        assert name in done.stdout
    assert done.stderr.startswith("emphatic: data.csv: CSV, separated by commas, UTF-8, 3 columns, 90 rows\n")
    assert done.stderr.endswith(f"Wrote {folder / 'page.html'}\n")
    assert "No p-values: 3 test folds are too few, 6 are needed" in done.stdout
    assert "\x1b" not in done.stdout
    page = Path("page.html").read_text(encoding="utf-8")
    assert "<title>Methods on data.csv</title>" in page and "How far behind" in page
    assert page.index('<h2 id="table-title">') < page.index('<h2 id="charts-title">')
    assert sorted(path.name for path in folder.iterdir()) == ["data.csv", "emphatic-compare.sqlite", "page.html"]

    def no_more(*_):
        raise AssertionError("this fit was done before")

    monkeypatch.setattr(runner, "fit_and_score", no_more)
    again = run("data.csv", "--target", "y", "--quick", "--methods", FEW.lower(), "--json", "--quiet")
    found = json.loads(again.stdout)
    assert {one["name"] for one in found["methods"]} == set(FEW.split(","))
    assert {len(one["values"]["error"]) for one in found["methods"]} == {3}
    best = found["methods"][0]
    assert best["difference_to_best"] is None
    assert best["mean"]["error"] == min(one["mean"]["error"] for one in found["methods"])
    assert {"f1", "average_precision", "calibration_error", "log_loss", "roc_auc"} < set(best["mean"])
    assert set(best["class_recalls"]) == {"no", "yes"}
    assert found["methods"][1]["difference_to_best"]["p"] is None


def test_a_method_that_fails_is_named_and_the_others_stand(run, monkeypatch):
    def break_down(model):
        raise RuntimeError("no machine here")

    broken = Recipe("Broken", "peer", "sklearn.svm:SVC", adapt=break_down)
    monkeypatch.setattr(contenders, "PEERS", (broken, *contenders.PEERS))
    done = run("data.csv", "--target", "y", "--quick", "--methods", "Broken,AdaBoost")
    assert done.exit_code == 1
    assert "AdaBoost" in done.stdout and "no machine here" in done.stdout
    as_json = run("data.csv", "--target", "y", "--quick", "--methods", "Broken,AdaBoost", "--json", "--quiet")
    assert (as_json.exit_code, list(json.loads(as_json.stdout)["unfinished"])) == (1, ["Broken"])
    assert "3 fits failed; run again to retry." in done.stderr
    alone = run("data.csv", "--target", "y", "--quick", "--methods", "Broken", "--quiet")
    assert (alone.exit_code, alone.stdout) == (1, "")
    assert "no method finished; the first failure" in alone.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["data.csv", "--target", "z"], "unknown column z"),
        (["data.csv", "--target", "y", "--methods", "LogisticRegresion"], "did you mean LogisticRegression"),
        (["data.csv", "--target", "y", "--folds", "1"], "--folds"),
        (["data.csv", "--target", "y", "--jobs", "0"], "--jobs"),
        (["data.csv", "--target", "y", "--time-limit", "0"], "seconds=0.0 is not allowed"),
        (["data.csv", "--target", "y", "--report", "missing/p.html"], "cannot write missing/p.html"),
        (["data.csv", "--target", "y", "--report", "data.csv"], "it is already an input"),
        (["data.csv", "--target", "y", "--store", "data.csv"], "it is already an input"),
        (["data.csv", "--target", "y", "--store", "missing/s.sqlite"], "its folder does not exist"),
        (["one.csv", "--target", "y"], "column y holds only one class (x)"),
        (
            ["three.csv", "--target", "y", "--methods", "Parallel perceptrons"],
            "of these methods supports 3 classes",
        ),
        (["missing.csv", "--target", "y"], "there is no file missing.csv"),
        (["data.csv", "--target", "y", "--group", "color"], "unknown column color; did you mean colour?"),
        (["data.csv", "--target", "y", "--group", "y"], "column y is the target"),
        (
            ["data.csv", "--target", "y", "--group", "colour", "--time", "a"],
            "--group and --time cannot be used together",
        ),
        (["data.csv", "--target", "y", "--time", "a", "--repeats", "2"], "--repeats cannot be used with --time"),
        (
            ["grouped.csv", "--target", "y", "--group", "g"],
            "column g has 3 groups, fewer than the 5 folds: use --folds 3",
        ),
        (["grouped.csv", "--target", "y", "--group", "one"], "column one holds one group only"),
        (["grouped.csv", "--target", "y", "--time", "g"], "column g cannot be ordered in time: 'g0'"),
        (["grouped.csv", "--target", "y", "--time", "late"], "training part 1 holds only class no: use fewer --folds"),
    ],
)
def test_wrong_use_is_two_and_leaves_nothing(run, folder, arguments, message):
    Path("one.csv").write_text("a,y\n1,x\n2,x\n")
    Path("three.csv").write_text("a,y\n" + "".join(f"{i * i % 13},{i % 3}\n" for i in range(30)))
    lines = [f"{i * i % 13},g{i % 3},same,{i},{'no' if i < 15 else 'yes'}" for i in range(30)]
    Path("grouped.csv").write_text("\n".join(["a,g,one,late,y", *lines]))
    before = sorted(folder.iterdir())
    done = run(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(folder.iterdir()) == before


def test_rows_of_a_group_stay_together_and_the_group_is_no_feature(run, folder):
    """Each group has its own label, and nothing else tells: who knew the group would be right, others are not."""
    rng = np.random.default_rng(0)
    patients = np.repeat(np.arange(30), 8)
    table = pd.DataFrame({"code": patients % 7 + 0.01 * patients, "noise": rng.normal(size=240), "patient": patients})
    table["y"] = np.where(rng.permutation(30)[patients] < 15, "ill", "well")
    table.to_csv("visits.csv", index=False)
    options = ("visits.csv", "--target", "y", "--methods", "RandomForest", "--quick", "--json", "--quiet")
    apart, mixed = (json.loads(run(*options, *extra).stdout) for extra in (["--group", "patient"], []))
    assert "2 columns, 1 x 3 folds of patient" in apart["about"]
    assert mixed["methods"][0]["mean"]["error"] < 0.1 < 0.3 < apart["methods"][0]["mean"]["error"]


def test_later_rows_are_predicted_from_earlier_ones(run, folder):
    table = pd.read_csv("data.csv")
    table["day"] = pd.date_range("2024-01-01", periods=len(table)).astype(str)
    table.sample(frac=1, random_state=0).to_csv("days.csv", index=False)
    done = run(
        "days.csv", "--target", "y", "--time", "day", "--methods", "AdaBoost", "--folds", "6", "--json", "--quiet"
    )
    found = json.loads(done.stdout)
    assert found["folds"] == 6
    assert found["about"].endswith("6 test parts, each later in day than its training rows")


def test_a_comparison_on_a_cluster_is_the_same(run, folder):
    command = ["data.csv", "--target", "y", "--quick", "--methods", FEW, "--json", "--quiet", "--store"]
    with start_cluster(2) as cluster:
        there = run(*command, "there.sqlite", "--dask", cluster.scheduler_address)
    assert there.exit_code == 0, there.output
    found, expected = (json.loads(one.stdout)["methods"] for one in (there, run(*command, "here.sqlite")))
    assert [(one["name"], one["values"]["error"]) for one in found] == [
        (one["name"], one["values"]["error"]) for one in expected
    ]


def test_a_cluster_that_is_not_there_is_said(run, folder):
    done = run("data.csv", "--target", "y", "--methods", FEW, "--dask", "nonsense", "--quiet")
    assert (done.exit_code, "no Dask scheduler answers at 'nonsense'" in done.stderr) == (1, True)
    assert [path.name for path in folder.iterdir()] == ["data.csv"]


def test_other_folds_are_other_fits(run):
    """The store once took a fold of three for a fold of five."""
    options = ("data.csv", "--target", "y", "--methods", "AdaBoost", "--repeats", "1", "--json", "--quiet")
    alone = json.loads(run(*options, "--folds", "5", "--store", "alone.sqlite").stdout)
    run(*options, "--folds", "3")
    after = json.loads(run(*options, "--folds", "5").stdout)
    assert after["methods"][0]["values"]["error"] == alone["methods"][0]["values"]["error"]


@pytest.mark.slow
def test_a_method_over_its_limit_is_said_and_is_no_failure(run):
    options = ("data.csv", "--target", "y", "--quick", "--methods", "AdaBoost,EmphaticClassifier")
    run("data.csv", "--target", "y", "--quick", "--methods", "AdaBoost")
    done = run(*options, "--time-limit", "0.01")
    assert done.exit_code == 0
    assert "emphatic: EmphaticClassifier did not finish: exceeded the time limit" in done.stderr


def test_fits_of_an_older_version_are_shown_with_gaps(run, monkeypatch):
    options = ("data.csv", "--target", "y", "--quick", "--methods", "AdaBoost", "--json", "--quiet")
    new = json.loads(run(*options).stdout)["methods"][0]
    with contextlib.closing(sqlite3.connect("emphatic-compare.sqlite")) as store, store:
        for key, text in store.execute("SELECT id, metrics FROM records").fetchall():
            kept = {"error", "balanced_accuracy", "g", "roc_auc", "log_loss", "predict_cpu_seconds"}
            old = {name: value for name, value in json.loads(text).items() if name in kept}
            store.execute("UPDATE records SET metrics = ? WHERE id = ?", (json.dumps(old), key))
    [old] = json.loads(run(*options).stdout)["methods"]
    assert old["mean"] == {name: value for name, value in new["mean"].items() if name in old["mean"]}
    assert "f1" not in old["mean"] and old["class_recalls"] == {}
    assert "AdaBoost" in run(*options[:-2]).stdout


def test_a_store_that_cannot_be_used_is_one(run):
    Path("notes.txt").write_text("not a database " * 50)
    done = run("data.csv", "--target", "y", "--quick", "--methods", "AdaBoost", "--store", "notes.txt")
    assert done.exit_code == 1
    assert "not a database" in done.stderr


def test_interrupt_is_130_and_says_how_to_go_on(run, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "run_studies", interrupted)
    done = run("data.csv", "--target", "y", "--quick", "--methods", "AdaBoost")
    assert done.exit_code == 130
    assert "0 fits saved in emphatic-compare.sqlite; run the same command again to continue" in done.stderr


@pytest.mark.slow
def test_a_hundred_thousand_rows(run, folder):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(100_000, 5)), columns=list("abcde"))
    table["city"] = rng.choice([f"city {i}" for i in range(900)], len(table))
    table["shade"] = rng.choice(["dark", "light"], len(table))
    table["y"] = np.where(table["a"] * table["b"] + rng.normal(size=len(table)) > 0, "yes", "no")
    table.to_csv("large.csv", index=False)
    done = run("large.csv", "--target", "y", "--folds", "2", "--repeats", "1", "--methods", "SVC,LogisticRegression")
    assert done.exit_code == 0, done.output
    assert "column 'city': category, 900 values: the most frequent have indicators" in done.stderr
    assert "SVC is trained on 5000 of 50000 rows" in done.stderr
