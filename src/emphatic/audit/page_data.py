"""What the page of an audit shows, as plain values that JSON can hold."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from numbers import Real
from typing import Any

import numpy as np

from emphatic.audit.result import KINDS, AuditResult

LARGEST_EXACT = 2**53
"""A browser's numbers are float64: a larger integer would lose its last digits, and is passed as text."""


def page_data(result: AuditResult) -> dict[str, Any]:
    """All that the scripts of the page read; row positions, classes and kinds are numbers into lists."""
    place = {label: position for position, label in enumerate(result.classes.tolist())}
    given = {
        "classes": [str(label) for label in place],
        "index": _identifiers(result.index),
        "label": [place[label] for label in result.y.tolist()],
        "features": [_feature(name, cells) for name, cells in _columns(result.X)],
    }
    return {
        # Only what the user gave makes the digest: marks stay valid when the same table is audited again.
        "digest": hashlib.sha256(json.dumps(given).encode()).hexdigest()[:32],
        **given,
        "kinds": list(KINDS),
        "suggested": [place[label] for label in result.suggested.tolist()],
        "kind": [KINDS.index(kind) for kind in result.kinds.tolist()],
        "suspicion": [round(value, 6) for value in result.suspicion.tolist()],
        "probabilities": np.round(result.probabilities, 4).tolist(),
        "neighbours": result.neighbours.tolist(),
    }


def _columns(X: Any) -> Iterator[tuple[str, list[Any]]]:
    """Names and cells of the columns of a pandas or polars table, or of an array."""
    if hasattr(X, "iloc"):
        for j, name in enumerate(X.columns):  # by position: names need not be unique
            yield str(name), X.iloc[:, j].tolist()
    elif hasattr(X, "get_columns"):
        for series in X.get_columns():
            yield series.name, series.to_list()
    else:
        # As objects where it is a list: NumPy would turn the numbers of a mixed one into text.
        array = X if hasattr(X, "__array__") else np.array(X, dtype=object)
        for j, column in enumerate(np.asarray(array).T):
            yield f"x{j}", column.tolist()


def _feature(name: str, cells: list[Any]) -> dict[str, Any]:
    """A column with its missing cells as None; `spread` is what the page measures differences of numbers by."""
    plain = [_plain(cell) for cell in cells]
    known = [cell for cell in plain if cell is not None]
    if not all(isinstance(cell, (int, float)) for cell in known):
        return {
            "name": name,
            "numeric": False,
            "spread": None,
            "cells": [cell if cell is None else str(cell) for cell in plain],
        }
    with np.errstate(over="ignore", invalid="ignore"):
        spread = float(np.std(np.array(known, dtype=np.float64))) if known else 0.0
    usable = math.isfinite(spread) and spread > 0.0
    return {"name": name, "numeric": True, "spread": spread if usable else None, "cells": plain}


def _plain(cell: Any) -> int | float | str | None:
    """None for a missing cell, a number where a browser has the same one, else text."""
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):  # of pandas, without importing it
        return None
    if isinstance(cell, (bool, np.bool_)) or not isinstance(cell, Real):
        return str(cell)
    if isinstance(cell, (int, np.integer)):
        return int(cell) if abs(int(cell)) <= LARGEST_EXACT else str(cell)
    number = float(cell)
    if math.isnan(number):
        return None
    return number if math.isfinite(number) else str(number)


def _identifiers(index: np.ndarray) -> list[Any]:
    """Row labels: numbers if all of them are, so that they sort as such; else text, a tuple of levels joined."""
    plain = [_plain(each) for each in index.tolist()]
    if all(isinstance(each, (int, float)) for each in plain):
        return plain
    return [", ".join(map(str, each)) if isinstance(each, tuple) else str(each) for each in index.tolist()]
