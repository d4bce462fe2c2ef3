import json
from dataclasses import replace

import pytest

from emphatic.papers import table
from emphatic.papers.options import Options
from emphatic.papers.p000 import tables
from emphatic.papers.p000.ensembles import build
from emphatic.papers.p000.figure_1 import measure_curve
from emphatic.papers.p000.rows import Row
from emphatic.papers.p000.table import LAMBDAS
from emphatic.papers.registry import load_table
from emphatic.study import Store
from tests.papers.fakes import fill
from tests.study.fakes import FakeProblem


@pytest.fixture
def fake_problems(monkeypatch):
    """Problems of the right kind without the data: ripley and ionosphere have a test set, kwok is a stand-in."""

    def load(name, paper):
        return FakeProblem(name, predefined=name in {"ripley", "ionosphere"}, stand_in="not_kwok" in name)

    monkeypatch.setattr(table, "load_problem", load)


def pretend(task):
    """Errors that make the choices plain: regularisation 0.01 is best, lambda 0.8 on test parts, 0.7 on folds."""
    setting, work = json.loads(task.key.setting), task.key
    best = 0.7 if work.fold else 0.8
    error = 0.1 + 0.1 * abs(setting["lam"] - best) + 0.01 * (setting["regularisation"] != 0.01) + 0.001 * work.seed
    return {"error": error}


