"""Free text as a few numbers: character n-grams, weighted by rarity and reduced by a singular value decomposition."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.extmath import randomized_svd

from emphatic.check import FloatArray
from emphatic.fields import Array, Flag, saved
from emphatic.tables.encodings.encoding import INDICATOR
from emphatic.tables.encodings.ngrams import BUCKETS, choose_ngrams, normalise, weigh_ngrams

N_COMPONENTS = 30
N_NGRAMS = 3_900
"""N-grams that count: those that occur in most texts. In single precision, 30 components of them take 468 kB."""

TOTAL_VARIANCE = 1.0
"""Of all components together: a column of text weighs in distances like a column of numbers."""

SAMPLE, CHARACTERS = 10_000, 2_000_000
"""Texts, and how many of their characters, about, from which n-grams and components are learnt."""

BLOCK = 1_000_000
"""Characters that are encoded at once, about, which bounds memory."""

NO_VARIANCE = 1e-12
"""Of a component that is the same for all texts but for rounding, whose squares are at most 1."""

LARGEST = 1e7
"""Of a component: the most that texts whose variance is just more than none are scaled by."""


@saved(
    buckets=Array(np.int32, "ngrams", low=0, below=BUCKETS),
    weights=Array(np.float64, "ngrams", above=0.0, high=LARGEST),
    components=Array(np.float32, "ngrams", "components", low=-LARGEST, high=LARGEST),
    centre=Array(np.float64, "components", low=-LARGEST, high=LARGEST),
    has_missing=Flag(),
)
@dataclass(frozen=True)
class TextEncoding:
    """The main components of the character n-grams of texts.

    1. A text is lower-cased, runs of white space become one space, and its first 2,000 characters count. Sequences of
       2, 3 and 4 characters are told apart by hashes.
    2. Their counts are replaced by square roots, weighted by the rarity of the sequence, and scaled to unit length.
    3. A truncated singular value decomposition reduces them to at most 30 numbers, centred, with a total variance of 1.
    4. A missing text is at the mean, 0; if the training rows have missing texts, an indicator says so.

    Similar texts have similar numbers, those that were never seen included; labels are not used.

    >>> encoding = TextEncoding.learn(["red apple", "green apple", "Red  apples", "iron nail", "steel nail", None])
    >>> codes = encoding.encode(["red apple", "RED apple", "a green apple", "steel nails"])
    >>> distances = np.linalg.norm(codes - codes[0], axis=1)
    >>> bool(distances[1] == 0 < distances[2] < distances[3])
    True
    >>> encoding.names("name")
    ['name_text1', 'name_text2', 'name_text3', 'name_text4', 'name_text5', 'name_missing']
    """

    buckets: NDArray[np.int32]
    weights: FloatArray
    components: NDArray[np.float32]
    centre: FloatArray
    has_missing: bool

    @classmethod
    def learn(cls, texts: Sequence[str | None], seed: int = 0, n_components: int = N_COMPONENTS) -> Self:
        """Learn from texts, None for missing values; of many, from a sample that the seed decides."""
        known = [text for text in texts if text is not None]
        has_missing = 0 < len(known) < len(texts)
        repeats = Counter(_draw_sample(known, seed))
        distinct = sorted(repeats)
        counts = np.array([repeats[text] for text in distinct], dtype=np.intp)
        if len(distinct) < 2:
            return cls(np.empty(0, np.int32), np.empty(0), np.empty((0, 0), np.float32), np.empty(0), has_missing)
        buckets, weights = choose_ngrams(distinct, counts, N_NGRAMS)
        inputs = weigh_ngrams(distinct, buckets, weights)
        shares = counts / counts.sum()
        # the components of all rows, equal ones as a single row of more weight
        rows = inputs.multiply(np.sqrt(shares)[:, None]).tocsr()
        _, _, axes = randomized_svd(rows, min(n_components, *rows.shape), n_iter=4, random_state=seed)
        codes = inputs @ axes.T
        centre = shares @ codes
        variances = shares @ (codes - centre) ** 2
        useful = variances > NO_VARIANCE
        factor = np.sqrt(TOTAL_VARIANCE / variances[useful].sum()) if useful.any() else 1.0
        components = np.ascontiguousarray(axes[useful].T * factor, np.float32)
        return cls(buckets, weights, components, centre[useful] * factor, has_missing)

    def encode(self, texts: Sequence[str | None]) -> FloatArray:
        """(rows, n_outputs) of texts, None for missing values."""
        places = {text: place for place, text in enumerate(dict.fromkeys(texts))}  # each distinct text is encoded once
        result = np.zeros((len(places), self.n_outputs))
        if len(self.centre):
            known = [place for text, place in places.items() if text is not None]
            codes = self._reduce([text for text in places if text is not None])
            result[known, : len(self.centre)] = codes
        if self.has_missing and None in places:
            result[places[None], -1] = INDICATOR
        return np.asarray(result[[places[text] for text in texts]])

    def names(self, column: str) -> list[str]:
        """``column_text1`` and so on, and ``column_missing``."""
        return [f"{column}_text{number + 1}" for number in range(len(self.centre))] + (
            [f"{column}_missing"] if self.has_missing else []
        )

    @property
    def n_outputs(self) -> int:
        """Numbers per text."""
        return len(self.centre) + self.has_missing

    def check_saved(self) -> None:
        """Raise ValueError unless the n-grams are in order, each of them once."""
        if (np.diff(self.buckets) <= 0).any():
            raise ValueError("buckets must be sorted, each of them once")

    def _reduce(self, texts: list[str]) -> FloatArray:
        blocks = _split([normalise(text) for text in texts], BLOCK)
        codes = [weigh_ngrams(block, self.buckets, self.weights) @ self.components - self.centre for block in blocks]
        return np.vstack([np.empty((0, len(self.centre))), *codes])


def _draw_sample(texts: list[str], seed: int) -> list[str]:
    """Normalised texts: all, or of many a random choice."""
    order = np.random.default_rng(seed).permutation(len(texts))[:SAMPLE]
    return next(_split([normalise(texts[place]) for place in order], CHARACTERS), [])


def _split(texts: list[str], size: int) -> Iterator[list[str]]:
    """Blocks of texts, each of about `size` characters."""
    ends = np.cumsum([len(text) for text in texts])
    start = 0
    while start < len(texts):
        before = ends[start - 1] if start else 0
        end = max(start + 1, int(np.searchsorted(ends, before + size, side="right")))
        yield texts[start:end]
        start = end
