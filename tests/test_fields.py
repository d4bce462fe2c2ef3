"""Kinds of fields: what they accept, what they refuse, and with which words."""

import numpy as np
import pytest

from emphatic.fields import (
    Array,
    ByName,
    Choices,
    FieldError,
    Flag,
    IfSet,
    Labels,
    ListOf,
    Maybe,
    Names,
    Number,
    Record,
    Size,
    Text,
    Together,
    TupleOf,
    Whole,
    read_fields,
    saved,
    write_fields,
)


class Arrays:
    """Arrays by number, as a file has them."""

    def __init__(self, *arrays):
        self.arrays = list(arrays)

    def add_array(self, array):
        self.arrays.append(array)
        return len(self.arrays) - 1

    def get_array(self, number):
        return self.arrays[number]


def there_and_back(kind, value):
    arrays = Arrays()
    written = write_fields({"x": kind}, {"x": value}, arrays)
    return read_fields({"x": kind}, written, arrays)["x"]


GOOD = [
    (Flag(), True),
    (Whole(), 3),
    (Whole(-5), -5),
    (Size(name="rows"), 4),
    (Number(), 0.1),
    (Number(0.0, 1.0), 1.0),
    (Text(), "ä"),
    (Text("a", "b"), "b"),
    (ListOf(Whole()), [1, 2]),
    (TupleOf(Text()), ("a",)),
    (Together(Text(), Whole()), ("a", 1)),
    (ByName(Number()), {"b": 1.0, "a": 2.0}),
    (Record(a=Flag(), b=Text()), {"a": False, "b": "c"}),
    (Maybe(Whole()), None),
    (Maybe(Whole()), 2),
    (IfSet(Whole()), 2),
]


@pytest.mark.parametrize(("kind", "value"), GOOD, ids=str)
def test_values_come_back_with_their_type(kind, value):
    again = there_and_back(kind, value)
    assert (again, type(again)) == (value, type(value))
    if isinstance(value, dict):
        assert list(again) == list(value), "in their order"


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Array(np.float64, "n", 2), np.arange(6.0).reshape(3, 2)),
        (Array(np.float64, ...), np.float64(3.0)),
        (Array(np.floating, None), np.zeros(2, np.float32)),
        (Array(np.int32, "n", low=0, below="n"), np.array([2, 0, 1], np.int32)),
        (Array(np.float64, "n", high=np.inf), np.array([1.0, np.inf])),
        (Array(np.bool_, "n"), np.array([True, False])),
        (Choices(("a", "b"), "n", 2), np.array([["a", "b"], ["b", "b"]])),
        (Labels(), np.array([1, 5])),
        (Labels(), np.array([False, True])),
        (Labels(), np.array(["a", "b"])),
        (Labels(), np.array(["a", "b"], dtype=object)),
        (Names(), np.array(["a", "b"], dtype=object)),
    ],
    ids=str,
)
def test_arrays_come_back_with_their_type(kind, value):
    again = there_and_back(kind, value)
    np.testing.assert_array_equal(again, value)
    assert again.dtype == value.dtype


BAD = [
    (Flag(), 1, "true or false"),
    (Whole(), 1.0, "an integer"),
    (Whole(), True, "an integer"),
    (Whole(2), 1, "an integer from 2 to"),
    (Whole(0, 5), 5, "an integer from 0 to 4"),
    (Number(), "1", "a number"),
    (Number(), True, "a number"),
    (Number(), 1e200, "to 1e\\+100"),
    (Number(), float("nan"), "a number from"),
    (Number(0.0, 1.0), 1.5, "a number from 0 to 1"),
    (Number(above=0.0), 0.0, "a number from 0"),
    (Text(), 1, "text"),
    (Text("a", "b"), "c", "one of a, b"),
    (ListOf(Whole()), {"a": 1}, "a list"),
    (ListOf(Whole()), [1, "2"], r"x\[1\] must be an integer"),
    (Together(Text(), Whole()), ["a"], "a list of 2 values"),
    (ByName(Whole()), [["a", 1], ["a", 2]], "names differ"),
    (ByName(Whole()), [["a"]], "pairs of a name and a value"),
    (ByName(Whole()), [["a", None]], r"x\.a must be an integer"),
    (Record(a=Flag()), {"a": True, "__class__": 1}, "made of a"),
    (Record(a=Flag()), {}, r"x\.a is missing"),
    (Names(), "ab", "a list of text"),
    (Labels(), {"text": ["b", "a"]}, "sorted labels"),
    (Labels(), {"text": ["a", "a"]}, "sorted labels"),
    (Labels(), {"text": []}, "sorted labels"),
    (Labels(), {"code": ["a", "b"]}, "labels"),
]