def test_rows_are_the_printed_ones():
    rows = {name: load_table(name).rows(Options()) for name in ("000-II", "000-III", "000-IV")}
    assert [len(found) for found in rows.values()] == [12, 12, 2]
    assert Row("Kwok", 2, 400) in rows["000-II"]
    assert Row("Kwok", 2, 200) in rows["000-III"]
    assert LAMBDAS == (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def test_quick_rows():
    rows = tables.TABLE_II.rows(Options(quick=True))
    assert [(row.problem, row.percent) for row in rows] == [("ionosphere", 10), ("ripley", 10), ("ripley", 2)]
    assert tables.TABLE_IV.problems(quick=True) == []


@pytest.mark.usefixtures("fake_problems")
def test_lines_keep_oracle_and_cross_validation_apart(tmp_path):
    options = Options(runs=3, problems=("ripley",))
    with Store(tmp_path / "s.sqlite") as store:
        steps = fill(tables.TABLE_II, options, store, pretend)
        lines = tables.TABLE_II.lines(options, store)
    ra, oracle, validated = lines[:3]
    assert ra.values == pytest.approx([13.0, 13.1, 13.2])
    assert ra.note == "regularisation 0.01"
    assert ra.published == (9.53, 0.34)
    assert (oracle.choice, oracle.method, oracle.note) == ("oracle", "λ=0.8", "published λ=0.8")
    assert oracle.values == pytest.approx([10.0, 10.1, 10.2])
    assert oracle.published == (8.97, 0.2)
    assert oracle.p_published == 0
    assert (validated.choice, validated.note) == ("cross-validated", "λ=0.7")
    assert validated.values == pytest.approx([11.0, 11.1, 11.2])
    # A row: 3 runs x 11 lambdas, 3 x 5 folds x 11 lambdas, 3 x 5 folds x 3 further regularisations; two rows.
    assert len({task.key for tasks in steps for task in tasks}) == 2 * (33 + 165 + 45)


@pytest.mark.usefixtures("fake_problems")
def test_partitions_choose_each_for_itself_and_stand_ins_are_marked(tmp_path):
    options = Options(runs=4, problems=("five_gaussians_not_kwok",), regularisation=0.01)
    with Store(tmp_path / "s.sqlite") as store:
        fill(tables.TABLE_IV, options, store, pretend)
        ra, oracle, validated = tables.TABLE_IV.lines(options, store)
    assert oracle.method == "λ_out=0.8, λ_cen=0.5"
    assert oracle.note == "published λ_out=0.2, λ_cen=0.9"
    assert validated.note == "λ_out=0.7, λ_cen=0.5 ×4"
    assert ra.stand_in
    assert oracle.difference is None


@pytest.mark.usefixtures("fake_problems")
def test_each_partition_chooses_its_regularisation_from_its_own_training_part(tmp_path):
    def parity(task):
        setting, work = json.loads(task.key.setting), task.key
        best = 1e-4 if int(work.split[-1]) % 2 else 1e-1
        return {"error": 0.2 + 0.1 * (setting["regularisation"] != best) + 0.01 * setting["lam"]}

    options = Options(runs=5, problems=("breast",))
    with Store(tmp_path / "s.sqlite") as store:
        fill(tables.TABLE_II, options, store, parity)
        ra, oracle, validated = tables.TABLE_II.lines(options, store)[:3]
    assert ra.note == "regularisation 0.1 ×3; regularisation 0.0001 ×2"
    assert ra.values == pytest.approx([20.5] * 5)
    assert oracle.values == pytest.approx([20.0] * 5)
    assert validated.note == "λ=0 ×5"


@pytest.mark.usefixtures("fake_problems")
def test_empty_store_gives_unfinished_lines(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        lines = tables.TABLE_III.lines(Options(problems=("breast",)), store)
    assert [line.measured for line in lines] == [None, None]


@pytest.mark.usefixtures("fake_problems")
def test_a_row_shows_the_largest_number_of_runs_that_is_finished(tmp_path):
    asked = Options(runs=50, problems=("breast", "ripley"))
    with Store(tmp_path / "s.sqlite") as store:
        for problem, runs in (("breast", 2), ("ripley", 5)):
            fill(tables.TABLE_II, Options(runs=runs, problems=(problem,)), store, pretend)
        lines = tables.TABLE_II.lines(asked, store)
    runs = {line.problem: len(line.values) for line in lines if line.method.startswith("RA")}
    assert runs == {"breast": 2, "ripley": 5}


@pytest.mark.usefixtures("fake_problems")
def test_gradient_descent_has_no_regularisation_to_choose(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        [step] = tables.TABLE_II.steps(Options(solver="sgd", problems=("ripley",)))
        assert "regularisation" not in step.studies(store)[0].methods[0].settings[0]


def test_a_negative_edge_gives_a_negative_vote_unless_the_table_says_stop():
    shared = {"fraction": 0.1, "n_estimators": 5, "centres": "uniform", "lam": 0.3}
    for name in ("000-II", "000-II-stop", "000-III", "000-III-stop", "000-IV"):
        one = load_table(name)
        candidates = one.candidates(one.rows(Options())[0], Options(), LAMBDAS)
        expected = "stop" if name.endswith("stop") else "flip"
        assert {setting["negative"] for setting in candidates} == {expected}
        assert build({**shared, "negative": expected}, 0).negative == expected
    assert build(shared, 0).negative == "stop"  # the default of the library, in stored results without a choice


def test_figure_1_keeps_many_rounds_that_end_with_the_error():
    problem = FakeProblem()
    setting = {"fraction": 0.1, "n_estimators": 60, "centres": "emphasised", "lam": 0.5, "negative": "flip"}
    X, y = problem.X[60:], problem.y[60:]
    ensemble = build(setting, 0).fit(problem.X[:60], problem.y[:60])
    metrics = measure_curve(ensemble, X, y)
    rounds = [t for t, _ in metrics["curve"]]
    assert rounds[-1] == len(ensemble.estimators_) == 60
    assert len(rounds) > 20
    assert metrics["curve"][-1][1] == metrics["error"] == pytest.approx(1 - ensemble.score(X, y))


def test_lambda_may_change_over_all_rounds():
    ensemble = build({"fraction": 0.1, "n_estimators": 7, "centres": "emphasised", "lam": 0.8, "lam_end": 0.2}, 0)
    assert (ensemble.emphasis.first.lam, ensemble.emphasis.last.lam, ensemble.emphasis.rounds) == (0.8, 0.2, 7)


@pytest.mark.usefixtures("fake_problems")
def test_rounds_reached_are_noted_and_drawn_where_growth_ended_early(tmp_path):
    def end_early(task):
        setting = json.loads(task.key.setting)
        last = 15 + task.key.seed if setting["lam"] == 0.8 else setting["n_estimators"]
        return {**pretend(task), "curve": [[1, 0.3], [last, 0.1]]}

    options = Options(runs=3, problems=("ripley",))
    with Store(tmp_path / "s.sqlite") as store:
        fill(tables.TABLE_II_STOP, options, store, end_early)
        ra, oracle, *_ = tables.TABLE_II_STOP.lines(options, store)
        [section] = tables.TABLE_II_STOP.sections(options, store)
    assert ra.note == "regularisation 0.01"
    assert oracle.note == "published λ=0.8; 16 rounds reached"
    [grid], [chart] = section.grids, section.charts
    assert list(grid.rows[0][:2]) == ["ripley 10%", 100]
    assert grid.rows[0][2 + LAMBDAS.index(0.8)] == 16
    assert chart.figure["data"][0]["z"][0][LAMBDAS.index(0.8)] == pytest.approx(16)
    assert chart.figure["data"][0]["z"][1][LAMBDAS.index(0.5)] == pytest.approx(100)


@pytest.mark.usefixtures("fake_problems")
def test_runs_on_abalone_have_partitions_of_their_own_and_the_first_ones_have_folds(tmp_path):
    assert tables.TABLE_III.parts == 10
    options, one = Options(runs=12, problems=("abalone",), regularisation=0.01), replace(tables.TABLE_III, parts=2)
    with Store(tmp_path / "s.sqlite") as store:
        [tasks] = fill(one, options, store, pretend)
        _, _, validated = one.lines(options, store)[:3]
    outer = {(task.key.split, task.key.seed) for task in tasks if not task.key.fold}
    assert outer == {(f"partition-{number}", 0) for number in range(12)}
    assert {task.key.split for task in tasks if task.key.fold} == {f"partition-{number}" for number in range(2)}
    assert validated.note == "λ=0.7 ×2; first 2 partitions only, RA there 13.00"
    assert len(validated.values) == 2


@pytest.mark.usefixtures("fake_problems")
def test_a_table_of_gradient_descent_keeps_its_solver_and_its_runs():
    table = load_table("000-III-sgd-mean")
    options = Options(solver="ridge", regularisation=0.1, runs=50, problems=("ripley",))
    [step] = table.steps(options)
    tasks = [task for study in step.studies(None) for task in study.tasks()]
    settings = [json.loads(task.key.setting) for task in tasks]
    assert {(one["solver"], one["step_scale"]) for one in settings} == {("sgd", "mean")}
    assert not any("regularisation" in one for one in settings)
    assert {task.key.seed for task in tasks} == set(range(5))
    assert "At most 5 runs" in table.caption(options)
    assert '"mean"' in table.caption(options)


@pytest.mark.usefixtures("fake_problems")
def test_the_surface_of_figure_2_is_drawn_over_both_lambdas(tmp_path):
    options = Options(runs=2, problems=("abalone",), regularisation=0.01)
    with Store(tmp_path / "s.sqlite") as store:
        fill(tables.TABLE_IV, options, store, pretend)
        [section] = tables.TABLE_IV.sections(options, store)
    [chart] = section.charts
    assert chart.id == "000-figure-2-abalone"
    surface = chart.figure["data"][0]
    assert surface["x"] == surface["y"] == list(LAMBDAS)
    assert surface["z"][3][8] == pytest.approx(10.0)  # λ_cen = 0.3, λ_out = 0.8: the best, whatever λ_cen is


@pytest.mark.parametrize(
    ("wrong", "match"), [({"runs": 0}, "runs"), ({"solver": "lbfgs"}, "solver"), ({"regularisation": 0.0}, "positive")]
)
def test_options_name_what_is_wrong(wrong, match):
    with pytest.raises(ValueError, match=match):
        Options(**wrong)
