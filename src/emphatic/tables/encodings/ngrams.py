"""Sequences of a few characters (n-grams) of many texts at once: which occur, which count, and how much."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from emphatic.check import FloatArray, IntArray

SIZES = (2, 3, 4)
"""Characters of a sequence."""

BITS = 18
BUCKETS = 2**BITS
"""Sequences are told apart by their hash."""

LONGEST = 2_000
"""Characters of a text that count: its beginning."""


def normalise(text: str) -> str:
    """Lower case, single spaces, and a space at both ends, so that beginnings and ends are sequences of their own."""
    return f" {' '.join(text[:LONGEST].lower().split())} "


def find_ngrams(texts: Sequence[str]) -> tuple[IntArray, IntArray]:
    """The number of the text and the bucket of each sequence in normalised texts, as often as it occurs."""
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    owners = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    rows, buckets = [], []
    hashes = codes
    for size in range(2, max(SIZES) + 1):
        hashes = hashes[:-1] * np.uint64(0x9E3779B97F4A7C15) + codes[size - 1 :]  # unsigned numbers wrap around
        if size in SIZES:
            inside = owners[: len(hashes)] == owners[size - 1 :]
            rows.append(owners[: len(hashes)][inside])
            buckets.append(_mix(hashes[inside]))
    return np.concatenate(rows), np.concatenate(buckets)


def _mix(hashes: NDArray[np.uint64]) -> IntArray:
    """The high bits of each hash, after a round that makes them depend on all characters."""
    hashes = (hashes ^ (hashes >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return (hashes >> np.uint64(64 - BITS)).astype(np.intp)


def choose_ngrams(texts: Sequence[str], counts: IntArray, most: int) -> tuple[NDArray[np.int32], FloatArray]:
    """The buckets that occur in most texts, in order, and their weights: the rarer, the more.

    `counts` is how many rows have each of the distinct texts.
    """
    rows, buckets = find_ngrams(texts)
    rows, buckets = np.divmod(np.unique(rows * BUCKETS + buckets), BUCKETS)  # each once per text
    frequencies = np.bincount(buckets, counts[rows], minlength=BUCKETS)
    chosen = np.argsort(-frequencies, kind="stable")[:most]
    chosen = np.sort(chosen[frequencies[chosen] > 0])
    weights = np.log((1.0 + counts.sum()) / (1.0 + frequencies[chosen])) + 1.0
    return chosen.astype(np.int32), weights


def weigh_ngrams(texts: Sequence[str], buckets: NDArray[np.int32], weights: FloatArray) -> sparse.csr_array:
    """(texts, buckets): the root of each count times the weight of its bucket, in rows of length 1 (or 0)."""
    places = np.full(BUCKETS, -1)
    places[buckets] = np.arange(len(buckets))
    rows, found = find_ngrams(texts)
    columns = places[found]
    known = columns >= 0
    pairs = (np.ones(np.count_nonzero(known)), (rows[known], columns[known]))
    result = sparse.coo_array(pairs, shape=(len(texts), len(buckets))).tocsr()
    result.sort_indices()  # sums over a row have one order, whatever the other rows
    result.data = np.sqrt(result.data) * weights[result.indices]
    owners = np.repeat(np.arange(len(texts)), np.diff(result.indptr))
    result.data /= np.sqrt(np.bincount(owners, result.data**2, minlength=len(texts)))[owners]
    return result
