"""The views `rows_sum` and `cols_sum`: sums over the rows, or columns, of the image and of its rotations."""

from collections.abc import Iterator
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_matrix, hstack
from scipy.special import cosdg, sindg

from emphatic import check
from emphatic.check import FloatArray, IntArray
from emphatic.multiview.views.image import ImageView


class RotatedSums(ImageView):
    """Base of `RowSums` and `ColumnSums`.

    Rotating and summing are linear in the pixels: one sparse matrix per shape does both for all angles. It always adds
    the pixels of an image in the same order, so not one bit of a row depends on the batch.
    """

    _axis: ClassVar[int]
    """The axis of the image along which the sums are arranged."""

    def __init__(self, n_rotations: int = 9, degrees: float = 9.0, shape: tuple[int, int] | None = None) -> None:
        self.n_rotations = n_rotations
        self.degrees = degrees
        self.shape = shape

    def learn(self, X: FloatArray) -> int:
        n_rotations = check.integer("n_rotations", self.n_rotations, at_least=0)
        step = check.real("degrees", self.degrees, -360, 360)
        line = np.indices(self.image_shape_)[self._axis].ravel()  # the row, or column, of each pixel
        sums = csr_matrix((np.ones(len(line)), (np.arange(len(line)), line)))
        rotated = [rotation_matrix(self.image_shape_, k * step) @ sums for k in range(n_rotations + 1)]
        self._sums = csr_matrix(hstack(rotated).T)
        return int(self._sums.shape[0])

    def describe(self, X: FloatArray) -> FloatArray:
        return np.ascontiguousarray((self._sums @ X.T).T)


class RowSums(RotatedSums):
    """Sums over the rows of the image and of its rotations (paper 003, Table 1): 16 * 10 features for 16 x 16.

    The image itself comes first, then its rotations by 1, 2, ... times `degrees` about its centre, in the same frame,
    with bilinear interpolation and 0 outside: height * (1 + `n_rotations`) features. The paper has nine rotations and
    does not say by how much. With 18 degrees ten steps would make half a turn, and `ColumnSums` would hold the same
    numbers as `RowSums`; with 9 it does not.

    Parameters
    ----------
    n_rotations : int, default=9
    degrees : float, default=9
        Angle between successive rotations.
    shape : (height, width), default=None
        Of the images; None: see `ImageView`.

    Examples
    --------
    >>> import numpy as np
    >>> from emphatic.multiview.views import RowSums
    >>> RowSums(n_rotations=1, degrees=90).fit_transform(np.array([[[1, 2], [3, 4]]]))
    array([[3., 7., 6., 4.]])
    """

    _axis = 0


class ColumnSums(RotatedSums):
    """Sums over the columns of the image and of its rotations (paper 003, Table 1): 16 * 10 features for 16 x 16.

    As `RowSums`, with the same parameters, but width * (1 + `n_rotations`) features.

    Examples
    --------
    >>> import numpy as np
    >>> from emphatic.multiview.views import ColumnSums
    >>> ColumnSums(n_rotations=1, degrees=90).fit_transform(np.array([[[1, 2], [3, 4]]]))
    array([[4., 6., 3., 7.]])
    """

    _axis = 1


def rotation_matrix(shape: tuple[int, int], degrees: float) -> csr_matrix:
    """Sparse matrix R, (pixels, pixels), for which X R are the images X of `shape` rotated about their centre.

    The same as `scipy.ndimage.rotate` on each image with ``reshape=False, order=1``: bilinear, in the same frame, 0
    where the source lies outside the image. Positive angles turn an image whose rows are printed downwards to the left.

    >>> import numpy as np
    >>> image = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
    >>> (image.ravel() @ rotation_matrix((3, 3), 90)).reshape(3, 3)
    array([[3., 6., 9.],
           [2., 5., 8.],
           [1., 4., 7.]])
    """
    height, width = shape
    n_pixels = height * width
    centre = (np.array([[height], [width]]) - 1) / 2
    turn = np.array([[cosdg(degrees), sindg(degrees)], [-sindg(degrees), cosdg(degrees)]])
    source = turn @ (np.indices(shape).reshape(2, n_pixels) - centre) + centre  # of each pixel of the rotated image
    inside = np.flatnonzero(((source >= 0) & (source <= 2 * centre)).all(axis=0))
    row, column = source[:, inside]
    result = csr_matrix((n_pixels, n_pixels))
    for r, share_in_rows in _neighbours(row, height):
        for c, share_in_columns in _neighbours(column, width):
            result += csr_matrix((share_in_rows * share_in_columns, (r * width + c, inside)), shape=result.shape)
    result.eliminate_zeros()
    return result


def _neighbours(position: FloatArray, size: int) -> Iterator[tuple[IntArray, FloatArray]]:
    """The integers on both sides of positions in [0, size - 1], and the share of each in the interpolation."""
    before = np.floor(position).astype(np.intp)
    beyond = position - before
    yield before, 1.0 - beyond
    yield np.minimum(before + 1, size - 1), beyond
