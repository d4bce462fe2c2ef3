"""The Gaussian units of one network over the samples it is trained on."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from emphatic.check import FloatArray, IntArray
from emphatic.kernels import draws, rbf
from emphatic.randomness import RowNoise

TIE = 1e-12
"""Squared distances closer than this, in units of the squared diameter of the table, are ties."""


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

    def draw_first(self, weights: FloatArray, counts: Sequence[int], rng: np.random.Generator) -> IntArray:
        """Rows drawn without replacement, `counts[c]` of each class c, with chances in proportion to `weights`.

        -log of exponential noise is Gumbel noise: the first to arrive have the largest keys log D + Gumbel.
        """
        noise = RowNoise(rng, len(self)).between(0, len(self))
        return draws.first_arrivals(noise, weights, self.y, np.array(counts))


class Units:
    """Centres and widths, with the distances and activations of the training samples a block at a time.

    Up to a limit of memory the blocks are kept from step to step, scalar products becoming distances and distances
    activations in place; beyond it one block holds them in turn and they are computed again. They live in the scratch
    memory of the thread, so the activations of one network are gone when the next one begins.
    """

    def __init__(self, table: Table, centres: FloatArray, squares: FloatArray | None = None) -> None:
        self.table, self.centres = table, centres
        self.squares = rbf.squared_norms(centres) if squares is None else squares
        self.widths = np.empty(0)
        self._spans = list(rbf.blocks(len(table), len(centres)))
        self._kept = len(table) * len(centres) <= rbf.KEPT
        self._memory = rbf.scratch("units", len(centres) * (len(table) if self._kept else self._spans[0].stop))
        self._measured: set[int] = set()  # starts of the kept blocks that hold distances
        self._activated: set[int] = set()  # and of those that hold activations

    def cells(self, owner: IntArray | None = None) -> tuple[IntArray, FloatArray]:
        """Nearest centre of every sample and the distance to it; with the classes of the centres, of its own class."""
        cell = np.zeros(len(self.table), dtype=np.intp)
        closest = np.empty(len(self.table))
        tolerance = TIE * self.table.diameter**2
        for span in self._spans:
            block, squares = self._products(span), self.table.squares[span]
            rbf.nearest(block, self.squares, squares, tolerance, closest[span], cell[span])
            if owner is not None:
                own = np.where(owner[:, None] == self.table.y[None, span], block, np.inf)
                cell[span] = (own <= own.min(axis=0) + tolerance).argmax(axis=0)  # the first of those that tie
            if self._kept:
                self._measured.add(span.start)
        # |c|^2 + |x|^2 - 2 c.x is good enough to compare, but leaves 1e-8 where a centre meets itself
        return cell, rbf.paired_distances(self.table.X, self.centres, cell)

    def activations(self, root: FloatArray) -> Iterator[tuple[slice, FloatArray]]:
        """(K, samples) activations times `root`, block by block; a block must not be changed.

        `root` is a positive factor for every sample, the same in every call. As part of the exponent it costs nothing;
        multiplying two large arrays would cost as much as the exponential does.
        """
        for span in self._spans:
            if span.start in self._activated:
                yield span, self._block(span)
                continue
            if span.start in self._measured:
                block = self._block(span)
            else:
                block = self._products(span)
                rbf.complete_squares(block, self.squares, self.table.squares[span])
            rbf.exponents(block, 0.5 / self.widths**2, np.log(root[span]), rbf.SMALLEST_EXPONENT)
            np.exp(block, out=block)
            if self._kept:
                self._activated.add(span.start)
            yield span, block

    def _products(self, span: slice) -> FloatArray:
        """Scalar products c.x in the block of `span`."""
        return np.asarray(np.dot(self.centres, self.table.X[span].T, out=self._block(span)))

    def _block(self, span: slice) -> FloatArray:
        size, width = len(self.centres), span.stop - span.start
        start = size * span.start if self._kept else 0
        return self._memory[start : start + size * width].reshape(size, width)


def sum_products(blocks: Iterable[tuple[slice, FloatArray]], targets: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Gram matrix G' D G (K, K) and moments G' D d (K, outputs) of activations that come in blocks (K, n).

    They and the targets (outputs, n) are already multiplied by the square root of the weights D.
    """
    gram: Any = 0.0
    moments: Any = 0.0
    for span, block in blocks:  # one sum at a time: the matrices of all blocks could fill the memory
        gram = block @ block.T + gram
        moments = block @ targets[:, span].T + moments
    return gram, moments
