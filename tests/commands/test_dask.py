"""`emphatic fit` on tables that are read in pieces on a Dask cluster, and `emphatic predict` block by block."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from typer.testing import CliRunner

from emphatic import cli
from emphatic.auto.partitioned import fitting
from emphatic.auto.partitioned.trees import AllRowsTrees
from emphatic.auto.searching import attempt
from emphatic.commands import collection, console
from emphatic.commands import predict as predict_command
from emphatic.engines import connection
from emphatic.persistence import read, save
from emphatic.recipes import RECIPES
from emphatic.tables import TableTransformer
from emphatic.tables.files import pieces
from emphatic.tables.profile import Differences, Profile
from tests.auto.few import FEW

distributed = pytest.importorskip("distributed")

N = 700


@pytest.fixture(scope="module")
def address():
    """Of a scheduler with one worker, in this process."""
    options = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "protocol": "tcp"}
    with distributed.LocalCluster(**options, dashboard_address="127.0.0.1:0", memory_limit=None) as cluster:
        yield cluster.scheduler_address


@pytest.fixture
def run(monkeypatch, tmp_path):
    """A search of a few candidates and rounds, on a sample of 300 rows."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(attempt, "list_candidates", lambda *size, **how: FEW)
    monkeypatch.setattr(fitting, "AllRowsTrees", partial(AllRowsTrees, checkpoints=(2, 3), leaves=4))
    recipe = RECIPES["EmphaticClassifier"]
    monkeypatch.setitem(RECIPES, recipe.name, replace(recipe, parameters={"sample_size": 300}))
    return lambda *arguments: CliRunner().invoke(cli.build_app(), arguments)


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    made = pd.DataFrame({"a": rng.normal(size=N), "colour": rng.choice(["red", "green"], N)})
    made["flag"] = np.where(rng.random(N) < 0.1, None, rng.random(N) < 0.5)  # truth values, some of them missing
    made["y"] = np.where(made["a"] + (made["colour"] == "red") + 0.3 * rng.normal(size=N) > 0.5, "yes", "no")
    (tmp_path / "parts").mkdir()
    made.iloc[:400].to_parquet(tmp_path / "parts" / "1.parquet", row_group_size=100)
    made.iloc[400:].to_parquet(tmp_path / "parts" / "2.parquet")
    return made


def test_a_folder_of_parquet_on_a_cluster(run, table, address):
    done = run("fit", "parts", "--target", "y", "--model", "m.emphatic", "--report", "card.html", "--dask", address)
    assert done.exit_code == 0, done.output
    assert "Dask cluster with 1 worker, dashboard: http://127.0.0.1:" in done.stderr
    saved = read("m.emphatic")
    assert saved.training["rows"] == N
    assert "The collection has 700 rows" in saved.model.explain()
    assert {"a", "colour", "flag"} == set(saved.columns)
    # predictions are streamed from a folder or a pattern, row for row
    predicted = run("predict", "m.emphatic", "parts/*.parquet", "--quiet", "--probabilities", "--output", "p.csv")
    assert predicted.exit_code == 0, predicted.output
    answers = pd.read_csv("p.csv")
    assert len(answers) == N
    assert (answers.iloc[:, 0] == table["y"]).mean() > 0.7


def test_a_csv_file_is_cut_at_the_ends_of_lines(run, table, address, monkeypatch):
    table.loc[5, "y"] = None
    table.to_csv("t.csv", index=False)
    monkeypatch.setattr(pieces, "PIECE_BYTES", 2000)
    assert len(pieces.cut_table(Path("t.csv")).pieces) > 5
    options = ["--missing-labels", "drop", "--json", "--quiet", "--dask", address]
    done = run("fit", "t.csv", "--target", "y", "--model", "m.emphatic", *options)
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["rows"] == N - 1


def test_a_small_table_is_fitted_as_in_memory(run, table, address):
    table.iloc[:200].to_parquet("t.parquet")
    options = ["t.parquet", "--target", "y", "--quiet", "--json"]
    done = [run("fit", *options, "--model", "a", "--dask", address), run("fit", *options, "--model", "b")]
    assert [one.exit_code for one in done] == [0, 0]
    rows = table.iloc[:200].drop(columns="y")
    here, there = (read(name).model.predict_proba(rows) for name in "ab")
    np.testing.assert_array_equal(here, there)
    assert json.loads(done[0].stdout)["out_of_fold"] == json.loads(done[1].stdout)["out_of_fold"]


def test_files_beyond_their_share_of_memory_go_through_dask(run, table, address, monkeypatch):
    original = console.open_cluster
    monkeypatch.setattr(console, "open_cluster", lambda place, quiet: original({"local": address}[place], quiet))
    monkeypatch.setattr(collection, "SHARE_OF_MEMORY", 0.0)
    done = run("fit", "parts", "--target", "y", "--model", "m.emphatic")
    assert "parts takes more than 0% of the available memory (0.0 GB): it is read through Dask" in done.stderr
    assert "The collection has 700 rows" in read("m.emphatic").model.explain()
    table.to_csv("t.csv.gz", index=False)  # cannot be cut: a sample, as without Dask
    done = run("fit", "t.csv.gz", "--target", "y", "--model", "m.emphatic")
    assert "t.csv.gz is compressed by gzip, and cannot be read in pieces" in done.stderr
    assert done.exit_code == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--group", "colour"], "--group cannot be had with --dask"),
        (["--budget", "5"], "--budget cannot be had with --dask"),
        (["--bins", "3"], "--bins cannot be had with --dask"),
        (["--method", [*RECIPES][1]], f"--method {[*RECIPES][1]} cannot be had with --dask"),
    ],
)
def test_what_needs_all_rows_is_refused(run, table, options, message):
    done = run("fit", "parts", "--target", "y", "--model", "m.emphatic", "--dask", "local", *options)
    assert done.exit_code == 2
    assert message in done.stderr


