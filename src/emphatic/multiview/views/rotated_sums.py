"""The views `rows_sum` and `cols_sum`: sums over the rows, or columns, of the image and of its rotations."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from scipy.sparse import csr_matrix, hstack

from emphatic import check
from emphatic.check import FloatArray
from emphatic.multiview.views.image import ImageView
from emphatic.multiview.views.rotation import rotation


class RotatedSums(ImageView):
    """Base of `RowSums` and `ColumnSums`.

    To rotate and to sum are linear in the pixels: one sparse matrix, made once for a shape, does both for all angles.
    It adds the pixels of an image always in the same order, so not one bit of a row depends on the batch.
    """

    _axis: ClassVar[int]
    """Of the image, along which the sums are arranged."""

    def __init__(self, n_rotations: int = 9, degrees: float = 9.0, shape: tuple[int, int] | None = None) -> None:
        self.n_rotations = n_rotations
        self.degrees = degrees
        self.shape = shape

    def learn(self, X: FloatArray) -> int:
        n_rotations = check.integer("n_rotations", self.n_rotations, at_least=0)
        step = check.real("degrees", self.degrees, -360, 360)
        line = np.indices(self.image_shape_)[self._axis].ravel()  # the row, or column, of each pixel
        sums = csr_matrix((np.ones(len(line)), (np.arange(len(line)), line)))
        turned = [rotation(self.image_shape_, k * step) @ sums for k in range(n_rotations + 1)]
        self._sums = csr_matrix(hstack(turned).T)
        return int(self._sums.shape[0])

    def describe(self, X: FloatArray) -> FloatArray:
        return np.ascontiguousarray((self._sums @ X.T).T)


class RowSums(RotatedSums):
    """Sums over the rows of the image and of its rotations (paper 003, Table 1): 16 * 10 features for 16 x 16.

    The image itself comes first, then its rotations by 1, 2, ... times `degrees`, about its middle, in its frame,
    bilinear, 0 from outside: height * (1 + `n_rotations`) features. The paper has nine rotations and does not say by
    how much. With 18 degrees ten steps would make half a turn, and `ColumnSums` would hold the very numbers that this
    view holds; with 9 it does not.

    Parameters
    ----------
    n_rotations : int, default=9
    degrees : float, default=9
        From one rotation to the next.
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

    As `RowSums`, with width * (1 + `n_rotations`) features.

    Parameters
    ----------
    n_rotations : int, default=9
    degrees : float, default=9
        From one rotation to the next.
    shape : (height, width), default=None
        Of the images; None: see `ImageView`.

    Examples
    --------
    >>> import numpy as np
    >>> from emphatic.multiview.views import ColumnSums
    >>> ColumnSums(n_rotations=1, degrees=90).fit_transform(np.array([[[1, 2], [3, 4]]]))
    array([[4., 6., 3., 7.]])
    """

    _axis = 1
