"""The study of multi-view forests: settings are the classifiers they name, published figures only beside images."""

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import log_loss

from emphatic.diversity import kappa_matrix
from emphatic.fusion.classifier import FusionClassifier
from emphatic.multiview.class_tree import ClassTreeClassifier
from emphatic.multiview.forest import MultiViewForestClassifier
from emphatic.papers.options import Options
from emphatic.papers.p003 import digits, ensembles, figures, fingerprint, kept, masses, svc, tables
from emphatic.papers.p003 import settings as named
from emphatic.papers.p003 import table as shared
from emphatic.papers.table import UnsplitProblem
from emphatic.study import Record, Store
from emphatic.study.tasks import canonical
from tests.papers import fakes

TREES, FORESTS, MASSES = tables.TABLE_2, tables.TABLE_3, tables.MASSES
CHOICE, MACHINES = tables.MASSES_CHOICE, tables.MACHINES
COPIES = "The 31 trees are near-copies of single-view trees (our inference)."
EXTRA = Path(__file__).parents[3] / "shared" / "data" / "extra"
RULES = list(named.RULES)


@pytest.fixture
def without_usps(monkeypatch):
    monkeypatch.delenv(digits.FOLDER, raising=False)


@pytest.fixture
def fake_usps(monkeypatch):
    """As if the file were there."""
    few = UnsplitProblem("usps", np.zeros((40, 256)), np.arange(40) % 4)
    monkeypatch.setattr(shared, "list_problems", lambda: ("usps", "mfeat", "digits"))
    monkeypatch.setattr(shared, "load_digits", lambda name: few)


def fill(table, options, store):
    """Pretend that every fit was made; returns the number of tasks of each step."""
    return [len(tasks) for tasks in fakes.fill(table, options, store, pretend)]


SINGLE = ["image_vector", "orienthisto", "pca_40", "rows_sum", "cols_sum"]
TREE = [["image_vector", [0, 1], [2, 3]], ["orienthisto", [0], [1]], ["image_vector", [2], [3]]]


def pretend(task):
    """The error tells evidence from walks, 20 prototypes from 40, forests from trees and one shape from another."""
    fold = int(task.split.id.rsplit("-", 1)[1])
    setting = json.loads(task.key.setting)
    walks, many = setting.get("evaluation") == "walk", setting.get("per_class") == 40
    is_forest, is_product = setting["model"] == "forest", setting.get("fusion") == "product"
    # differences that are not the same in every fold: ties make a signed-rank test slow
    slope = 0.001 + 0.0001 * walks + 0.0002 * is_forest + 0.0002 * is_product
    error = 0.05 + 0.01 * walks - 0.01 * many - 0.01 * is_forest + slope * fold
    if not is_forest:
        return {"error": error, "splits": TREE}
    every, squared = setting["view_sets"] == "all", setting.get("ratio") == "squared_gap"
    error += 0.003 * (every and not setting["keep"]) + 0.02 * (squared and not setting["keep"])
    error -= 0.002 * is_product
    views = [*SINGLE, *(f"image_vector+{number}" for number in range(26))] if every else SINGLE
    if setting["keep"]:
        views = SINGLE if squared else [*SINGLE[:2], *SINGLE[3:], "orienthisto+pca_40"]
    alike = np.full((5, 5), 0.9) + 0.05 * np.eye(5)[[2, 1, 0, 3, 4]]
    return {"error": error, "kept_views": views, "different_trees": 6 if squared else 15, "kappa": alike.tolist()}


