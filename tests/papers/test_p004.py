"""The study of FuzzyBoost: who wins, on problems fixed beforehand, with parameters from other problems."""

import json

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier
from sklearn.tree import DecisionTreeClassifier

from emphatic import RealAdaBoostClassifier
from emphatic.boosting.fuzzy_boost import FuzzyBoostClassifier
from emphatic.emphasis.fuzzy_entropy import coordinates
from emphatic.papers import table
from emphatic.papers.options import Options
from emphatic.papers.p004 import ensembles, tables
from emphatic.papers.published import find
from emphatic.papers.table import load_problem
from emphatic.study import Record, Store
from tests.papers import fakes
from tests.study.fakes import FakeProblem

WINS, CHOICE = tables.WINS, tables.PARAMETER_CHOICE
ORDER = ["DFA", "FuzzyBoost", "difficult only", "easy only", "Real AdaBoost", "AdaBoost", "Bagging by votes", "Bagging"]


@pytest.fixture
def fake_problems(monkeypatch):
    monkeypatch.setattr(table, "load_problem", lambda name, paper: FakeProblem(name))
    monkeypatch.setattr(tables, "load_sample", FakeProblem)


def fill(each, options, store, pretend):
    """Pretend that every fit was made; returns the number of tasks of each step."""
    return [len(tasks) for tasks in fakes.fill(each, options, store, lambda task: {"error": pretend(task)})]


def in_order(task):
    """Each method a point better than the next of `ORDER`; Bagging is the best on zoo, all are equal on vote."""
    name = next(name for name, setting in ensembles.list_methods().items() if setting == json.loads(task.key.setting))
    if task.key.problem == "vote":
        return 0.2
    return 0.05 if (task.key.problem, name) == ("zoo", "Bagging") else 0.1 + 0.01 * ORDER.index(name)


