"""How a file is laid out, in one line for people."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from emphatic.wording import count

_SEPARATORS = {
    ",": "commas",
    ";": "semicolons",
    "\t": "tabs",
    "|": "vertical bars",
    " ": "spaces",
    ":": "colons",
    "~": "tildes",
    "^": "carets",
    "/": "slashes",
    "*": "asterisks",
    "&": "ampersands",
    "\x01": "Ctrl-A",
    "\x1f": "unit separators",
}
_ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8 with a byte order mark",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16 LE",
    "utf-16-be": "UTF-16 BE",
    "utf-32": "UTF-32",
    "cp1252": "Windows-1252",
    "iso8859-1": "Latin-1",
}
_FORMATS = {"csv": "CSV", "excel": "Excel", "parquet": "Parquet", "arrow": "Arrow", "jsonl": "JSON lines"}


@dataclass(frozen=True)
class Layout:
    """What was found out about a file; fields that its format does not have are None or 0.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from emphatic.tables.files import read_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "prices.csv"
    ...     written = path.write_text("name;price\\na;1,50\\nb;2,25\\n")
    ...     layout = read_table(path).layout
    >>> layout.describe()
    'CSV, separated by semicolons, UTF-8, 2 columns'
    """

    format: str
    compression: str | None = None
    encoding: str | None = None
    separator: str | None = None
    quote: str | None = None
    escape: str | None = None
    spaces: bool = False  # one after each separator
    line_ends: str | None = None
    skipped: int = 0
    header: int = 1
    footer: int = 0
    sheet: str | None = None
    n_columns: int = 0
    remarks: tuple[str, ...] = ()

    def describe(self) -> str:
        r"""One line for people.

        >>> Layout("csv", encoding="cp1252", separator=";", quote='"', line_ends="\\r\\n", n_columns=3).describe()
        'CSV, separated by semicolons, Windows-1252, quoted by ", lines end with \\r\\n, 3 columns'
        """
        parts = [_FORMATS[self.format]]
        if self.compression:
            parts.append(f"compressed by {self.compression}")
        if self.separator:
            parts.append(f"separated by {name_separator(self.separator)}" + (" and a space" if self.spaces else ""))
        elif self.format == "csv":
            parts.append("no separator")
        if self.encoding:
            known = codecs.lookup(self.encoding).name
            parts.append(_ENCODINGS.get(known, self.encoding))
        if self.quote:
            parts.append(f"quoted by {self.quote}" + (f" with {self.escape} before a quote" if self.escape else ""))
        if self.line_ends and self.line_ends != "\\n":
            parts.append("mixed line ends" if self.line_ends == "mixed" else f"lines end with {self.line_ends}")
        if self.sheet:
            parts.append(f"sheet {self.sheet}")
        if self.skipped:
            parts.append(f"{count(self.skipped, 'line')} before the header")
        if self.header != 1:
            parts.append("two header lines" if self.header else "no header")
        if self.footer:
            parts.append(f"{count(self.footer, 'line')} after the last row left out")
        parts.append(count(self.n_columns, "column"))
        return ", ".join(parts)


def name_separator(separator: str) -> str:
    """The separator in words, or as it is written."""
    return _SEPARATORS.get(separator, repr(separator))
