"""A user's own study ends in a table, a summary in words and a page; what failed is said, never left out."""

import re

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier

from emphatic.study import FailedFitsWarning, Method, OwnProblem, RepeatedKFold, Store, Study
from emphatic.study.findings.outcome import FEWEST
from emphatic.study.statistics import against_all, friedman, mean_ranks


def build_tree(setting, random_state):
    return DecisionTreeClassifier(random_state=random_state, **setting)


def build_dummy(setting, random_state):
    return DummyClassifier(strategy="prior")


def build_broken(setting, random_state):
    raise RuntimeError("no machine here")


def leave_as_is():
    return None


def measure_depth(estimator, X, y):
    return {"error": float(np.mean(estimator.predict(X) != y)), "depth": 3, "words": "ignored"}


def make_problem(seed, n=60):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return OwnProblem(f"problem <{seed}>", X, np.where(X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=n) > 0, "yes", "no"))


TREE = Method("tree", build_tree, [{"max_depth": 1}, {"max_depth": 3}], leave_as_is)
DUMMY = Method("prior", build_dummy, transformer=leave_as_is)
BROKEN = Method("broken", build_broken, transformer=leave_as_is)
NAMES = {"tree, max_depth=1", "tree, max_depth=3", "prior"}


def make_study(methods, n_problems=1, n_folds=3, n_repeats=1):
    return Study("mine", methods, list(map(make_problem, range(n_problems))), RepeatedKFold(n_folds, n_repeats))


def run(study, folder):
    with Store(folder / "mine.sqlite") as store:
        study.run(store, progress=False)
        return study.collect(store), list(store.records("mine"))


def test_the_table_has_the_means_of_the_records(tmp_path):
    findings, records = run(make_study([TREE, DUMMY], n_problems=2), tmp_path)
    table = findings.table()
    assert len(table) == 6 and set(table["method"]) == NAMES
    for row in table.itertuples():
        depth = {"tree, max_depth=1": '{"max_depth":1}', "tree, max_depth=3": '{"max_depth":3}'}.get(row.method, "{}")
        own = [
            each.metrics["error"] for each in records if (each.key.problem, each.key.setting) == (row.problem, depth)
        ]
        assert row.error == pytest.approx(np.mean(own)) and row.std == pytest.approx(np.std(own, ddof=1))
        assert row.folds == len(own) == 3
    best = table.groupby("problem")["error"].transform("min")
    np.testing.assert_allclose(table["difference"], table["error"] - best, rtol=0, atol=1e-15)
    assert table["p"].isna().all()  # three folds are too few


def test_a_summary_of_one_problem_names_the_best_and_tests_the_others(tmp_path):
    few, _ = run(make_study([TREE, DUMMY]), tmp_path)
    assert "problem <0>: lowest error" in few.summary()
    assert few.summary().count("points, too few folds") == 2
    assert few.across is None and "Mean ranks" not in few.summary()
    enough, _ = run(make_study([TREE, DUMMY], n_repeats=2), tmp_path)
    assert len(re.findall(r"\+\d+\.\d\d \[[+-].*\] points, p = \d\.\d{3}", enough.summary())) == 2


def test_over_problems_ranks_are_compared(tmp_path):
    findings, _ = run(make_study([TREE, DUMMY], n_problems=FEWEST), tmp_path)
    across = findings.across
    assert across.errors.shape == (FEWEST, 3) and set(across.methods) == NAMES
    np.testing.assert_array_equal(across.ranks, np.sort(mean_ranks(across.errors)))
    assert across.friedman_p == friedman(across.errors).p
    np.testing.assert_array_equal(across.pair_ps, against_all(across.errors, 0))
    text = findings.summary()
    assert "Mean ranks over 6 problems, 1 is best: " in text
    assert f"Friedman's test that all are equally good: p = {across.friedman_p:.2g}" in text
    assert f"p against {across.methods[0]} (Wilcoxon's signed-rank test, Holm's correction): " in text


