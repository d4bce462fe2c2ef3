"""The counts the papers print, typed here from the papers' tables and not read from the catalogue."""

import numpy as np
import pytest

from emphatic.datasets import load, names
from emphatic.datasets.catalogue import check_published_counts

# name, paper: inputs, train C1/C-1, test C1/C-1, and whether the split itself is known
PUBLISHED = {
    ("abalone", "000"): (8, (1238, 1269), (843, 827), False),
    ("breast", "000"): (9, (275, 145), (183, 96), False),
    ("image", "000"): (18, (821, 1027), (169, 293), False),
    ("ionosphere", "000"): (34, (101, 100), (124, 26), True),  # the row of 001: that of 000 is misprinted
    ("five_gaussians_not_kwok", "000"): (2, (300, 200), (6120, 4080), True),
    ("ripley", "000"): (2, (125, 125), (500, 500), True),
    ("abalone", "001"): (8, (1238, 1269), (843, 827), False),
    ("breast", "001"): (9, (145, 275), (96, 183), False),
    ("crabs", "001"): (7, (59, 61), (41, 39), False),
    ("credit", "001"): (15, (167, 247), (140, 136), False),
    ("diabetes", "001"): (8, (172, 296), (96, 204), False),
    ("german", "001"): (20, (214, 486), (86, 214), False),
    ("hepatitis", "001"): (19, (70, 23), (53, 9), False),
    ("image", "001"): (18, (736, 564), (584, 426), True),
    ("ionosphere", "001"): (34, (101, 100), (124, 26), True),
    ("five_gaussians_not_kwok", "001"): (2, (300, 200), (6120, 4080), True),
    ("ripley", "001"): (2, (125, 125), (500, 500), True),
    ("waveform", "001"): (21, (124, 276), (1523, 3077), True),
}
# name: rows, positive rows, percent of positive rows as printed in 002
CROSS_VALIDATED = {
    "breast": (699, 241, 34.5),
    "diabetes": (768, 268, 34.9),
    "glass": (214, 29, 13.6),
    "ionosphere": (351, 126, 35.9),
    "thyroid": (7200, 534, 7.4),
    "vehicle": (846, 217, 25.7),
    "vowel": (990, 90, 9.1),
}


def counts(y):
    return int((y == 1).sum()), int((y == -1).sum())


def test_the_lists_of_sets_are_complete():
    for paper in ("000", "001"):
        assert names(paper) == sorted(name for name, used_by in PUBLISHED if used_by == paper)
    assert names("002") == sorted(CROSS_VALIDATED)


@pytest.mark.parametrize(("name", "paper"), PUBLISHED)
def test_published_counts_and_dimension(name, paper):
    inputs, train_counts, test_counts, known = PUBLISHED[name, paper]
    problem = load(name, paper, numeric=True)
    assert problem.X.shape[1] == inputs
    assert problem.y.dtype.kind == "i"
    assert (problem.train is not None) == (problem.test is not None) == known
    assert (problem.sizes is None) == known
    for seed in (0, 1):
        train, test = problem.partition(seed)
        assert counts(problem.y[train]) == train_counts
        assert counts(problem.y[test]) == test_counts
        assert sorted(np.concatenate([train, test])) == list(range(len(problem.y)))
    same = np.array_equal(problem.partition(0)[0], problem.partition(1)[0])
    assert same == known
    assert np.array_equal(problem.partition(7)[0], problem.partition(7)[0])


@pytest.mark.parametrize("name", CROSS_VALIDATED)
def test_cross_validated_sets(name):
    rows, positive, percent = CROSS_VALIDATED[name]
    problem = load(name, "002")
    assert counts(problem.y) == (positive, rows - positive)
    assert abs(100 * positive / rows - percent) <= 0.05 + 1e-9
    assert positive < rows / 2  # the paper makes the minority class positive
    assert problem.train is problem.test is problem.sizes is None
    with pytest.raises(ValueError, match="paper 002 cross-validates"):
        problem.partition(0)


@pytest.mark.parametrize(
    ("name", "paper", "positive"),
    [
        ("breast", "000", ("benign",)),
        ("breast", "001", ("malignant",)),
        ("breast", "002", ("malignant",)),
        ("image", "000", ("cement", "grass", "window")),
        ("image", "001", ("brickface", "foliage", "path", "sky")),
        ("ionosphere", "002", ("b",)),
        ("ripley", "000", ("1",)),
        ("crabs", "001", ("M",)),
        ("thyroid", "002", ("1", "2")),
        ("waveform", "001", (1,)),
        ("five_gaussians_not_kwok", "000", (1,)),
    ],
)
def test_positive_classes(name, paper, positive):
    problem, plain = load(name, paper), load(name)
    assert problem.positive == positive
    if name != "waveform":  # another draw under a paper than without
        assert np.array_equal(problem.y == 1, np.isin(plain.y, positive))
    assert plain.positive is None
    assert plain.paper is None


def test_abalone_is_cut_at_ten_rings():
    rings = load("abalone").y.astype(int)
    assert np.array_equal(load("abalone", "000").y, np.where(rings >= 10, 1, -1))


def test_ionosphere_trains_on_the_first_rows():
    problem = load("ionosphere", "000")
    assert np.array_equal(problem.train, np.arange(201))
    assert "misprint" in problem.note


def test_breast_keeps_its_holes():
    problem = load("breast", "002")
    assert int(np.isnan(problem.X).sum()) == 16
    assert "16 missing" in problem.note


def test_a_set_the_paper_does_not_use():
    with pytest.raises(ValueError, match=r"'000' does not use 'glass' \(used by '002'\).*abalone, breast"):
        load("glass", "000")
    with pytest.raises(ValueError, match="used by none"):
        load("zoo", "002")
    with pytest.raises(ValueError, match="'000', '001', '002'"):
        load("zoo", "003")
    with pytest.raises(ValueError, match="'000', '001', '002'"):
        names(paper="III")


def test_no_partition_without_a_paper():
    with pytest.raises(ValueError, match="no paper was named"):
        load("abalone").partition(0)


def test_disagreement_with_the_paper_is_an_error():
    y = np.array([1, 1, -1, -1])
    parts = np.array(["train", "test", "train", "test"])
    rule = {"split": "predefined", "train": {"1": 1, "-1": 1}, "test": {"1": 1, "-1": 1}}
    check_published_counts("toy", y, parts, rule)
    check_published_counts("toy", y, None, {**rule, "split": "random"})
    shares = {"split": "cross-validation", "positive_rows": 2, "percent_positive": 50.0}
    check_published_counts("toy", y, None, shares)
    with pytest.raises(RuntimeError, match=r"'toy' do not agree.*train"):
        check_published_counts("toy", y, parts[::-1][[0, 0, 1, 2]], rule)
    with pytest.raises(RuntimeError, match="all rows"):
        check_published_counts("toy", -y[:3], None, {**rule, "split": "random"})
    with pytest.raises(RuntimeError, match=r"50\.00% positive"):
        check_published_counts("toy", y, None, {**shares, "percent_positive": 49.9})
