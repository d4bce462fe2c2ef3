"""Claims of paper 000: judged by rules that made-up errors can satisfy or break, and never by half a store."""

import json
from dataclasses import replace

import pytest

from emphatic.papers import table
from emphatic.papers.options import Options
from emphatic.papers.p000 import tables
from emphatic.papers.p000.claims import judge_derivations
from emphatic.papers.p000.convergence import judge_curves, rise
from emphatic.papers.p000.rows import PROBLEMS
from emphatic.papers.published import lookup
from emphatic.papers.registry import TABLES, load_table
from emphatic.study import Store
from tests.papers.fakes import fill
from tests.study.fakes import FakeProblem

OWN_TABLES = [name for name in TABLES if name.startswith("000")]
NAMES = {problem: dataset for dataset, problem in PROBLEMS.items()}
OPTIONS = Options(runs=4, regularisation=0.01, cross_validate=False)
FEW = Options(runs=2)


@pytest.fixture(autouse=True)
def fake_problems(monkeypatch):
    def load(name, paper):
        return FakeProblem(name, predefined=name in {"ripley", "ionosphere"}, stand_in="not_kwok" in name)

    monkeypatch.setattr(table, "load_problem", load)


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "s.sqlite") as opened:
        yield opened


def pretend(best, printed="II", shift=0.0):
    """RA as printed plus `shift`, and one point less at the λ that `best(problem)` names."""

    def make(task):
        setting, key = json.loads(task.key.setting), task.key
        percent = str(round(100 * setting["fraction"]))
        mean, _ = lookup("000", printed, NAMES[key.problem], "RA (lambda=0.5)", "test_error_%", {"K%": percent})
        gain = setting["lam"] == best(key.problem) and setting["lam"] != 0.5
        error = (mean + shift - gain + 0.001 * (key.seed + int(key.split[-1].isdigit() and int(key.split[-1])))) / 100
        return {"error": error, "curve": [[1, 0.4], [20, error + 0.1], [setting["n_estimators"], error]]}

    return make


def verdicts(claims, words):
    return [claim.holds for claim in claims if words in claim.text]


@pytest.mark.parametrize("name", OWN_TABLES)
def test_nothing_is_judged_by_an_empty_store(name, store):
    claims = load_table(name).claims(FEW, store)
    assert claims
    judged = [claim.text for claim in claims if claim.holds is not None]
    assert all("λ = 0.5 gives RA's weights" in text for text in judged)
    assert load_table(name).sections(FEW, store) == []
    assert all(line.measured is None for line in load_table(name).lines(FEW, store))


def test_the_discussion_of_table_ii_is_judged_row_by_row(store):
    options = replace(OPTIONS, cross_validate=True)
    fill(tables.TABLE_II, options, store, pretend(lambda problem: 0.7 if problem == "ripley" else 0.1))
    claims = tables.TABLE_II.claims(options, store)
    assert verdicts(claims, "fixed combination") == [True]
    assert verdicts(claims, "on Abalone.") == [True]
    assert verdicts(claims, "on Image with 2%") == [True]
    assert verdicts(claims, "on Kwok.") == [None]
    assert verdicts(claims, "On Ripley") == [True]
    assert verdicts(claims, "chosen automatically") == [True]
    assert verdicts(claims, "errors of RA are as printed") == [True]


def test_where_every_lambda_is_as_good_as_ra_no_gain_is_claimed(store):
    fill(tables.TABLE_II, OPTIONS, store, pretend(lambda problem: 0.5))
    claims = tables.TABLE_II.claims(OPTIONS, store)
    for words in ("fixed combination", "on Abalone.", "on Image with 2%", "On Ripley"):
        assert verdicts(claims, words) == [False], words
    assert verdicts(claims, "chosen automatically") == [None]  # nothing was cross-validated


def test_part_of_the_rows_judges_only_what_needs_no_other_row(store):
    options = replace(OPTIONS, problems=("ripley",))
    fill(tables.TABLE_II, options, store, pretend(lambda problem: 0.8))
    claims = tables.TABLE_II.claims(options, store)
    assert verdicts(claims, "On Ripley") == [True]
    assert verdicts(claims, "fixed combination") == [None]
    assert {claim.evidence for claim in claims if "as printed" in claim.text} == {"not finished"}


@pytest.mark.parametrize("shift", [-2.0, 2.0])
def test_an_error_far_below_the_printed_one_is_no_match_either(shift, store):
    fill(tables.TABLE_III_STOP, OPTIONS, store, pretend(lambda problem: 0.5, "III", shift))
    [claim, _] = tables.TABLE_III_STOP.claims(OPTIONS, store)
    assert claim.holds is False
    assert claim.evidence.startswith("0 of 10 rows within one std, above or below")
    assert claim.place == "Table III (000-III-stop)"


@pytest.mark.parametrize(("shift", "expected"), [(1.0, True), (-1.0, False)])
def test_table_iii_is_compared_with_table_ii(shift, expected, store):
    fill(tables.TABLE_II, OPTIONS, store, pretend(lambda problem: 0.5))
    assert verdicts(tables.TABLE_III.claims(OPTIONS, store), "lower the error on every problem") == [None]
    fill(tables.TABLE_III, OPTIONS, store, pretend(lambda problem: 0.5, "II", shift))
    claims = tables.TABLE_III.claims(OPTIONS, store)
    assert verdicts(claims, "lower the error on every problem") == [expected]
    assert verdicts(claims, "converge faster") == [expected]
    assert verdicts(claims, "standard deviation (RA") == [False]  # equal ones are not lower