def test_bad_tables_are_named(run, table, address):
    options = ["--target", "y", "--model", "m.emphatic", "--dask", address]
    table.assign(y=["once", *["often"] * (N - 1)]).to_csv("lone.csv", index=False)
    done = run("fit", "lone.csv", *options)
    assert done.exit_code == 2
    assert "classes of y with a single row cannot be learnt and judged: once" in done.stderr
    table.assign(a="text").to_parquet("parts/3.parquet")
    done = run("fit", "parts", *options)
    assert done.exit_code == 2
    assert "column 'a' holds numbers in parts/1.parquet and text in parts/3.parquet" in done.stderr


# predict


@pytest.fixture(scope="module")
def pair():
    """A cluster of two workers that are processes."""
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster:
        yield cluster.scheduler_address


@pytest.fixture
def new_rows(run, table, monkeypatch):
    """A model of the table, and new rows that differ from it, to be predicted in eight blocks."""
    X = table.drop(columns="y")
    fitted = make_pipeline(TableTransformer(), LogisticRegression()).fit(X, table["y"])
    decisions = fitted[0].columns_
    save(fitted, "m.emphatic", columns={one.name: one.kind for one in decisions}, profile=Profile.learn(X, decisions))
    new = X.assign(id=[f"{number:03d}" for number in range(N)], more=1)
    new.loc[650, ["a", "colour"]] = [99.5, "mauve"]
    new.to_csv("new.csv", index=False)
    monkeypatch.setattr(predict_command, "BATCH_ROWS", 90)
    return new


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet"])
@pytest.mark.parametrize("options", [(), ("--probabilities", "--keep", "id,a"), ("--threshold", "0.3", "--quiet")])
def test_predictions_on_a_cluster_are_the_same_file_with_the_same_remarks(run, new_rows, pair, ending, options):
    arguments = ["predict", "m.emphatic", "new.csv", *options, "--output", f"out.{ending}"]
    here = run(*arguments)
    assert here.exit_code == 0, here.output
    expected = Path(f"out.{ending}").read_bytes()
    there = run(*arguments, "--dask", pair)
    assert (there.exit_code, there.stdout) == (0, here.stdout), there.output
    assert Path(f"out.{ending}").read_bytes() == expected
    remarks = there.stderr.splitlines(keepends=True)
    if "--quiet" not in options:
        assert "Dask cluster with 2 workers, dashboard: http://127.0.0.1:" in remarks.pop(0)
        assert "colour (1 of 700 rows, such as 'mauve')" in here.stderr
    assert "".join(remarks) == here.stderr


@pytest.mark.parametrize(("columns", "n_warnings"), [({"a": "number", "b": "number"}, 1), (None, 0)])
def test_what_a_model_warns_of_on_a_worker_is_said_here_once(run, pair, monkeypatch, columns, n_warnings):
    """A model that was trained without names, in a file with and without names; without, a remark says it better."""
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(40, 2)), columns=["a", "b"])
    save(LogisticRegression().fit(X.to_numpy(), X["a"] > 0), "m.emphatic", columns=columns)
    X.to_csv("new.csv", index=False)
    monkeypatch.setattr(predict_command, "BATCH_ROWS", 7)
    here, there = (run("predict", "m.emphatic", "new.csv", *dask) for dask in ([], ["--dask", pair]))
    assert (there.exit_code, there.stdout) == (0, here.stdout), there.output
    assert here.stderr.count("X has feature names") == n_warnings
    assert there.stderr.splitlines()[1:] == here.stderr.splitlines()


def test_a_wrong_cell_of_a_later_block_leaves_the_old_file_whole(run, new_rows, pair):
    new_rows.astype({"a": str}).replace({"a": {"99.5": "much"}}).to_csv("new.csv", index=False)
    Path("out.csv").write_text("old")
    done = run("predict", "m.emphatic", "new.csv", "--quiet", "--output", "out.csv", "--dask", pair)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "column 'a'" in done.stderr and "'much'" in done.stderr
    assert Path("out.csv").read_text() == "old"


@pytest.mark.slow
def test_a_cluster_that_is_lost_between_blocks_is_one_line(run, new_rows, monkeypatch):
    options = {"processes": False, "protocol": "tcp", "dashboard_address": "127.0.0.1:0"}
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, **options) as cluster:
        monkeypatch.setattr(Differences, "add", lambda self, X: cluster.sync(cluster.scheduler.close))
        arguments = ["predict", "m.emphatic", "new.csv", "--output", "out.csv", "--dask", cluster.scheduler_address]
        done = run(*arguments)
    assert done.exit_code == 1, done.output
    assert "connection to the Dask scheduler is lost" in done.stderr.splitlines()[-1]
    assert not [path.name for path in Path().iterdir() if "out.csv" in path.name]


def test_no_cluster_at_an_address_is_one_line(run, new_rows, monkeypatch):
    monkeypatch.setattr(connection, "CONNECT_SECONDS", 0.3)
    done = run("predict", "m.emphatic", "new.csv", "--dask", "127.0.0.1:1")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "no Dask scheduler answers at '127.0.0.1:1'" in done.stderr
