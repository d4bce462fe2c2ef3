"""The study of moderated emphasis: families are subsets of one search, and only folds choose."""

import json

import numpy as np
import pytest

from emphatic import MLPNetworkClassifier
from emphatic.emphasis import Controlled, DynamicMixed, Guided, Mixed, Neighbour
from emphatic.papers import table
from emphatic.papers.options import Options
from emphatic.papers.p001 import designs, guide
from emphatic.papers.p001.classes import CLASSES, EMPHASES
from emphatic.papers.p001.designs import FAMILIES
from emphatic.papers.p001.full_search import FULL_SEARCH
from emphatic.papers.p001.moderation import MODERATION as TABLE
from emphatic.study import Store
from tests.papers.fakes import fill, run_all
from tests.study.fakes import FakeProblem


@pytest.fixture
def fake_problems(monkeypatch):
    def load(name, paper):
        return FakeProblem(name, predefined=name == "ripley", stand_in="not_kwok" in name)

    monkeypatch.setattr(table, "load_problem", load)
    monkeypatch.setattr(TABLE.__class__, "problems", lambda self, quick=False: ["ripley", "image", "not_kwok"])


def pretend(task):
    """On folds alpha = 0.4 and beta = 0.6 are best, on test parts it is alpha = 1: only folds may choose."""
    setting, work = json.loads(task.key.setting), task.key
    error = 0.3 + 0.01 * (setting["n_hidden"] != 4) + 0.01 * abs(setting.get("lam", 0.5) - 0.5)
    if setting["emphasis"] == "controlled":
        best = (0.4, 0.6) if work.fold else (1.0, 0.0)
        error -= 0.1 - 0.05 * abs(setting["alpha"] - best[0]) - 0.05 * abs(setting["beta"] - best[1])
    return {"error": error + 0.001 * work.seed, "curve": [[1, error + 0.1], [30, error + 0.001 * work.seed]]}


@pytest.mark.usefixtures("fake_problems")
def test_folds_choose_and_families_share_their_fits(tmp_path):
    options = Options(runs=4)
    with Store(tmp_path / "s.sqlite") as store:
        n_search, n_trained = map(len, fill(TABLE, options, store, pretend))
        lines = TABLE.lines(options, store)
    candidates = 3 * (5 * 6 + 1 + 11 + 1)
    assert n_search == 3 * candidates * 5 * 2  # small training parts: folds are drawn twice
    assert n_trained == 3 * 4 * 6  # seven families, of which RA and Mixed chose the same design
    chosen = {line.method: line for line in lines if line.problem == "ripley"}
    assert list(chosen) == list(FAMILIES)
    assert chosen["CRA"].setting == "H 4, α 0.4, β 0.6"
    assert chosen["betaRA"].setting == "H 4, α 0, β 0.6"
    assert chosen["ARA"].setting == "H 4, α 0, β 1"
    assert chosen["Mixed"].setting == chosen["RA"].setting == "H 4, λ 0.5"
    assert chosen["no emphasis"].setting.startswith("H 4, α 1")
    assert chosen["RA"].values == pytest.approx([30.0, 30.1, 30.2, 30.3])
    assert chosen["CRA"].values == pytest.approx(np.array([26.0, 26.1, 26.2, 26.3]))  # its test error, not its folds'
    assert chosen["CRA"].choice == "cross-validated"
    assert chosen["RA"].p is None and chosen["CRA"].p < 0.05
    assert all(line.stand_in == (line.problem == "not_kwok") for line in lines)


@pytest.mark.usefixtures("fake_problems")
def test_ranks_leave_out_stand_ins(tmp_path):
    options = Options(runs=2)
    with Store(tmp_path / "s.sqlite") as store:
        fill(TABLE, options, store, pretend)
        ranks = {line.method: line.values for line in TABLE.lines(options, store) if "rank" in line.problem}
    assert {len(values) for values in ranks.values()} == {2}
    assert ranks["no emphasis"] == [1.0, 1.0]
    assert ranks["RA"] == ranks["Mixed"] == ranks["DWK-RA"] == ranks["ARA"] == [5.5, 5.5]  # equal errors share
    assert np.sum([values[0] for values in ranks.values()]) == sum(range(1, 8))


