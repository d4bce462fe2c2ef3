"""What the parts of one table look like: they must have the same columns, of the same kinds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Outline(NamedTuple):
    """What one data frame looks like; the kind of a column without values is not known."""

    n_rows: int
    names: tuple[Any, ...]
    kinds: tuple[str, ...]


def outline(frame: Any) -> Outline:
    """Of a pandas DataFrame."""
    kinds = tuple(_find_kind(frame.iloc[:, place]) for place in range(frame.shape[1]))
    return Outline(len(frame), tuple(frame.columns), kinds)


def check_outlines(outlines: Sequence[Outline], places: Sequence[str]) -> None:
    """Raise ValueError unless all have the same columns, of the same kinds; `places` is where each is from."""
    first = outlines[0]
    known = [(kind, places[0]) for kind in first.kinds]
    for one, place in zip(outlines, places, strict=False):
        if one.names != first.names:
            odd = sorted(map(repr, set(one.names) ^ set(first.names))) or ["another order"]
            raise ValueError(
                f"{place} has other columns than {places[0]} ({', '.join(odd)}): all need the same columns"
            )
        for number, kind in enumerate(one.kinds):
            before, where = known[number]
            if before and kind and kind != before:
                raise ValueError(
                    f"column {first.names[number]!r} holds {before} in {where} and {kind} in {place}: give it one type"
                )
            if not before:
                known[number] = kind, place


def _find_kind(column: Any) -> str:
    import pandas as pd
    from pandas.api import types

    if column.isna().all():
        return ""
    values = column.cat.categories if isinstance(column.dtype, pd.CategoricalDtype) else column
    kinds = {
        "truth values": types.is_bool_dtype(values.dtype),
        "numbers": types.is_numeric_dtype(values.dtype),
        "dates": types.is_datetime64_any_dtype(values.dtype),
    }
    return next((kind for kind, holds in kinds.items() if holds), "text")
