"""What a user may fix about a file; what is not fixed is found out."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from emphatic import check

FORMATS = ("csv", "excel", "parquet", "arrow", "jsonl")
NO_QUOTE = "none"
_SPOKEN = {"\\t": "\t", "tab": "\t", "space": " "}


@dataclass(frozen=True)
class Options:
    """What the user says about a file; None means that it is found out.

    Parameters
    ----------
    separator : str, default=None
        What separates the cells of a line: one to three characters, or the words ``tab`` and ``space``.
    quote : str, default=None
        The quote sign, or ``none`` if quotes are plain text.
    encoding : str, default=None
        A name that Python knows, such as ``utf-8``, ``cp1252`` or ``shift_jis``.
    skip : int, default=None
        Lines before the header.
    header : int, default=None
        Header lines: 0, 1 or 2. Without a header, columns are named ``column_1``, ``column_2`` and so on.
    footer : int, default=None
        Lines after the last row, such as totals and notes.
    sheet : str, default=None
        The sheet of an Excel file.
    format : {"csv", "excel", "parquet", "arrow", "jsonl"}, default=None
        The format; found out from the content of the file, not from its name.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from emphatic.tables.files import read_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "prices.csv"
    ...     written = path.write_text("Prices of May\\nname,price\\na,1\\nb,2\\n")
    ...     found = read_table(path, Options(skip=1, separator=","))
    >>> list(found.table.columns)
    ['name', 'price']
    """

    separator: str | None = None
    quote: str | None = None
    encoding: str | None = None
    skip: int | None = None
    header: int | None = None
    footer: int | None = None
    sheet: str | None = None
    format: str | None = None

    def __post_init__(self) -> None:
        if self.separator is not None:
            separator = _SPOKEN.get(self.separator, self.separator)
            if not 1 <= len(separator) <= 3 or set(separator) & set("\n\r\0\"'"):
                raise ValueError(
                    f"--separator must be one to three characters, no quotes, or \\t for a tab; got {separator!r}"
                )
            object.__setattr__(self, "separator", separator)
        if self.quote not in (None, NO_QUOTE) and not _is_sign(self.quote or "", self.separator):
            raise ValueError(
                f"--quote must be one character other than the separator, or {NO_QUOTE!r}; got {self.quote!r}"
            )
        if self.encoding is not None:
            _check_encoding(self.encoding)
        for name in ("skip", "header", "footer"):
            if getattr(self, name) is not None:
                check.integer(f"--{name}", getattr(self, name), 0)
        if self.header is not None and self.header > 2:
            raise ValueError(f"--header must be 0, 1 or 2; got {self.header}")
        if self.format is not None:
            check.one_of("--format", self.format, FORMATS)


FIND_OUT = Options()


def _is_sign(quote: str, separator: str | None) -> bool:
    return len(quote) == 1 and quote not in "\n\r\0" and quote != separator


def _check_encoding(name: str) -> None:
    try:
        "a".encode(name)  # a codec such as hex is no encoding of text
        codecs.lookup(name)
    except (LookupError, ValueError, UnicodeError):
        raise ValueError(
            f"--encoding: unknown encoding {name!r}; known are utf-8, utf-16, cp1252, latin-1, ..."
        ) from None