@pytest.mark.parametrize("pair", [(0.3, 0.8), (0.3, 0.3)])
def test_table_iv_asks_whether_the_best_pair_is_better_than_the_best_common_lambda(pair, store):
    def separate(task):
        setting = json.loads(task.key.setting)
        return {"error": 0.2 - 0.01 * ((setting["lam"], setting["lam_cen"]) == pair) + 0.0001 * task.key.seed}

    fill(tables.TABLE_IV, OPTIONS, store, separate)
    claims = tables.TABLE_IV.claims(OPTIONS, store)
    assert verdicts(claims, "Abalone") == [pair[0] != pair[1]]
    [figure] = [claim for claim in claims if claim.place == "Figure 2"]
    assert figure.holds is None
    assert "at λ_cen = 1" in figure.evidence


FALLING = [(1, 40.0), (20, 10.0), (200, 3.0)]


def test_convergence_and_overfitting():
    slow, fast = [(1, 40.0), (20, 20.0), (200, 2.0)], [(1, 40.0), (20, 5.0), (200, 4.0)]
    ionosphere = {0.2: slow, 0.5: FALLING, 1.0: fast}
    claims = judge_curves({("ionosphere", 2): ionosphere})
    assert [claim.holds for claim in claims] == [True, True, None, None]
    assert claims[0].evidence == "λ 1: 5.00, λ 0.5: 10.00, λ 0.2: 20.00"
    same = dict.fromkeys(ionosphere, FALLING)
    assert [claim.holds for claim in judge_curves({("ionosphere", 2): same})][:2] == [False, False]
    rising = [(1, 40.0), (20, 9.0), (100, 10.0)]
    every = {(problem, percent): ionosphere for problem in ("ionosphere", "ripley") for percent in (2, 10)}
    robust = judge_curves({**every, ("ripley", 10): {0.2: rising, 0.5: rising, 1.0: FALLING}})
    assert [claim.holds for claim in robust] == [True] * 4
    assert judge_curves({("ripley", 10): {0.2: rising, 0.5: rising, 1.0: rising}})[-1].holds is False
    assert rise(rising) == 1.0


def test_half_and_half_is_real_adaboost():
    assert [claim.holds for claim in judge_derivations()] == [True, None, None, None]


def test_figure_1_has_a_chart_and_three_lines_per_row(store):
    figure = load_table("000-figure-1")
    fill(figure, OPTIONS, store, pretend(lambda problem: 1.0))
    lines, [section] = figure.lines(OPTIONS, store), figure.sections(OPTIONS, store)
    assert [line.method for line in lines[:3]] == ["λ=0.2", "λ=0.5", "λ=1"]
    assert len(lines) == 3 * len(section.charts) == 12
    assert "000-figure-1-ionosphere-2" in [chart.id for chart in section.charts]
    assert lines[0].note.endswith("rise 0.00")
    assert figure.problems(quick=True) == []


def test_schedules_stand_beside_ra_and_the_oracle_of_the_fixed_lambdas(store):
    def prefer_errors_first(task):
        setting = json.loads(task.key.setting)
        gain = 0.02 if (setting["lam"], setting.get("lam_end")) == (0.8, 0.2) else 0.0
        last = 0.1 - gain - 0.01 * (setting["lam"] == 0.3)
        return {"error": last, "curve": [[1, 0.4 - gain], [setting["n_estimators"], last]]}

    schedule = load_table("000-schedule")
    fill(schedule, OPTIONS, store, prefer_errors_first)
    lines = schedule.lines(OPTIONS, store)
    assert [line.method for line in lines[:5]] == [
        "RA, λ=0.5",
        "λ=0.3",
        "λ from 0.8 to 0.2",
        "λ from 1 to 0",
        "λ from 0.2 to 0.8",
    ]
    assert [line.choice for line in lines[:5]] == ["", "oracle", "", "", ""]
    assert [line.measured[0] for line in lines[:4]] == pytest.approx([10, 9, 8, 10])
    [claim] = schedule.claims(OPTIONS, store)
    assert claim.holds
    assert "λ 0.8 to 0.2: below RA early on 6, at the end on 6, both on 6" in claim.evidence
    assert "λ 1 to 0: below RA early on 0, at the end on 0, both on 0" in claim.evidence


def test_the_printed_error_of_abalone_has_a_place_among_the_partitions(store):
    abalone = load_table("000-abalone")
    fill(abalone, OPTIONS, store, lambda task: {"error": 0.19 + 0.0005 * int(task.key.split.partition("-")[2])})
    every, first = abalone.lines(OPTIONS, store)
    assert (len(every.values), len(first.values)) == (50, 10)
    assert every.note == "the printed 20.01 is at percentile 42"  # 19.00, 19.05, ..., 20.00 are 21 of 50
    [claim] = abalone.claims(OPTIONS, store)
    assert claim.holds is False  # 0.73 against 0.23
    fill(abalone, OPTIONS, store, lambda task: {"error": 0.2})
    assert [chart.id for section in abalone.sections(OPTIONS, store) for chart in section.charts] == [
        "000-abalone-partitions"
    ]
