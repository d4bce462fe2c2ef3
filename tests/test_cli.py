import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from emphatic import cli
from emphatic.commands import console
from emphatic.datasets import names
from emphatic.datasets.catalogue import catalogue
from emphatic.papers import page, registry

ROOT = Path(__file__).parents[1]


@pytest.fixture
def run(monkeypatch, tmp_path):
    """The command with tables that take no time, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    for name, place in {"fake-1": "TABLE", "fake-2": "NO_QUICK", "fake-3": "INTERRUPTED", "fake-4": "ENDLESS"}.items():
        monkeypatch.setitem(registry.TABLES, name, f"tests.papers.fakes:{place}")
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
        (["000-V"], "unknown table 000-V; did you mean 000-"),
        (["fake-1", "--problems", "fakes"], "unknown problem fakes; did you mean fake"),
        (["fake-2", "--quick"], "fake-2 has no quick form"),
        ([], "name a table"),
        (["fake-1", "--budget", "0"], "--budget must be more than 0 hours"),
        (["fake-1", "--time-limit", "-1"], "seconds=-1.0 is not allowed"),
        (["fake-1", "--report", "missing/page.html"], "cannot write missing/page.html: its folder does not exist"),
        (["fake-1", "--report", "out", "--markdown", "out"], "it is already an input or another output"),
        (["fake-1", "--markdown", "missing/out.md"], "cannot write missing/out.md"),
        (["fake-1", "--store", "missing/s.sqlite"], "cannot write missing/s.sqlite: its folder does not exist"),
        (["fake-1", "--store", "."], "cannot write .: it is a folder"),
        (["fake-1", "--store", "s", "--report", "s"], "it is already an input or another output"),
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
    assert "3 fits saved in emphatic-study.sqlite; run the same command again to continue" in done.stderr


def test_fits_over_the_limit_are_counted_and_kept_as_such(run):
    done = run("reproduce", "fake-4", "--time-limit", "1")
    assert done.exit_code == 0
    assert "fits that exceeded a limit, marked as such in emphatic-study.sqlite: 1" in done.stderr
    with contextlib.closing(sqlite3.connect("emphatic-study.sqlite")) as store:
        assert store.execute("SELECT setting, status FROM records").fetchall() == [('{"depth":2}', "timeout")]


def test_bad_store(run):
    Path("notes.txt").write_text("not a database " * 50)
    done = run("reproduce", "fake-1", "--store", "notes.txt")
    assert done.exit_code == 1
    assert "not a database" in done.stderr


def test_all_is_every_table_and_quick_is_one_of_each_paper(run, monkeypatch):
    papers = {table_id.partition("-")[0] for table_id in registry.TABLES if table_id[0] == "0"}
    assert papers == {"000", "001", "002", "003", "004"}
    assert [table_id.partition("-")[0] for table_id in registry.QUICK_TABLES] == sorted(papers)
    assert all(registry.load_table(table_id).problems(quick=True) for table_id in registry.QUICK_TABLES)
    fakes = {name: registry.TABLES[name] for name in ("fake-1", "fake-2")}
    monkeypatch.setattr(registry, "TABLES", fakes)
    asked = {"--all": ["fake-1", "fake-2"], "--all --quick": ["fake-1"]}
    for arguments, ids in asked.items():
        found = json.loads(run("reproduce", *arguments.split(), "--runs", "1", "--json").stdout)
        assert [each["id"] for each in found["tables"]] == ids
    monkeypatch.setattr(registry, "QUICK_TABLES", ("fake-1",))
    found = json.loads(run("reproduce", "--quick", "--json").stdout)
    assert [(each["id"], each["runs"]) for each in found["tables"]] == [("fake-1", 5)]


def test_a_budget_gives_what_it_can_and_says_so(run):
    whole = json.loads(run("reproduce", "fake-1", "--runs", "3", "--budget", "1", "--json").stdout)["tables"][0]
    assert (whole["runs"], whole["stopped"]) == (3, False)
    part = run("reproduce", "fake-1", "--budget", "1e-9", "--store", "other.sqlite")
    assert part.exit_code == 0
    assert "The time was up before all runs were done: at most 1 per row." in " ".join(part.stdout.split())


def test_the_page_is_named_at_the_end(run, monkeypatch):
    written = {}

    def write_report(done, store, options, path):
        written.update(ids=[each.table.id for each in done], fits=len(store), quick=options.quick)
        path.write_text("page")

    monkeypatch.setattr(page, "write_report", write_report)
    done = run("reproduce", "fake-1", "--quick", "--report", "page.html")
    assert done.exit_code == 0
    assert done.stderr.splitlines()[-1] == f"Wrote {Path('page.html').resolve()}"
    assert written == {"ids": ["fake-1"], "fits": 15, "quick": True}


def test_a_page_that_cannot_be_written_is_one_and_the_fits_are_kept(run, monkeypatch):
    def write_report(done, store, options, path):
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(page, "write_report", write_report)
    done = run("reproduce", "fake-1", "--runs", "1", "--report", "page.html")
    assert done.exit_code == 1
    assert done.stderr == "emphatic: cannot write page.html: No space left on device\n"
    assert [path.name for path in Path.cwd().iterdir()] == ["emphatic-study.sqlite"]


@pytest.mark.parametrize("newer", [True, False])
def test_a_store_of_a_newer_version_or_without_permission_is_left_alone(run, newer):
    run("reproduce", "fake-1", "--runs", "1", "--store", "s.sqlite")
    if newer:
        with sqlite3.connect("s.sqlite") as connection:
            connection.execute("PRAGMA user_version = 99")
        connection.close()
    else:
        Path("s.sqlite").write_bytes(b"SQLite format 3\0" + b"\1" * 4000)
    before = Path("s.sqlite").read_bytes()
    done = run("reproduce", "fake-1", "--store", "s.sqlite")
    assert done.exit_code == 1
    assert ("newer emphatic" in done.stderr) == newer
    assert Path("s.sqlite").read_bytes() == before


def test_no_scheduler_is_one_and_makes_no_store(run):
    done = run("reproduce", "fake-1", "--dask", "tcp://127.0.0.1:1")
    assert done.exit_code == 1
    assert done.stderr.startswith("emphatic: ")
    assert done.stderr.count("\n") == 1
    assert "127.0.0.1:1" in done.stderr
    assert not list(Path.cwd().iterdir())


@pytest.mark.parametrize(("asked", "jobs"), [(signal.SIGINT, 1), (signal.SIGTERM, 1), (signal.SIGTERM, 2)])
def test_who_is_asked_to_stop_stops_cleanly_and_the_store_goes_on(tmp_path, asked, jobs):
    """Ctrl-C, or what `kill`, systemd and batch systems send."""
    command = [sys.executable, "-m", "emphatic.cli", "reproduce", "000-II", "--quick", "--problems", "ripley"]
    command += ["--jobs", str(jobs)]
    started = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    store = tmp_path / "emphatic-study.sqlite"
    while not n_records(store) and started.poll() is None:
        time.sleep(0.05)
    started.send_signal(asked)
    out, err = started.communicate(timeout=120)
    assert (started.returncode, out) == (130, "")
    assert err.strip().endswith("saved in emphatic-study.sqlite; run the same command again to continue.")
    assert n_records(store) > 0


ASK = "os.kill(os.getpid(), signal.SIGTERM); [None for _ in range(1000)]"
PHASES = {
    "while the command is loaded": ("def build_app():\n    ask()", 130, "Stopped; nothing was started."),
    "in the work": ("def work():\n    ask()", 130, "Stopped; nothing was started."),
    "where Python ignores exceptions": (
        "class Dying:\n    def __del__(self):\n        ask()\ndef work():\n    Dying()\n    time.sleep(60)",
        130,
        "Stopped; nothing was started.",
    ),
    "where a package ignores exceptions": (
        "cli.PATIENCE = 0.05\ndef work():\n    try:\n        ask()\n    except BaseException:\n        time.sleep(60)",
        130,
        "Stopped; nothing was started.",
    ),
    "in an extension module": (f"def work():\n    exec({ASK!r})", 130, "Stopped; nothing was started."),
    "after the work": ("atexit.register(ask)\ndef work(): pass", 0, ""),
}


@pytest.mark.parametrize("phase", PHASES)
def test_a_signal_in_any_phase_is_one_message_and_one_exit_code(phase):
    change, code, message = PHASES[phase]
    program = (
        "import atexit, os, signal, time\nfrom emphatic import cli\n"
        f"def ask():\n    {ASK}\ndef work(): pass\ndef build_app():\n    return work\n{change}\n"
        "cli.build_app = build_app\ncli.main()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=50)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (code, "", message)


@pytest.mark.parametrize(("arguments", "line"), [([], "emphatic: at work, 0 s\n"), (["--quiet"], "")])
def test_the_first_sign_of_life_comes_before_the_command_is_loaded(arguments, line):
    program = (
        "import sys, time\nfrom emphatic import cli, progress\nprogress.FIRST_LINE = 0.0\n"
        "def build_app():\n    assert 'typer' not in sys.modules\n    time.sleep(0.3)\n    return lambda: None\n"
        "cli.build_app = build_app\ncli.main()"
    )
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, line)


@pytest.mark.parametrize(
    "command", ["audit", "audit apply", "fit", "predict", "export", "datasets", "compare", "reproduce"]
)
def test_every_command_ends_with_a_message_when_it_is_asked_to_stop(run, monkeypatch, command):
    """Here the first thing that any of them does is interrupted."""

    def interrupted(*_, **__):
        raise cli.Stopped

    for name in ("check_outputs", "check_jobs", "explain_errors"):
        monkeypatch.setattr(console, name, interrupted)
    options = {"fit": ["d.csv", "--target", "y", "--model", "m"], "predict": ["m", "d.csv"], "export": ["m", "o"]}
    options["audit apply"] = ["d.csv", "m.csv", "--target", "y", "--output", "c.csv"]
    done = run(command, *options.get(command, ["d.csv", "--target", "y"] if command in {"audit", "compare"} else []))
    assert (done.exit_code, done.stdout, done.stderr) == (130, "", "\nStopped; no file was left half-written.\n")


def n_records(path):
    if not path.exists():
        return 0
    # OperationalError: the table is being made
    with contextlib.closing(sqlite3.connect(path)) as connection, contextlib.suppress(sqlite3.OperationalError):
        return connection.execute("SELECT count(*) FROM records").fetchone()[0]
    return 0


def test_datasets(run):
    cells = [line.split() for line in run("datasets").stdout.splitlines()]
    assert ["ripley", "1250", "2", "2", "GPL-2", "|", "GPL-3;", "with", "extra", "papers"] in cells
    listed = json.loads(run("datasets", "--json").stdout)
    assert [each["name"] for each in listed] == names()
    assert listed[0].items() >= {"name": "abalone", "rows": 4177, "columns": 8, "classes": 28}.items()
    assert "UCI Machine Learning Repository" in listed[0]["licence"]
    assert "licence" in run("datasets", "ripley").stdout
    about = json.loads(run("datasets", "ripley", "--json").stdout)
    assert (about["rows"], about["features"]) == (1250, {"xs": "numeric", "ys": "numeric"})
    wrong = run("datasets", "riply")
    assert (wrong.exit_code, wrong.stderr) == (
        2,
        "emphatic: unknown data set riply; did you mean ripley?\n",
    )


def test_the_list_of_data_sets_does_not_wait_for_what_only_loading_needs():
    program = (
        "import sys\nfrom emphatic.cli import build_app\nbuild_app()(['datasets'], standalone_mode=False)\n"
        "assert not {'sklearn', 'pandas'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "waveform" in done.stdout


def test_help_names_every_command_and_the_exit_codes(run):
    shown = " ".join(run("--help").stdout.split())
    assert "0 done, 1 the work failed, 2 wrong use or bad input, 130 stopped" in shown
    for command in ("reproduce", "compare", "audit", "audit apply", "fit", "predict", "export", "datasets"):
        assert command in shown
        assert run(command, "--help").exit_code == 0


def test_a_closed_pipe_is_no_traceback(tmp_path):
    command = f"{sys.executable} -m emphatic reproduce --list | head -1"
    done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.startswith("000-II")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", [["datasets", "ripley"], ["reproduce", "000-II", "--quick", "--store", "s.sqlite"]])
def test_a_table_that_is_not_installed_is_a_kind_message(run, command, monkeypatch):
    monkeypatch.setitem(catalogue()["sets"]["ripley"], "package", "a_package_that_nobody_has")
    done = run(*command)
    assert done.exit_code == 2
    assert 'emphatic-data-gpl, which is not installed: pip install "emphatic[papers]"' in " ".join(done.stderr.split())


def test_missing_extra_is_a_kind_message(monkeypatch, capsys):
    monkeypatch.setattr(signal, "signal", lambda *_: None)  # those of the tests stay as they are
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    monkeypatch.setitem(sys.modules, "typer", None)
    monkeypatch.delitem(sys.modules, "emphatic.commands.reproduce", raising=False)
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert stop.value.code == 2
    assert 'pip install "emphatic[cli]"' in capsys.readouterr().err
