"""A table in several files: a folder, or a pattern such as `sales-*.parquet`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from emphatic.partitions.outlines import check_outlines, outline
from emphatic.tables.files.opened import Chunk, Opened
from emphatic.tables.files.source import STANDARD_INPUT

_SIGNS = re.compile(r"[*?\[]")
_BESIDE_DATA = (".", "_")
"""How names begin of files that others write beside the data, such as _SUCCESS."""


def is_many(path: Path) -> bool:
    """Whether a path stands for several files."""
    return path.is_dir() or (bool(_SIGNS.search(str(path))) and not path.exists())


def find_files(path: Path) -> list[Path]:
    """The files that a path stands for, in the order of their names, in which numbers count as numbers.

    Of a folder, those in it and below; a ValueError says what is wrong with it.
    """
    if str(path) in STANDARD_INPUT or not is_many(path):
        return [path]
    if path.is_dir():
        found = [one for one in path.rglob("*") if one.is_file() and not _is_hidden(one.relative_to(path))]
        by_value = sorted({part for one in found for part in one.relative_to(path).parts[:-1] if "=" in part})
        if by_value:
            raise ValueError(
                f"{path} is partitioned by values ({by_value[0]}), which are in no file: write them as a column instead"
            )
    else:
        root = Path(path.anchor) if path.is_absolute() else Path()
        found = [one for one in root.glob(str(path.relative_to(root))) if one.is_file()]
    if not found:
        raise ValueError(f"{path} is a folder without files" if path.is_dir() else f"no file matches {path}")
    return sorted(found, key=_read_name)


def join_opened(opened: Sequence[Opened], names: Sequence[str]) -> Opened:
    """Several files as one table, below each other; they must have the same format and columns of the same kinds."""
    first = opened[0]
    for one, name in zip(opened, names, strict=True):
        if one.layout.format != first.layout.format:
            raise ValueError(f"{name} is {one.layout.describe()}, and {names[0]} is {first.layout.describe()}")
    remarks = tuple(dict.fromkeys(remark for one in opened for remark in one.layout.remarks))

    def iterate(n_rows: int) -> Iterator[Chunk]:
        known: list[Any] = []
        for one in opened:
            for number, chunk in enumerate(one.iterate(n_rows)):
                if number == 0:
                    known.append(outline(chunk.take(range(len(chunk)))))
                    check_outlines(known, names)
                yield chunk

    return Opened(replace(first.layout, remarks=remarks), iterate)


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(_BESIDE_DATA) for part in path.parts)


def _read_name(path: Path) -> list[tuple[int, str]]:
    """A key by which part-2 comes before part-10."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", str(path))]
