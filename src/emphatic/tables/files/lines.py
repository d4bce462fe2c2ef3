"""Blocks of bytes as lines of text, in bounded memory."""

from __future__ import annotations

import codecs
import io
from collections import deque
from collections.abc import Iterable, Iterator

LONGEST_LINE = 1 << 26
_DOS_END = "\x1a"


def split_lines(text: str) -> list[str]:
    r"""The lines with their ends: \n, \r\n and \r, and no other sign, end a line."""
    return list(io.StringIO(text, newline=""))


def decode_lines(blocks: Iterable[bytes], encoding: str, name: str) -> Iterator[str]:
    """The lines of a file that messages call `name`, with their ends."""
    decoder, n_lines = codecs.getincrementaldecoder(encoding)(), 0
    kept: list[str] = []
    length = 0
    for block in blocks:
        text = _decode(decoder, block, False, encoding, name, n_lines)
        # A \r at the end of a block may be the first half of a \r\n.
        cut = max(text.rfind("\n"), text.rfind("\r", 0, len(text) - 1)) + 1
        if not cut:
            kept.append(text)
            length += len(text)
            if length > LONGEST_LINE:
                raise ValueError(
                    f"line {n_lines + 1} of {name} has more than {LONGEST_LINE:,} characters: it lacks line ends or is "
                    f"no table"
                )
            continue
        lines = split_lines("".join(kept) + text[:cut])
        n_lines += len(lines)
        yield from lines
        kept, length = [text[cut:]], len(text) - cut
    text = "".join(kept) + _decode(decoder, b"", True, encoding, name, n_lines)
    yield from split_lines(text.rstrip(_DOS_END))


def leave_out_last(lines: Iterable[str], n: int) -> Iterator[str]:
    """All lines except the last n that are not blank, and the blank ones among and after them."""
    waiting: deque[str] = deque()
    filled = 0
    for line in lines:
        waiting.append(line)
        filled += not line.isspace()
        while filled > n:
            first = waiting.popleft()
            filled -= not first.isspace()
            yield first


def _decode(
    decoder: codecs.IncrementalDecoder, block: bytes, final: bool, encoding: str, name: str, n_lines: int
) -> str:
    try:
        return decoder.decode(block, final)
    except UnicodeError as error:
        before = getattr(error, "object", b"")[: getattr(error, "start", 0)]
        line = n_lines + (before.count(b"\n") if isinstance(before, bytes) else 0) + 1
        raise ValueError(f"line {line} of {name} is not {encoding}: name the right --encoding") from None
