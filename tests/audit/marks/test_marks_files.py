"""Files of marks: which rows they mean, however the table and the file have changed since, and what is refused."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emphatic.audit.cells import list_features
from emphatic.audit.marks.digests import digest_rows, write_rows
from emphatic.audit.marks.entries import read_entries
from emphatic.audit.marks.matching import Rows, find_marked
from emphatic.audit.marks.record import Marks
from emphatic.audit.marks.taking import take_marks
from tests.audit.audits import fruits, made_result, marks_file

RESULT = fruits()
FILE = marks_file(RESULT, {1: ("wrong", "grape"), 3: ("wrong", None), 4: ("right", "grape")})
CODES = {"apple": 0, "grape": 1, None: -1}


def take(marks, X=RESULT.X, y=RESULT.y, index=RESULT.index, **options):
    found = take_marks(marks, X, np.asarray(y), np.asarray(index), np.array(["apple", "grape"]), **options)
    return dict(zip(found.rows.tolist(), zip(found.wrong.tolist(), found.correct.tolist())))


AS_MARKED = {1: (True, 1), 3: (True, -1), 4: (False, 1)}


# Digests


def test_equal_cells_have_equal_digests_in_every_kind_of_table():
    cells = {"a": [1.0, 2.5, None], "b": ["x", None, "y"]}
    tables = [pd.DataFrame(cells), pl.DataFrame(cells), pd.DataFrame(cells, dtype=object)]
    tables.append(pd.DataFrame({"a": pd.array([1.0, 2.5, None], dtype="Float64"), "b": cells["b"]}))
    found = [digest_rows(write_rows(list_features(table))) for table in tables]
    assert all(one == found[0] for one in found)
    assert len(set(found[0])) == 3


def test_a_file_has_the_same_digests_as_text_and_as_numbers():
    text = pd.DataFrame({"a": ["1.0", "2.50", "NA"], "b": ["x", "?", "y"], "c": ["7", "-3e2", "9007199254740993"]})
    read = pd.DataFrame({"a": [1.0, 2.5, None], "b": ["x", None, "y"], "c": [7, -300, 9007199254740993]})
    found = [digest_rows(write_rows(list_features(table))) for table in (text, read)]
    assert found[0] == found[1] and len(set(found[0])) == 3


def test_the_digest_of_a_row_knows_its_features_and_neither_its_place_nor_its_label():
    rows = Rows.of(RESULT.X, RESULT.y, RESULT.index, RESULT.classes)
    turned = Rows.of(RESULT.X[::-1], RESULT.y[::-1], RESULT.index[::-1], RESULT.classes)
    relabelled = Rows.of(RESULT.X, RESULT.y[::-1], RESULT.index, RESULT.classes)
    assert list(turned.digests) == list(rows.digests)[::-1]
    assert relabelled.digests == rows.digests
    assert len({rows.table, turned.table, relabelled.table}) == 3


# What a file says


@pytest.mark.parametrize("written", ["commas", "semicolons", "excel", "frame"])
def test_a_file_is_read_as_a_spreadsheet_may_have_written_it(tmp_path, written):
    marks, path = FILE, tmp_path / "marks.csv"
    if written == "commas":
        marks.to_csv(path, index=False)
    elif written == "semicolons":
        marks.iloc[::-1].rename(columns=str.title).to_csv(path, sep=";", index=False, encoding="utf-8-sig")
    elif written == "excel":
        path = tmp_path / "marks.xlsx"
        pytest.importorskip("openpyxl", reason="openpyxl is not installed")
        marks.assign(note="looked twice").to_excel(path, index=False)
    else:
        path = marks
    assert take(path) == AS_MARKED


def test_labels_that_look_like_formulas_are_restored_once(tmp_path):
    y = np.array(["=1", "'=1", "=1", "'=1"])
    result = made_result(pd.DataFrame({"x": [1, 2, 3, 4]}), y, [0.1] * 4, y)
    marks = marks_file(result, {0: ("wrong", "'=1"), 1: ("right", "'=1")})
    escaped = marks.replace({"=1": "'=1", "'=1": "''=1"})
    escaped.to_csv(tmp_path / "marks.csv", index=False)
    for form in (tmp_path / "marks.csv", escaped):
        found = take_marks(form, result.X, y, result.index, result.classes)
        assert (found.rows.tolist(), found.wrong.tolist()) == ([0, 1], [True, False])
        assert result.classes[found.correct].tolist() == ["'=1", "'=1"]


def test_marks_are_spelled_as_people_do_and_an_empty_one_is_none():
    marks = FILE.assign(mark=["Wrong ", "", "RIGHT"])
    assert take(marks) == {1: (True, 1), 4: (False, 1)}


def test_the_same_line_twice_counts_once():
    assert take(pd.concat([FILE, FILE])) == AS_MARKED


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda file: file.drop(columns=["row", "table"]), "has no column row, table: marks are what the page"),
        (lambda file: file.drop(columns="mark"), "has no column mark"),
        (lambda file: file.assign(mark="maybe"), "the mark of index 11 is 'maybe', and must be wrong or right"),
        (lambda file: file.assign(mark=""), "holds no marks"),
        (lambda file: file[:1].assign(correct="pear"), "unknown label pear; known: apple, grape"),
        (lambda file: file[:1].assign(label="appel"), "unknown label appel; did you mean apple"),
        (lambda file: pd.concat([file, file.assign(mark="right", correct=file["label"])]), "contradicts itself"),
        (
            lambda file: pd.concat([file, file.assign(correct="")]),
            r"marked wrong \(correct is grape\), and again wrong",
        ),
        (
            lambda file: file.assign(correct="apple"),
            "index 11 is marked wrong, but the correct one is said to be apple",
        ),
        (lambda file: file.assign(mark="right"), "index 11 is marked right, but the correct one is said to be grape"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(change, message):
    with pytest.raises(ValueError, match=message):
        take(change(FILE))


def test_an_empty_file_and_none_at_all(tmp_path):
    (tmp_path / "empty.csv").touch()
    (tmp_path / "head.csv").write_text(",".join(FILE.columns) + "\n")
    for name, message in (("empty", "is empty"), ("head", "has a header but no rows"), ("missing", "there is no file")):
        with pytest.raises(ValueError, match=message):
            take(tmp_path / f"{name}.csv")
    with pytest.raises(TypeError, match="must be the path of a file, a DataFrame or a dict"):
        take(7)


# Which rows it means


@given(st.permutations(range(6)))
def test_rows_are_found_wherever_they_stand(order):
    """Exact: the marks of the table in another order are the marks in another order."""
    order = list(order)
    found = take(FILE, RESULT.X.iloc[order], RESULT.y[order], np.arange(6))
    assert {order[place]: mark for place, mark in found.items()} == AS_MARKED


def test_rows_that_were_added_do_not_matter():
    X = pd.concat([pd.DataFrame({"colour": ["blue"], "weight": [3.0]}), RESULT.X], ignore_index=True)
    found = take(FILE, X, ["grape", *RESULT.y], range(7))
    assert {place - 1: mark for place, mark in found.items()} == AS_MARKED


def test_a_label_that_was_corrected_already_is_right():
    y = RESULT.y.copy()
    y[1] = "grape"
    assert take(FILE, y=y) == {**AS_MARKED, 1: (False, 1)}


def test_equal_rows_are_told_apart_by_label_and_index():
    X, y = pd.DataFrame({"x": [1, 1, 1, 2]}), np.array(["apple", "grape", "apple", "grape"])
    result = made_result(X, y, [0.1] * 4, y)
    marks = marks_file(result, {2: ("wrong", "grape"), 1: ("right", "grape")})
    assert take(marks, X, y, range(4)) == {1: (False, 1), 2: (True, 1)}
    turned = [3, 2, 1, 0]
    assert take(marks, X.iloc[turned], y[turned], range(4)) == {1: (True, 1), 2: (False, 1)}
    both = marks_file(result, {0: ("wrong", None), 2: ("right", "apple")})  # equal rows, of which one is wrong
    assert sorted(take(both, X.iloc[turned], y[turned], range(4)).values()) == [(False, 0), (True, -1)]


def test_marks_of_another_table_are_refused_unless_forced():
    other = RESULT.X.assign(colour="white")
    with pytest.raises(ValueError, match=r"3 of 3 marked rows \(the first has index 11\) .* marks of another table"):
        take(FILE, other)
    assert take(FILE, other, force=True) == AS_MARKED  # by index, as the labels are the same
    with pytest.warns(UserWarning, match=r"2 of 3 marked rows \(the first has index 11\) are left out"):
        assert take(FILE, other, index=range(13, 19), y=["apple"] * 6, force=True) == {0: (True, -1)}


@pytest.mark.parametrize("change", ["a cell", "a label", "removed"])
def test_a_row_that_has_changed_is_refused(change):
    X, y, index = RESULT.X.copy(), RESULT.y.copy(), RESULT.index
    if change == "a cell":
        X.loc[4, "weight"] = 10
    elif change == "a label":
        y[4] = "apple"
    else:
        X, y, index = X.drop(index=4), np.delete(y, 4), np.delete(index, 4)
    with pytest.raises(ValueError, match=r"1 of 3 marked rows \(the first has index 14\) are not in this table: their"):
        take(FILE, X, y, index)


def test_forced_marks_need_no_digests():
    assert take(FILE[["index", "label", "mark", "correct"]], force=True) == AS_MARKED
    without = take(FILE[["index", "label", "mark"]], force=True)
    assert without == {1: (True, -1), 3: (True, -1), 4: (False, 1)}


def test_numbers_as_labels_whatever_their_type():
    y = np.array([0.0, 1.0, 1.0])
    result = made_result(pd.DataFrame({"x": [1, 2, 3]}), y, [0.1] * 3, y)
    file = marks_file(result, {1: ("wrong", 0.0)})
    for form in (file, file.assign(label=1, correct=0), file.assign(label="1", correct="0")):
        found = take_marks(form, result.X, y, result.index, result.classes)
        assert (found.rows.tolist(), found.correct.tolist()) == ([1], [0])


def test_equal_rows_are_each_matched_once():
    """Ten thousand pairs of equal rows, all marked: time must not grow with the square of the rows."""
    n = 20_000
    rows = Rows([str(i % 10_000) for i in range(n)], ["a"] * n, list(map(str, range(n))), ["a", "b"], "t")
    file = pd.DataFrame({"index": range(n), "label": "a", "mark": "wrong", "correct": "b", "table": "t"})
    found = find_marked(read_entries(file.assign(row=[f"row-{one}" for one in rows.digests])), rows)
    assert (found.rows == np.arange(n)).all() and found.wrong.all()


# A dict


def test_marks_by_index():
    marks = {11: "wrong", 13: ("wrong", None), 14: "right"}
    assert take(marks, suggested=RESULT.suggested) == AS_MARKED
    assert take({10: "wrong"}) == {0: (True, 1)}  # of two classes the other one
    three = np.array(["apple", "grape", "pear"])
    found = take_marks({10: "wrong"}, RESULT.X, RESULT.y, RESULT.index, three, RESULT.suggested)
    assert found.correct.tolist() == [-1]  # the models agree with the label, and there are several others


@pytest.mark.parametrize(
    ("marks", "message"),
    [
        ({99: "wrong"}, "row 99 that is not in the table"),
        ({11: "maybe"}, 'must be "right", "wrong" or \\("wrong", label\\), not \'maybe\''),
        ({11: ("right", "grape")}, "not \\('right', 'grape'\\)"),
        ({11: ("wrong", "appel")}, "unknown label appel; did you mean apple"),
        ({11: ("wrong", "apple")}, "is marked wrong, but the right label is said to be the given one, apple"),
    ],
)
def test_a_wrong_dict(marks, message):
    with pytest.raises(ValueError, match=message):
        take(marks)


def test_row_labels_that_are_not_unique():
    with pytest.raises(ValueError, match="names row 1, which is several rows"):
        take({1: "right"}, index=[0, 1, 1, 2, 3, 4])


def test_newer_marks_replace_older_ones():
    joined = Marks.of({1: (True, 0), 5: (False, 1)}).join(Marks.of({1: (False, 1), 2: (True, -1)}))
    assert (joined.rows.tolist(), joined.wrong.tolist(), joined.correct.tolist()) == (
        [1, 2, 5],
        [False, True, False],
        [1, -1, 1],
    )
