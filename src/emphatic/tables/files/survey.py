"""One quick pass over all bytes of a text file: what only the whole file can tell."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from emphatic.tables.files.source import Source

SAMPLE = 1 << 20
TAIL = 1 << 16


@dataclass(frozen=True)
class Survey:
    """`start` and `end` are the first and the last bytes; `complete` says that `start` is the whole file."""

    start: bytes
    end: bytes
    n_bytes: int
    is_utf8: bool
    first_nul: int | None  # the line of the first NUL byte
    ends: dict[str, int]  # how many lines end with \n, \r\n and \r
    high: bytes  # some of the bytes around those beyond ASCII, if the text is not UTF-8

    @property
    def complete(self) -> bool:
        """Whether `start` is the whole file."""
        return self.n_bytes == len(self.start)


def survey_bytes(source: Source) -> Survey:
    """Read the whole file once, in bounded memory."""
    start, end, high, n_bytes, last = b"", b"", b"", 0, b""
    utf8, is_utf8, first_nul = codecs.getincrementaldecoder("utf-8")(), True, None
    n_lf = n_cr = n_crlf = 0
    for block in source.blocks():
        if len(start) < SAMPLE:
            start += block[: SAMPLE - len(start)]
        end = (end + block)[-TAIL:]
        if first_nul is None and b"\x00" in block:
            first_nul = n_lf + block[: block.index(b"\x00")].count(b"\n") + 1
        n_lf += block.count(b"\n")
        n_cr += block.count(b"\r")
        n_crlf += block.count(b"\r\n") + (last == b"\r" and block[:1] == b"\n")
        last, n_bytes = block[-1:], n_bytes + len(block)
        if is_utf8:
            try:
                utf8.decode(block)
            except UnicodeDecodeError:
                is_utf8 = False
        if not is_utf8 and len(high) < SAMPLE:
            high += _keep_words_beyond_ascii(block)[:SAMPLE]
    try:
        utf8.decode(b"", final=True)
    except UnicodeDecodeError:
        is_utf8, high = False, high or _keep_words_beyond_ascii(end)
    ends = {"\\n": n_lf - n_crlf, "\\r\\n": n_crlf, "\\r": n_cr - n_crlf}
    return Survey(start, end, n_bytes, is_utf8, first_nul, ends, high)


def _keep_words_beyond_ascii(block: bytes) -> bytes:
    """The cells of a block with bytes beyond ASCII, one a line."""
    cells = block.replace(b"\r", b"\n").replace(b",", b"\n").replace(b";", b"\n").replace(b"\t", b"\n").split(b"\n")
    return b"\n".join(cell for cell in cells if not cell.isascii()) + b"\n"
