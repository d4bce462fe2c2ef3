"""The study of multi-view forests: settings are the classifiers they name, published figures only beside images."""

from pathlib import Path

import numpy as np
import pytest

from emphatic.fusion.classifier import FusionClassifier
from emphatic.multiview.class_tree import ClassTreeClassifier
from emphatic.multiview.forest import MultiViewForestClassifier
from emphatic.papers.options import Options
from emphatic.papers.p003 import digits, tables
from emphatic.papers.table import UnsplitProblem
from emphatic.study import Store
from tests.papers import fakes

TREES, FORESTS = tables.TABLE_2, tables.TABLE_3
EXTRA = Path(__file__).parents[3] / "shared" / "data" / "extra"
RULES = list(tables.RULES)


@pytest.fixture
def without_usps(monkeypatch):
    monkeypatch.delenv(digits.FOLDER, raising=False)


@pytest.fixture
def fake_usps(monkeypatch):
    """As if the file were there."""
    few = UnsplitProblem("usps", np.zeros((40, 256)), np.arange(40) % 4)
    monkeypatch.setattr(tables, "list_problems", lambda: ("usps", "mfeat", "digits"))
    monkeypatch.setattr(tables, "load_digits", lambda name: few)


def fill(table, options, store):
    """Pretend that every fit was made; returns the number of tasks of each step."""
    return [len(tasks) for tasks in fakes.fill(table, options, store, pretend)]


def pretend(task):
    """The error tells evidence from walks, and 20 prototypes from 40."""
    fold = int(task.split.id.rsplit("-", 1)[1])
    walks, many = '"walk"' in task.key.setting, '"per_class":40' in task.key.setting
    return {"error": 0.05 + 0.01 * walks - 0.01 * many - 0.01 * (task.key.method == "forest") + 0.001 * fold}


@pytest.mark.usefixtures("fake_usps")
def test_trees_have_a_line_for_each_view_and_evaluation(tmp_path):
    options = Options(problems=("usps",))
    with Store(tmp_path / "s.sqlite") as store:
        assert TREES.lines(options, store) == []
        assert fill(TREES, options, store) == [5 * 2 * 2 * 10]
        lines = TREES.lines(options, store)
    assert [line.method for line in lines] == ["DT", "DS"] * 10
    assert lines[0].setting == "image_vector, 20 per class"
    assert lines[0].published == (95.89, 0.47) and lines[1].published == (96.23, 0.55)
    assert lines[0].measured[0] == pytest.approx(93.55) and lines[1].measured[0] == pytest.approx(94.55)
    assert lines[0].p is None and lines[1].p < 0.01
    assert all(line.stand_in and line.difference is None for line in lines)  # another data set: never compared
    assert {line.published for line in lines[10:]} == {None}  # 40 per class is not the paper's


@pytest.mark.usefixtures("fake_usps")
def test_forests_have_a_line_for_each_rule_and_the_best_tree(tmp_path):
    options = Options(problems=("usps",))
    with Store(tmp_path / "s.sqlite") as store:
        fits, machines = fill(FORESTS, options, store)
        lines = FORESTS.lines(options, store)
    assert fits == 10 * (3 * 7 + 2 + 1 + 7 + 31 + 5)
    assert machines == 10 * (5 + 2)
    single = [line for line in lines if line.setting == "MVF_single, 20 per class"]
    assert [line.method for line in single] == ["DT, MV", *(f"DS, {rule}" for rule in RULES), "tree"]
    assert [line.published[0] for line in single if line.published] == [96.8, 97.14, 97.43, 97.63, 97.64, 97.71, 96.51]
    assert single[1].p < 0.01 and single[1].measured[0] == pytest.approx(95.55)  # a point above its best tree
    assert single[-1].choice == "oracle" and single[-1].note == "image_vector"
    everything = [line for line in lines if line.setting == "MVF(all), 20 per class"]
    assert [line.published[0] for line in everything if line.published][:3] == [94.08, 94.59, 97.41]
    pruned = [line for line in lines if line.setting == "MVF(5), 20 per class"]
    assert [line.published[0] for line in pruned if line.published][:2] == [96.8, 97.14]
    assert next(line.method for line in lines if line.setting == "MVF_single, 40 per class") == "DT, MV"
    assert [line.method for line in lines if line.setting == "SVCs on all 5 views"] == ["mean", "dempster_shafer"]
    assert len([line for line in lines if line.setting == "SVC, C 10"]) == 5


