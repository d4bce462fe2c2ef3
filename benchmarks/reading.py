"""What each engine reads right in the corpus of nasty tables (`python -m benchmarks.reading`), for docs/tables.md.

Every engine finds out what it can by itself, and is asked for text, so that types do not matter. `right`: the table
that a person would read, or a refusal where there is none. `refused`: an error for a file that has a table. `misread`:
another table, without an error. Needs duckdb, polars, pyarrow and clevercsv.
"""

import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd

from tests.tables.files.corpus import FOLDER, NAMES, expect, judge

Columns = dict[str, list]


def read_ours(path: Path) -> Columns:
    from emphatic.tables.files import read_table

    return {name: column.tolist() for name, column in read_table(path).table.items()}


def read_pandas(path: Path) -> Columns:
    return _columns(pd.read_csv(path, dtype=str, keep_default_na=False))


def read_pandas_sniffing(path: Path) -> Columns:
    return _columns(pd.read_csv(path, sep=None, engine="python", dtype=str, keep_default_na=False))


def read_duckdb(path: Path) -> Columns:
    import duckdb

    found = duckdb.connect().execute("select * from read_csv(?, all_varchar = true)", [str(path)])
    names = [column[0] for column in found.description]
    rows = found.fetchall()
    return {name: [row[j] for row in rows] for j, name in enumerate(names)}


def read_polars(path: Path) -> Columns:
    import polars

    return polars.read_csv(path, infer_schema=False).to_dict(as_series=False)


def read_pyarrow(path: Path) -> Columns:
    import pyarrow
    from pyarrow import csv

    names = csv.read_csv(path).column_names
    text = csv.ConvertOptions(column_types=dict.fromkeys(names, pyarrow.string()))
    table = csv.read_csv(path, convert_options=text)
    return {name: column.to_pylist() for name, column in zip(table.column_names, table.columns, strict=True)}


def read_clevercsv(path: Path) -> Columns:
    import clevercsv

    header, *rows = clevercsv.read_table(str(path))
    if any(len(row) != len(header) for row in rows):
        raise ValueError("rows of several lengths")
    return {name: [row[j] for row in rows] for j, name in enumerate(header)}


ENGINES: dict[str, Callable[[Path], Columns]] = {
    "emphatic": read_ours,
    "DuckDB": read_duckdb,
    "CleverCSV": read_clevercsv,
    "pandas, sniffing": read_pandas_sniffing,
    "pandas": read_pandas,
    "polars": read_polars,
    "pyarrow": read_pyarrow,
}
MADE_UP = ("saved_index.csv", "no_header.csv", "row_names_of_r.txt", "two_header_lines.csv", "units_below_names.csv")
"""Files in which names have to be made up, so that only the cells are compared."""
OWN = ("formulas.csv", "header_only.csv", "duplicate_names.csv")
"""Files about rules of our own, which are not compared."""
TYPED = (".xlsx", ".parquet", ".feather", ".arrows", ".jsonl", ".json", "parquet_named.csv", ".zip")
"""Files that are no CSV: the peers have other functions for them, so that they are not compared."""


def run(name: str, engine: str) -> str:
    """`right`, `refused` or `misread`."""
    try:
        columns = ENGINES[engine](FOLDER / name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # polars panics
        expected = expect(name)
        return "right" if "refused" in expected else judge(expected, None, str(error))
    expected = expect(name)
    if name in MADE_UP and engine != "emphatic":
        expected = {"columns": dict(enumerate(expected["columns"].values()))}
        columns = dict(enumerate(columns.values()))
    return judge(expected, columns, None)


def _columns(table: pd.DataFrame) -> Columns:
    if not isinstance(table.index, pd.RangeIndex):
        table = table.reset_index()
    return {str(name): column.tolist() for name, column in table.items()}


def main(engines: Sequence[str]) -> None:
    warnings.simplefilter("ignore")
    names = [name for name in NAMES if not name.endswith((*TYPED, *OWN))]
    verdicts = pd.DataFrame({engine: {name: run(name, engine) for name in names} for engine in engines})
    kinds = pd.Series({name: expect(name)["kind"] for name in names})
    print("| files | number | " + " | ".join(engines) + " |")
    print("|---|---:|" + "---:|" * len(engines))
    for kind in kinds.unique():
        some = verdicts[kinds == kind]
        print(f"| {kind} | {len(some)} | " + " | ".join(str((some[one] == "right").sum()) for one in engines) + " |")
    for verdict in ("right", "refused", "misread"):
        counts = (verdicts == verdict).sum()
        print(f"| **{verdict}** | {len(names)} | " + " | ".join(str(counts[engine]) for engine in engines) + " |")
    for engine in engines:
        print(f"{engine} misreads: " + ", ".join(verdicts.index[verdicts[engine] == "misread"]), file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:] or list(ENGINES))
