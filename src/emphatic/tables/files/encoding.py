"""The encoding of a text file: byte order marks, UTF-16 by its zeros, UTF-8 by its rules, Windows-1252 with care.

Any bytes are valid Latin-1, so that a wrong guess would pass in silence. Windows-1252 is assumed only if the words make
sense in it, and the user is told, with an example; everything else has to be named.
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from emphatic.tables.files.survey import Survey

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip
_REMEDY = "name its encoding, such as --encoding cp1250 (Central European), cp1251 (Cyrillic), shift_jis or gb18030"
_WORD = re.compile(r"[^\s\d,;|\"()/:]*[^\x00-\x7f][^\s\d,;|\"()/:]*")
# A capital or a sign inside a word, or three accented letters in a row: no Western European language writes so.
_ODD = re.compile(
    r"[a-z][À-ÖØ-ÞŠŒŽŸ]|[a-z][^\x00-\x7fà-öø-ÿšœžß’´·­—–]+[a-z]|[A-Za-z][¡-»¿×÷‚„†‡ˆ‰‹›•˜™]+[a-z]|[À-ÖØ-öø-ÿŠšŒœŽžŸ]{3}"
)


class Encoding(NamedTuple):
    """An encoding, and what to say about it if it was guessed."""

    name: str
    remark: str | None = None


def find_encoding(name: str, survey: Survey) -> Encoding:
    """The encoding of the file that messages call `name`."""
    for mark, encoding in _MARKS:
        if survey.start.startswith(mark):
            return Encoding(encoding)
    wide = _find_utf16(survey.start)
    if wide:
        return Encoding(wide)
    if survey.first_nul is not None:
        raise ValueError(
            f"line {survey.first_nul} of {name} holds a NUL byte: it is damaged or no text; get it again, or remove "
            f"the bytes: tr -d '\\000' < {name} > clean.csv"
        )
    if survey.is_utf8:
        return Encoding("utf-8")
    try:
        words = _WORD.findall(survey.high.decode("cp1252"))
    except UnicodeDecodeError:
        raise ValueError(f"the text of {name} is neither UTF-8 nor Windows-1252: {_REMEDY}") from None
    odd = [word for word in words if _ODD.search(word)]
    if len(odd) > len(words) / 10:
        raise ValueError(f"the text of {name} is not UTF-8, and as Windows-1252 it reads {odd[0][:30]!r}: {_REMEDY}")
    example = words[0][:30] if words else "?"
    return Encoding("cp1252", f"it is not UTF-8: read as Windows-1252, for example {example!r}; --encoding overrides")


def decode_end(survey: Survey, encoding: str) -> str:
    """The text of the last bytes, which may begin in the middle of a character."""
    name = codecs.lookup(encoding).name
    unit = 4 if name.startswith("utf-32") else 2 if name.startswith("utf-16") else 1
    if name in ("utf-16", "utf-32"):  # the mark at the start tells the order of the bytes
        name += "-be" if survey.start.startswith((codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)) else "-le"
    return survey.end[(len(survey.end) - survey.n_bytes) % unit :].decode(name, errors="replace").rstrip("\x1a")


def _find_utf16(start: bytes) -> str | None:
    """UTF-16 without a byte order mark: text has line ends and separators, and so zeros at every other place."""
    even, odd = start[0::2], start[1::2]
    zeros = even.count(0), odd.count(0)
    if not start or max(zeros) < len(start) / 8 or min(zeros) > max(zeros) / 10:
        return None
    encoding = "utf-16-be" if zeros[0] > zeros[1] else "utf-16-le"
    try:
        text = start[: len(start) // 2 * 2].decode(encoding, errors="strict" if len(start) < 1000 else "ignore")
    except UnicodeDecodeError:
        return None
    return encoding if "\x00" not in text and ("\n" in text or "\r" in text) else None
