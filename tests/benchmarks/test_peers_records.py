"""Fits of peers that were done elsewhere: a table of text that is read back, counted, and not done again."""

from dataclasses import replace

import pytest
import sklearn

from benchmarks import peers
from benchmarks.peers_automl import list_automl
from benchmarks.peers_pairs import pair_lines, pair_up
from benchmarks.peers_records import find_version, read_records, write_records
from emphatic.comparison.contenders import list_contenders
from emphatic.study.tasks import Record, TaskKey, canonical

METRICS = {"error": 0.125, "balanced_accuracy": 0.8, "g": 0.75, "roc_auc": 0.9, "log_loss": 0.3456789123}
SPLITS = tuple(f"partition-{number}-of-1500" for number in range(3))


def record(method, problem="car", split=SPLITS[0], error=0.125, setting=None, **metrics):
    key = TaskKey("peers", problem, method, canonical(setting or {"flipped": 0.0}), split, 0)
    values = {**METRICS, "error": error, "predict_cpu_seconds": 0.5, **metrics}
    return Record(key, "done", values, fit_cpu_seconds=2.0)


def test_what_is_written_is_read_back_to_six_digits(tmp_path):
    path = tmp_path / "peers.csv"
    write_records(path, [record("TabM"), record("SVC", setting={"flipped": 0.2})])
    found = read_records(path)
    assert [one.key.method for one in found] == ["SVC", "TabM"]
    assert found[1].key == record("TabM").key
    assert found[1].metrics == {**METRICS, "log_loss": 0.345679, "predict_cpu_seconds": 0.5}
    assert found[1].fit_cpu_seconds == 2.0
    assert found[0].versions == {"the peer": f"scikit-learn {sklearn.__version__}"}
    before = path.read_bytes()
    write_records(path, found)
    assert path.read_bytes() == before


def test_ours_what_was_tuned_and_what_was_refused_is_not_kept(tmp_path):
    path = tmp_path / "peers.csv"
    tuned = record("SVC", setting={"flipped": 0.0, "tuned": True})
    others = [record("EmphaticClassifier"), record("FuzzyBoost"), tuned, record("RUSBoost", refusal="no")]
    write_records(path, [*others, record("SVC")])
    assert [one.key for one in read_records(path)] == [record("SVC").key]


NOT_WHOLE = ["method,problem\nSVC,car\n", "", "{head}\nSVC,car,0\n", "{head}\nSVC,car,0,p,a,b,c,d,e,f,g,v\n"]


@pytest.mark.parametrize("text", NOT_WHOLE)
def test_a_table_that_is_not_whole_is_refused(tmp_path, text):
    path = tmp_path / "peers.csv"
    write_records(path, [])
    path.write_text(text.replace("{head}", path.read_text().strip()))
    with pytest.raises(ValueError, match=r"peers\.csv"):
        read_records(path)


def test_a_version_that_was_read_stays(tmp_path):
    path = tmp_path / "peers.csv"
    write_records(path, [replace(record("SVC"), versions={"the peer": "scikit-learn 0.1"})])
    assert read_records(path)[0].versions == {"the peer": "scikit-learn 0.1"}
    write_records(path, read_records(path))
    assert read_records(path)[0].versions == {"the peer": "scikit-learn 0.1"}


@pytest.mark.parametrize("method", sorted({**list_contenders(), **list_automl()}))
def test_every_method_has_a_version_or_is_unknown(method):
    assert find_version(method) == "unknown" or find_version(method)[-1].isdigit()


def test_a_file_that_is_not_there_is_an_empty_table(tmp_path):
    assert read_records(tmp_path / "none.csv") == []


def test_fits_of_a_table_are_not_done_again_and_new_ones_are_added(tmp_path, capsys):
    path = tmp_path / "peers.csv"
    common = ["--problems", "labor", "zoo", "--methods", "LogisticRegression", "--records", str(path)]
    peers.main([*common, "--store", str(tmp_path / "one.sqlite"), "--partitions", "1"])
    assert len(read_records(path)) == 4
    capsys.readouterr()
    peers.main([*common, "--store", str(tmp_path / "other.sqlite"), "--partitions", "2"])
    assert capsys.readouterr().err.count("LogisticRegression: 4 done") == 1
    assert len(read_records(path)) == 8


def test_each_pair_counts_the_partitions_that_both_have():
    problems = ["car", "vote", "zoo"]
    records = [record("EmphaticClassifier", name, split, 0.1) for name in problems for split in SPLITS]
    records += [record("SVC", name, split, 0.2) for name in problems for split in SPLITS]
    records += [record("TabM", name, SPLITS[0], 0.05) for name in problems]
    records += [record("XGBoost", "car", SPLITS[0], 0.05)]
    pairs = pair_up(records, problems, 0.0, 1500)
    assert {name: found.n_partitions for name, found in pairs.items()} == {"SVC": (3, 3, 3), "TabM": (1, 1, 1)}
    svc, tabm = pair_lines(records, problems, 0.0, 1500)[2:4]
    assert svc.startswith("| SVC | 3 | 2.0 | 10.0, 20.0 | 3 / 0 / 0 | 0.5 |")
    assert tabm.startswith("| TabM | 1 | 2.0 | 10.0, 5.0 | 0 / 3 / 0 | 0.5 |")
    assert pair_lines(records, problems, 0.2, 1500) == []
