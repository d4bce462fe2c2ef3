"""The table behind the default solver: its ranks are those of the errors, and the default is one of the candidates."""

import json

import pytest

from emphatic import RBFNetworkClassifier
from emphatic.papers.options import Options
from emphatic.papers.p000.defaults import CANDIDATES, DEFAULTS
from emphatic.study import Store
from tests.papers.fakes import fill, run_all


def pretend(task):
    setting = json.loads(task.key.setting)
    return {"error": setting.get("regularisation", 0.5 if task.key.problem == "iris" else 0.0)}


def test_mean_ranks_come_first_and_follow_the_errors(tmp_path):
    options = Options(problems=("iris", "wine"))
    with Store(tmp_path / "s.sqlite") as store:
        fill(DEFAULTS, options, store, pretend)
        lines = DEFAULTS.lines(options, store)
    assert len(lines) == 3 * len(CANDIDATES)
    ranks = {line.method: list(line.values) for line in lines[: len(CANDIDATES)]}
    assert ranks["ridge 1e-05"] == [1, 3]
    assert ranks["sgd max"] == ranks["sgd mean"] == [6.5, 1.5]
    assert lines[len(CANDIDATES)].problem == "iris"


def test_the_library_default_is_among_the_candidates():
    default = RBFNetworkClassifier().get_params()
    assert any(
        candidate["solver"] == default["solver"] and candidate.get("regularisation") == default["regularisation"]
        for candidate in CANDIDATES
    )


def test_it_has_no_quick_form():
    assert DEFAULTS.problems(quick=True) == ()
    assert set(DEFAULTS.problems()) >= {"iris", "vowel", "credit"}


@pytest.mark.slow
def test_a_real_problem_runs(tmp_path):
    options = Options(problems=("labor",))
    with Store(tmp_path / "s.sqlite") as store:
        assert run_all(DEFAULTS, options, store) == 0
        assert all(0 <= value <= 100 for line in DEFAULTS.lines(options, store) for value in line.values)
