"""What may be passed on, and how that is known: complete, and the wheel holds nothing else."""

import itertools
import re

import pytest

from emphatic.datasets import load
from emphatic.datasets.catalogue import catalogue, data_file
from tools.write_licences import write

SETS = catalogue()["sets"]
FIELDS = ("source", "licence", "licence_in_short", "redistribution", "evidence", "shipped_in", "citation")


@pytest.mark.parametrize("name", sorted(SETS))
def test_source_licence_and_evidence_are_given(name):
    entry = SETS[name]
    assert all(entry[field] for field in FIELDS)
    assert set(entry["evidence"]) <= set(catalogue()["evidence"])
    assert entry["source"].startswith("https://") or "generator" in entry
    assert entry["redistribution"] in {"allowed", "allowed under the GPL", "in doubt", "not needed"}


@pytest.mark.parametrize("name", sorted(SETS))
def test_the_package_ships_only_what_may_be_passed_on_under_its_licence(name):
    entry = SETS[name]
    if entry["shipped_in"] == "emphatic":
        assert "package" not in entry
        assert (entry["licence_in_short"], entry["redistribution"]) == (
            ("none needed: generated", "not needed") if "generator" in entry else ("CC BY 4.0", "allowed")
        )
    else:
        assert ("package" in entry) or ("scikit_learn" in entry)


def test_all_evidence_is_used():
    assert {key for entry in SETS.values() for key in entry["evidence"]} == set(catalogue()["evidence"])


def test_the_text_is_that_of_the_catalogue():
    assert data_file("LICENCES.txt").read_text(encoding="utf-8") == write(catalogue())


@pytest.mark.parametrize("name", sorted(SETS))
def test_a_problem_carries_its_licence(name):
    problem = load(name)
    assert problem.licence == SETS[name]["licence"] and problem.citation == SETS[name]["citation"]
    for word in re.findall(r"[\w.+|-]+", SETS[name]["licence_in_short"].lower()):
        assert word in problem.licence.lower() or word in {"none", "needed"}


def lines_of(cells):
    """Rows, columns and diagonals of a board of nine squares."""
    board = [cells[0:3], cells[3:6], cells[6:9]]
    return [*board, *zip(*board), cells[0::4], cells[2:7:2]]


def ends(board=("b",) * 9, player="x"):
    """All boards at the end of a game of tic-tac-toe; x begins."""
    other = "o" if player == "x" else "x"
    if any(set(line) == {other} for line in lines_of(board)) or "b" not in board:
        return {board}
    places = [place for place, square in enumerate(board) if square == "b"]
    return set().union(*(ends((*board[:place], player, *board[place + 1 :]), other) for place in places))


def test_tic_tac_toe_holds_every_end_of_a_game_once():
    problem = load("tic_tac_toe")
    rows = [tuple(row) for row in problem.X.astype(str).to_numpy()]
    assert sorted(rows) == sorted(ends())
    wins = [any(set(line) == {"x"} for line in lines_of(row)) for row in rows]
    assert [label == "positive" for label in problem.y] == wins


def test_balance_scale_follows_the_law_of_the_lever():
    problem = load("balance_scale")
    assert sorted(map(tuple, problem.X)) == list(itertools.product((1, 2, 3, 4, 5), repeat=4))
    left, right = problem.X[:, 0] * problem.X[:, 1], problem.X[:, 2] * problem.X[:, 3]
    assert [{-1: "R", 0: "B", 1: "L"}[int(l > r) - int(l < r)] for l, r in zip(left, right)] == problem.y.tolist()
