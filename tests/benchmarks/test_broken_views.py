"""`python -m benchmarks.broken_views`: how views break, which contenders are level, and the lines of a page."""

import numpy as np
import pytest

from benchmarks.broken_report import Kind, Split, count_level, write_header, write_line
from benchmarks.broken_tables import SHIFT, break_rows, choose_broken, join_views
from benchmarks.broken_views import KINDS, WAYS, is_shown

TABLE = join_views(
    {"a": np.arange(20.0).reshape(10, 2), "b": -np.arange(30.0).reshape(10, 3), "c": np.arange(10.0)},
    np.tile([0, 1], 5),
)


@pytest.mark.parametrize("n_broken", [0, 1, 2])
@pytest.mark.parametrize("how", WAYS)
def test_so_many_views_of_every_row_are_broken_and_the_others_are_as_they_were(how, n_broken):
    rng = np.random.default_rng(0)
    broken = choose_broken(10, 3, n_broken, rng)
    assert (broken.sum(axis=1) == n_broken).all()
    found = break_rows(TABLE, TABLE.X, broken, how, rng)
    for view, rows in zip(TABLE.views.values(), broken.T, strict=True):
        np.testing.assert_array_equal(found[~rows, view], TABLE.X[~rows, view])
        assert (found[rows, view] != TABLE.X[rows, view]).all()


def test_what_each_way_of_breaking_does():
    rng = np.random.default_rng(0)
    every = np.ones((10, 3), dtype=bool)
    broken = {how: break_rows(TABLE, TABLE.X, every, how, rng) for how in WAYS}
    assert np.isnan(broken["missing"]).all()
    np.testing.assert_allclose(abs(broken["shifted"] - TABLE.X), np.tile(SHIFT * TABLE.X.std(axis=0), (10, 1)))
    a = TABLE.views["a"]
    rows = [TABLE.X[:, a].tolist().index(row) for row in broken["other"][:, a].tolist()]
    assert not np.equal(rows, np.arange(10)).any()


SPLITS = [
    Split({"robust": (90.0, 0.2), "auto": (80.0, 0.21), "mean": (80.0, 0.5)}, [0.9, 0.8, 0.7]),
    Split({"robust": (92.0, 0.4), "auto": (82.0, 0.37), "mean": (82.0, 0.9)}, [0.7, 0.8, 0.9]),
]


def test_a_line_has_means_standard_errors_of_ours_and_the_best_in_bold():
    # "auto" is better by 0.01 on average with a standard error of 0.02: "robust" is level
    line = write_line("mfeat, two shifted", SPLITS, 3)
    ours = "**91.0** / **.300** (1.0 / .100)"
    assert line == f"| mfeat, two shifted | {ours} | 81.0 / **.290** | 81.0 / .700 | .80 | .80 | .80 |"
    header, rule = write_header(["robust", "auto", "mean"], ["x", "y", "z"])
    assert header.count("|") == rule.count("|") == line.count("|")


def test_lines_in_which_a_contender_is_first_or_level_are_counted():
    assert count_level([SPLITS, SPLITS]) == [
        "robust: first or level by accuracy in 2, by log loss in 2, by both in 2 of 2 lines",
        "auto: first or level by accuracy in 0, by log loss in 2, by both in 0 of 2 lines",
        "mean: first or level by accuracy in 0, by log loss in 0, by both in 0 of 2 lines",
    ]


def test_a_page_shows_a_part_of_the_kinds():
    assert [kind.title for kind in KINDS if is_shown(kind)] == [
        "as they are",
        "two are noise",
        "one of another row",
        "two of other rows",
        "two shifted",
        "two missing",
    ]
    trained = [kind._replace(training="other") for kind in KINDS]
    assert [kind.title for kind in trained if is_shown(kind)] == [
        "other rows in training; as they are",
        "other rows in training; two of other rows",
    ]
    assert Kind("shifted", 1).title == "one shifted"
