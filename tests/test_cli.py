import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from emphatic import cli
from emphatic.study import registry

ROOT = Path(__file__).parents[1]


@pytest.fixture
def run(monkeypatch, tmp_path):
    """The command with tables that take no time, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    for name, place in {"fake-1": "TABLE", "fake-2": "NO_QUICK", "fake-3": "INTERRUPTED"}.items():
        monkeypatch.setitem(registry.TABLES, name, f"tests.study.fake_table:{place}")
    return lambda *arguments: CliRunner().invoke(cli.build_app(), arguments)


def test_version_as_a_command():
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-m", "emphatic.cli", "--version"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("emphatic ")


def test_list(run):
    done = run("reproduce", "--list")
    assert done.exit_code == 0
    assert "000-II " in done.stdout
    assert "ripley" in done.stdout
    ids = [entry["id"] for entry in json.loads(run("reproduce", "--list", "--json").stdout)]
    assert ids[:3] == ["000-II", "000-III", "000-IV"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["000-V"], "unknown table 000-V; near: 000-"),
        (["fake-1", "--problems", "fakes"], "unknown problem fakes; near: fake"),
        (["fake-2", "--quick"], "fake-2 has no quick form"),
        ([], "name a table"),
        (["fake-1", "--solver", "magic"], "ridge, sgd"),
        (["fake-1", "--jobs", "0"], "--jobs"),
    ],
)
def test_wrong_use_is_two_and_no_traceback(run, arguments, message):
    done = run("reproduce", *arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(Path.cwd().iterdir())


def test_table_is_printed_written_and_not_run_again(run):
    first = run("reproduce", "fake-1", "--runs", "4", "--markdown", "out.md")
    assert first.exit_code == 0
    assert "30.00 (2.00)" in first.stdout
    assert "A caption [in brackets]." in first.stdout
    assert "\x1b" not in first.stdout
    written = Path("out.md").read_text(encoding="utf-8")
    assert written.startswith("### A fake table")
    again = run("reproduce", "fake-1", "--runs", "4", "--json")
    [line] = json.loads(again.stdout)["tables"][0]["lines"]
    assert line["n_runs"] == 4
    assert sorted(path.name for path in Path.cwd().iterdir()) == ["emphatic-study.sqlite", "out.md"]


def test_quiet_says_nothing(run):
    done = run("reproduce", "fake-1", "--runs", "1", "--quiet")
    assert (done.exit_code, done.output) == (0, "")


def test_interrupt_says_how_to_go_on(run):
    done = run("reproduce", "fake-3")
    assert done.exit_code == 130
    assert "3 fits are in emphatic-study.sqlite" in done.stderr


def test_bad_store(run):
    Path("notes.txt").write_text("not a database " * 50)
    done = run("reproduce", "fake-1", "--store", "notes.txt")
    assert done.exit_code == 1
    assert "not a database" in done.stderr


def test_markdown_that_cannot_be_written(run):
    done = run("reproduce", "fake-1", "--runs", "1", "--markdown", "missing/out.md")
    assert done.exit_code == 1
    assert "cannot write missing/out.md" in done.stderr


def test_missing_extra_is_a_kind_message(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "typer", None)
    monkeypatch.delitem(sys.modules, "emphatic.study.command", raising=False)
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert stop.value.code == 2
    assert 'pip install "emphatic[study]"' in capsys.readouterr().err
