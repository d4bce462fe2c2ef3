"""The view `orienthisto`: the directions of edges in nine overlapping windows of the image."""

import numpy as np
from scipy.ndimage import correlate1d
from sklearn.utils import gen_batches

from emphatic import check
from emphatic.check import FloatArray, IntArray
from emphatic.multiview.views.image import ImageView

STRIPS = 4
"""Each axis is cut into four strips; a window covers two adjacent ones, which makes three overlapping windows."""
BATCH_SIZE = 500
"""So many images of 16 x 16 fit into the cache."""


class OrientationHistogram(ImageView):
    r"""Histograms of the direction of the gradient in 3 x 3 overlapping windows (paper 003, Table 1).

    1. Take the gradient of the image by Sobel's operator: differences of the neighbours along one axis, smoothed with
       1, 2, 1 along the other. Beyond its border the image is continued by its outermost pixels.
    2. Assign the direction of each gradient to one of `n_bins` bins over the full turn; bin k is centred on
       :math:`2 \pi k` / `n_bins`, and bin 0 is left to right, from dark to light. The pixel adds the magnitude.
    3. Sum over windows that are half as high and half as wide as the image and a quarter apart: for 16 x 16, windows of
       8 x 8 that are 4 apart. (Each axis is cut into four strips at k * size // 4, for any size.)
    4. Divide each histogram by its sum; that of a flat window is 0.

    There are 9 * `n_bins` features for images of any shape, window after window, row by row: the paper's 144 with 16
    bins. Only that number is given in the paper; operator, windows and bins are our choice.

    Parameters
    ----------
    n_bins : int, default=16
    square_root : bool, default=False
        Take the square root of each entry, which gives small entries more influence on distances.
    shape : (height, width), default=None
        Of the images; None: see `ImageView`.

    Examples
    --------
    >>> import numpy as np
    >>> from emphatic.multiview.views import OrientationHistogram
    >>> ramp = np.tile(np.arange(16.0), (16, 1))  # lighter from left to right
    >>> OrientationHistogram().fit_transform(ramp[None]).reshape(9, 16)[:, 0]
    array([1., 1., 1., 1., 1., 1., 1., 1., 1.])
    """

    def __init__(self, n_bins: int = 16, square_root: bool = False, shape: tuple[int, int] | None = None) -> None:
        self.n_bins = n_bins
        self.square_root = square_root
        self.shape = shape

    def learn(self, X: FloatArray) -> int:
        check.one_of("square_root", self.square_root, (True, False))
        return (STRIPS - 1) ** 2 * check.integer("n_bins", self.n_bins, at_least=1)

    def describe(self, X: FloatArray) -> FloatArray:
        features = np.empty((len(X), self._n_features_out))
        cells = _cells(self.image_shape_)
        for batch in gen_batches(len(X), BATCH_SIZE):
            images = X[batch].reshape(-1, *self.image_shape_)
            features[batch] = _histograms(images, cells, self.n_bins).reshape(len(images), -1)
        return np.sqrt(features) if self.square_root else features


def _histograms(images: FloatArray, cells: IntArray, n_bins: int) -> FloatArray:
    """Histograms of the windows, (n, 3, 3, n_bins)."""
    n = len(images)
    across, down = _gradient(images, axis=2), _gradient(images, axis=1)
    turns = np.arctan2(down, across) / (2 * np.pi)
    bins = np.rint(turns * n_bins).astype(np.intp) % n_bins  # centred: the directions of the axes are bin centres
    places = (np.arange(n)[:, None, None] * STRIPS**2 + cells) * n_bins + bins
    sums = np.bincount(places.ravel(), np.hypot(across, down).ravel(), minlength=n * STRIPS**2 * n_bins)
    sums = sums.reshape(n, STRIPS, STRIPS, n_bins)
    windows = sums[:, :-1] + sums[:, 1:]
    windows = windows[:, :, :-1] + windows[:, :, 1:]
    total = windows.sum(axis=3, keepdims=True)
    return np.divide(windows, total, out=np.zeros_like(windows), where=total > 0)


def _gradient(images: FloatArray, axis: int) -> FloatArray:
    """Sobel's operator on (n, height, width) along axis 1 or 2; never along axis 0, which is other images."""
    differences = correlate1d(images, [-1, 0, 1], axis=axis, mode="nearest")
    return np.asarray(correlate1d(differences, [1, 2, 1], axis=3 - axis, mode="nearest"))


def _cells(shape: tuple[int, int]) -> IntArray:
    """Which of the STRIPS x STRIPS cells, the crossings of strips, each pixel lies in."""
    rows, columns = (np.searchsorted(np.arange(1, STRIPS) * size // STRIPS, np.arange(size), "right") for size in shape)
    return rows[:, None] * STRIPS + columns