@pytest.mark.usefixtures("fake_usps")
def test_trees_have_a_line_for_each_view_and_evaluation(tmp_path):
    options = Options(problems=("usps",))
    with Store(tmp_path / "s.sqlite") as store:
        assert TREES.lines(options, store) == []
        assert fill(TREES, options, store) == [5 * 3 * 2 * 10]
        lines = TREES.lines(options, store)
    assert [line.method for line in lines] == ["DT", "DS"] * 15
    assert lines[-1].setting == "cols_sum, pseudo-inverse"
    assert lines[0].setting == "image_vector, 20 per class"
    assert lines[0].published == (95.89, 0.47) and lines[1].published == (96.23, 0.55)
    assert lines[0].measured[0] == pytest.approx(93.505) and lines[1].measured[0] == pytest.approx(94.55)
    assert lines[0].p is None and lines[1].p < 0.01
    assert all(line.stand_in and line.difference is None for line in lines)  # another data set: never compared
    assert {line.published for line in lines[10:20]} == {None}  # 40 per class is not the paper's


@pytest.mark.usefixtures("fake_usps")
def test_forests_have_a_line_for_each_rule_and_the_best_tree(tmp_path):
    options = Options(problems=("usps",))
    with Store(tmp_path / "s.sqlite") as store:
        [fits] = fill(FORESTS, options, store)
        lines = FORESTS.lines(options, store)
    assert fits == 10 * (7 * 7 + 2 + 1 + 3 + 7 + 31 + 5)
    single = [line for line in lines if line.setting == "MVF_single, 20 per class"]
    assert [line.method for line in single] == ["DT, MV", *(f"DS, {rule}" for rule in RULES), "tree"]
    assert [line.published[0] for line in single if line.published] == [96.8, 97.14, 97.43, 97.63, 97.64, 97.71, 96.51]
    assert single[1].p < 0.01 and single[1].measured[0] == pytest.approx(95.46)  # a point above its best tree
    without = [line for line in lines if line.setting == "MVF_single without pca_40, 20 per class"]
    assert len(without) == 7 and {line.published for line in without} == {None}
    inferred = [line for line in lines if line.setting == "MVF(all), squared gap, 20 per class"]
    assert inferred[0].published[0] == 94.08 and inferred[0].p is None  # its trees are others than the oracle's
    assert single[-1].choice == "oracle" and single[-1].note == "image_vector"
    everything = [line for line in lines if line.setting == "MVF(all), 20 per class"]
    assert [line.published[0] for line in everything if line.published][:3] == [94.08, 94.59, 97.41]
    pruned = [line for line in lines if line.setting == "MVF(5), 20 per class"]
    assert [line.published[0] for line in pruned if line.published][:2] == [96.8, 97.14]
    assert next(line.method for line in lines if line.setting == "MVF_single, 40 per class") == "DT, MV"


@pytest.mark.usefixtures("fake_usps")
def test_machines_have_a_line_for_each_view_and_fusion(tmp_path):
    options = Options(problems=("usps",))
    with Store(tmp_path / "s.sqlite") as store:
        assert [claim.holds for claim in MACHINES.claims(options, store)] == [None]
        assert fill(MACHINES, options, store) == [10 * (5 + 2 + 1)]
        lines = MACHINES.lines(options, store)
        assert [claim.evidence for claim in MACHINES.claims(options, store)] == ["not finished"]  # made-up: no times
    assert [line.method for line in lines if line.setting == "SVCs on all 5 views"] == ["mean", "dempster_shafer"]
    assert len([line for line in lines if line.setting == "SVC, C 10"]) == 5
    assert lines[-1].setting == "MVF_single, 20 per class"


def test_the_cost_is_judged_on_the_largest_set():
    slow, fast = {"SVC": 1.0, "forest": 2.0}, {"SVC": 4.0, "forest": 1.0}
    assert svc.judge_cost({"usps": fast, "digits": slow}).holds
    assert svc.judge_cost({"usps": {"SVC": 4.0}, "digits": slow}).holds is False
    assert "usps 1.00 against 4.00" in svc.judge_cost({"usps": fast}).evidence


