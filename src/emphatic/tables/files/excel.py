"""Excel files (.xlsx, .xls, .xlsb and .ods): one sheet, with types."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, Any

from emphatic.names import unknown
from emphatic.tables.files.footer import LAST, count_footer_lines, describe_footer
from emphatic.tables.files.header import find_shape
from emphatic.tables.files.layout import Layout
from emphatic.tables.files.needs import need
from emphatic.tables.files.opened import Opened
from emphatic.tables.files.options import Options
from emphatic.tables.files.source import Source
from emphatic.tables.files.values import find_kind, make_column, spell

if TYPE_CHECKING:
    import pandas as pd

LARGEST = 4 << 30
"""Bytes that an Excel file may have unpacked: a sheet is read in one piece."""
_LOCKED = "EncryptedPackage".encode("utf-16-le")


def open_excel(source: Source, options: Options) -> Opened:
    """Read a sheet: the one that is named, or else the first that is not empty."""
    calamine = need("python_calamine", "python-calamine", "Excel")
    with source.open_file() as file:
        _check_package(file, source.name)
        try:
            workbook = calamine.CalamineWorkbook.from_filelike(file)
            sheet, cells, remarks = _choose_sheet(workbook, options, source.name)
        except (calamine.CalamineError, OSError, zipfile.BadZipFile) as error:
            raise ValueError(
                f"cannot read {source.name} as Excel: it is damaged or cut off ({error}); get it again"
            ) from None
    texts = [(i + 1, [spell(cell) for cell in row]) for i, row in enumerate(cells)]
    width = max(len(row) for row in cells)
    shape = find_shape(texts, width, options, source.name)
    below = [i for i, row in texts if i > shape.skipped and any(row)][shape.header :]
    footer = options.footer
    if footer is None:
        last = texts[below[0] - 1 :][-LAST:] if below else []
        footer = count_footer_lines([row if any(row) else [] for _, row in last], width)
    rows = [cells[i - 1] for i in below[: len(below) - footer]]
    if footer and options.footer is None:
        remarks.append(describe_footer(footer, "row"))

    def iterate(n_rows: int) -> Iterator[pd.DataFrame]:
        import pandas as pd

        columns = [[row[j] for row in rows] for j in range(len(shape.names))]
        table = pd.DataFrame({name: make_column(one, find_kind(one)) for name, one in zip(shape.names, columns)})
        for first in range(0, len(table), n_rows):
            yield table.iloc[first : first + n_rows].reset_index(drop=True)

    layout = Layout(
        "excel", sheet=sheet, skipped=shape.skipped, header=shape.header, footer=footer, n_columns=len(shape.names),
        remarks=(*remarks, *shape.remarks),
    )  # fmt: skip
    return Opened(layout, iterate)


def _check_package(file: IO[bytes], name: str) -> None:
    """Refuse what is locked, and what would not fit into memory."""
    start = file.read(1 << 16)
    if start.startswith(b"\xd0\xcf\x11\xe0") and _LOCKED in start + file.read():
        raise ValueError(f"{name} is protected by a password: open it in Excel and save it without one")
    file.seek(0)
    if start.startswith(b"PK"):
        size = sum(part.file_size for part in zipfile.ZipFile(file).infolist())
        if size > LARGEST:
            raise ValueError(f"{name} has {size:,} bytes when unpacked, too many for a sheet: save it as CSV")
    file.seek(0)


def _choose_sheet(workbook: Any, options: Options, name: str) -> tuple[str, list[list[Any]], list[str]]:
    names = list(workbook.sheet_names)
    if options.sheet is not None:
        if options.sheet not in names:
            raise unknown("sheet", options.sheet, names)
        cells = workbook.get_sheet_by_name(options.sheet).to_python(skip_empty_area=False)
        if not cells:
            raise ValueError(f"sheet {options.sheet} of {name} is empty")
        return options.sheet, cells, []
    full = [one for one in names if workbook.get_sheet_by_name(one).height]
    if not full:
        raise ValueError(f"{name} is empty")
    remarks = []
    if len(full) > 1:
        remarks.append(f"it has {len(full)} sheets ({', '.join(full[:5])}): {full[0]} is read; --sheet names another")
    return full[0], workbook.get_sheet_by_name(full[0]).to_python(skip_empty_area=True), remarks
