"""The Gaussian units of one network over the samples it is trained on."""

from collections.abc import Iterator, Sequence
from functools import cached_property, reduce
from operator import iadd
from typing import Any

import numpy as np

from emphatic.check import FloatArray, IntArray
from emphatic.kernels import draws, rbf, unit_tiles
from emphatic.kernels.blocks import arrange_blocks
from emphatic.kernels.gram import AT_A_TIME, mirror
from emphatic.kernels.memory import scratch
from emphatic.kernels.unit_tiles import TILE
from emphatic.randomness import RowNoise
from emphatic.threads import map_in_threads

TIE = 1e-12
"""Squared distances closer than this, in units of the squared diameter of the table, are ties."""

CHUNK = 10 * TILE
"""Samples whose sums are formed together; the sums of the chunks are added in their order, by any number of threads."""

KEPT = 2**22
"""Largest number of entries, 32 MB, that is kept in memory for a table or a network rather than computed again."""

MANY_COLUMNS = 48
"""From here on a BLAS forms scalar products faster than our own kernel, which needs no second pass over them."""


class Table:
    """A training table with what every network on it needs, whatever the emphasis."""

    def __init__(
        self,
        X: FloatArray,
        y: IntArray,
        n_classes: int,
        indicators: bool = False,
        box: tuple[float, float] | None = None,
    ) -> None:
        self.X, self.y = X, y
        if box is not None:  # of a larger table, of which this is a part
            self._box = box
        # one row per output: class 1 against 0, or each class against the rest
        outputs = np.array([1]) if n_classes == 2 and not indicators else np.arange(n_classes)
        self.targets = np.where(y == outputs[:, None], 1.0, 0.0 if indicators else -1.0)
        self.squares = rbf.squared_norms(X)
        self.frequencies = tuple(np.bincount(y).tolist())
        self.chunks = [slice(start, min(start + CHUNK, len(y))) for start in range(0, len(y), CHUNK)]

    @cached_property
    def _box(self) -> tuple[float, float]:  # only when asked for: not every design needs it
        return rbf.box(self.X)

    @property
    def spread(self) -> float:
        """Root mean square of the columns' standard deviations."""
        return self._box[0]

    @property
    def diameter(self) -> float:
        """Of the box of the samples."""
        return self._box[1]

    def __len__(self) -> int:
        return len(self.y)

    def columns(self, chunk: slice) -> FloatArray:
        """(tiles, features, TILE): the columns of the samples of a chunk, and zeros up to a multiple of four."""
        if self._all_columns is not None:
            return self._all_columns[chunk.start // TILE : -(-chunk.stop // TILE)]
        return self._arrange(chunk)

    @cached_property
    def _all_columns(self) -> FloatArray | None:
        return self._arrange(slice(0, len(self))) if self.X.size <= KEPT else None

    def _arrange(self, span: slice) -> FloatArray:
        return arrange_blocks(self.X[span], block=TILE, multiple=4)

    def draw_first(self, weights: FloatArray, counts: Sequence[int], rng: np.random.Generator) -> IntArray:
        """Rows drawn without replacement, `counts[c]` of each class c, with chances in proportion to `weights`.

        -log of exponential noise is Gumbel noise: the first to arrive have the largest keys log D + Gumbel.
        """
        noise = RowNoise(rng, len(self)).between(0, len(self))
        return draws.first_arrivals(noise, weights, self.y, np.array(counts))


class Units:
    """Centres and widths, with the distances and activations of the training samples a chunk at a time.

    Up to a limit of memory the chunks are kept from step to step, and distances become activations in place; beyond it
    one chunk holds them in turn and they are computed again. They live in the scratch memory of a thread, so the
    activations of one network are gone when the next one begins.
    """

    def __init__(self, table: Table, centres: FloatArray, squares: FloatArray | None = None) -> None:
        self.table, self.centres = table, centres
        self.widths = np.empty(0)
        self.squares = rbf.squared_norms(centres) if squares is None else squares
        self._n_rows = _rounded_up(len(centres) + len(table.targets), AT_A_TIME)
        self._kept = self._n_rows * len(table) <= KEPT
        self._memory = self._request(slice(0, len(table))) if self._kept else np.empty((0, 0, 0))
        self._holds: dict[int, str] = {}
        """What is in the kept block that starts at a sample: "distances" or "activations"."""

    def cells(self, owner: IntArray | None = None) -> tuple[IntArray, FloatArray]:
        """Nearest centre of every sample and the distance to it; with the classes of the centres, of its own class."""
        tolerance = TIE * self.table.diameter**2

        def find(chunk: slice) -> tuple[IntArray, FloatArray]:
            cell = self._measure(chunk, tolerance)
            if owner is not None:
                for span, tile in self._tiles(chunk, self._block(chunk)):
                    own = np.where(owner[:, None] == self.table.y[None, span], tile, np.inf)
                    first = (own <= own.min(axis=0) + tolerance).argmax(axis=0)  # of those that tie
                    cell[span.start - chunk.start : span.stop - chunk.start] = first
            # |c|^2 + |x|^2 - 2 c.x is good enough to compare, but leaves 1e-8 where a centre meets itself
            return cell, rbf.paired_distances(self.table.X[chunk], self.centres, cell)

        cells, distances = zip(*map_in_threads(find, self.table.chunks))
        return _join(cells), _join(distances)

    def activations(self, root: FloatArray) -> Iterator[tuple[slice, FloatArray]]:
        """(K, samples) activations times `root`, tile by tile; a tile must not be changed.

        `root` is a positive factor for every sample, the same in every call.
        """
        for chunk in self.table.chunks:
            yield from self._tiles(chunk, self._activate(chunk, root))

    def sum_products(self, root: FloatArray, targets: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Gram matrix G' D G (K, K) and moments G' D d (K, outputs), with D the square of `root`, d (outputs, n)."""

        def add(chunk: slice) -> FloatArray:
            products = np.zeros((self._n_rows, self._n_rows))
            block = self._distances(chunk)
            unit_tiles.activate_and_sum(block, self.widths, root[chunk], targets[:, chunk], products)
            self._note(chunk, "activations")
            return products

        products = reduce(iadd, map_in_threads(add, self.table.chunks))
        n_units = len(self.centres)
        return mirror(products, n_units), products[n_units : n_units + len(targets), :n_units].T

    def combine(self, root: FloatArray, weights: FloatArray) -> FloatArray:
        """(outputs, n): the activations times the weights (outputs, K), without the factor `root`."""

        def add(chunk: slice) -> FloatArray:
            linear = np.empty((len(weights), chunk.stop - chunk.start))
            unit_tiles.combine(self._activate(chunk, root), weights, root[chunk], linear)
            return linear

        return np.asarray(_join(list(map_in_threads(add, self.table.chunks))))

    def _activate(self, chunk: slice, root: FloatArray) -> FloatArray:
        """The block of a chunk, holding activations."""
        if self._holds.get(chunk.start) == "activations":
            return self._block(chunk)
        block = self._distances(chunk)
        for number, tile in enumerate(block):
            start = chunk.start + number * TILE
            unit_tiles.activate(tile, self.widths, root[start : min(start + TILE, chunk.stop)])
        self._note(chunk, "activations")
        return block

    def _distances(self, chunk: slice) -> FloatArray:
        """The block of a chunk, holding squared distances."""
        if self._holds.get(chunk.start) != "distances":
            self._measure(chunk)
        return self._block(chunk)

    def _measure(self, chunk: slice, tolerance: float = 0.0) -> IntArray:
        """Put squared distances into the block of a chunk; the nearest unit of every sample."""
        columns, squares, block = self.table.columns(chunk), self.table.squares[chunk], self._block(chunk)
        closest, cell = np.empty(chunk.stop - chunk.start), np.empty(chunk.stop - chunk.start, dtype=np.intp)
        if columns.shape[1] < MANY_COLUMNS:
            unit_tiles.measure(columns, squares, self.centres, self.squares, tolerance, block, closest, cell)
        else:
            for tile, some in zip(block, columns):
                np.dot(self.centres, some[: self.centres.shape[1]], out=tile[: len(self.centres)])
            unit_tiles.nearest(block, squares, self.squares, tolerance, closest, cell)
        self._note(chunk, "distances")
        return cell

    def _note(self, chunk: slice, content: str) -> None:
        if self._kept:
            self._holds[chunk.start] = content

    def _block(self, chunk: slice) -> FloatArray:
        return self._memory[chunk.start // TILE : -(-chunk.stop // TILE)] if self._kept else self._request(chunk)

    def _request(self, span: slice) -> FloatArray:
        n_tiles = -(-(span.stop - span.start) // TILE)
        return scratch("units", (n_tiles, self._n_rows, TILE))

    def _tiles(self, chunk: slice, block: FloatArray) -> Iterator[tuple[slice, FloatArray]]:
        """The samples of every tile in a block, and (K, samples) of it."""
        for number, tile in enumerate(block):
            span = slice(chunk.start + number * TILE, min(chunk.start + (number + 1) * TILE, chunk.stop))
            yield span, tile[: len(self.centres), : span.stop - span.start]


def _join(parts: Sequence[Any]) -> Any:
    """The arrays of the chunks side by side, along their last axis."""
    return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=-1)


def _rounded_up(number: int, multiple: int) -> int:
    return -(-number // multiple) * multiple
