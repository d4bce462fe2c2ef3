"""`emphatic audit` says how long it will take, and keeps to a time budget."""

import pytest
from typer.testing import CliRunner

from emphatic import cli
from emphatic.audit import labels
from emphatic.commands import audit


@pytest.fixture
def run(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(labels, "measure_pace", lambda: 1.0)
    rows = "".join(f"{7 * i % 40},{'yes' if i > 20 else 'no'}\n" for i in range(40))
    (tmp_path / "data.csv").write_text("a,y\n" + rows, encoding="utf-8")
    options = ["audit", "data.csv", "--no-troubles", "--time-budget"]
    return lambda *more: CliRunner().invoke(cli.build_app(), [*options, *more])


def test_what_a_time_budget_leaves_out_is_printed(run):
    result = run("0.001", "--target", "y")
    assert result.exit_code == 0, result.stderr
    assert "Left out to keep to the time budget" in result.stdout and "forest" in result.stdout
    assert "expected" not in result.stderr  # a small table


def test_the_expected_time_of_a_large_table_is_told_before_the_work_but_not_if_quiet(run, monkeypatch):
    monkeypatch.setattr(audit, "LARGE", 30)
    assert "emphatic: expected: about 0 s for the labels\n" in run("0.001", "--target", "y").stderr
    assert run("0.001", "--target", "y", "--quiet").stderr == ""


@pytest.mark.parametrize("seconds", ["0", "-3", "nan"])
def test_a_budget_that_is_no_time_is_refused_in_one_line(run, seconds):
    result = run(seconds, "--target", "y")
    assert result.exit_code == 2 and "--time-budget must be" in result.stderr and result.stderr.count("\n") == 1


def test_a_budget_is_for_one_column_of_labels(run):
    result = run("5", "--annotators", "a,y")
    assert result.exit_code == 2 and "--time-budget is for --target" in result.stderr
