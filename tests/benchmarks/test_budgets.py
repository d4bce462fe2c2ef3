"""`python -m benchmarks.budgets`: which budgets are tried, what is counted, and that other processes end."""

import json
import multiprocessing

from benchmarks import budgets, large_tables
from benchmarks.large_methods import Cell
from benchmarks.pages import make_marks


def make_line(peer_error, ours, table="drawn_sphere"):
    """ours: budget -> (error, share of it that was used)."""
    peer = {"seconds": 0.5, "cpu_seconds": 0.5, "error": peer_error, "log_loss": 2 * peer_error}
    found = {
        name: {"budget": 4.0, "seconds": 4.0 * share, "cpu_seconds": 1.0, "error": error, "log_loss": 2 * error}
        for name, (error, share) in ours.items()
    }
    return {"table": table, "n_train": 10_000, "seed": 0, "busy": False, "code": "", "peer": peer, "ours": found}


def test_every_budget_is_judged():
    lines = [
        make_line(0.2, {"10 t": (0.1, 1.05), "5 s": (0.3, 0.5)}),
        make_line(0.2, {"10 t": (0.2, 0.95), "5 s": (0.3, 1.2)}),
    ]
    said = budgets.report(lines)
    assert said[0] == "drawn_sphere, 10,000: LightGBM error 20.00%, log loss 0.4000 in 0.50 s"
    assert said[1] == "    10 t =    4.00 s: error 10.00%, log loss 0.2000, 105% of the budget"
    judged = "error not worse on 100%, better on 50%: missed; log loss not worse on 100%, better on 50%: missed"
    assert said[-2] == f"    10 t: 2 fits, 100% of the budget used (median); met on 2, at most 105%; {judged}"
    assert "5 s: 2 fits, 85% of the budget used (median); met on 1, at most 120%" in said[-1]
    assert "met;" not in said[-1]  # budgets in seconds are not compared with LightGBM's time
    level = budgets.report([make_line(0.2, {"2 t": (0.2, 1.0)})])
    assert "error not worse on 100%, better on 0%: met" in level[-1]


def test_a_run_goes_on_where_it_ended(tmp_path, monkeypatch, capsys):
    fitted = []

    def fit_and_measure(name, setting, table, seed):
        fitted.append((name, setting))
        return {"seconds": 0.5, "cpu_seconds": 0.5, "error": 0.1, "log_loss": 0.2}

    monkeypatch.setattr(budgets, "fit_and_measure", fit_and_measure)
    monkeypatch.setattr(budgets, "warm_up", lambda: None)
    monkeypatch.setattr(large_tables, "MOST_TEST_ROWS", 50)
    path = tmp_path / "budgets.jsonl"
    command = ["--results", str(path), "--tables", "drawn_sphere", "--multiples", "2", "10", "--seconds", "5"]
    budgets.main([*command, "--sizes", "60"])
    ours = "EmphaticClassifier"
    assert fitted == [("LightGBM", {}), *((ours, {"time_budget": seconds}) for seconds in (1.0, 5.0, 5.0))]
    with path.open("a") as file:
        file.write('{"table": "cut o')
    assert [line["n_train"] for line in budgets.read_lines(path)] == [60]
    path.write_text("".join(json.dumps(line) + "\n" for line in budgets.read_lines(path)))
    page = tmp_path / "page.md"
    page.write_text("\n".join(make_marks("benchmarks.budgets")))
    budgets.main([*command, "--sizes", "60", "80", "--markdown", str(page)])
    assert len(fitted) == 8
    assert "10 t: 2 fits" in capsys.readouterr().out
    assert "10 t: 2 fits" in page.read_text()


def test_small_tables_have_no_large_sizes(monkeypatch):
    monkeypatch.setattr(budgets, "count_rows", lambda table: 20)
    assert budgets.plan(["flights", "drawn_sphere"], [10, 30]) == [
        Cell("flights", 10),
        Cell("drawn_sphere", 10),
        Cell("drawn_sphere", 30),
    ]


def test_other_processes_end_with_the_block():
    before = multiprocessing.active_children()
    with budgets.busy_machine(1):
        assert len(multiprocessing.active_children()) == len(before) + 1
    assert multiprocessing.active_children() == before
