"""`emphatic compare`: the same folds for all, a store that goes on, tests that know that folds overlap."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from typer.testing import CliRunner

from emphatic import cli
from emphatic.comparison import contenders
from emphatic.comparison.outcome import Finished, Outcome, compare_folds
from emphatic.comparison.plan import Capped, check_folds, choose_recipes, name_problem, plan_fits
from emphatic.comparison.table import COLUMNS, format_rows, make_record
from emphatic.recipes import Recipe
from emphatic.study import RepeatedKFold, runner

FEW = "LogisticRegression,AdaBoost,RealAdaBoost of trees"
numbers = st.floats(-1, 1, allow_nan=False).map(lambda number: round(number, 6))


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"a": rng.normal(size=90), "colour": ["red", "", "blue"] * 30})
    table["y"] = np.where(table["a"] + 0.5 * rng.normal(size=90) > 0, "yes", "no")
    table.to_csv("data.csv", index=False)
    return tmp_path


@pytest.fixture
def run(folder):
    return lambda *arguments: CliRunner().invoke(cli.build_app(), ["compare", *arguments])


def made(*errors):
    """An outcome with these errors on the folds, one list per method."""
    finished = [
        Finished(f"method {i}", "ours", "", {"error": np.array(e), **dict.fromkeys(OTHERS, np.ones(len(e)))})
        for i, e in enumerate(errors)
    ]
    return Outcome(finished, {}, 0.5)


OTHERS = ("balanced_accuracy", "log_loss", "roc_auc", "fit_seconds")


@given(st.lists(numbers, min_size=3, max_size=20), st.floats(0.05, 1))
def test_without_overlap_the_corrected_test_is_students(differences, share):
    values = np.array(differences)
    if values.std() < 1e-6:
        return
    plain = stats.ttest_1samp(values, 0)
    found = compare_folds(values, 0.0)
    assert found.p == pytest.approx(plain.pvalue, abs=1e-9)
    interval = plain.confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), abs=1e-9)
    wider = compare_folds(values, share)
    assert wider.p >= found.p - 1e-12 and wider.low <= found.low and wider.high >= found.high


def test_equal_methods_are_reported_as_equal():
    outcome = made([0.1, 0.2, 0.3], [0.1, 0.2, 0.3], [0.1, 0.2, 0.3])
    assert [None if one is None else one.p for one in outcome.differences()] == [None, 1.0, 1.0]
    assert outcome.friedman_p() == 1.0
    assert outcome.ranks().tolist() == [2.0, 2.0, 2.0]


def test_a_row_for_every_method_and_one_for_what_did_not_finish():
    outcome = made([0.1, 0.2, 0.3], [0.2, 0.3, 0.5])
    outcome.unfinished["slow"] = "exceeded the time limit"
    cells = format_rows(outcome)
    assert [row[0] for row in cells] == ["method 0", "method 1", "slow"]
    assert {len(row) for row in cells} == {len(COLUMNS)}
    assert cells[0][2] == "20.00 (10.00)"
    assert cells[1][3].startswith("+13.33 [")
    assert cells[2][-1] == "exceeded the time limit"
    assert make_record(outcome)["friedman_p"] is None


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
    machine, stumps = plan_fits(who, problem, 3, 1, max_rows=30)
    assert (machine.note, stumps.note) == ("trained on 30 of 60 rows", "")
    assert all(len(task.split.train) == 30 for task in machine.study.tasks())
    assert all(len(task.split.train) == 60 for task in stumps.study.tasks())
    [whole] = plan_fits(who[:1], problem, 3, 1, max_rows=60)
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
    ]
    assert len({name, *(one.name for one in others)}) == 6


def test_folds_need_rows_of_every_class():
    check_folds(["a"] * 3 + ["b"] * 9, 3)
    with pytest.raises(ValueError, match="class a has 3 rows, fewer than the 5 folds: use --folds 3"):
        check_folds(["a"] * 3 + ["b"] * 9, 5)
    with pytest.raises(ValueError, match="class a has a single row"):
        check_folds(["a", "b", "b"], 2)


def test_a_comparison_is_printed_written_and_not_run_again(run, folder, monkeypatch):
    done = run("data.csv", "--target", "y", "--quick", "--methods", FEW, "--report", "page.html")
    assert done.exit_code == 0, done.output
    assert "data.csv: y, 90 rows, 2 columns, 1 x 3 folds" in done.stdout
    for name in FEW.split(","):
        assert name in done.stdout
    assert done.stderr.startswith("emphatic: data.csv: CSV, separated by commas, UTF-8, 3 columns, 90 rows\n")
    assert done.stderr.endswith(f"Wrote {folder / 'page.html'}\n")
    assert "\x1b" not in done.stdout
    page = Path("page.html").read_text(encoding="utf-8")
    assert "<title>Methods on data.csv</title>" in page and "How far behind" in page
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


def test_a_method_that_fails_is_named_and_the_others_stand(run, monkeypatch):
    def break_down(model):
        raise RuntimeError("no machine here")

    broken = Recipe("Broken", "peer", "sklearn.svm:SVC", adapt=break_down)
    monkeypatch.setattr(contenders, "PEERS", (broken, *contenders.PEERS))
    done = run("data.csv", "--target", "y", "--quick", "--methods", "Broken,AdaBoost")
    assert done.exit_code == 1
    assert "AdaBoost" in done.stdout and "no machine here" in done.stdout
    assert "3 fits failed; run again to retry them" in done.stderr
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
        (["one.csv", "--target", "y"], "column y holds only one class (x)"),
        (
            ["three.csv", "--target", "y", "--methods", "Parallel perceptrons"],
            "of these methods supports 3 classes",
        ),
        (["missing.csv", "--target", "y"], "there is no file missing.csv"),
    ],
)
def test_wrong_use_is_two_and_leaves_nothing(run, folder, arguments, message):
    Path("one.csv").write_text("a,y\n1,x\n2,x\n")
    Path("three.csv").write_text("a,y\n" + "".join(f"{i / 2},{i % 3}\n" for i in range(30)))
    before = sorted(folder.iterdir())
    done = run(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(folder.iterdir()) == before


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
    assert "0 fits are saved in emphatic-compare.sqlite; run the same command again to continue" in done.stderr


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
    assert "column 'city' has 900 categories, of which only the 50 most frequent are used" in done.stderr
    assert "SVC is trained on 5000 of 50000 rows" in done.stderr