@pytest.mark.usefixtures("fake_usps")
def test_masses_have_a_line_for_each_reading_and_rule(tmp_path):
    options = Options(problems=("usps",))
    with Store(tmp_path / "s.sqlite") as store:
        assert {claim.holds for claim in MASSES.claims(options, store)} == {None}
        assert fill(MASSES, options, store) == [6 * 6 * 10]
        lines, claims = MASSES.lines(options, store), MASSES.claims(options, store)
    assert [line.setting for line in lines[::6]] == list(masses.READINGS)
    assert lines[0].published == (97.14, 0.45) and lines[5].published is None
    assert lines[0].p is None and lines[4].p < 0.01  # product alone is better than the vote
    assert [claim.holds for claim in claims] == [False] * 6
    assert "usps Prod 95.57, MV 95.46" in claims[0].evidence


def test_soft_rules_must_all_be_above_the_vote():
    def pretend(rule, error):
        setting = masses.reading_setting("digits", "balloon", rule)
        return canonical(setting), {("fold", 0, ""): error}

    soft = dict(pretend(rule, 0.02) for rule in named.SOFT_RULES)
    assert masses.judge_soft_rules({"digits": {**soft, **dict([pretend("MV", 0.03)])}}, "balloon").holds
    assert not masses.judge_soft_rules({"digits": {**soft, **dict([pretend("MV", 0.02)])}}, "balloon").holds
    assert masses.judge_soft_rules({"digits": soft}, "balloon").holds is None  # no vote yet


# claims


@pytest.mark.usefixtures("fake_usps")
def test_claims_are_judged_by_what_the_store_holds(tmp_path):
    options = Options(problems=("usps",))
    with Store(tmp_path / "s.sqlite") as store:
        for table in (TREES, FORESTS):
            fill(table, options, store)
        of_trees, of_forests = (table.claims(options, store) for table in (TREES, FORESTS))
    trees = {claim.text: claim for claim in of_trees}
    assert trees["Evidence of all nodes is more accurate than the walk to a leaf, in every view."].holds
    assert trees["The accuracies as printed."].holds is None
    forests = {claim.text: claim for claim in of_forests}
    found = {text: claim.holds for text, claim in forests.items()}
    assert found == {
        "Multi-view learning improves accuracy: the forest of single views is above its best tree.": True,
        "The forest of the five single views is more accurate than that of all 31 sets.": True,
        "Votes of trees by evidence are more accurate than votes of walks.": True,
        "Product is the best rule for the forest of single views.": True,
        "The best of all 31 trees is hardly better than the best single view (0.11 points).": True,
        "Some of the trees of all sets of views are similar.": True,
        "The five trees that kappa keeps are the five single views.": False,
        "Pruning the 31 trees to five does no harm: it is more accurate than all of them.": True,
        "The 31 trees are near-copies of single-view trees (our inference).": True,
        "The squared distance in the ratio explains the 31 trees better than the distance (our inference).": True,
        "With the squared distance kappa keeps exactly the single views (our inference).": True,
        "Read as removal of similar trees, pruning is more accurate than by pairs (our reading).": False,
        "Principal components contribute to accuracy.": False,
        "Principal components contribute to diversity: kappa keeps their tree.": False,
        "The view of principal components is independent of that of the pixels.": False,
        "The accuracies as printed.": None,
        "The architecture of a forest.": None,
        "The class tree on pixels and histograms.": None,
        "The class tree on pixels.": None,
        "A sample of the digits.": None,
    }
    ratio = next(claim for claim in of_forests if "squared distance in the ratio" in claim.text)
    assert "published DT, MV -2.72, DS, MV -2.55" in ratio.evidence
    assert "gap DT, MV -0.30" in ratio.evidence and "squared gap DT, MV -2.30" in ratio.evidence


@pytest.mark.usefixtures("fake_usps")
@pytest.mark.parametrize("part", [0, 1, 7, 50, 400])
def test_claims_of_an_unfinished_store_are_open(part, tmp_path):
    """Whatever part of the fits is done; only what the published figures say of themselves is judged."""
    options = Options(problems=("usps",))
    with Store(tmp_path / "s.sqlite") as store:
        for table in (TREES, FORESTS, MASSES, MACHINES):
            tasks = [task for step in table.steps(options) for study in step.studies(store) for task in study.tasks()]
            store.append(*(Record(task.key, "done", pretend(task)) for task in tasks[:part]))
            judged = [claim for claim in table.claims(options, store) if claim.holds is not None]
            assert part or [claim.text for claim in judged] in ([], [COPIES])
            table.sections(options, store)