def test_settings_are_the_classifiers_they_name():
    tree = tables.build(tables.tree_setting("mfeat", ["pix", "fou"], "walk", 30), 7)
    assert isinstance(tree, ClassTreeClassifier)
    assert (tree.evaluation, tree.random_state, list(tree.views)) == ("walk", 7, ["pix", "fou"])
    assert tree.estimator.design.per_class == 30 and tree.estimator.regularisation == 1e-8
    forest = tables.build(tables.forest_setting("digits", "MVF(5), kappa on folds", "DS", "Prod", 20), 3).forest()
    assert isinstance(forest, MultiViewForestClassifier)
    assert (forest.fusion, forest.keep, forest.kappa_folds, forest.dedupe) == ("product", 5, 5, True)
    assert forest.views["pca_40"] == slice(208, 248) and forest.random_state == 3
    paper = tables.build(tables.forest_setting("digits", "MVF(all)", "DT", "MV", 20), 3).forest()
    assert (paper.evaluation, paper.fusion, paper.view_sets, paper.dedupe) == ("walk", "majority", "all", False)
    fused = tables.build(tables.fused_svc_setting("mfeat", "dempster_shafer"), 0)
    assert isinstance(fused, FusionClassifier) and len(fused.members) == 6
    assert [name for name, _, _ in tables.build(tables.svc_setting("mfeat", "kar"), 0).members] == ["kar"]


def test_forests_that_differ_in_the_rule_are_trained_once():
    problem = digits.load_digits("digits")
    table = digits.make_transformer("digits").fit_transform(problem.X[:300])
    names = ("Mean", "Prod", "MV")
    forests = [tables.build(tables.forest_setting("digits", "MVF_single", "DS", rule, 3), 0) for rule in names]
    fitted = [one.fit(table, problem.y[:300]).forest_ for one in forests]
    assert fitted[0] is fitted[1] is fitted[2]
    for one in forests:
        np.testing.assert_array_equal(one.predict(table), one.forest().fit(table, problem.y[:300]).predict(table))
    other = tables.build(tables.forest_setting("digits", "MVF_single", "DS", "Mean", 3), 1)
    assert other.fit(table, problem.y[:300]).forest_ is not fitted[0]
    assert forests[0].fit(table.copy(), problem.y[:300]).forest_ is not fitted[0]  # another table


def test_views_are_the_columns_that_the_transformer_makes():
    problem = digits.load_digits("digits")
    transformer = digits.make_transformer("digits")
    transformer.fit(problem.X[:100])
    assert digits.columns_of("digits") == transformer.views_
    assert len(digits.view_sets("digits")) == 31 and len(digits.view_sets("mfeat")) == 63


@pytest.mark.usefixtures("without_usps")
def test_without_the_file_usps_is_left_out_and_the_caption_says_so():
    for table in (TREES, FORESTS):
        assert tuple(table.problems()) == ("mfeat", "digits")
        assert "USPS is left out" in table.caption(Options())
    with pytest.raises(FileNotFoundError, match=digits.FOLDER):
        digits.load_digits.__wrapped__("usps")


@pytest.mark.skipif(not (EXTRA / digits.USPS_FILE).exists(), reason="the USPS digits are not at hand")
def test_usps_is_balanced(monkeypatch):
    monkeypatch.setenv(digits.FOLDER, str(EXTRA))
    assert TREES.problems() == ("usps", "mfeat", "digits")
    assert "left out" not in TREES.caption(Options())
    usps = digits.load_digits("usps")
    assert usps.X.shape == (10_000, 256) and usps.X.max() == 1.0
    np.testing.assert_array_equal(np.bincount(usps.y), 1000)


@pytest.mark.slow
def test_quick_form_runs(tmp_path):
    """With real fits: the forest of five views is above its best tree."""
    options = Options(quick=True)
    with Store(tmp_path / "s.sqlite") as store:
        assert fakes.run_all(FORESTS, options, store) == 0
        lines = FORESTS.lines(options, store)
    found = {line.method: line.measured[0] for line in lines}
    assert found["DS, Mean"] > found["tree"] > 97
