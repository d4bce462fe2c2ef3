"""Plain values, such as parameters: numbers, text, lists, dictionaries, arrays, and parts that can be saved.

JSON has no tuples, slices, infinities and arrays: they are objects with one key that says what they are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from emphatic.fields import FieldError, Reader, Writer, name_field

NUMBERS = {"inf": float("inf"), "-inf": float("-inf"), "nan": float("nan")}


def write_plain(value: Any, writer: Writer) -> Any:
    """The value as JSON values; FieldError if it is a function, say."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if np.isfinite(value) else {"number": str(value)}
    if isinstance(value, list):
        return _write_items(value, writer)
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return {"tuple": _write_items(value, writer)}
    if isinstance(value, slice):
        return {"slice": _write_items((value.start, value.stop, value.step), writer)}
    if isinstance(value, dict):
        return {"dict": [_write_items(pair, writer) for pair in value.items()]}
    if isinstance(value, np.ndarray):
        return _write_array(value, writer)
    if isinstance(value, np.random.Generator | np.random.RandomState):
        return None  # the draws of a generator that was used before cannot be repeated anyhow
    if callable(value) and not hasattr(value, "get_params"):
        raise FieldError("is a function, which is code: give its result instead, such as a list of columns")
    return writer.write_part(value)


def _write_items(values: Any, writer: Writer) -> list[Any]:
    written = []
    for number, one in enumerate(values):
        with name_field(f"[{number}]"):
            written.append(write_plain(one, writer))
    return written


def _write_array(array: np.ndarray, writer: Writer) -> Any:
    if array.dtype.kind not in "UO" or array.ndim != 1:
        return {"array": writer.add_array(array)}
    return {"texts" if array.dtype.kind == "U" else "objects": _write_items(array.tolist(), writer)}


def read_plain(data: Any, reader: Reader) -> Any:
    """The value that was written."""
    if data is None or isinstance(data, bool | int | float | str):
        return data
    if isinstance(data, list):
        return _read_items(data, reader)
    if not isinstance(data, dict) or len(data) != 1:
        return reader.read_part(data)
    ((form, content),) = data.items()
    if form == "number" and content in list(NUMBERS):
        return NUMBERS[content]
    if form == "array":
        return reader.get_array(content)
    if form in {"tuple", "slice", "dict", "texts", "objects"} and isinstance(content, list):
        return _build(form, _read_items(content, reader))
    return reader.read_part(data)


def _read_items(data: list[Any], reader: Reader) -> list[Any]:
    values = []
    for number, one in enumerate(data):
        with name_field(f"[{number}]"):
            values.append(read_plain(one, reader))
    return values


def _build(form: str, items: list[Any]) -> Any:
    if form == "tuple":
        return tuple(items)
    if form == "slice" and len(items) == 3:
        return slice(*items)
    if form == "dict" and all(isinstance(one, list) and len(one) == 2 and _is_key(one[0]) for one in items):
        return dict(items)
    if form in {"texts", "objects"} and all(one is None or isinstance(one, str | int | float) for one in items):
        return np.array(items, dtype=object if form == "objects" else np.str_)
    raise FieldError(f"is no {form}")


def _is_key(value: Any) -> bool:
    return isinstance(value, str | int | float | bool)
