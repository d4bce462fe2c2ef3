"""The study of FuzzyBoost: who wins, on problems fixed beforehand, with parameters from other problems."""

import json

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier
from sklearn.tree import DecisionTreeClassifier

from emphatic import RealAdaBoostClassifier
from emphatic.boosting.fuzzy_boost import FuzzyBoostClassifier
from emphatic.emphasis.fuzzy_entropy import coordinates
from emphatic.papers import table
from emphatic.papers.options import Options
from emphatic.papers.p004 import chains, choice, control, ensembles, problems, scores, tables, trees, wins
from emphatic.papers.p004.claims import judge_curves, judge_score
from emphatic.papers.p004.distances import PaperDistances
from emphatic.papers.p004.sweep_results import SweepResults
from emphatic.papers.p004.trees_table import MeanErrors
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
    monkeypatch.setattr(choice, "load_sample", FakeProblem)


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
    assert bagging.note.split("; ") == [
        "win/lose/draw 18/1/1, sign test p 0.000",
        "by repetition 18/1/1, 18/1/1, 18/1/1",
        "published 15/4/1, sign test p 0.019",
    ]
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
    score = scores.Score.of([10.04, 10.06, 9.0, 9.0], [9.96, 10.04, 9.2, 8.9])
    assert (score.wins, score.losses, score.draws) == (1, 2, 1)
    assert scores.Score(0, 0, 20).sign_p == 1.0
    assert scores.Score(5, 0, 15).sign_p == pytest.approx(2 / 2**5)


def test_published_counts_are_of_twenty_problems():
    found = [scores.find_published(*pair) for pair in scores.PUBLISHED]
    assert [score.wins + score.losses + score.draws for score in found] == [20] * 7
    assert len(find("004", "results")) == 3 * len(found)  # none is left out


def test_problems_are_those_of_the_rule():
    """Small shipped tables for the comparison, other ones for the choice."""
    assert len(problems.PROBLEMS) == 20 and not {*problems.PROBLEMS, "heart_statlog"} & set(problems.OTHERS)
    loaded = [load_problem(name) for name in problems.PROBLEMS]
    assert max(len(problem.y) for problem in loaded) <= 2000
    assert sum("nominal" in problem.feature_types for problem in loaded) == 12
    missing = [np.mean([cell != cell for cell in np.asarray(problem.X, dtype=object).ravel()]) for problem in loaded]
    assert np.count_nonzero(missing) == 9
    by_size = sorted(loaded, key=lambda problem: len(problem.y))
    assert {problem.name for problem in by_size[-6:]} == set(problems.LARGEST)


def test_samples_keep_the_frequencies_of_the_classes():
    sample, whole = problems.load_sample("thyroid"), load_problem("thyroid")
    assert len(sample.y) == problems.AT_MOST
    counts, all_counts = (np.unique(y, return_counts=True)[1] for y in (sample.y, whole.y))
    assert np.abs(counts / len(sample.y) - all_counts / len(whole.y)).max() < 1 / len(sample.y)
    assert len(problems.load_sample("iris").y) == 150
    assert set(problems.load_sample("abalone").y) == {-1, 1}
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
    seen = coordinates(PaperDistances().fit_transform(table))
    found = ((seen[:, None] - seen) ** 2).sum(axis=2)
    factor = 1 if columns == [2] else 2
    np.testing.assert_allclose(found, factor * differ.sum(axis=2), atol=1e-12)


def test_crisp_trees_are_counted():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 2)), rng.integers(3, size=80)
    tree = trees.make_cart(trees.CrispTree).fit(X, y)
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
    assert [line.setting for line in (boosted[0], readings[0], deflected[0])] == list(choice.CANDIDATES)
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
    assert best.values[problems.OTHERS.index("iris")] == 100.0 and np.isfinite(best.values).all()


