"""The format of a file by its content: names lie."""

from __future__ import annotations

import zipfile

from emphatic.tables.files.source import Source

START = 4096
_IMAGE, _SAVE, _UNPACK = "an image", "save the table as Parquet or CSV", "unpack it first"
_REFUSED = {
    b"\x89PNG": (_IMAGE, ""),
    b"\xff\xd8\xff": (_IMAGE, ""),
    b"GIF8": (_IMAGE, ""),
    b"BM": (_IMAGE, ""),
    b"II*\x00": (_IMAGE, ""),
    b"RIFF": ("a media file", ""),
    b"%PDF": ("a PDF document", "export the table as CSV"),
    b"SQLite format 3": ("a database", "export the table as CSV"),
    b"\x89HDF": ("an HDF5 file", _SAVE),
    b"\x93NUMPY": ("a NumPy array", _SAVE),
    b"\x80\x04\x95": ("a pickle, which could run code", _SAVE),
    b"\x80\x05\x95": ("a pickle, which could run code", _SAVE),
    b"\x7fELF": ("a program", ""),
    b"7z\xbc\xaf\x27\x1c": ("a 7z archive", _UNPACK),
    b"Rar!": ("a RAR archive", _UNPACK),
    b"ORC": ("an ORC file", _SAVE),
    b"Obj\x01": ("an Avro file", _SAVE),
    b"RDX": ("an R data file", _SAVE),
    b"FEA1": ("a Feather file of version 1", "save it again with a newer pyarrow"),
}


def find_format(source: Source) -> str:
    """One of `options.FORMATS`, or a ValueError that says what the file is instead of a table."""
    start = source.read_start(START)
    if not start:
        raise ValueError(f"{source.name} is empty")
    if start.startswith(b"PAR1"):
        return "parquet"
    if start.startswith((b"ARROW1", b"\xff\xff\xff\xff")):
        return "arrow"
    if start.startswith(b"\xd0\xcf\x11\xe0"):
        return "excel"  # an old .xls, or a new one behind a password
    if start.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _look_into_zip(source)
    if len(start) > 9 and start[8:10] == b'{"' and int.from_bytes(start[:8], "little") < 1 << 32:
        raise ValueError(f"{source.name} is a model file, not a table")
    for magic, (what, remedy) in _REFUSED.items():
        # Letters may well begin a header, so text must not be taken for a bitmap.
        if start.startswith(magic) and (not magic.isascii() or magic == b"%PDF" or b"\x00" in start):
            raise ValueError(f"{source.name} is {what}, not a table" + (f": {remedy}" if remedy else ""))
    if len(start) > 262 and start[257:262] == b"ustar":
        raise ValueError(f"{source.name} is a tar archive, not a table: {_UNPACK}")
    return _tell_text(source.name, start)


def _look_into_zip(source: Source) -> str:
    with source.open_file() as file:
        try:
            names = zipfile.ZipFile(file).namelist()
        except zipfile.BadZipFile:
            raise ValueError(
                f"{source.name} is damaged or cut off: it begins as an Excel or ZIP file; get it again"
            ) from None
    if any(name.startswith(("xl/workbook", "xl/worksheets")) for name in names) or "content.xml" in names:
        return "excel"
    raise ValueError(f"{source.name} is a ZIP archive, not a table: {_UNPACK}")


def _tell_text(name: str, start: bytes) -> str:
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if text.startswith((b"<!doctype html", b"<html", b"<?xml", b"<table")):
        raise ValueError(f"{name} is a web page or XML, not a table: save the table as CSV")
    if text.startswith(b"{\\rtf"):
        raise ValueError(f"{name} is an RTF document, not a table: save the table as CSV")
    if text.startswith((b'{"', b"{}")) or (text.startswith(b"{") and b'":' in text):
        return "jsonl"
    if text.startswith((b'[{"', b"[[")) or (text.startswith(b"[") and text[1:].lstrip().startswith((b"{", b"["))):
        raise ValueError(f"{name} is one JSON list: write one object per line (jq -c '.[]' {name} > lines.jsonl)")
    return "csv"
