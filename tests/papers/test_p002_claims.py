"""Claims of paper 002, its chart and its training times, from made-up records."""

import json
from dataclasses import replace

import numpy as np
import pytest

from emphatic.papers import table
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p002.claims.judging import count_problems
from emphatic.papers.p002.claims.noise import judge_noise
from emphatic.papers.p002.claims.wording import judge_reading
from emphatic.papers.p002.measured import Measured
from emphatic.papers.p002.networks_table import TABLE_2
from emphatic.papers.p002.noise import CONDITIONS, NOISE, RULES
from emphatic.papers.p002.problems import POLICIES, PROBLEMS, find_published
from emphatic.papers.p002.readings import AS_PRINTED, READING
from emphatic.papers.p002.tables import TABLE_3, TABLE_4
from emphatic.study import Record, Store
from tests.papers.test_p002 import as_published
from tests.study.fakes import FakeProblem

SECONDS = {"online": 1.0, "batch": 0.5, "n_hidden": 2.0}
"""Of an ensemble of perceptrons, trained so, and of one of networks."""


@pytest.fixture(autouse=True)
def fake_problems(monkeypatch):
    monkeypatch.setattr(table, "load_problem", lambda name, paper: FakeProblem(name))


def keep(task):
    """The published figures, with times, types and errors over the epochs."""
    setting = json.loads(task.key.setting)
    metrics = {
        **as_published(task),
        "type_shares": {"redundant": 0.75, "near_noisy": 0.25},
        "epoch_errors": [[0, 0.4], [250, 0.1]],
    }
    seconds = SECONDS[setting.get("updates", "n_hidden")]
    return Record(task.key, "done", metrics, fit_cpu_seconds=seconds)


def fill(each, options, store, change=lambda record: record):
    for step in each.steps(options):
        for study in step.studies(store):
            store.append(*(change(keep(task)) for task in study.tasks()))


def judge(each, path, change=lambda record: record, options=None):
    options = options or Options(runs=1)
    with Store(path / "s.sqlite") as store:
        fill(each, options, store, change)
        return {claim.text: claim for claim in each.claims(options, store)}


@pytest.mark.parametrize("each", [TABLE_2, TABLE_3, TABLE_4], ids=lambda each: each.id)
def test_the_papers_own_figures_fulfil_what_it_claims(each, tmp_path):
    found = judge(each, tmp_path)
    assert len(found) >= 4
    assert {text: claim.holds for text, claim in found.items() if claim.holds is not True} == {}


@pytest.mark.parametrize("each", [TABLE_2, TABLE_3, TABLE_4, NOISE], ids=lambda each: each.id)
def test_without_records_nothing_is_judged_that_needs_them(each, tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        found = each.claims(Options(runs=1), store)
    assert all(claim.evidence == "not finished" and claim.holds is None for claim in found if claim.place != "Table 1")


@pytest.mark.parametrize("each", [TABLE_2, TABLE_3, TABLE_4], ids=lambda each: each.id)
def test_some_problems_are_not_enough(each, tmp_path):
    found = judge(each, tmp_path, options=Options(runs=1, problems=("glass", "diabetes", "vehicle", "thyroid")))
    judged = [claim for claim in found.values() if claim.holds is not None]
    texts = [claim.text for claim in judged if claim.place != "Table 1"]
    assert all("Diabetes, Vehicle and Thyroid" in text for text in texts)  # these three it is made about


def test_a_claim_that_fails_names_where(tmp_path):
    def change(record):
        if record.key.problem == "glass" and json.loads(record.key.setting).get("policy") == "positive":
            record.metrics["class_accuracies"]["1"] = 0.5
        return record

    found = judge(TABLE_3, tmp_path, change)
    claim = found["Positive boosting has the highest a+."]
    assert (claim.holds, claim.evidence) == (False, "on 6 of 7 problems; not on Glass")
    distance = next(claim for text, claim in found.items() if text.startswith("The figures of perceptrons"))
    assert "Glass positive a+ 50.0 (published 90.2)" in distance.evidence


def test_training_times_are_shown_and_judged(tmp_path):
    options = Options(runs=1)
    with Store(tmp_path / "s.sqlite") as store:
        fill(TABLE_2, options, store)
        [section] = TABLE_2.sections(options, store)
    [grid] = section.grids
    assert [row[0] for row in grid.rows] == list(PROBLEMS.values())
    assert grid.rows[0][1:] == ["0.500", "1.000", "2.000", "4.0", "2.0"]


def test_slow_perceptrons_refute_the_claim_and_unknown_times_leave_it_open(tmp_path):
    def judge_times(name, seconds):
        (tmp_path / name).mkdir()
        found = judge(TABLE_2, tmp_path / name, lambda record: replace(record, fit_cpu_seconds=seconds))
        return next(claim for text, claim in found.items() if text.startswith("Training perceptrons takes"))

    assert judge_times("equal", 1.0).holds is False
    assert judge_times("unknown", None).evidence == "not finished"


def test_the_chart_has_a_point_for_every_figure(tmp_path):
    options = Options(runs=1)
    with Store(tmp_path / "s.sqlite") as store:
        fill(TABLE_3, options, store)
        [section] = TABLE_3.sections(options, store)
    [chart] = section.charts
    *variants, _ = chart.figure["data"]
    assert chart.id == "002-3-published"
    assert sum(len(trace["x"]) for trace in variants) == 112
    for trace in variants:
        np.testing.assert_allclose(trace["y"], trace["x"], atol=0.6)
    first = find_published("ionosphere", POLICIES["standard"], "a")[0]
    assert (variants[0]["x"][0], variants[0]["text"][0]) == (first, "ionosphere, a")


def test_problems_are_counted_among_those_that_matter():
    held = {"glass": True, "vowel": False, "thyroid": True}
    claim = count_problems("here", "a claim", held, among=("glass", "thyroid"))
    assert (claim.holds, claim.evidence) == (True, "on 2 of 2 problems")
    claim = count_problems("here", "a claim", held, among=("glass", "vowel"), details="by much")
    assert (claim.holds, claim.evidence) == (False, "on 1 of 2 problems; not on Vowel; by much")
    assert count_problems("here", "a claim", held, among=("glass", "vowel"), needed=1).holds is True
    assert count_problems("here", "a claim", held).holds is None


def test_the_wording_is_judged_by_its_distance():
    lines = [Line("7 problems", "", str(reading), [value] * 7) for reading, value in ((AS_PRINTED, 3), (READING, 1))]
    [claim] = judge_reading(lines, 7)
    assert claim.holds is False and "3.00 as worded" in claim.evidence and "1.00 as used here" in claim.evidence
    assert judge_reading([lines[0], replace(lines[1], values=[1.0])], 7)[0].holds is None


def noise_figures(accuracy):
    """`accuracy(condition, rule)` as a and g on all problems."""
    return Measured(
        {
            (problem, f"{condition}: {rule}"): {figure: [accuracy(condition, rule)] for figure in ("a", "g")}
            for problem in PROBLEMS
            for condition in CONDITIONS
            for rule in RULES
        }
    )


def test_noise_is_judged_against_standard_boosting_and_the_other_rules():
    harmed = noise_figures(lambda condition, rule: 90 - 10 * (condition != "clean") + (rule == "balanced"))
    assert [claim.holds for claim in judge_noise(harmed)] == [True, False, True, True]
    helped = noise_figures(lambda condition, rule: 90 + (condition != "clean") + (rule in ("negative", "Mada")))
    assert [claim.holds for claim in judge_noise(helped)] == [False, True, False, False]
