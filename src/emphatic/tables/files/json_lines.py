"""JSON lines: one object per line. A first pass finds all columns and their kinds, so that every chunk has the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from emphatic.tables.files.encoding import find_encoding
from emphatic.tables.files.header import check_names
from emphatic.tables.files.layout import Layout
from emphatic.tables.files.lines import decode_lines
from emphatic.tables.files.opened import Opened
from emphatic.tables.files.options import Options
from emphatic.tables.files.source import Source
from emphatic.tables.files.survey import survey_bytes
from emphatic.tables.files.values import find_kind, make_column

if TYPE_CHECKING:
    import pandas as pd


def open_json_lines(source: Source, options: Options) -> Opened:
    """Find the columns and their kinds."""
    encoding = options.encoding or find_encoding(source.name, survey_bytes(source)).name
    kinds: dict[str, set[str]] = {}
    for record in _iterate_records(source, encoding):
        for name, value in record.items():
            found = kinds.setdefault(name, set())
            if value is not None:
                found.add(find_kind([value]))
    names = check_names(list(kinds), source.name, [])
    columns = {key: one.pop() if len(one) == 1 else "text" for key, one in kinds.items()}

    def iterate(n_rows: int) -> Iterator[pd.DataFrame]:
        import pandas as pd

        records = _iterate_records(source, encoding)
        while chunk := list(islice(records, n_rows)):
            cells = ([record.get(key) for record in chunk] for key in columns)
            made = [make_column(one, kind) for one, kind in zip(cells, columns.values())]
            yield pd.DataFrame(dict(zip(names, made, strict=True)))

    return Opened(Layout("jsonl", encoding=encoding, n_columns=len(names)), iterate)


def _iterate_records(source: Source, encoding: str) -> Iterator[dict[str, Any]]:
    for i, line in enumerate(decode_lines(source.blocks(), encoding, source.name), start=1):
        if line.isspace():
            continue
        where = f"line {i} of {source.name}"
        try:
            record = json.loads(line, object_pairs_hook=_make_record)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{where} is not a JSON object ({error}): write one object per line") from None
        if not isinstance(record, dict):
            raise ValueError(f"{where} is not a JSON object: write one object per line, with names and values")
        for name, value in record.items():
            if isinstance(value, dict | list):
                raise ValueError(f"{where}: {name} holds a list or an object; make one plain value of each part")
        yield record


def _make_record(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("a name occurs twice")
    return record