@pytest.mark.usefixtures("fake_problems")
@pytest.mark.parametrize(
    ("each", "n_lines", "n_ensembles", "last"),
    [(tables.REWARD, 20, 20, "reward 0.9"), (tables.DEFLECTION, 8, 7, "4 deflections")],
)
def test_sweeps_have_a_line_per_value(each, n_lines, n_ensembles, last, tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        assert each.lines(Options(), store) == [] and each.sections(Options(), store) == []
        assert fill(each, Options(), store, by_setting) == [20 * n_ensembles * 10]
        lines = each.lines(Options(), store)
    assert [len(line.values) for line in lines] == [20] * n_lines
    assert lines[0].setting == "FuzzyBoost" and lines[-1].setting == "DFA"
    assert last in lines[-1].method


@pytest.mark.usefixtures("fake_problems")
def test_an_ensemble_of_several_tables_is_fitted_once():
    """What the other tables add to those of table 004, which has 8 ensembles."""
    [problem], seen, new = ["zoo"], set(), []
    for each in (WINS, tables.CHAINS, tables.CONTROL, tables.REWARD, tables.DEFLECTION):
        keys = {task.key for study in each.problem_studies(problem, Options()) for task in study.tasks()}
        new.append(len(keys - seen))
        seen |= keys
    assert new == [8 * 30, 5 * 30, 2 * 30, 18 * 10, 3 * 10]


@pytest.mark.usefixtures("fake_problems")
def test_quick_folds_are_not_taken_for_those_of_the_table():
    quick, full = (
        {task.key for study in WINS.problem_studies("zoo", Options(quick=quick)) for task in study.tasks()}
        for quick in (True, False)
    )
    assert not quick & full


def test_chains_of_r_learners_face_rivals_of_r_and_of_2r():
    built = {name: ensembles.build(setting, 7) for name, setting in chains.list_ensembles().items()}
    boosted = built.pop("FuzzyBoost")
    assert (boosted.n_estimators, boosted.r_per_chain) == (15, True)
    assert [model.n_estimators for model in built.values()] == [15] * 4 + [30] * 4


def in_chains(task):
    """FuzzyBoost loses to difficult only, and in the last repetition to everyone; it draws on vote."""
    setting = json.loads(task.key.setting)
    if task.key.problem == "vote":
        return 0.2
    if setting.get("r_per_chain"):
        return 0.4 if task.key.split.startswith("repeat-2") else 0.1
    return 0.15 if setting.get("chains") == "hard" else 0.3


@pytest.mark.usefixtures("fake_problems")
def test_wins_of_chains_are_counted_over_all_repetitions_and_in_each(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        assert tables.CHAINS.lines(Options(), store) == []
        assert {claim.holds for claim in tables.CHAINS.claims(Options(), store)} == {None}
        fill(tables.CHAINS, Options(), store, in_chains)
        lines, claims = tables.CHAINS.lines(Options(), store), tables.CHAINS.claims(Options(), store)
    assert len(lines) == 9 + 8 and len(claims) == 8
    bagging = next(line for line in lines if line.method == "FuzzyBoost against Bagging of 15 trees")
    assert bagging.values == [19.0] and bagging.published == (15.0, None)
    assert "win/lose/draw 19/0/1" in bagging.note and "by repetition 19/0/1, 19/0/1, 0/19/1" in bagging.note
    held = {claim.text.split(" than ")[1]: claim.holds for claim in claims}
    assert held["Bagging of 15 trees."] is held["AdaBoost of 30 trees."] is True
    assert held["difficult only of 30 trees."] is False
    assert all("published" in claim.evidence and "rule: more wins than losses" in claim.evidence for claim in claims)


def test_a_claim_of_wins_needs_a_clear_majority():
    assert claims_of([0.1] * 15 + [0.3] * 5) == (True, "15/5/0")
    assert claims_of([0.1] * 14 + [0.3] * 6) == (False, "14/6/0")
    assert claims_of([0.3] * 15 + [0.1] * 5) == (False, "5/15/0")


def claims_of(own):
    """The verdict on FuzzyBoost with these errors against a rival with 0.2."""
    errors = MeanErrors(problems.PROBLEMS, {"a": 100 * np.array(own)[:, None], "b": np.full((20, 1), 20.0)})
    claim = judge_score(errors, "a", "b", None, "a is better")
    return claim.holds, claim.evidence.split()[1].rstrip(",")


@pytest.mark.usefixtures("fake_problems")
def test_claims_of_the_results_table(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        assert {claim.holds for claim in WINS.claims(Options(), store)} == {None}
        fill(WINS, Options(), store, in_order)
        claims = WINS.claims(Options(), store)
    assert [claim.holds for claim in claims] == [True] * 8 + [None]  # made-up records have no curves
    assert "4 of the 4 pairs" in claims[-2].evidence


@pytest.mark.usefixtures("fake_problems")
def test_errors_against_the_number_of_learners(tmp_path):
    """Both chains are lower on four of the six problems from ten learners on."""

    def pretend(task):
        error, end = in_order(task), 0.0 if task.key.problem in problems.LARGEST[:4] else 0.9
        both = "both" in task.key.setting
        return {"error": error, "curve": [[1, 0.5], [10, end if both else 0.4], [30, end if both else error]]}

    options = Options(runs=1)
    with Store(tmp_path / "s.sqlite") as store:
        assert WINS.sections(options, store) == []
        fakes.fill(WINS, options, store, pretend)
        [section] = WINS.sections(options, store)
        claim = WINS.claims(options, store)[-1]
        assert WINS.sections(Options(runs=1, problems=("zoo",)), store) == []
    assert [chart.id for chart in section.charts] == [f"004-rounds-{problem}" for problem in problems.LARGEST]
    first = section.charts[0].figure["data"][0]
    assert (first["name"], first["x"], first["y"]) == ("FuzzyBoost", [1, 10, 30], pytest.approx([50.0, 0.0, 0.0]))
    assert claim.holds is True and "on 4 of 6 problems (car, diabetes, german, tic_tac_toe)" in claim.evidence
    assert judge_curves({}).holds is None


@pytest.mark.usefixtures("fake_problems")
def test_the_control_tells_apart_where_clusters_tell_nothing(tmp_path):
    """Clusters help by two points on the first eight problems, the only ones where they tell samples apart."""

    def pretend(task):
        setting, informed = json.loads(task.key.setting), task.key.problem in problems.PROBLEMS[:8]
        clusters = setting["init"] == "classes" and informed
        return {"error": 0.1 if clusters else 0.12, "entropy_spread": 0.2 if clusters else 0.0}

    with Store(tmp_path / "s.sqlite") as store:
        assert tables.CONTROL.lines(Options(), store) == []
        assert [claim.holds for claim in tables.CONTROL.claims(Options(), store)] == [None]
        fakes.fill(tables.CONTROL, Options(), store, pretend)
        lines, [claim] = tables.CONTROL.lines(Options(), store), tables.CONTROL.claims(Options(), store)
    assert [line.measured[0] for line in lines[:3]] == pytest.approx([11.2, 12.0, 11.2])
    notes = {(line.problem, line.method.split(" against ")[-1]): line.note for line in lines[3:]}
    assert notes["20 problems", control.EQUAL].startswith("win/lose/draw 8/0/12")
    assert notes["8 problems", control.EQUAL].startswith("win/lose/draw 8/0/0")
    assert claim.holds is True and "8/0/0 on the 8 problems" in claim.evidence


@pytest.mark.usefixtures("fake_problems")
def test_figures_and_claims_of_rewards_and_deflections(tmp_path):
    """A reward of 0.5 is best on ten problems and 0.1 on ten; deflection changes nothing."""

    def pretend(task):
        best = 0.5 if task.key.problem in problems.PROBLEMS[:10] else 0.1
        setting = json.loads(task.key.setting)
        distance = 0.0 if setting["n_deflections"] == 0 else 0.05 + 0.2 * setting["aligned"]
        return {"error": 0.1 + 0.1 * abs(setting["reward"] - best), "group_distance": distance}

    with Store(tmp_path / "s.sqlite") as store:
        unfinished = [*tables.REWARD.claims(Options(), store), *tables.DEFLECTION.claims(Options(), store)]
        for each in (tables.REWARD, tables.DEFLECTION):
            fakes.fill(each, Options(), store, pretend)
        [rewards] = tables.REWARD.sections(Options(), store)
        [deflections] = tables.DEFLECTION.sections(Options(), store)
        influence, chosen, best, closeness = tables.REWARD.claims(Options(), store)
        [apart] = tables.DEFLECTION.claims(Options(), store)
    assert [claim.holds for claim in unfinished] == [None] * 5
    assert [chart.id for chart in rewards.charts] == ["004-reward", "004-reward-deflections", "004-best-reward"]
    assert [chart.id for chart in deflections.charts] == ["004-deflections"]
    lines, heatmap, bars = (chart.figure["data"] for chart in rewards.charts)
    assert (lines[0]["name"], lines[0]["x"]) == ("FuzzyBoost", [0.1, 0.3, 0.5, 0.7, 0.9])
    assert np.shape(heatmap[0]["z"]) == (20, 20) and np.mean(heatmap[0]["z"]) == pytest.approx(100.0)
    assert bars[0]["y"] == [0.5] * 10 + [0.1] * 10
    assert influence.holds and chosen.holds and best.holds and closeness.holds is None
    assert "0.1 on 10, 0.5 on 10" in best.evidence and "agree on 20 of 20" in best.evidence
    assert "chosen for each fold by the other folds 10.00%" in chosen.evidence and "20/0/0" in chosen.evidence
    assert apart.holds is False  # not aligned, as DFA is in table 004
    assert "more than 0.1 on 20" in apart.evidence


def test_a_variant_is_chosen_without_the_fold_that_it_is_judged_on():
    """The first of two variants is the better one on average, by its last fold alone."""
    errors = np.array([[[5.0, 5.0, 5.0, 0.0], [4.0, 4.0, 4.0, 4.0]]])
    found = SweepResults(["one"], [{"a": 1}, {"a": 2}], errors, np.zeros((1, 2)))
    assert found.means.argmin() == 0
    np.testing.assert_allclose(found.choose_by_other_folds(), [(5.0 + 5.0 + 5.0 + 4.0) / 4])
    assert [half.tolist() for half in found.choose_by_halves([0, 1])] == [[1], [0]]
    assert found.places(a=2) == [1]


def test_what_the_clusters_found_is_kept():
    X, y = load_iris(return_X_y=True)
    tree = trees.make_cart()
    equal = ensembles.measure(FuzzyBoostClassifier(tree, 4, init="equal", random_state=0).fit(X, y), X, y)
    assert equal["entropy_spread"] == pytest.approx(0, abs=1e-12) and equal["group_distance"] == 0.0
    deflected = ensembles.measure(FuzzyBoostClassifier(tree, 4, n_deflections=1, random_state=0).fit(X, y), X, y)
    assert deflected["entropy_spread"] > 0.1 and deflected["group_distance"] > 0.1
    assert set(ensembles.measure(tree.fit(X, y), X, y)) == {"error", "class_accuracies"}


def test_without_weka_the_table_says_so(monkeypatch):
    monkeypatch.setattr(wins, "has_j48", lambda: False)
    assert tables.WINS_C45.problems() == ()
    assert "python-weka-wrapper3" in tables.WINS_C45.caption(Options())


@pytest.mark.skipif(not trees.has_j48(), reason="Weka's J48 is not installed")
def test_j48_prunes():
    """On pure noise C4.5 has far fewer leaves than a tree that is not pruned; on separable data it is exact."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.integers(2, size=200)
    pruned = trees.J48Classifier().fit(X, y)
    assert np.mean(pruned.predict(X) != y) > np.mean(trees.make_cart().fit(X, y).predict(X) != y)
    labels = np.where(X[:, 0] > 0, "high", "low")
    exact = trees.J48Classifier().fit(X, labels, sample_weight=np.r_[np.zeros(50), np.ones(150)])
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