@pytest.mark.usefixtures("fake_problems")
def test_wins_are_counted_beside_the_published_ones(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        n_tasks = fill(WINS, Options(), store, in_order)
        lines = WINS.lines(Options(), store)
    assert n_tasks == [20 * 8 * 30]
    first = lines[0]
    assert (first.problem, first.method, first.values) == ("autos", "FuzzyBoost", pytest.approx([11.0] * 3))
    assert first.p is None and lines[1].p < 0.001  # the reference, and DFA against it over 30 folds
    pairs = {line.method: line for line in lines if line.setting == "wins"}
    bagging = pairs["FuzzyBoost against Bagging"]
    assert bagging.values == [18.0] and bagging.published == (15.0, None)
    assert bagging.note == "win/lose/draw 18/1/1, sign test p 0.000; published 15/4/1, sign test p 0.019"
    assert pairs["DFA against FuzzyBoost"].note.startswith("win/lose/draw 19/0/1")
    assert pairs["FuzzyBoost against Real AdaBoost"].published is None
    ranks = {line.method: float(line.note.split()[-1]) for line in lines if line.setting == "mean error"}
    assert sorted(ranks, key=ranks.get) == ORDER


@pytest.mark.usefixtures("fake_problems")
def test_a_problem_counts_only_when_it_is_finished(tmp_path):
    options = Options(runs=1, problems=("autos", "zoo"))
    with Store(tmp_path / "s.sqlite") as store:
        assert WINS.lines(options, store) == []
        [step] = WINS.steps(options)
        tasks = [task for study in step.studies(store) for task in study.tasks()]
        store.append(*(Record(task.key, "done", {"error": 0.1}) for task in tasks[:-1]))
        lines = WINS.lines(options, store)
    assert {line.problem for line in lines} == {"autos", "1 problems"}
    pair = next(line for line in lines if line.method == "FuzzyBoost against Bagging")
    assert pair.published is None and "published 15/4/1" in pair.note  # one problem is not twenty


def test_errors_that_print_alike_draw():
    score = tables.Score.of([10.04, 10.06, 9.0, 9.0], [9.96, 10.04, 9.2, 8.9])
    assert (score.wins, score.losses, score.draws) == (1, 2, 1)
    assert tables.Score(0, 0, 20).sign_p == 1.0
    assert tables.Score(5, 0, 15).sign_p == pytest.approx(2 / 2**5)


def test_published_counts_are_of_twenty_problems():
    scores = [tables.find_published(*pair) for pair in tables.PUBLISHED]
    assert [score.wins + score.losses + score.draws for score in scores] == [20] * 7
    assert len(find("004", "results")) == 3 * len(scores)  # none is left out


def test_problems_are_those_of_the_rule():
    """Small shipped tables for the comparison, other ones for the choice."""
    assert len(ensembles.PROBLEMS) == 20 and not {*ensembles.PROBLEMS, "heart_statlog"} & set(ensembles.OTHERS)
    problems = [load_problem(name) for name in ensembles.PROBLEMS]
    assert max(len(problem.y) for problem in problems) <= 2000
    assert sum("nominal" in problem.feature_types for problem in problems) == 12
    missing = [np.mean([cell != cell for cell in np.asarray(problem.X, dtype=object).ravel()]) for problem in problems]
    assert np.count_nonzero(missing) == 9


def test_samples_keep_the_frequencies_of_the_classes():
    sample, whole = ensembles.load_sample("thyroid"), load_problem("thyroid")
    assert len(sample.y) == ensembles.AT_MOST
    counts, all_counts = (np.unique(y, return_counts=True)[1] for y in (sample.y, whole.y))
    assert np.abs(counts / len(sample.y) - all_counts / len(whole.y)).max() < 1 / len(sample.y)
    assert len(ensembles.load_sample("iris").y) == 150
    assert set(ensembles.load_sample("abalone").y) == {-1, 1}
    with pytest.raises(ValueError, match="cross-validated"):
        sample.partition(0)


def test_ensembles_have_the_same_trees_and_as_many():
    built = {name: ensembles.build(setting, 7) for name, setting in ensembles.list_methods().items()}
    assert all(model.n_estimators == 30 and model.random_state == 7 for model in built.values())
    for model in built.values():
        assert isinstance(model.estimator, DecisionTreeClassifier)
        assert (model.estimator.criterion, model.estimator.min_samples_leaf) == ("entropy", 2)
    assert isinstance(built["AdaBoost"], AdaBoostClassifier) and isinstance(built["Bagging"], BaggingClassifier)
    assert isinstance(built["Real AdaBoost"], RealAdaBoostClassifier)
    assert isinstance(built["FuzzyBoost"], FuzzyBoostClassifier)
    assert {name: (built[name].n_deflections, built[name].chains) for name in list(built)[:4]} == {
        "FuzzyBoost": (0, ensembles.PARAMETERS["chains"]),
        "DFA": (ensembles.DEFLECTED["n_deflections"], ensembles.PARAMETERS["chains"]),
        "easy only": (0, "easy"),
        "difficult only": (0, "hard"),
    }


@pytest.mark.parametrize("columns", [[0, 1, 2], [0, 1], [2]], ids=["mixed", "categories", "numbers"])
def test_clusters_see_the_distances_of_the_paper(columns):
    """Categories 0 or 1 apart, numbers by their share of the range; up to a factor, which changes no membership."""
    table = np.array([["r", "x", 0.0], ["g", "x", 2.0], ["b", "y", 8.0], ["r", "y", 3.0]], dtype=object)[:, columns]
    differ = (table[:, None, :] != table[None]).astype(float)
    if 2 in columns:
        numbers = table[:, columns.index(2)].astype(float) / 8
        differ[:, :, columns.index(2)] = (numbers[:, None] - numbers) ** 2
    seen = coordinates(ensembles.PaperDistances().fit_transform(table))
    found = ((seen[:, None] - seen) ** 2).sum(axis=2)
    factor = 1 if columns == [2] else 2
    np.testing.assert_allclose(found, factor * differ.sum(axis=2), atol=1e-12)


def test_crisp_trees_are_counted():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 2)), rng.integers(3, size=80)
    tree = ensembles.make_cart(ensembles.CrispTree).fit(X, y)
    np.testing.assert_array_equal(tree.predict_proba(X), np.eye(3)[tree.predict(X)])
    bagged = ensembles.build(ensembles.list_methods()["Bagging by votes"], 0).fit(X, y)
    votes = 30 * bagged.predict_proba(X)
    np.testing.assert_allclose(votes, votes.round(), atol=1e-9)


