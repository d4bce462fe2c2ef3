"""A model as a tree of plain values and a list of arrays, and back: only declared fields of known classes."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from emphatic.fields import FieldError, Kind, name_field, read_fields, write_fields
from emphatic.persistence.classes import CLASSES, FOREIGN, STORED_AS, explain_refusal, name_in_files
from emphatic.persistence.plain import read_plain, write_plain

DEEPEST = 20
"""Parts inside parts: what is read without harm must also predict without harm."""

NEVER_SAVED = ("checkpoint", "engine")
"""Parameters that belong to a process: a file has none, and may set none."""


class TreeWriter:
    """Writes parts, and collects their arrays; what occurs twice is written once."""

    def __init__(self) -> None:
        self.arrays: list[np.ndarray] = []
        self._array_numbers: dict[int, int] = {}
        self._part_numbers: dict[int, int] = {}
        self._kept: list[Any] = []  # as long as an object lives, no other has its id

    def add_array(self, array: np.ndarray) -> int:
        if id(array) not in self._array_numbers:
            self._kept.append(array)
            self._array_numbers[id(array)] = len(self.arrays)
            self.arrays.append(array)
        return self._array_numbers[id(array)]

    def write_part(self, part: Any) -> dict[str, Any]:
        if id(part) in self._part_numbers:
            return {"same": self._part_numbers[id(part)]}
        written = self._write_new(part)
        self._kept.append(part)
        self._part_numbers[id(part)] = len(self._part_numbers)  # once it is whole: no part can be inside itself
        return written

    def _write_new(self, part: Any) -> dict[str, Any]:
        for convertible, convert in STORED_AS.items():
            if isinstance(part, convertible) and hasattr(part, "classes_"):
                part = convert(part)
        name = name_in_files(type(part))
        if CLASSES.get(name) is not type(part):
            raise FieldError(explain_refusal(part))
        written: dict[str, Any] = {"class": name}
        if hasattr(part, "get_params"):
            written["parameters"] = self._write_parameters(part)
        kinds = list_kinds(type(part))
        values = collect_fields(part)
        if kinds and any(field in values for field in kinds):
            written["fields"] = write_fields(kinds, values, self)
        return written

    def _write_parameters(self, part: Any) -> dict[str, Any]:
        given = part.get_params(deep=False)
        if type(part) in FOREIGN:  # other versions may have other parameters: only those that were changed
            kept, defaults = FOREIGN[type(part)].parameters, type(part)(**FOREIGN[type(part)].example).get_params(False)
            given = {key: given[key] for key in kept if not _equal(given[key], defaults.get(key))}
        written = {}
        for key, value in given.items():
            if key in NEVER_SAVED:
                continue
            with name_field(key):
                written[key] = write_plain(value, self)
        return written


class TreeReader:
    """Reads parts: by `CLASSES`, never by import; each from its parameters and declared fields."""

    def __init__(self, arrays: list[np.ndarray]) -> None:
        self.arrays = arrays
        self.used: set[int] = set()
        self._parts: list[Any] = []
        self._depth = 0

    def get_array(self, number: Any) -> np.ndarray:
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < len(self.arrays):
            raise FieldError(f"must be the number of an array, below {len(self.arrays)}")
        self.used.add(number)
        return self.arrays[number]

    def read_part(self, data: Any) -> Any:
        if not isinstance(data, dict):
            raise FieldError("must be a part")
        if set(data) == {"same"}:
            number = data["same"]
            if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < len(self._parts):
                raise FieldError("must be the number of an earlier part")
            return self._parts[number]
        if not {"class"} <= set(data) <= {"class", "parameters", "fields"}:
            raise FieldError("must be a part: a class with parameters and fields")
        name = data["class"]
        if not isinstance(name, str) or name not in CLASSES:
            raise FieldError("is of a class that model files cannot hold")
        self._depth += 1
        if self._depth > DEEPEST:
            raise FieldError(f"is more than {DEEPEST} parts deep")
        part = self._build(CLASSES[name], data)
        self._depth -= 1
        self._parts.append(part)
        return part

    def _build(self, known: type, data: dict[str, Any]) -> Any:
        kinds = list_kinds(known)
        if not hasattr(known, "get_params"):
            values = read_fields(kinds, data.get("fields"), self)
            try:
                part = getattr(known, "from_saved", known)(**values)
            except ValueError as error:
                raise FieldError(f"does not fit together: {error}") from error
            return _check(part)
        part = self._construct(known, data.get("parameters", {}))
        if "fields" in data:
            values = read_fields(kinds, data["fields"], self)
            with refuse_misfits():
                set_fields(part, values)
        return _check(part) if "fields" in data or not kinds else part  # one without fields has only parameters

    def _construct(self, known: type, data: Any) -> Any:
        if not isinstance(data, dict):
            raise FieldError("must have parameters by name", "parameters")
        parameters = {}
        for key, value in data.items():
            with name_field(key):
                if key not in _list_parameters(known) or key in NEVER_SAVED:
                    raise FieldError(f"is no parameter of {known.__name__}")
                parameters[key] = read_plain(value, self)
        try:
            part = known(**parameters)
            if hasattr(part, "check_parameters"):
                part.check_parameters()
        except (ValueError, TypeError) as error:
            raise FieldError(f"has wrong parameters: {error}") from error
        return part


def list_kinds(known: type) -> Mapping[str, Kind]:
    """The fields of a class that can be saved, with their kinds."""
    kinds: Mapping[str, Kind] = FOREIGN[known].fields if known in FOREIGN else getattr(known, "saved_fields", {})
    return kinds


def collect_fields(part: Any) -> dict[str, Any]:
    """The values of the fields of a part, as far as they are set."""
    if hasattr(part, "list_saved"):
        return dict(part.list_saved())
    return {name: getattr(part, name) for name in list_kinds(type(part)) if hasattr(part, name)}


def set_fields(part: Any, values: dict[str, Any]) -> None:
    """Make an estimator fitted by its fields."""
    if hasattr(part, "set_saved"):
        part.set_saved(values)
    else:
        part.__dict__.update(values)


def _check(part: Any) -> Any:
    """The part, if it is whole."""
    check = FOREIGN[type(part)].check if type(part) in FOREIGN else getattr(type(part), "check_saved", None)
    if check is not None:
        with refuse_misfits():
            check(part)
    return part


@contextmanager
def refuse_misfits() -> Iterator[None]:
    """Turn what checks of a whole part say into a FieldError."""
    try:
        yield
    except FieldError:
        raise
    except (ValueError, TypeError) as error:
        raise FieldError(f"does not fit together: {error}") from error


def _list_parameters(known: type) -> tuple[str, ...]:
    return FOREIGN[known].parameters if known in FOREIGN else tuple(inspect.signature(known).parameters)


def _equal(one: Any, other: Any) -> bool:
    return one is other or (type(one) is type(other) and isinstance(one, str | int | float) and one == other)
