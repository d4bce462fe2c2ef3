"""The view `image_vector`: the pixels themselves."""

from __future__ import annotations

from emphatic.check import FloatArray
from emphatic.multiview.views.image import ImageView


class ImageVector(ImageView):
    """The pixels of an image, row by row: height * width features, 256 for 16 x 16 (paper 003, Table 1).

    Parameters
    ----------
    shape : (height, width), default=None
        Of the images; None: see `ImageView`.

    Examples
    --------
    >>> import numpy as np
    >>> from emphatic.multiview.views import ImageVector
    >>> ImageVector().fit_transform(np.array([[[1, 2], [3, 4]]]))
    array([[1., 2., 3., 4.]])
    """

    def __init__(self, shape: tuple[int, int] | None = None) -> None:
        self.shape = shape

    def learn(self, X: FloatArray) -> int:
        return X.shape[1]

    def describe(self, X: FloatArray) -> FloatArray:
        return X.copy()
