"""`python -m benchmarks.peers`: flips, partitions, searches in time, ranks; and a run that goes on where it ended."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_blobs
from sklearn.dummy import DummyClassifier
from sklearn.tree import DecisionTreeClassifier

from benchmarks import peers
from benchmarks.pages import make_marks
from benchmarks.peers_methods import FlippedLabels, OrFrequencies, at_defaults, flipped, tuned
from benchmarks.peers_problems import DEVELOPMENT, HALVES, REPORTING, StratifiedPartition, problem
from benchmarks.peers_report import comparison_lines, page, rank_lines, time_lines
from benchmarks.peers_results import METRICS, results
from benchmarks.peers_tuning import SPACES, RandomSearch
from emphatic.comparison.contenders import list_contenders, list_installed
from emphatic.datasets import names
from emphatic.study.store import Store
from emphatic.study.tasks import Record, TaskKey, canonical

# flips


@given(st.integers(2, 60), st.integers(2, 5), st.sampled_from([0.0, 0.1, 0.2, 0.5]), st.integers(0, 2**32 - 1))
def test_a_share_is_flipped_always_to_another_class(n, n_classes, share, seed):
    y = np.array(list("abcde"))[np.arange(n) % n_classes]
    given_labels = flipped(y, share, seed)
    assert np.sum(given_labels != y) == np.floor(share * n + 0.5)
    assert set(given_labels) <= set(y)
    np.testing.assert_array_equal(given_labels, flipped(y, share, seed))


def test_flips_go_to_all_other_classes():
    y = np.repeat([0, 1, 2], 1000)
    counts = np.array([[np.sum(flipped(y, 0.3, 0)[y == k] == j) for j in range(3)] for k in range(3)])
    wrong = counts[~np.eye(3, dtype=bool)]
    assert abs(wrong - 150).max() < 50  # 4 standard deviations


class Remembers(DecisionTreeClassifier):
    def fit(self, X, y):
        self.labels_ = np.array(y)
        return super().fit(X, y)


def test_all_methods_of_a_split_see_the_same_flips():
    X, y = make_blobs(50, random_state=0)
    first, second = (
        FlippedLabels(Remembers(max_depth=depth), 0.2, random_state=5).fit(X, y).estimator_.labels_ for depth in (1, 3)
    )
    np.testing.assert_array_equal(first, second)
    assert np.sum(first != y) == 10
    methods = [list_contenders()[name] for name in ("SVC", "AdaBoost")]
    tasks = [
        task.key.random_state
        for study in peers.default_studies(methods, ["labor"], StratifiedPartition(0, 1500), NoRecords())
        for task in study.tasks()
    ]
    assert len(tasks) == 4 and len(set(tasks)) == 1


class NoRecords:
    def records(self, *arguments, **named):
        return iter(())


class Refuses(DecisionTreeClassifier):
    def fit(self, X, y):
        raise ValueError("not these rows")


def test_a_refusal_is_scored_as_the_class_frequencies():
    X, y = make_blobs(30, centers=2, random_state=0)
    assert OrFrequencies(DummyClassifier()).fit(X, y).refusal_ == ""
    model = OrFrequencies(Refuses()).fit(X, y)
    assert model.refusal_ == "not these rows"
    np.testing.assert_allclose(model.predict_proba(X), 0.5)


# problems and partitions


def test_the_halves_are_the_bundled_problems():
    not_bundled = {"digits", "iris", "wine", "waveform", "ripley_mixture", "five_gaussians_not_kwok"}
    assert len(DEVELOPMENT) == len(REPORTING) == 15
    assert sorted(HALVES["all"]) == sorted(set(names()) - not_bundled)
    assert sorted(np.unique(problem("abalone").y)) == [-1, 1]


def test_partitions_are_stratified_disjoint_and_cut():
    for name, n_train in (("lymph", 88), ("car", 1000)):
        y = problem(name).y
        (split,) = StratifiedPartition(3, 1000).splits(problem(name))
        (again,) = StratifiedPartition(3, 1000).splits(problem(name))
        (other,) = StratifiedPartition(4, 1000).splits(problem(name))
        assert len(split.train) == n_train and len(split.test) == np.ceil(0.4 * len(y))
        assert not set(split.train) & set(split.test)
        shares = [np.mean(y[rows] == label) for label in np.unique(y) for rows in (split.train, split.test)]
        assert abs(np.diff(np.reshape(shares, (-1, 2)))).max() < 0.02
        np.testing.assert_array_equal(split.train, again.train)
        assert set(split.train) != set(other.train)


# searches


def test_a_search_without_time_is_the_contender_at_its_defaults():
    X, y = make_blobs(60, random_state=0, cluster_std=3)
    build = list_contenders()["SVC"].build
    search = RandomSearch(build, SPACES["SVC"], budget=0.0, random_state=0).fit(X, y)
    assert search.n_candidates_ == 0
    np.testing.assert_array_equal(search.predict_proba(X), build({}, 0).fit(X, y).predict_proba(X))


def test_a_search_finds_what_the_defaults_miss(monkeypatch):
    """A table that calls for a weak penalty; 30 candidates and no clock."""
    monkeypatch.setattr("benchmarks.peers_tuning.ENOUGH", 30)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2))
    y = (X[:, 0] + 0.01 * X[:, 1] > 0).astype(int)
    search = RandomSearch(list_contenders()["LogisticRegression"].build, SPACES["LogisticRegression"], 1e6, 0).fit(X, y)
    assert search.n_candidates_ == 31
    assert search.estimator_["model"].C > 10


@pytest.mark.parametrize("name", [name for name in list_installed() if name in SPACES])
def test_the_spaces_are_of_parameters_that_exist(name):
    from sklearn.model_selection import ParameterSampler

    for setting in ParameterSampler(SPACES[name], 5, random_state=0):
        list_contenders()[name].build(setting, 0)
    assert tuned(list_contenders()[name], {0.0: 1.0}).settings == [{"flipped": 0.0, "tuned": True}]


# the report


def fake_records(errors, splits=("partition-0-of-1500",), setting=None):
    """errors: problem -> method -> error; all metrics follow it."""
    for name, of in errors.items():
        for method, error in of.items():
            for split in splits:
                work = TaskKey("peers", name, method, canonical(setting or {"flipped": 0.0}), split, 0)
                metrics = {metric: error if sign == 1 else 1 - error for metric, sign in METRICS.items()}
                yield Record(work, "done", {**metrics, "predict_cpu_seconds": 0.01}, fit_cpu_seconds=10 * error)


THREE = {
    "autos": {"EmphaticClassifier": 0.1, "LightGBM": 0.2, "SVC": 0.3},
    "car": {"EmphaticClassifier": 0.1, "LightGBM": 0.3, "SVC": 0.2},
    "vote": {"EmphaticClassifier": 0.2, "LightGBM": 0.2, "SVC": 0.3},
}


def test_ranks_of_a_fake_store():
    found = results(fake_records(THREE), list(THREE), 0.0, 1500)[False]
    assert found.methods == ("EmphaticClassifier", "LightGBM", "SVC")
    for metric in METRICS:
        np.testing.assert_allclose(found.ranks(metric), [3.5 / 3, 6.5 / 3, 8 / 3])
    lines = rank_lines(found)
    assert lines[2] == "| EmphaticClassifier | 1.17 | 1.17 | 1.17 | 1.17 | 1.17 |"
    assert any("Critical difference (Nemenyi, 5%): 1.91" in line for line in lines)
    assert any(line.startswith("| LightGBM | 2 / 0 / 1 |") for line in comparison_lines(found))
    assert time_lines(found)[2] == "| EmphaticClassifier | 1.00 | 2.0 | 10.0 | 0.5 | 0.5 | 1.0 | 1.0 |"
    assert found.part(["car"]).problems == ("car",)


def test_only_shared_partitions_count_and_the_unfinished_are_named():
    records = [
        *fake_records(THREE, ("partition-0-of-1500", "partition-1-of-1500")),
        *fake_records({name: {"CatBoost": 0.15} for name in THREE}),
        *fake_records({"car": {"Parallel perceptrons": 0.0}}),
        *fake_records({"car": {"SVC": 0.9}}, ("partition-2-of-1500",)),
        *fake_records(THREE, ("partition-0-of-99",)),
    ]
    found = results(records, list(THREE), 0.0, 1500)[False]
    assert found.n_partitions == (1, 1, 1) and "CatBoost" in found.methods
    assert found.unfinished == {"Parallel perceptrons": 2}
    assert any("Parallel perceptrons (2)" in line for line in rank_lines(found))


def test_tuned_peers_stand_beside_ours_as_it_is():
    setting = {"flipped": 0.2, "tuned": True}
    records = [*fake_records(THREE, setting={"flipped": 0.2}), *fake_records(THREE, setting=setting)]
    found = results(records, list(THREE), 0.2, 1500)
    assert "candidates" not in time_lines(found[True])[0]
    assert found[True].methods[0] == "EmphaticClassifier" and "SVC, tuned" in found[True].methods
    text = "\n".join(page(records, list(THREE), (0.0, 0.2), 1500))
    assert "20% of the training labels flipped, tuned with equal time" in text and "clean" not in text


def test_where_the_defaults_take_longer_than_the_budget_they_stand_for_the_search():
    searched = {name: {"SVC": 0.01} for name in ("autos", "car")}  # on vote ours took less than the defaults
    records = [*fake_records(THREE), *fake_records(searched, setting={"flipped": 0.0, "tuned": True})]
    found = results(records, list(THREE), 0.0, 1500)[True]
    assert found.methods == ("EmphaticClassifier", "SVC, tuned")
    np.testing.assert_allclose(found.means["error"][:, 1], [0.01, 0.01, THREE["vote"]["SVC"]])


# the command


def test_a_run_goes_on_where_it_ended(tmp_path, capsys):
    path, page_path = tmp_path / "peers.sqlite", tmp_path / "page.md"
    page_path.write_text("\n".join(make_marks("benchmarks.peers")))
    common = ["--store", str(path), "--problems", "labor", "zoo", "--methods", "LogisticRegression", "SVC"]
    peers.main([*common, "--partitions", "1"])
    assert "LogisticRegression: 4 done" in capsys.readouterr().err
    with Store(path) as store:
        before = {record.key: record for record in store.records()}
    peers.main([*common, "--partitions", "2", "--markdown", str(page_path)])
    assert "done" in capsys.readouterr().err
    with Store(path) as store:
        after = {record.key: record for record in store.records()}
    assert len(before) == 8 and len(after) == 16
    assert all(after[work] == record for work, record in before.items())
    assert "2 problems; partitions of each: 2." in page_path.read_text()


def test_a_tuned_run_takes_the_time_of_ours(tmp_path):
    part = StratifiedPartition(0, 1500)
    with Store(tmp_path / "peers.sqlite") as store:
        assert not list(peers.tuned_studies([list_contenders()["SVC"]], ["labor"], part, store))
        store.append(*fake_records({"labor": {"EmphaticClassifier": 0.03}}))
        (study,) = peers.tuned_studies([list_contenders()["SVC"]], ["labor"], part, store)
        assert study.run(store, progress=False).n_done == 1
        (record,) = store.records("peers", method="SVC")
    assert json.loads(record.key.setting) == {"flipped": 0.0, "tuned": True}
    assert record.metrics["budget"] == pytest.approx(0.3)
    assert "n_candidates" in record.metrics


def test_what_takes_long_is_done_on_few_partitions(tmp_path):
    svc, part = list_contenders()["SVC"], StratifiedPartition(peers.PARTITIONS_IF_LONG, 1500)
    with Store(tmp_path / "peers.sqlite") as store:
        store.append(*fake_records({"labor": {"SVC": 13.0}, "zoo": {"SVC": 11.0}}))
        (study,) = peers.default_studies([svc], ["labor", "zoo"], part, store)
        assert [one.name for one in study.problems] == ["zoo"]
        (first,) = peers.default_studies([svc], ["labor", "zoo"], StratifiedPartition(0, 1500), store)
        assert [one.name for one in first.problems] == ["labor", "zoo"]
        store.append(
            *fake_records({"labor": {"EmphaticClassifier": 1.0}, "zoo": {"EmphaticClassifier": 1.0}}, (part.id,))
        )
        (search,) = peers.tuned_studies([svc], ["labor", "zoo"], part, store)
        assert [one.name for one in search.problems] == ["zoo"]


def test_unknown_methods_are_refused_and_cheap_ones_come_first():
    with pytest.raises(ValueError, match="SVC"):
        peers.choose(["SCV"])
    assert [one.name for one in peers.choose(["HistGradientBoosting", "SVC", "AdaBoost"])][-1] == "HistGradientBoosting"
    assert at_defaults(list_contenders()["SVC"]).settings == [{"flipped": 0.0}, {"flipped": 0.2}]
