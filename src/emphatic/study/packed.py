"""Predictions as a store keeps them: numbers in compressed bytes, with a digest of all that they mean.

Nothing in them can run, and what was changed is not read: `unpack` returns what was packed, or raises `Damaged`.
"""

import hashlib
import json
import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from emphatic.check import IntArray

PROBABILITIES, SCORES, LABELS = "probabilities", "scores", "labels"
_DIGEST_BYTES = 16
_LARGEST_RATIO = 1040  # of bytes to compressed bytes: deflate reaches 1032
_TYPES = (int, str, str, int, bytes, bytes)


class Damaged(ValueError):
    """The bytes are not those that were written."""


class Packed(NamedTuple):
    """The predictions of one fit, in the order of the columns of their table.

    `classes` is JSON. `kind` says what the `n_columns` numbers of a row are; with "labels" there are none. `content`
    holds row numbers, the numbers of the predicted classes, and these numbers.
    """

    n_rows: int
    classes: str
    kind: str
    n_columns: int
    content: bytes
    digest: bytes


class Arrays(NamedTuple):
    """What is packed: row numbers, the numbers of the predicted classes, and one row of numbers for each."""

    rows: IntArray
    codes: IntArray
    numbers: np.ndarray


def pack(name: Sequence[Any], classes: Sequence[Any], kind: str, arrays: Arrays) -> Packed:
    """Pack the predictions of the fit with this name, which is part of what the digest protects.

    >>> arrays = Arrays(np.array([4, 7]), np.array([1, 0]), np.array([[0.25, 0.75], [0.5, 0.5]], dtype=np.float32))
    >>> packed = pack(["iris", "tree"], ["no", "yes"], "probabilities", arrays)
    >>> unpack(["iris", "tree"], packed)[1].rows
    array([4, 7])
    >>> unpack(["iris", "forest"], packed)
    Traceback (most recent call last):
      ...
    emphatic.study.packed.Damaged: the predictions of iris, forest were changed after they were kept
    """
    rows, codes, numbers = arrays
    # Differences of row numbers are small and often equal. The first is the difference from 0.
    steps = np.diff(rows.astype("<i8"), prepend=0)
    data = _shuffle(steps) + _shuffle(codes.astype("<i4")) + _shuffle(numbers.astype("<f4"))
    shape = len(rows), json.dumps(classes, allow_nan=False), kind, numbers.shape[1]
    content = zlib.compress(data)
    return Packed(*shape, content, _digest(name, *shape, content))


def unpack(name: Sequence[Any], packed: Packed) -> tuple[list[Any], Arrays]:
    """The classes and the arrays that were packed under this name."""
    n, classes, kind, n_columns, content, digest = packed
    is_whole = all(type(value) is expected for value, expected in zip(packed, _TYPES, strict=True))
    if not is_whole or digest != _digest(name, n, classes, kind, n_columns, content):
        raise Damaged(f"the predictions of {', '.join(map(str, name))} were changed after they were kept")
    labels = json.loads(classes)
    steps, codes, numbers = _split(content, n, n_columns)
    # The digest is no secret: whoever writes it may write what does not fit together, too.
    if not _fit_together(labels, kind, codes, n_columns):
        raise Damaged(f"the predictions of {', '.join(map(str, name))} do not fit their classes")
    return labels, Arrays(np.cumsum(steps, dtype=np.intp), codes.astype(np.intp), numbers.reshape(n, n_columns))


def _split(content: bytes, n_rows: int, n_columns: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    sizes = 8 * n_rows, 4 * n_rows, 4 * n_rows * n_columns
    data = b""
    if 0 <= min(sizes) and sum(sizes) <= _LARGEST_RATIO * len(content):
        try:
            data = zlib.decompressobj().decompress(content, sum(sizes) + 1)  # no more, whatever it would become
        except zlib.error as error:
            raise Damaged(f"predictions cannot be decompressed: {error}") from error
    if len(data) != sum(sizes):
        raise Damaged(f"predictions of {n_rows} rows with {n_columns} numbers each have the wrong length")
    steps, codes, numbers = np.split(np.frombuffer(data, dtype=np.uint8), np.cumsum(sizes)[:2])
    return _unshuffle(steps, "<i8"), _unshuffle(codes, "<i4"), _unshuffle(numbers, "<f4").astype(np.float32)


def _fit_together(labels: Any, kind: str, codes: np.ndarray, n_columns: int) -> bool:
    if not isinstance(labels, list) or len({type(label) for label in labels}) > 1:
        return False
    if (
        not all(isinstance(label, str | int | float) for label in labels)
        or not np.isin(codes, range(len(labels))).all()
    ):
        return False
    return {PROBABILITIES: n_columns == len(labels), SCORES: n_columns > 0, LABELS: n_columns == 0}.get(kind, False)


def _shuffle(values: np.ndarray) -> bytes:
    """The first bytes of all values, then their second bytes, and so on: bytes of like meaning compress better."""
    return np.ascontiguousarray(values).view(np.uint8).reshape(-1, values.itemsize).T.tobytes()


def _unshuffle(data: np.ndarray, dtype: str) -> np.ndarray:
    return np.ascontiguousarray(data.reshape(np.dtype(dtype).itemsize, -1).T).view(dtype).ravel()


def _digest(name: Sequence[Any], *parts: Any) -> bytes:
    *shape, content = parts
    head = json.dumps([*name, *shape]).encode()
    return hashlib.blake2b(head + b"\0" + content, digest_size=_DIGEST_BYTES).digest()