def test_no_claims_are_judged_without_images(tmp_path):
    options = Options(problems=("mfeat",))
    with Store(tmp_path / "s.sqlite") as store:
        fill(FORESTS, options, store)
        found = {claim.text: claim.holds for claim in FORESTS.claims(options, store)}
    assert found["Principal components contribute to diversity: kappa keeps their tree."] is None
    assert found["Principal components contribute to accuracy."] is None  # there are none


def test_the_published_columns_are_those_of_copies():
    changes = fingerprint.published_changes()
    assert changes["DT, MV"] == pytest.approx(-2.72) and changes["DS, Prod"] == pytest.approx(-1.20)


# what pruning keeps, and figures


@pytest.mark.usefixtures("fake_usps")
def test_what_pruning_keeps_is_read_from_the_store(tmp_path):
    options = Options(problems=("usps",))
    with Store(tmp_path / "s.sqlite") as store:
        assert FORESTS.sections(options, store) == []
        fill(FORESTS, options, store)
        pruned, figures = FORESTS.sections(options, store)
    rows = {row[0]: row[1:] for row in pruned.grids[0].rows}
    assert rows["MVF(5)"] == [
        "4.0",
        ", ".join(f"{name} 10" for name in [*SINGLE[:2], *SINGLE[3:], "orienthisto+pca_40"]),
    ]
    assert rows["MVF(5), squared gap"][0] == "5.0"
    assert rows["MVF(all)"] == ["", "15 to 15 different trees of 31"]
    assert pruned.grids[0].caption == "usps, 10 folds"
    assert [chart.id for chart in figures.charts] == ["003-figure-2-usps", "003-figure-3-usps"]
    assert figures.charts[0].data.rows == [
        ["image_vector", "0, 1", "2, 3"],
        ["orienthisto", "0", "1"],
        ["image_vector", "2", "3"],
    ]


def test_a_sample_of_the_digits_is_drawn():
    chart = figures.draw_digits(digits.load_digits("digits"))
    pixels = np.array(chart.figure["data"][0]["z"])
    assert pixels.shape == (3 * 8, 10 * 8)
    first_zero = digits.load_digits("digits").X[0].reshape(8, 8)  # upside down: the axis points upwards
    np.testing.assert_array_equal(pixels[::-1][:8, :8], first_zero)


def test_kappa_of_pairs_is_their_mean_over_the_folds():
    folds = [{"kept_views": ["a", "b"], "kappa": [[1, value], [value, 1]]} for value in (0.5, 0.7)]
    assert kept.agreement(folds) == {("a", "b"): pytest.approx(0.6)}
    assert kept.count_single([{"kept_views": ["a", "a+b"]}]) == [1]


# classifiers


