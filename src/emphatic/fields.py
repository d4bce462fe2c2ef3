"""What a saved model may consist of: fields, each of a declared kind, and nothing else.

A class that can be saved lists its fields with `saved`. Reading a file builds exactly these, each checked by its kind:
type, shape, range. Sizes with a name must agree wherever the name occurs in the class. What kinds cannot express, the
method `check_saved` of the class does: it raises a ValueError. No kind can hold a function, a module or a type.

>>> import numpy as np
>>> @saved(weights=Array(np.float64, "outputs", "units"), biases=Array(np.float64, "outputs"), metric=Text("l1", "l2"))
... class Layer: ...
>>> sorted(Layer.saved_fields)
['biases', 'metric', 'weights']
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import isfinite
from typing import Any, Protocol, TypeVar

import numpy as np

Class = TypeVar("Class", bound=type)
Sizes = dict[str, int]
"""Sizes of arrays by name, as far as they are known."""

LARGEST = 1e100
"""The largest number, but for inputs and their scales: sums and products of a few of them do not overflow."""


class FieldError(ValueError):
    """A field is not what it was declared to be; the message begins with the path of the field."""

    def __init__(self, problem: str, path: str = "") -> None:
        super().__init__(f"{path} {problem}" if path else problem)
        self.problem, self.path = problem, path


class Writer(Protocol):
    """What kinds need in order to write."""

    def add_array(self, array: np.ndarray) -> int:
        """Keep an array; return its number."""

    def write_part(self, part: Any) -> Any:
        """An object of a class that can be saved, as plain values."""


class Reader(Protocol):
    """What kinds need in order to read."""

    def get_array(self, number: Any) -> np.ndarray:
        """The array of this number."""

    def read_part(self, data: Any) -> Any:
        """The object that was written."""


def saved(**fields: Kind) -> Callable[[Class], Class]:
    """Declare the fields that a class is saved with, besides those of its base classes."""

    def declare(declared: Class) -> Class:
        declared.saved_fields = {**getattr(declared, "saved_fields", {}), **fields}  # type: ignore[attr-defined]
        return declared

    return declare


@contextmanager
def name_field(name: str) -> Iterator[None]:
    """Put the name of a field before the path of an error inside."""
    try:
        yield
    except FieldError as error:
        separator = "" if error.path[:1] in ("", "[") else "."
        raise FieldError(error.problem, name + separator + error.path) from None


class Kind(ABC):
    """What a field may be."""

    @abstractmethod
    def write(self, value: Any, writer: Writer) -> Any:
        """The value as plain JSON values; FieldError if it is not of this kind."""

    @abstractmethod
    def read(self, data: Any, reader: Reader, sizes: Sizes) -> Any:
        """The value again; FieldError if the data are not of this kind. Adds to `sizes`, or checks against them."""

    def check(self, value: Any, sizes: Sizes) -> None:  # noqa: B027 - most kinds need no sizes
        """Check what needs all sizes, once these are known."""


def _demand(condition: Any, allowed: str, data: Any) -> None:
    if not condition:
        shown = repr(data)
        raise FieldError(f"must be {allowed}, not {shown if len(shown) <= 60 else shown[:57] + '...'}")


def _agree(sizes: Sizes, name: str, size: int) -> None:
    if sizes.setdefault(name, size) != size:
        raise FieldError(f"has {size} {name}, but {sizes[name]} are expected")


@dataclass(frozen=True)
class Flag(Kind):
    """True or False."""

    def write(self, value: Any, writer: Writer) -> Any:
        _demand(isinstance(value, bool | np.bool_), "True or False", value)
        return bool(value)

    def read(self, data: Any, reader: Reader, sizes: Sizes) -> Any:
        _demand(isinstance(data, bool), "true or false", data)
        return data


@dataclass(frozen=True)
class Whole(Kind):
    """An integer of at least `low`, and below `below`: a number or the name of a size."""

    low: int = 0
    below: int | str = 2**31

    def write(self, value: Any, writer: Writer) -> Any:
        _demand(isinstance(value, int | np.integer) and not isinstance(value, bool), "an integer", value)
        return int(value)

    def read(self, data: Any, reader: Reader, sizes: Sizes) -> Any:
        _demand(isinstance(data, int) and not isinstance(data, bool), "an integer", data)
        return data

    def check(self, value: Any, sizes: Sizes) -> None:
        below = sizes[self.below] if isinstance(self.below, str) else self.below
        _demand(self.low <= value < below, f"an integer from {self.low} to {below - 1}", value)


@dataclass(frozen=True)
class Size(Whole):
    """An integer that is the size called `name`."""

    name: str = ""

    def read(self, data: Any, reader: Reader, sizes: Sizes) -> Any:
        _agree(sizes, self.name, super().read(data, reader, sizes))
        return data


@dataclass(frozen=True)
class Number(Kind):
    """A finite float between `low` and `high`; `above` is a limit that is itself excluded."""

    low: float = -LARGEST
    high: float = LARGEST
    above: float = -np.inf

    def write(self, value: Any, writer: Writer) -> Any:
        _demand(isinstance(value, float | int | np.floating | np.integer), "a number", value)
        return float(value)

    def read(self, data: Any, reader: Reader, sizes: Sizes) -> Any:
        _demand(isinstance(data, float | int) and not isinstance(data, bool), "a number", data)
        allowed = f"a number from {max(self.low, self.above):g} to {self.high:g}"
        _demand(self.low <= data <= self.high and data > self.above, allowed, data)
        return float(data)


@dataclass(frozen=True, init=False)
class Text(Kind):
    """Text: any, or one of those that are allowed."""

    allowed: tuple[str, ...]

    def __init__(self, *allowed: str) -> None:
        object.__setattr__(self, "allowed", allowed)

    def write(self, value: Any, writer: Writer) -> Any:
        _demand(isinstance(value, str), "text", value)
        return str(value)

    def read(self, data: Any, reader: Reader, sizes: Sizes) -> Any:
        _demand(isinstance(data, str), "text", data)
        _demand(not self.allowed or data in self.allowed, f"one of {', '.join(self.allowed)}", data)
        return data


@dataclass(frozen=True, init=False)
class Array(Kind):
    """An array of one dtype (`np.floating`: double or single precision), whose axes have the given sizes.

    A size is a number, a name, or None for any size; `...` alone stands for any axes. Values are finite and between
    `low` and `high`, above `above`, and below `below`, which may be the name of a size. Infinity is allowed if `high`
    is infinite.
    """

    dtype: Any
    axes: tuple[Any, ...]
    low: float | None
    high: float | None
    above: float
    below: int | str | None

    def __init__(
        self,
        dtype: Any,
        *axes: Any,
        low: float | None = None,
        high: float | None = None,
        above: float = -np.inf,
        below: int | str | None = None,
    ) -> None:
        largest = LARGEST if dtype == np.float64 else None
        for name, value in {
            "dtype": dtype,
            "axes": axes,
            "low": -largest if low is None and largest else low,
            "high": largest if high is None else high,
            "above": above,
            "below": below,
        }.items():
            object.__setattr__(self, name, value)

    def write(self, value: Any, writer: Writer) -> Any:
        array = np.asarray(value)
        _demand(np.issubdtype(array.dtype, self.dtype), f"an array of {self.dtype.__name__}", array.dtype)
        return writer.add_array(array)

    def read(self, data: Any, reader: Reader, sizes: Sizes) -> Any:
        array = reader.get_array(data)
        _demand(np.issubdtype(array.dtype, self.dtype), f"an array of {self.dtype.__name__}", array.dtype)
        if self.axes == (...,):
            return array
        _demand(array.ndim == len(self.axes), f"an array with {len(self.axes)} axes", array.shape)
        for axis, size in zip(self.axes, array.shape, strict=True):
            if isinstance(axis, str):
                _agree(sizes, axis, size)
            elif axis is not None:
                _demand(size == axis, f"an array with an axis of size {axis}", array.shape)
        return array

    def check(self, value: Any, sizes: Sizes) -> None:
        if not value.size:
            return
        least, largest = value.min().item(), value.max().item()  # NaN if any value is
        below = sizes[self.below] if isinstance(self.below, str) else self.below
        finite = isfinite(least) and (isfinite(largest) or self.high == np.inf)
        _demand(finite and largest == largest, "an array of finite numbers", (float(least), float(largest)))
        _demand(least > self.above and (self.low is None or least >= self.low), "an array of larger values", least)
        _demand(self.high is None or largest <= self.high, f"an array of values up to {self.high}", largest)
        _demand(below is None or largest < below, f"an array of values below {below}", largest)


@dataclass(frozen=True, init=False)
class Choices(Kind):
    """An array of text in which only a few texts occur; it is kept as their places."""

    texts: tuple[str, ...]
    places: Array

    def __init__(self, texts: tuple[str, ...], *axes: Any) -> None:
        object.__setattr__(self, "texts", texts)
        object.__setattr__(self, "places", Array(np.int8, *axes, low=0, below=len(texts)))

    def write(self, value: Any, writer: Writer) -> Any:
        matches = np.asarray(value) == np.array(self.texts).reshape(-1, *[1] * np.ndim(value))
        _demand(matches.any(axis=0).all(), f"one of {', '.join(self.texts)} everywhere", value)
        return self.places.write(matches.argmax(axis=0).astype(np.int8), writer)

    def read(self, data: Any, reader: Reader, sizes: Sizes) -> Any:
        places = self.places.read(data, reader, sizes)
        self.places.check(places, sizes)
        return np.array(self.texts)[places]


@dataclass(frozen=True)
class Labels(Kind):
    """The classes of a classifier, sorted: numbers, truth values or text; their number is the size called `name`."""

    name: str = "classes"

    def write(self, value: Any, writer: Writer) -> Any:
        array = np.asarray(value)
        if array.dtype.kind in "biuf":
            return writer.add_array(array)
        texts = array.tolist()
        _demand(all(isinstance(one, str) for one in texts), "numbers, truth values or text", array)
        return {"object" if array.dtype == object else "text": texts}

    def read(self, data: Any, reader: Reader, sizes: Sizes) -> Any:
        if isinstance(data, dict):
            _demand(len(data) == 1 and set(data) <= {"object", "text"}, "labels", data)
            ((form, texts),) = data.items()
            _demand(isinstance(texts, list) and all(isinstance(one, str) for one in texts), "a list of text", texts)
            array = np.array(texts, dtype=object if form == "object" else np.str_)
        else:
            array = reader.get_array(data)
            _demand(array.ndim == 1 and array.dtype.kind in "biuf", "labels", array)
            _demand(np.isfinite(array).all(), "finite labels", array)
        _demand(len(array) >= 1 and (array[:-1] < array[1:]).all(), "sorted labels, each of them once", array)
        _agree(sizes, self.name, len(array))
        return array


@dataclass(frozen=True)
class Names(Kind):
    """An array of text, such as the names of columns; their number is the size called `name`."""

    name: str = "features"

    def write(self, value: Any, writer: Writer) -> Any:
        texts = np.asarray(value).tolist()
        _demand(all(isinstance(one, str) for one in texts), "text", value)
        return texts

    def read(self, data: Any, reader: Reader, sizes: Sizes) -> Any:
        _demand(isinstance(data, list) and all(isinstance(one, str) for one in data), "a list of text", data)
        _agree(sizes, self.name, len(data))
        return np.array(data, dtype=object)


@dataclass(frozen=True)
class ListOf(Kind):
    """A list of values of one kind; its length may be the size called `name`."""

    kind: Kind
    name: str = ""
    make: Callable[[list[Any]], Any] = list

    def write(self, value: Any, writer: Writer) -> Any:
        _demand(isinstance(value, list | tuple), "a list", value)
        written = []
        for number, one in enumerate(value):
            with name_field(f"[{number}]"):
                written.append(self.kind.write(one, writer))
        return written

    def read(self, data: Any, reader: Reader, sizes: Sizes) -> Any:
        _demand(isinstance(data, list), "a list", data)
        if self.name:
            _agree(sizes, self.name, len(data))
        values = []
        for number, one in enumerate(data):
            with name_field(f"[{number}]"):
                values.append(self.kind.read(one, reader, sizes))
        return self.make(values)

    def check(self, value: Any, sizes: Sizes) -> None:
        for number, one in enumerate(value):
            with name_field(f"[{number}]"):
                self.kind.check(one, sizes)


def TupleOf(kind: Kind, name: str = "") -> ListOf:
    """A tuple of values of one kind."""
    return ListOf(kind, name, tuple)


@dataclass(frozen=True, init=False)
class Together(Kind):
    """A tuple with a kind for each of its places."""

    kinds: tuple[Kind, ...]

    def __init__(self, *kinds: Kind) -> None:
        object.__setattr__(self, "kinds", kinds)

    def write(self, value: Any, writer: Writer) -> Any:
        _demand(isinstance(value, tuple) and len(value) == len(self.kinds), f"{len(self.kinds)} values", value)
        return [kind.write(one, writer) for kind, one in zip(self.kinds, value, strict=True)]

    def read(self, data: Any, reader: Reader, sizes: Sizes) -> Any:
        _demand(isinstance(data, list) and len(data) == len(self.kinds), f"a list of {len(self.kinds)} values", data)
        return tuple(kind.read(one, reader, sizes) for kind, one in zip(self.kinds, data, strict=True))

    def check(self, value: Any, sizes: Sizes) -> None:
        for kind, one in zip(self.kinds, value, strict=True):
            kind.check(one, sizes)


@dataclass(frozen=True)
class ByName(Kind):
    """A dictionary with names as keys and values of one kind, in its order."""

    kind: Kind

    def write(self, value: Any, writer: Writer) -> Any:
        _demand(isinstance(value, Mapping) and all(isinstance(name, str) for name in value), "values by name", value)
        written = []
        for name, one in value.items():
            with name_field(name):
                written.append([name, self.kind.write(one, writer)])
        return written

    def read(self, data: Any, reader: Reader, sizes: Sizes) -> Any:
        pairs = isinstance(data, list) and all(isinstance(one, list) and len(one) == 2 for one in data)
        _demand(pairs and all(isinstance(name, str) for name, _ in data), "pairs of a name and a value", data)
        values = {}
        for name, one in data:
            with name_field(name):
                values[name] = self.kind.read(one, reader, sizes)
        _demand(len(values) == len(data), "pairs whose names differ", data)
        return values

    def check(self, value: Any, sizes: Sizes) -> None:
        for name, one in value.items():
            with name_field(name):
                self.kind.check(one, sizes)


@dataclass(frozen=True, init=False)
class Record(Kind):
    """A dictionary of which every key is known and has a kind of its own."""

    kinds: dict[str, Kind]

    def __init__(self, **kinds: Kind) -> None:
        object.__setattr__(self, "kinds", kinds)

    def write(self, value: Any, writer: Writer) -> Any:
        return write_fields(self.kinds, value, writer)

    def read(self, data: Any, reader: Reader, sizes: Sizes) -> Any:
        return read_fields(self.kinds, data, reader)


@dataclass(frozen=True)
class Maybe(Kind):
    """A value of a kind, or None."""

    kind: Kind

    def write(self, value: Any, writer: Writer) -> Any:
        return None if value is None else self.kind.write(value, writer)

    def read(self, data: Any, reader: Reader, sizes: Sizes) -> Any:
        return None if data is None else self.kind.read(data, reader, sizes)

    def check(self, value: Any, sizes: Sizes) -> None:
        if value is not None:
            self.kind.check(value, sizes)


@dataclass(frozen=True)
class IfSet(Kind):
    """A field that not every object has; a field that older files lack has a `default`, which is then set."""

    kind: Kind
    default: Any = ...

    def write(self, value: Any, writer: Writer) -> Any:
        return self.kind.write(value, writer)

    def read(self, data: Any, reader: Reader, sizes: Sizes) -> Any:
        return self.kind.read(data, reader, sizes)

    def check(self, value: Any, sizes: Sizes) -> None:
        self.kind.check(value, sizes)


@dataclass(frozen=True, init=False)
class Part(Kind):
    """An object of one of these classes, by the names under which `emphatic.persistence.classes` lists them: fitted."""

    names: tuple[str, ...]

    def __init__(self, *names: str) -> None:
        object.__setattr__(self, "names", names)

    def write(self, value: Any, writer: Writer) -> Any:
        return writer.write_part(value)

    def read(self, data: Any, reader: Reader, sizes: Sizes) -> Any:
        part = reader.read_part(data)
        name = type(part).__name__
        _demand(name in self.names, f"one of {', '.join(self.names)}", name)
        _demand(is_fitted(part), "fitted", name)
        return part


@dataclass(frozen=True)
class Classifier(Kind):
    """A fitted classifier of any class that can be saved."""

    def write(self, value: Any, writer: Writer) -> Any:
        return writer.write_part(value)

    def read(self, data: Any, reader: Reader, sizes: Sizes) -> Any:
        part = reader.read_part(data)
        classifier = is_fitted(part) and hasattr(part, "predict") and hasattr(part, "classes_")
        _demand(classifier, "a fitted classifier", type(part).__name__)
        return part


def is_fitted(part: Any) -> bool:
    """Whether a part is whole: an estimator that has learnt from a table, a pipeline of such, or no estimator."""
    if hasattr(part, "steps"):
        return all(is_fitted(step) for _, step in part.steps)
    learnt = {"n_features_in_", *getattr(type(part), "saved_fields", {})}
    return any(hasattr(part, name) for name in learnt) or not hasattr(part, "get_params")


def write_fields(kinds: Mapping[str, Kind], values: Mapping[str, Any], writer: Writer) -> dict[str, Any]:
    """The declared fields of an object, as plain values."""
    written = {}
    for name, kind in kinds.items():
        if name in values:
            with name_field(name):
                written[name] = kind.write(values[name], writer)
        elif not isinstance(kind, IfSet):
            raise FieldError("is missing", name)
    return written


def read_fields(kinds: Mapping[str, Kind], data: Any, reader: Reader) -> dict[str, Any]:
    """The declared fields of an object, and no others, each of its kind; sizes of the same name agree."""
    _demand(isinstance(data, dict), "fields", data)
    unknown = sorted(set(data) - set(kinds))
    _demand(not unknown, f"made of {', '.join(kinds)}", unknown)
    values: dict[str, Any] = {}
    sizes: Sizes = {}
    for name, kind in kinds.items():
        if name in data:
            with name_field(name):
                values[name] = kind.read(data[name], reader, sizes)
        elif not isinstance(kind, IfSet):
            raise FieldError("is missing", name)
        elif kind.default is not ...:
            values[name] = kind.default
    for name, value in values.items():
        if name in data:
            with name_field(name):
                kinds[name].check(value, sizes)
    return values
