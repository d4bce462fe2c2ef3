"""The shipped files are those of the catalogue, cell counts included."""

import hashlib
import re
from collections import Counter

import numpy as np
import pytest

from emphatic.datasets import load, names
from emphatic.datasets.catalogue import catalogue, data_file

SETS = catalogue()["sets"]
FILES = sorted(name for name, entry in SETS.items() if "file" in entry)


@pytest.mark.parametrize("name", FILES)
def test_file_is_unchanged(name):
    assert hashlib.sha256(data_file(SETS[name]["file"]).read_bytes()).hexdigest() == SETS[name]["sha256"]


def test_every_shipped_file_is_in_the_catalogue():
    shipped = {file.name for file in data_file("").iterdir()} - {"catalogue.json", "LICENCES.txt"}
    assert shipped == {SETS[name]["file"] for name in FILES}
    assert len(shipped) == 30


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


@pytest.mark.parametrize("name", sorted(SETS))
def test_licence_and_citation_are_given(name):
    problem = load(name)
    text = data_file("LICENCES.txt").read_text(encoding="utf-8")
    assert problem.licence
    assert problem.citation
    assert f"Licence: {problem.licence}" in text
    assert f"Cite: {problem.citation}" in text


@pytest.mark.parametrize("name", sorted(SETS))
def test_the_licence_in_short_says_nothing_that_the_licence_does_not(name):
    short, whole = SETS[name]["licence_in_short"], SETS[name]["licence"].lower()
    extra = {"data", "not", "checked", "as", "none", "needed"}
    for word in re.findall(r"[\w.+|-]+", short.lower()):
        assert word in whole or word in extra


def test_names_are_sorted_and_complete():
    assert names() == sorted(SETS)
    assert len(names()) == 36