def test_settings_are_the_classifiers_they_name():
    tree = ensembles.build(named.tree_setting("mfeat", ["pix", "fou"], "walk", 30), 7)
    assert isinstance(tree, ClassTreeClassifier)
    assert (tree.evaluation, tree.random_state, list(tree.views)) == ("walk", 7, ["pix", "fou"])
    assert tree.estimator.design.per_class == 30 and tree.estimator.regularisation == 1e-8
    forest = ensembles.build(named.forest_setting("digits", "MVF(5), kappa on folds", "DS", "Prod", 20), 3).forest()
    assert isinstance(forest, MultiViewForestClassifier)
    assert (forest.fusion, forest.keep, forest.kappa_folds, forest.dedupe) == ("product", 5, 5, True)
    assert forest.views["pca_40"] == slice(208, 248) and forest.random_state == 3
    assert (forest.ratio, forest.pruning, forest.masses, forest.normalise) == ("gap", "pairs", "discount", False)
    paper = ensembles.build(named.forest_setting("digits", "MVF(all)", "DT", "MV", 20), 3).forest()
    assert (paper.evaluation, paper.fusion, paper.view_sets, paper.dedupe) == ("walk", "majority", "all", False)
    squared = ensembles.build(named.forest_setting("digits", "MVF(5), squared gap", "DS", "Mean", 20), 3).forest()
    removal = ensembles.build(named.forest_setting("digits", "MVF(5), by removal", "DS", "Mean", 20), 3).forest()
    assert (squared.ratio, squared.pruning, removal.ratio, removal.pruning) == (
        "squared_gap",
        "pairs",
        "gap",
        "removal",
    )
    exact = ensembles.build(named.forest_setting("digits", "MVF_single, pseudo-inverse", "DS", "Mean", 20), 3).forest()
    assert exact.estimator.solver == "pseudo_inverse"
    fewer = ensembles.build(named.forest_setting("digits", "MVF_single without pca_40", "DS", "Mean", 20), 3).forest()
    assert fewer.view_sets == [["image_vector"], ["orienthisto"], ["rows_sum"], ["cols_sum"]]
    fused = svc.build_svc(svc.fused_svc_setting("mfeat", "dempster_shafer"), 0)
    assert isinstance(fused, FusionClassifier) and len(fused.members) == 6
    assert [name for name, _, _ in svc.build_svc(svc.svc_setting("mfeat", "kar"), 0).members] == ["kar"]


def test_forests_that_differ_in_the_rule_are_trained_once():
    problem = digits.load_digits("digits")
    table = digits.make_transformer("digits").fit_transform(problem.X[:300])
    names = ("Mean", "Prod", "MV")
    forests = [ensembles.build(named.forest_setting("digits", "MVF_single", "DS", rule, 3), 0) for rule in names]
    for reading in ("balloon", "plain"):
        setting = named.forest_setting("digits", "MVF_single", "DS", "Mean", 3, reading, True)
        forests.append(ensembles.build(setting, 0))
    forests.append(ensembles.build(named.forest_setting("digits", "MVF_single", "DT", "MV", 3), 0))
    fitted = [one.fit(table, problem.y[:300]).forest_ for one in forests]
    assert len({id(one.estimators_[0].classifiers_) for one in fitted}) == 1  # and read in several ways
    for one in forests:
        np.testing.assert_array_equal(one.predict(table), one.forest().fit(table, problem.y[:300]).predict(table))
    trained = fitted[0].estimators_[0].classifiers_
    other = ensembles.build(named.forest_setting("digits", "MVF_single", "DS", "Mean", 3), 1)
    assert other.fit(table, problem.y[:300]).forest_.estimators_[0].classifiers_ is not trained
    another_table = forests[0].fit(table.copy(), problem.y[:300])
    assert another_table.forest_.estimators_[0].classifiers_ is not trained


def test_a_pruned_forest_is_pruned_by_what_its_reading_says():
    problem = digits.load_digits("digits")
    table = digits.make_transformer("digits").fit_transform(problem.X[:300])
    for reading in ("discount", "plain"):
        setting = named.forest_setting("digits", "MVF(5)", "DS", "Mean", 3, reading)
        one = ensembles.build(setting, 0).fit(table, problem.y[:300])
        assert one.forest_.view_sets_ == one.forest().fit(table, problem.y[:300]).view_sets_