def by_setting(task):
    """Best: reward 0.3, fuzziness 1.25, supervised, shared chains, no samme, 2 deflections, relaxation 2, aligned."""
    setting = json.loads(task.key.setting)
    wrong = [
        setting["init"] != "supervised",
        setting["chains"] != "shared",
        setting["samme"],
        not setting.get("aligned"),
    ]
    error = 0.1 + 0.1 * abs(setting["reward"] - 0.3) + 0.01 * setting["fuzziness"] + 0.01 * sum(wrong)
    return error + 0.01 * abs(setting["n_deflections"] - 2) + 0.001 * setting.get("relaxation", 0)


@pytest.mark.usefixtures("fake_problems")
def test_parameters_are_chosen_step_by_step(tmp_path):
    options = Options()
    with Store(tmp_path / "s.sqlite") as store:
        assert CHOICE.lines(options, store) == []
        assert CHOICE.candidates("DFA", options, store) == []
        n_tasks = fill(CHOICE, options, store, by_setting)
        lines = CHOICE.lines(options, store)
    assert n_tasks == [12 * 24 * 5, 12 * 4 * 5, 12 * 9 * 5]
    boosted, readings, deflected = lines[:24], lines[24:28], lines[28:]
    assert [line.setting for line in (boosted[0], readings[0], deflected[0])] == list(tables.CANDIDATES)
    best = "reward 0.3, fuzziness 1.25, init supervised"
    assert boosted[0].method == f"chains both, {best}" and boosted[0].measured[0] < 100 < boosted[-1].measured[0]
    assert readings[0].method == f"chains shared, {best}"
    assert deflected[0].method == f"chains shared, {best}, 2 deflections, relaxation 2.0, aligned"


@pytest.mark.usefixtures("fake_problems")
def test_a_problem_without_errors_tells_nothing(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        fill(CHOICE, Options(), store, lambda task: 0.0 if task.key.problem == "iris" else by_setting(task))
        best = CHOICE.lines(Options(), store)[0]
    assert best.method == "chains both, reward 0.3, fuzziness 1.25, init supervised"
    assert best.values[ensembles.OTHERS.index("iris")] == 100.0 and np.isfinite(best.values).all()


@pytest.mark.usefixtures("fake_problems")
@pytest.mark.parametrize(
    ("each", "n_lines", "last"),
    [(tables.REWARD, 10, "reward 0.9"), (tables.DEFLECTION, 8, "4 deflections")],
)
def test_sweeps_have_a_line_per_value(each, n_lines, last, tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        assert fill(each, Options(), store, by_setting) == [20 * n_lines * 10]
        lines = each.lines(Options(), store)
    assert [len(line.values) for line in lines] == [20] * n_lines
    assert lines[0].setting == "FuzzyBoost" and lines[-1].setting == "DFA"
    assert last in lines[-1].method


def test_without_weka_the_table_says_so(monkeypatch):
    monkeypatch.setattr(tables, "has_j48", lambda: False)
    assert tables.WINS_C45.problems() == ()
    assert "python-weka-wrapper3" in tables.WINS_C45.caption(Options())


@pytest.mark.skipif(not ensembles.has_j48(), reason="Weka's J48 is not installed")
def test_j48_prunes():
    """On pure noise C4.5 has far fewer leaves than a tree that is not pruned; on separable data it is exact."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.integers(2, size=200)
    pruned = ensembles.J48Classifier().fit(X, y)
    assert np.mean(pruned.predict(X) != y) > np.mean(ensembles.make_cart().fit(X, y).predict(X) != y)
    labels = np.where(X[:, 0] > 0, "high", "low")
    exact = ensembles.J48Classifier().fit(X, labels, sample_weight=np.r_[np.zeros(50), np.ones(150)])
    assert np.mean(exact.predict(X) == labels) > 0.95
    np.testing.assert_allclose(exact.predict_proba(X).sum(axis=1), 1.0)


def test_quick_form_runs(tmp_path):
    """With real fits, on the smallest problem."""
    options = Options(problems=("labor",), quick=True)
    with Store(tmp_path / "s.sqlite") as store:
        assert fakes.run_all(WINS, options, store) == 0
        lines = WINS.lines(options, store)
    errors = {line.method: line.measured[0] for line in lines if line.problem == "labor"}
    assert len(errors) == 8 and max(errors.values()) < 35  # the larger class is 65%
