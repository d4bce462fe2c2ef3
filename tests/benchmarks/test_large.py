"""`python -m benchmarks.large`: sizes, a run that goes on where it ended, and what must hold."""

import numpy as np
import pytest

from benchmarks import large, large_methods, large_tables
from benchmarks.large_methods import Cell, TablePartition, read_problem
from benchmarks.large_report import arrange_shared, check_lines, collect_runs, page
from benchmarks.peers_results import METRICS
from emphatic.study.limits import NO_LIMITS
from emphatic.study.store import Store
from emphatic.study.tasks import Record, TaskKey, canonical


def test_drawn_tables_have_every_size():
    assert [cell.name for cell in large.plan(["drawn_sphere", "drawn_forests"])] == [
        "drawn_sphere, 10,000",
        "drawn_forests, 50,000",
    ]
    sizes = list(large.plan_sizes(["drawn_sphere", "abalone"]))  # abalone has 3,133 rows
    assert sizes == [Cell("drawn_sphere", n) for n in large.SIZES]


def test_the_training_rows_of_a_problem_come_first(monkeypatch):
    monkeypatch.setattr(large_tables, "MOST_TEST_ROWS", 50)
    problem = read_problem(Cell("drawn_shops", 120), 1)
    (split,) = TablePartition(1).splits(problem)
    np.testing.assert_array_equal(split.train, np.arange(120))
    np.testing.assert_array_equal(split.test, np.arange(120, 170))
    assert problem.name == "drawn_shops, 120"


def make_records(values, code="11111111"):
    """values: method -> cell -> error; the log loss is the same, and the CPU seconds grow with it."""
    for method, of in values.items():
        setting = {"code": code} if method == "EmphaticClassifier" else {}
        for cell, error in of.items():
            key = TaskKey("large", cell, method, canonical(setting), "partition-0", 0)
            metrics = {metric: error if sign == 1 else 1 - error for metric, sign in METRICS.items()}
            yield Record(key, "done", {**metrics, "predict_cpu_seconds": 0.01}, fit_cpu_seconds=1 + 10 * error)


CELLS = ("letter, 15,000", "storms, 14,653", "shuttle, 20,000", "usps, 8,250")
PEERS = {
    "LightGBM": dict(zip(CELLS, (0.1, 0.2, 0.0, 0.4))),
    "CatBoost": dict(zip(CELLS, (0.2, 0.1, 0.1, 0.3))),
}


def ours(*errors):
    return {"EmphaticClassifier": dict(zip(CELLS, errors))}


def test_what_must_hold_is_met_or_names_the_tables_where_it_is_missed():
    met = check_lines(collect_runs(make_records({**PEERS, **ours(0.1015, 0.1, 0.0, 0.3)}), CELLS), CELLS)
    assert met[0] == "- error at most 1.02 times LightGBM's everywhere: met"
    assert met[2] == "- time of a fit at most CatBoost's everywhere: met"
    assert met[3] == "- first by mean rank on error (1.62): met"
    missed = check_lines(collect_runs(make_records({**PEERS, **ours(0.103, 0.3, 0.1, 0.3)}), CELLS), CELLS)
    found = "missed (letter, 15,000: 1.03; storms, 14,653: 1.50; shuttle, 20,000: inf)"
    assert missed[1] == f"- log loss at most 1.02 times LightGBM's everywhere: {found}"
    assert missed[2] == "- time of a fit at most CatBoost's everywhere: missed (storms, 14,653: 2.00)"
    assert not check_lines(collect_runs(make_records(PEERS), CELLS), CELLS)


def test_results_of_ours_are_those_of_the_last_code_unless_another_is_asked_for():
    records = [*make_records(PEERS), *make_records(ours(0.5, 0.5, 0.5, 0.5)), *make_records(ours(0, 0, 0, 0), "2" * 8)]
    for code, error in ((None, 0.0), ("22222222", 0.0), ("11111111", 0.5)):
        found = arrange_shared(collect_runs(records, CELLS, code), CELLS)
        np.testing.assert_array_equal(found.means["error"][:, found.methods.index("EmphaticClassifier")], error)


def test_ranks_are_of_the_tables_that_all_have_finished_but_checks_are_of_all_that_both_have():
    slow = {**PEERS, "CatBoost": dict(zip(CELLS[:3], (0.2, 0.1, 0.1))), "SVC": dict(zip(CELLS[:1], (0.9,)))}
    runs = collect_runs(make_records({**slow, **ours(0.1, 0.1, 0.0, 0.5)}), CELLS)
    found = arrange_shared(runs, CELLS)
    assert found.problems == CELLS[:3] and found.unfinished == {"SVC": 3}
    assert check_lines(runs, CELLS)[0].endswith("missed (usps, 8,250: 1.25)")


def test_the_page_has_both_halves():
    runs = collect_runs(make_records({**PEERS, **ours(0.1, 0.1, 0.0, 0.3)}), CELLS)
    text = "\n".join(page(runs, CELLS, "large"))
    for title in ("all tables", "development tables", "reporting tables", "times", "error in percent", "log loss"):
        assert f"## large: {title}" in text
    assert "4 problems" in text and text.count("2 problems") == 2
    assert not page({}, CELLS, "large")


def test_a_run_goes_on_where_it_ended(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(large_tables, "MOST_TEST_ROWS", 60)
    monkeypatch.setattr(large, "DRAWN_ROWS", 100)
    monkeypatch.setattr(large, "FEW_ROWS", {"SVC": 99})
    large_methods.read_problem.cache_clear()
    cells = list(large.plan(["drawn_sphere", "drawn_friedman"]))
    with Store(tmp_path / "large.sqlite") as store:
        for _ in range(2):
            large.run(cells, ["LogisticRegression", "SVC"], 0, NO_LIMITS, store)
        records = list(store.records(large.TABLE))
    assert [record.key.problem for record in records] == ["drawn_sphere, 100", "drawn_friedman, 100"]
    assert capsys.readouterr().err.count("1 done") == 2
    large.main(["--store", str(tmp_path / "large.sqlite"), "--no-run", "--tables", "drawn_sphere"])
    large_methods.read_problem.cache_clear()


def test_unknown_methods_are_refused_and_absent_tables_left_out(monkeypatch, capsys):
    with pytest.raises(ValueError, match="SVC"):
        large.choose(["SCV"])
    assert large.choose(["SVC", "MLP"]) == ["MLP", "SVC"]

    def is_absent():
        raise large.Absent("it is elsewhere")

    monkeypatch.setitem(large_tables.REAL, "own", is_absent)
    assert large.list_at_hand(["own", "drawn_sphere"]) == ["drawn_sphere"]
    assert "own is left out: it is elsewhere" in capsys.readouterr().err


def test_the_code_of_ours_is_its_setting():
    assert large_methods.at_defaults("EmphaticClassifier").settings == [{"code": large_methods.hash_code()}]
    assert large_methods.at_defaults("SVC").settings == [{}]
    assert len(large_methods.hash_code()) == 8