def test_what_is_measured_of_forests_and_trees():
    problem = digits.load_digits("digits")
    table, y = digits.make_transformer("digits").fit_transform(problem.X[:300]), problem.y[:300]
    single = ensembles.build(named.forest_setting("digits", "MVF_single", "DS", "Mean", 3), 0).fit(table, y)
    measured = ensembles.measure_forest(single, table, y)
    assert measured["kept_views"] == SINGLE and measured["different_trees"] == 5
    assert measured["error"] == np.mean(single.predict(table) != y)
    np.testing.assert_allclose(measured["kappa"], kappa_matrix(single.forest_.member_predictions(table)))
    every = ensembles.build(named.forest_setting("digits", "MVF(all)", "DS", "Mean", 3), 0).fit(table, y)
    measured = ensembles.measure_forest(every, table, y)
    assert len(measured["kept_views"]) == 31 > measured["different_trees"] and "kappa" not in measured
    tree = ensembles.build(named.tree_setting("digits", ["pca_40"], "evidence", 3), 0).fit(table, y)
    splits = ensembles.measure_tree(tree, table, y)["splits"]
    assert len(splits) == 9 and {view for view, _, _ in splits} == {"pca_40"}
    loss = ensembles.measure_probabilities(single, table, y)["log_loss"]
    assert loss == pytest.approx(log_loss(y, single.forest_.predict_proba(table)), rel=1e-6)


def test_views_are_the_columns_that_the_transformer_makes():
    problem = digits.load_digits("digits")
    transformer = digits.make_transformer("digits")
    transformer.fit(problem.X[:100])
    assert digits.columns_of("digits") == transformer.views_
    assert len(digits.view_sets("digits")) == 31 and len(digits.view_sets("mfeat")) == 63


@pytest.mark.usefixtures("without_usps")
def test_without_the_file_usps_is_left_out_and_the_caption_says_so():
    assert tuple(CHOICE.problems()) == ("image",) and "mnist5k, semeion" in CHOICE.caption(Options())
    for table in (TREES, FORESTS, MASSES, MACHINES):
        assert tuple(table.problems()) == ("mfeat", "digits")
        assert "USPS is left out" in table.caption(Options())
    with pytest.raises(FileNotFoundError, match=digits.FOLDER):
        digits.load_digits.__wrapped__("usps")


@pytest.mark.skipif(not (EXTRA / digits.USPS_FILE).exists(), reason="the USPS digits are not at hand")
def test_usps_is_balanced(monkeypatch):
    monkeypatch.setenv(digits.FOLDER, str(EXTRA))
    assert TREES.problems() == ("usps", "mfeat", "digits")
    assert "left out" not in TREES.caption(Options())
    assert CHOICE.problems() == ("mnist5k", "semeion", "image")
    for name in CHOICE.problems():
        few = digits.load_digits(name).X[:60]
        columns = digits.columns_of(name)
        assert max(one.stop for one in columns.values()) == digits.make_transformer(name).fit_transform(few).shape[1]
    usps = digits.load_digits("usps")
    assert usps.X.shape == (10_000, 256) and usps.X.max() == 1.0
    np.testing.assert_array_equal(np.bincount(usps.y), 1000)


def test_the_choice_of_masses_has_accuracy_and_log_loss(tmp_path):
    """A tiny run with real fits: 36 ways to read the same forests of two views."""
    options = Options(quick=True)
    with Store(tmp_path / "s.sqlite") as store:
        assert CHOICE.lines(options, store) == []
        assert fakes.run_all(CHOICE, options, store) == 0
        lines = CHOICE.lines(options, store)
    assert len(lines) == 36 and all(len(line.values) == 5 for line in lines)
    assert all(line.note.startswith("log loss ") for line in lines)
    found = {(line.setting, line.method): line.measured[0] for line in lines}
    assert found["discount", "Mean"] > 90 > found["plain", "Mean"]


@pytest.mark.slow
def test_quick_form_runs(tmp_path):
    """With real fits: the forest of five views is above its best tree."""
    options = Options(quick=True)
    with Store(tmp_path / "s.sqlite") as store:
        assert fakes.run_all(FORESTS, options, store) == 0
        lines = FORESTS.lines(options, store)
    found = {line.method: line.measured[0] for line in lines}
    assert found["DS, Mean"] > found["tree"] > 97


def test_the_quick_form_shares_no_record_with_the_full_one():
    table = tables.TABLE_3
    keys = [
        {task.key for study in table.problem_studies("digits", options) for task in study.tasks()}
        for options in (Options(quick=True), Options())
    ]
    assert keys[0].isdisjoint(keys[1])