@pytest.mark.parametrize(("kind", "data", "message"), BAD, ids=str)
def test_data_of_another_kind_are_refused(kind, data, message):
    with pytest.raises(FieldError, match=message):
        read_fields({"x": kind}, {"x": data}, Arrays())


@pytest.mark.parametrize(
    ("kind", "array", "message"),
    [
        (Array(np.float64, "n"), np.zeros(3, np.float32), "an array of float64"),
        (Array(np.float64, "n"), np.zeros((3, 1)), "with 1 axes"),
        (Array(np.float64, 2), np.zeros(3), "of size 2"),
        (Array(np.float64, "n"), np.array([0.0, np.nan]), "finite"),
        (Array(np.float64, "n"), np.array([0.0, np.inf]), "finite"),
        (Array(np.float64, "n", high=np.inf), np.array([0.0, -np.inf]), "finite"),
        (Array(np.float64, "n", high=np.inf), np.array([np.nan, np.inf]), "finite"),
        (Array(np.float64, "n"), np.array([1e101]), r"up to 1e\+100"),
        (Array(np.float64, "n", low=0.0), np.array([-1.0]), "larger values"),
        (Array(np.float64, "n", above=0.0), np.array([0.0]), "larger values"),
        (Array(np.int32, "n", below="n"), np.array([0, 2], np.int32), "values below 2"),
        (Labels(), np.array([1.0, np.nan]), "finite labels"),
        (Labels(), np.array([[1, 2]]), "labels"),
        (Choices(("a", "b"), "n"), np.array([2], np.int8), "values below 2"),
        (Choices(("a", "b"), "n"), np.array([-1], np.int8), "larger values"),
    ],
    ids=str,
)
def test_arrays_of_another_kind_are_refused(kind, array, message):
    with pytest.raises(FieldError, match=message):
        read_fields({"x": kind}, {"x": 0}, Arrays(array))


def test_sizes_of_one_name_agree():
    kinds = {"a": Array(np.float64, "n", "m"), "b": Array(np.float64, "m"), "c": Size(name="n"), "d": Whole(below="n")}
    data = {"a": 0, "b": 1, "c": 3, "d": 2}
    arrays = Arrays(np.zeros((3, 2)), np.zeros(2), np.zeros(3))
    assert read_fields(kinds, data, arrays)["c"] == 3
    with pytest.raises(FieldError, match="b has 3 m, but 2 are expected"):
        read_fields(kinds, {**data, "b": 2}, arrays)
    with pytest.raises(FieldError, match="c has 4 n, but 3 are expected"):
        read_fields(kinds, {**data, "c": 4}, arrays)
    with pytest.raises(FieldError, match="d must be an integer from 0 to 2, not 3"):
        read_fields(kinds, {**data, "d": 3}, arrays)


def test_fields_that_are_not_declared_are_refused_and_those_that_are_missing_too():
    kinds = {"a": Flag(), "b": IfSet(Flag()), "c": IfSet(Flag(), default=True)}
    assert read_fields(kinds, {"a": True}, Arrays()) == {"a": True, "c": True}, "a new field has a default"
    with pytest.raises(FieldError, match=r"made of a, b, c, not \['predict'\]"):
        read_fields(kinds, {"a": True, "predict": True}, Arrays())
    with pytest.raises(FieldError, match="a is missing"):
        read_fields(kinds, {}, Arrays())
    with pytest.raises(FieldError, match="fields, not None"):
        read_fields(kinds, None, Arrays())


def test_a_path_leads_to_the_field():
    kinds = {"layers": ListOf(Record(weights=ByName(Whole())))}
    with pytest.raises(FieldError, match=r"^layers\[1\]\.weights\.w must be an integer, not 'x'$"):
        read_fields(kinds, {"layers": [{"weights": []}, {"weights": [["w", "x"]]}]}, Arrays())


def test_a_class_has_the_fields_of_its_base_classes():
    @saved(a=Flag())
    class Base: ...

    @saved(b=Flag())
    class Derived(Base): ...

    assert (list(Base.saved_fields), list(Derived.saved_fields)) == (["a"], ["a", "b"])


UNWRITABLE = [
    (Flag(), 1),
    (Whole(), 1.5),
    (Whole(), True),
    (Number(), "1"),
    (Text(), 1),
    (Array(np.float64, "n"), np.zeros(2, int)),
    (Labels(), np.array([None])),
    (Names(), np.array([1])),
    (ListOf(Flag()), "ab"),
    (ByName(Flag()), {1: True}),
    (Together(Flag()), (True, True)),
    (Choices(("a",), "n"), np.array(["b"])),
]


@pytest.mark.parametrize(("kind", "value"), UNWRITABLE, ids=str)
def test_values_of_another_kind_are_not_written(kind, value):
    with pytest.raises(FieldError, match="x must be "):
        write_fields({"x": kind}, {"x": value}, Arrays())
