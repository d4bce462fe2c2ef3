"""The Gaussian units of one network over the samples it is trained on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from emphatic.check import FloatArray, IntArray
from emphatic.kernels import rbf


class Units:
    """Centres and widths, with the distances and activations of the training samples a block at a time.

    Up to a limit of memory the blocks are kept from step to step, distances becoming activations in place; beyond it
    one block holds them in turn and they are computed again. They live in the scratch memory of the thread, so the
    activations of one network are gone when the next one begins.
    """

    def __init__(self, X: FloatArray, centres: FloatArray) -> None:
        self.X, self.centres = X, centres
        self.widths = np.empty(0)
        self._spans = list(rbf.blocks(len(X), len(centres)))
        self._kept = len(X) * len(centres) <= rbf.KEPT
        self._memory = rbf.scratch("units", len(centres) * (len(X) if self._kept else self._spans[0].stop))
        self._measured, self._activated = (
            set[int](),
            set[int](),
        )  # starts of the kept blocks that hold distances, or more

    def cells(self, y: IntArray | None = None, owner: IntArray | None = None) -> tuple[IntArray, FloatArray]:
        """Nearest centre of every sample and the distance to it; with codes `y` and `owner`, of its own class."""
        cell = np.zeros(len(self.X), dtype=np.intp)
        closest = np.empty(len(self.X))
        for span in self._spans:
            distances = self._distances(span)
            if y is not None and owner is not None:
                distances = np.where(owner[:, None] == y[None, span], distances, np.inf)
            rbf.nearest(distances, closest[span], cell[span])
        # |c|^2 + |x|^2 - 2 c.x is good enough to compare, but leaves 1e-8 where a centre meets itself
        return cell, rbf.paired_distances(self.X, self.centres, cell)

    def activations(self) -> Iterator[tuple[slice, FloatArray]]:
        """(K, samples) activations, block by block; a block must not be changed."""
        for span in self._spans:
            if span.start in self._activated:
                block = self._block(span)
            else:
                block = rbf.gaussians(self._distances(span), self.widths)
                if self._kept:
                    self._activated.add(span.start)
            yield span, block

    def _distances(self, span: slice) -> FloatArray:
        block = self._block(span)
        if span.start not in self._measured:
            rbf.squared_distances(self.centres, self.X[span], block)
            if self._kept:
                self._measured.add(span.start)
        return block

    def _block(self, span: slice) -> FloatArray:
        size = len(self.centres)
        start = span.start if self._kept else 0
        flat = self._memory[size * start : size * (start + span.stop - span.start)]
        return flat.reshape(size, span.stop - span.start)