@pytest.mark.usefixtures("fake_problems")
def test_nothing_is_shown_of_what_is_not_finished(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        assert TABLE.lines(Options(runs=2), store) == []


def test_the_full_search_is_that_of_the_paper():
    """20 x 5 folds, eleven values of α and of β, of which α = 1 needs one, and the other families on the same folds."""
    study = FULL_SEARCH.search_study("crabs", Options())
    tasks = [task.key for task in study.tasks()]
    assert len(tasks) == 20 * 5 * 3 * (10 * 11 + 1 + 11 + 1)
    settings = [json.loads(one) for one in {key.setting for key in tasks}]
    pairs = {(one["alpha"], one["beta"]) for one in settings if one["emphasis"] == "controlled"}
    assert pairs == {(a, b) for a in designs.TENTHS[:-1] for b in designs.TENTHS} | {(1.0, 1.0)}


def test_both_searches_share_their_records():
    """All candidates and folds of the reduced search are among those of the full one."""
    keys = [{task.key for task in one.search_study("crabs", Options()).tasks()} for one in (TABLE, FULL_SEARCH)]
    assert keys[0] < keys[1]
    assert {key.table_id for key in keys[1]} == {"001"}


def test_the_full_search_runs_four_small_problems_unless_others_are_named():
    assert FULL_SEARCH.chosen_problems(Options()) == ["crabs", "hepatitis", "ionosphere", "ripley"]
    assert FULL_SEARCH.chosen_problems(Options(problems=("abalone", "crabs"))) == ["abalone", "crabs"]
    assert not FULL_SEARCH.problems(quick=True)
    assert "steps of 0.1, λ of 0.1" in FULL_SEARCH.caption(Options()) and "drawn 20 times" in FULL_SEARCH.search.text


def test_settings_are_the_ensembles_they_name():
    shared = {"n_hidden": 4, "n_estimators": 7}
    crafted = designs.build({**shared, "emphasis": "controlled", "alpha": 0.2, "beta": 0.4}, 5)
    assert isinstance(crafted.estimator, MLPNetworkClassifier) and crafted.estimator.n_hidden == 4
    assert (crafted.n_estimators, crafted.random_state) == (7, 5)
    assert isinstance(crafted.emphasis, Controlled)
    assert (crafted.emphasis.alpha, crafted.emphasis.beta) == (0.2, 0.4)
    mixed = designs.build({**shared, "emphasis": "mixed", "lam": 0.3}, 0).emphasis
    assert isinstance(mixed, Mixed) and mixed.lam == 0.3
    dynamic = designs.build({**shared, **designs.DYNAMIC[0]}, 0).emphasis
    assert isinstance(dynamic, Neighbour) and isinstance(dynamic.base, DynamicMixed)


def test_the_problems_are_the_twelve_of_table_1():
    assert len(TABLE.problems()) == 12
    assert [name for name in TABLE.problems() if TABLE.load(name).stand_in] == ["five_gaussians_not_kwok"]


def test_all_classes_take_part(tmp_path):
    options = Options(runs=5, problems=("glass",))
    each = CLASSES
    with Store(tmp_path / "s.sqlite") as store:
        [tasks] = fill(each, options, store, pretend)
        lines = each.lines(options, store)
    assert len(tasks) == 6 * 5
    assert [line.method for line in lines] == list(EMPHASES)
    assert {line.setting for line in lines} == {"6 classes, H 10"}
    assert lines[0].p is None and lines[1].p is not None


def test_quick_form_runs(tmp_path):
    """With real fits, on one small problem."""
    options = Options(runs=2, problems=("hepatitis",), quick=True)
    with Store(tmp_path / "s.sqlite") as store:
        for step in TABLE.steps(options):
            for study in step.studies(store):
                few = study.__class__(study.name, [_few(study.methods[0])], study.problems, study.protocol)
                assert few.run(store, progress=False).n_failed == 0
        assert {record.metrics["stop_reason"] for record in store.records("001")} <= {"rounds", "edge"}


def _few(method):
    wanted = [one for one in method.settings if one.get("alpha") == 0.4 or one.get("lam") == 0.5]
    return method.__class__(method.name, method.build, wanted[:3], together=method.together)


def test_a_guide_takes_the_place_of_the_ensemble():
    for (method, name), setting in guide.SETTINGS.items():
        emphasis = guide.build_guided(setting, 0).emphasis
        assert isinstance(emphasis, Guided) == (name != guide.OWN)
        if isinstance(emphasis, Guided):
            assert (emphasis.guide is None) == (name == "logistic regression")
            emphasis = emphasis.base
        assert isinstance(emphasis, Mixed if method == "RA" else Controlled)


def test_guides_are_compared_with_the_partial_ensemble(tmp_path):
    def pretend(task):
        setting = json.loads(task.key.setting)
        return {"error": 0.2 + 0.01 * guide.GUIDES.index(setting["guide"]) + 0.001 * task.key.seed}

    options = Options(runs=50, problems=("crabs", "ripley"))
    with Store(tmp_path / "s.sqlite") as store:
        [claim] = guide.GUIDE.claims(options, store)
        assert (claim.holds, claim.evidence) == (None, "not finished")
        [tasks] = fill(guide.GUIDE, options, store, pretend)
        lines = guide.GUIDE.lines(options, store)
        [claim] = guide.GUIDE.claims(options, store)
    assert len(tasks) == 2 * 10 * 20  # no more than 20 trainings
    own, external = lines[1], lines[2]
    assert (own.method, own.setting, own.p) == ("ARA", "guide: partial ensemble", None)
    assert external.setting == "guide: logistic regression" and external.p < 0.01
    assert np.mean(external.values) - np.mean(own.values) == pytest.approx(1.0)
    assert claim.holds is True
    assert "ARA: partial ensemble 20.95, logistic regression 21.95 (p = " in claim.evidence


def test_guides_run(tmp_path):
    """With real fits, on one small problem."""
    with Store(tmp_path / "s.sqlite") as store:
        options = Options(runs=1, problems=("crabs",), quick=True)
        assert run_all(guide.GUIDE, options, store) == 0
        assert all(line.measured for line in guide.GUIDE.lines(options, store))


@pytest.mark.parametrize(("runs", "text"), [(5, "5 folds, drawn 1 time;"), (50, "5 folds, drawn 10 times;")])
def test_the_caption_counts_as_people_do(runs, text):
    assert text in CLASSES.caption(Options(runs=runs))
