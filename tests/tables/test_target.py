"""Labels stay as they are written; what cannot be the labels of classes is refused, or cut when asked."""

import numpy as np
import pandas as pd
import pytest

from emphatic.inputs import describe_measurement, encode_labels
from emphatic.tables.target import take_target


def table(labels):
    return pd.DataFrame({"a": np.arange(len(labels)) / 2, "y": pd.Series(labels, dtype=object)})


def test_labels_are_never_renamed_or_merged():
    labels = ["1", "01", "2", " 2", "Yes", "yes", "TRUE", "True", "1.0"] * 3
    found = take_target(table(labels), "y")
    assert found.y.tolist() == labels
    (remark,) = [one for one in found.remarks if "look alike" in one]
    assert "'1' and '01'" in remark and "'Yes' and 'yes'" in remark


@pytest.mark.parametrize(
    "labels", [["0.5", "1.5", "2.5"] * 10, [0.5, 1.5, 2.5] * 10, [1, 2, 3] * 10, [True, False] * 9]
)
def test_classes_given_as_numbers_are_classes(labels):
    found = take_target(table(labels), "y").y
    assert found.tolist() == labels
    assert len(encode_labels(found)[0]) == len(set(labels))


MEASURED = {
    "diabetes": np.repeat(np.arange(25.0, 239.0), [2] * 200 + [3] * 14),
    "fractions": np.linspace(0, 1, 21).repeat(50),
    "few rows": np.array([0.1, 0.2, 0.3, 0.7]),
}


@pytest.mark.parametrize("numbers", MEASURED.values(), ids=MEASURED)
def test_a_measurement_is_refused_with_the_remedy_in_commands_and_in_python(numbers):
    for labels in (
        numbers.tolist(),
        [f"{one:.15g}" for one in numbers],
        [f"{one:.15g}".replace(".", ",") for one in numbers],
    ):
        with pytest.raises(ValueError, match="looks like a measurement rather than classes: --bins 4 cuts it"):
            take_target(table(labels), "y")
    with pytest.raises(ValueError, match=r"Unknown label type: continuous\. y holds .* pandas\.qcut"):
        encode_labels(numbers)


@pytest.mark.parametrize("numbers", [np.arange(60.0).repeat(4), np.arange(40.0), np.array([0.5, 1.5])])
def test_what_may_be_classes(numbers):
    assert describe_measurement(numbers) == ""


def test_numbers_are_cut_into_classes_of_equal_size():
    found = take_target(table([f"{k},5" for k in range(100)]), "y", bins=4)
    names, counts = np.unique(found.y.astype(str), return_counts=True)
    assert counts.tolist() == [25, 25, 25, 25]
    assert names.tolist() == [
        "1: up to 25.25", "2: above 25.25 up to 50", "3: above 50 up to 74.75", "4: above 74.75"
    ]  # fmt: skip
    many = take_target(table(list(range(100))), "y", bins=12)
    assert sorted(set(many.y))[:2] == ["01: up to 8.25", "02: above 8.25 up to 16.5"], "sorted as text"
    with pytest.raises(ValueError, match="not all of its cells are numbers"):
        take_target(table(["a", "b"] * 5), "y", bins=2)
    with pytest.raises(ValueError, match="too many of its numbers are equal"):
        take_target(table(["1"] * 9 + ["0"]), "y", bins=2)


@pytest.mark.parametrize("mark", [None, "NA", "nan", "None", "?"])
def test_missing_labels(mark):
    data = table(["x", "z", mark, "z", "x"])
    with pytest.raises(ValueError, match=r"no label in 1 of 5 rows, the first at index 2 .*--missing-labels drop"):
        take_target(data, "y")
    dropped = take_target(data, "y", missing="drop")
    assert dropped.y.tolist() == ["x", "z", "z", "x"] and dropped.X["a"].tolist() == [0.0, 0.5, 1.5, 2.0]
    assert "these rows are left out" in dropped.remarks[0]
    if mark is None:
        with pytest.raises(ValueError, match="no label in 1 of 5 rows"):
            take_target(data, "y", missing="class")
    else:
        assert take_target(data, "y", missing="class").y.tolist() == ["x", "z", mark, "z", "x"]
    with pytest.raises(ValueError, match="no label in any row"):
        take_target(table([mark] * 3), "y", missing="drop")


def test_what_cannot_be_learnt():
    with pytest.raises(ValueError, match=r"only one class \(x\)"):
        take_target(table(["x"] * 3), "y")
    with pytest.raises(ValueError, match="100 different labels in 100 rows: it names rows rather than classes"):
        take_target(table([f"n{k}" for k in range(100)]), "y")
    with pytest.raises(ValueError, match="unknown column z; known: a, y"):
        take_target(table(["x", "z"]), "z")
    with pytest.raises(ValueError, match="the table has no features"):
        take_target(table(["x", "z"])[["y"]], "y")


def test_rare_classes_are_named():
    few, rare = take_target(table(["x"] * 500 + ["z"] * 6 + ["w"] * 2), "y").remarks
    assert few == "classes of y with fewer than 5 rows, hard to learn: w (2)"
    assert rare == "classes of y that are rare, and may never be predicted: z (1.2%)"
