"""Tables of labels as people have them."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from emphatic.audit.annotators.labels import read_annotations

ROWS = [["yes", None], ["no", "no"], [None, "yes"]]
CODES = [[1, -1], [0, 0], [-1, 1]]


@pytest.mark.parametrize(
    "labels",
    [
        ROWS,
        np.array(ROWS, dtype=object),
        pd.DataFrame(ROWS),
        pd.DataFrame(ROWS, dtype="string"),
        pd.DataFrame(ROWS, dtype="category"),
        pl.DataFrame(ROWS, orient="row"),
        [[1.0, np.nan], [0.0, 0.0], [np.nan, 1.0]],
        pd.DataFrame({"a": [1, 0, None], "b": [None, 0, 1]}),  # read as floats
        pd.DataFrame({"a": [1, 0, None], "b": [None, 0, 1]}, dtype="Int64"),
        pd.DataFrame({"a": [5, 3, 3], "b": [None, 3, 5]}).mask(
            lambda t: pd.DataFrame({"a": [0, 0, 1], "b": [0] * 3}) > 0
        ),
        [[True, None], [False, False], [None, True]],
        [[2.5, None], [0.5, 0.5], [None, 2.5]],
    ],
)
def test_missing_labels_in_every_kind_of_table(labels):
    assert read_annotations(labels).codes.tolist() == CODES


def test_names_and_classes():
    read = read_annotations(pd.DataFrame({"ann": [3, 1, 2], 7: [None, 1, 2]}))
    assert read.annotators == ("ann", "7")
    assert read.classes.tolist() == [1, 2, 3] and read.classes.dtype.kind == "i"
    assert read_annotations(pl.DataFrame({"ann": ["a", "b"]})).annotators == ("ann",)
    assert read_annotations([["b", "a"]]).annotators == ("annotator 0", "annotator 1")
    assert read_annotations([["b", "b"]], classes=["c", "b"]).codes.tolist() == [[0, 0]]  # nobody says c


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["a", "b"], r"labels has shape \(2,\): .* one column per annotator. For one label per sample .* audit_labels"),
        (pd.Series(["a", "b"]), r"labels has shape \(2,\)"),
        ([["a", "b"], ["a"]], r"labels has shape \(2,\)"),
        (np.zeros((2, 2, 2)), r"labels has shape \(2, 2, 2\)"),
        (pd.DataFrame(index=[1, 2]), r"labels has shape \(2, 0\)"),
        ([[None, np.nan]], "labels holds no label: every cell is missing"),
        ([["a", "a"]], r"only one class \('a'\): at least 2 are needed"),
        ([["a", 1]], r"text \(annotator 'annotator 0' has 'a'\), numbers \(annotator 'annotator 1' has 1\): all"),
        ([[True, 1]], "booleans .*, numbers"),
        ([[1.0, np.inf]], "infinite"),
        ([[b"a", b"b"]], "values of type bytes .* a label must be text, a number or a boolean"),
        (np.linspace(0, 1, 90).reshape(30, 3), "90 different numbers .* measurement .* pandas.qcut"),
        (pd.DataFrame([["a", "b"]], columns=["ann", "ann"]), "several columns named 'ann'"),
    ],
)  # fmt: skip
def test_bad_labels_are_refused_by_name(labels, message):
    with pytest.raises(ValueError, match=message):
        read_annotations(labels)


def test_unknown_labels_are_refused_with_their_place():
    labels = pd.DataFrame({"ann": ["cat", "dog"], "bob": ["cat", "dgo"]})
    with pytest.raises(ValueError, match=r"unknown label 'dgo' of annotator 'bob' at position 1.*did you mean dog\?"):
        read_annotations(labels, classes=["cat", "dog"])
    with pytest.raises(
        ValueError, match=r"unknown label 3 of annotator 'annotator 0' at position 0, not one of classes\."
    ):
        read_annotations([[3]], classes=[1, 2])


@pytest.mark.parametrize("classes", [["a"], ["a", "a", "b"], "ab", [["a", "b"]], []])
def test_classes_must_be_different_labels(classes):
    with pytest.raises(ValueError, match=r"classes=.* is not allowed: classes must be a list of at least 2 different"):
        read_annotations([["a", "b"]], classes=classes)


def test_lazy_frames_are_refused_with_the_remedy():
    with pytest.raises(TypeError, match=r"labels\.collect\(\)"):
        read_annotations(pl.LazyFrame({"ann": ["a", "b"]}))
