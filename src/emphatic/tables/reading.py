"""A table and its labels from a CSV file, or one line that says what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from emphatic.names import unknown
from emphatic.tables.writing import restore_table

if TYPE_CHECKING:
    import pandas as pd

MANY = 50
"""More distinct numbers than this, in more than half of the rows, are a measurement rather than classes."""


def read_labelled_table(path: Path, target: str, separator: str = ",") -> tuple[pd.DataFrame, Any]:
    """Read features and labels: all columns of a CSV file except `target`, and that one.

    A ValueError in one line says what is wrong with the file, the column or the labels.
    """
    table = read_table(path, separator)
    columns = list(map(str, table.columns))
    if target not in columns:
        other = [sign for sign in (",", ";", "\t", "|") if sign != separator and sign in columns[0]]
        if len(columns) == 1 and other:
            raise ValueError(f"unknown column {target}: the header is a single cell; try --separator {other[0]!r}")
        raise unknown("column", target, columns)
    X, labels = table.drop(columns=target), table[target]
    if X.shape[1] == 0 or X.isna().all(axis=None):
        raise ValueError(f"{path} has no features: all columns except {target} are empty or missing")
    _check_labels(labels)
    return X, labels.to_numpy()


def read_table(path: Path, separator: str = ",", types: Mapping[str, type] | None = None) -> pd.DataFrame:
    """Read all columns of a CSV file; `types` fixes the types of columns that are not to be guessed.

    An apostrophe that `emphatic.tables.writing` put before a cell, to keep spreadsheets from running it, is taken off.
    """
    import pandas as pd

    if not path.exists():
        raise ValueError(f"there is no file {path}")
    if path.is_dir():
        raise ValueError(f"{path} is a folder, not a file")
    separator = "\t" if separator == "\\t" else separator
    if len(separator) != 1:
        raise ValueError(f"--separator must be one character, or \\t for a tab; got {separator!r}")
    try:
        # In one piece: column types must not depend on where pandas happens to cut a long file.
        table = pd.read_csv(path, sep=separator, encoding="utf-8-sig", low_memory=False, dtype=types)
        if path.is_file():  # a pipe cannot be read again
            _refuse_repeated_names(path, separator)
    except pd.errors.EmptyDataError:
        raise ValueError(f"{path} is empty") from None
    except UnicodeDecodeError as error:
        remedy = f"save it as UTF-8, for example: iconv -f LATIN1 -t UTF-8 {path} > utf8.csv"
        raise ValueError(f"{path} is not UTF-8 ({error.reason}); {remedy}") from None
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror or error}") from None
    except Exception as error:  # whatever a parser or a decompressor objects to, the user needs it in one line
        raise ValueError(f"cannot read {path} as CSV: {error}") from None
    if not isinstance(table.index, pd.RangeIndex):
        # pandas would take the first cells of rows that are too long for row labels, and shift all the others.
        raise ValueError(f"cannot read {path} as CSV: its rows have more cells than its header")
    if not len(table):
        raise ValueError(f"{path} has a header but no rows")
    return restore_table(table)


def _refuse_repeated_names(path: Path, separator: str) -> None:
    """pandas would rename the second column of a name; a second target would then be a feature that gives it away."""
    import pandas as pd

    header = pd.read_csv(path, sep=separator, encoding="utf-8-sig", header=None, nrows=1, dtype=str).iloc[0]
    repeated = header[header.duplicated() & header.notna()]
    if len(repeated):
        raise ValueError(f"it has several columns named {repeated.iloc[0]}; column names must be unique")


def _check_labels(labels: pd.Series[Any]) -> None:
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    missing = labels.isna()
    if missing.any():
        raise ValueError(
            f"column {labels.name} has no label in {missing.sum()} of {len(labels)} rows, the first at index "
            f"{missing.to_numpy().argmax()} (empty cells, NA and None count as missing): fill them in or drop the rows"
        )
    n_distinct = labels.nunique()
    if n_distinct == 1:
        raise ValueError(f"column {labels.name} holds only one class ({labels.iloc[0]}): at least 2 are needed")
    numeric = is_numeric_dtype(labels) and not is_bool_dtype(labels)
    if numeric and n_distinct > MANY and n_distinct > len(labels) / 2:
        raise ValueError(
            f"column {labels.name} holds {n_distinct} distinct numbers in {len(labels)} rows, which looks like a "
            f"measurement rather than a class: cut it into classes first, or name another --target"
        )