def test_too_few_problems_have_ranks_and_no_tests(tmp_path):
    findings, _ = run(make_study([TREE, DUMMY], n_problems=2), tmp_path)
    assert "No test over the problems: 2 problems are too few, 6 are needed" in findings.summary()
    assert findings.across.friedman_p is None and findings.across.pair_ps is None


def test_a_method_that_fails_is_said_by_the_run_the_summary_and_the_page(tmp_path):
    study = make_study([DUMMY, BROKEN])
    with Store(tmp_path / "mine.sqlite") as store:
        with pytest.warns(
            FailedFitsWarning, match=r"3 fits of study mine failed; run again to retry\. The first: .*no mac"
        ):
            summary = study.run(store, progress=False)
        findings = study.collect(store)
    assert summary.n_failed == 3
    assert findings.unfinished == {("problem <0>", "broken"): "RuntimeError: no machine here"}
    assert "Not finished: broken on problem <0>: RuntimeError: no machine here" in findings.summary()
    findings.to_html(tmp_path / "page.html")
    assert "no machine here" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_one_problem_that_a_method_did_not_finish_is_not_compared_over_problems(tmp_path):
    study = make_study([TREE, DUMMY], n_problems=3)
    with Store(tmp_path / "mine.sqlite") as store:
        make_study([TREE, DUMMY], n_problems=2).run(store, progress=False)
        Study("mine", [DUMMY], study.problems, study.protocol).run(store, progress=False)
        findings = study.collect(store)
    assert findings.across.problems == ["problem <0>", "problem <1>"]
    assert findings.unfinished[("problem <2>", "tree, max_depth=1")] == "not finished"


def test_the_page_of_one_problem_has_the_table_first_and_names_at_the_marks(tmp_path):
    findings, _ = run(make_study([TREE, DUMMY], n_repeats=2), tmp_path)
    findings.to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<title>mine: problem &lt;0&gt;</title>" in page
    assert page.index('<h2 id="table-title">') < page.index('<h2 id="charts-title">')
    assert "Recall of each class in %" in page
    assert '"mode": "markers+text"' in page or '"mode":"markers+text"' in page


def test_the_page_of_several_problems_has_all_of_them(tmp_path):
    findings, _ = run(make_study([TREE, DUMMY], n_problems=3), tmp_path)
    findings.to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    titles = re.findall(r"<h2 id=\"([\w-]+)-title\">", page)
    assert titles == ["across", "problem-0", "problem-1", "problem-2", "charts"]
    assert "<title>Study mine</title>" in page and "problem &lt;2&gt;" in page and "problem <2>" not in page


def test_figures_of_the_users_own_are_shown_under_their_names(tmp_path):
    own = Method("tree", build_tree, transformer=leave_as_is, measure=measure_depth)
    findings, _ = run(make_study([own, DUMMY]), tmp_path)
    table = findings.table().set_index("method")
    assert table.loc["tree", "depth"] == 3 and np.isnan(table.loc["prior", "depth"])
    assert "words" not in table


def test_nothing_finished_is_no_page(tmp_path):
    study = make_study([DUMMY])
    with Store(tmp_path / "mine.sqlite") as store:
        findings = study.collect(store)
    assert "no method finished" in findings.summary()
    assert findings.table().empty
    with pytest.raises(ValueError, match="study mine has no method that finished"):
        findings.to_html(tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()


def measure_nothing(estimator, X, y):
    return {"depth": 3}


def test_a_measure_without_an_error_cannot_be_compared(tmp_path):
    study = make_study([Method("tree", build_tree, transformer=leave_as_is, measure=measure_nothing)])
    with Store(tmp_path / "mine.sqlite") as store:
        study.run(store, progress=False)
        with pytest.raises(ValueError, match="tree was measured without its error"):
            study.collect(store)
