"""Rotation of an image as a matrix on its pixels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.sparse import csr_matrix
from scipy.special import cosdg, sindg

from emphatic.check import FloatArray, IntArray


def rotation(shape: tuple[int, int], degrees: float) -> csr_matrix:
    """Sparse matrix R, (pixels, pixels): rows of pixels `X` of images of `shape`, rotated about their middle, are X R.

    Bilinear, in the same frame, 0 where the source lies outside of the image: what `scipy.ndimage.rotate` does to one
    image with ``reshape=False, order=1``. Positive angles turn an image, its rows printed downwards, to the left.

    >>> import numpy as np
    >>> image = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
    >>> (image.ravel() @ rotation((3, 3), 90)).reshape(3, 3)
    array([[3., 6., 9.],
           [2., 5., 8.],
           [1., 4., 7.]])
    """
    height, width = shape
    n_pixels = height * width
    middle = (np.array([[height], [width]]) - 1) / 2
    turn = np.array([[cosdg(degrees), sindg(degrees)], [-sindg(degrees), cosdg(degrees)]])
    source = turn @ (np.indices(shape).reshape(2, n_pixels) - middle) + middle  # of each pixel of the rotated image
    inside = np.flatnonzero(((source >= 0) & (source <= 2 * middle)).all(axis=0))
    row, column = source[:, inside]
    result = csr_matrix((n_pixels, n_pixels))
    for r, share_in_rows in _neighbours(row, height):
        for c, share_in_columns in _neighbours(column, width):
            result += csr_matrix((share_in_rows * share_in_columns, (r * width + c, inside)), shape=result.shape)
    result.eliminate_zeros()
    return result


def _neighbours(position: FloatArray, size: int) -> Iterator[tuple[IntArray, FloatArray]]:
    """The whole numbers on both sides of positions in [0, size - 1], and the share of each in the interpolation."""
    before = np.floor(position).astype(np.intp)
    beyond = position - before
    yield before, 1.0 - beyond
    yield np.minimum(before + 1, size - 1), beyond
