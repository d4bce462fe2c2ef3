"""The base of all views, in whose tables a row is an image; and the views made of its pixels alone."""

import math
from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.decomposition import PCA
from sklearn.utils.validation import check_is_fitted, validate_data

from emphatic import check
from emphatic.check import FloatArray
from emphatic.fitting import all_or_nothing
from emphatic.inputs import LARGEST_INPUT, refuse_lazy, refuse_no_columns
from emphatic.partitions import lazily


class ImageView(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """Base of the views. A view describes each image by itself: the other images of a batch do not matter.

    Images are rows of pixels, (n, height * width), one row of the image after another, or an array (n, height, width).
    With `shape=None` the shape is that of the array; rows of pixels are read as square images if their number is a
    square, otherwise as images of a single row. So images that are not square and come as rows of pixels need `shape`,
    (height, width); `image_shape_` says how they were read.

    A subclass writes `learn` and `describe`, which returns one row of features per checked row of pixels.
    """

    shape: tuple[int, int] | None
    image_shape_: tuple[int, int]
    n_features_in_: int

    @abstractmethod
    def learn(self, X: FloatArray) -> int:
        """Check the parameters and learn from checked rows of pixels; return the number of features."""

    @abstractmethod
    def describe(self, X: FloatArray) -> FloatArray:
        """Features of checked rows of pixels."""

    @all_or_nothing
    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the shape of the images in `X`, and what else the view needs; `y` is ignored."""
        given = None if self.shape is None else _check_shape(self.shape)
        rows, stacked = self._rows(X, reset=True)
        side = math.isqrt(rows.shape[1])
        self.image_shape_ = given or stacked or ((side, side) if side**2 == rows.shape[1] else (1, rows.shape[1]))
        if math.prod(self.image_shape_) != rows.shape[1] or stacked not in (None, self.image_shape_):
            found = f"images of shape {stacked}" if stacked else f"{rows.shape[1]} columns"
            raise ValueError(f"shape={self.shape!r} is not allowed for X with {found}: shape must be (height, width).")
        self._n_features_out = self.learn(rows)
        return self

    @lazily("outputs")
    def transform(self, X: Any) -> FloatArray:
        """Features of the images in `X`, one row per image."""
        check_is_fitted(self)
        rows, stacked = self._rows(X, reset=False)
        if stacked not in (None, self.image_shape_):
            raise ValueError(f"X has images of shape {stacked}, but those seen in fit have shape {self.image_shape_}.")
        return self.describe(rows)

    @property
    def n_outputs(self) -> int:
        """Features of an image."""
        return self._n_features_out

    def _rows(self, X: Any, *, reset: bool) -> tuple[FloatArray, tuple[int, int] | None]:
        """`X` as float64 rows of pixels, and the shape of its images if `X` is an array (n, height, width)."""
        stacked = None
        if getattr(X, "ndim", 2) == 3:
            stacked = (int(X.shape[1]), int(X.shape[2]))
            X = np.reshape(X, (len(X), math.prod(stacked)))
        refuse_lazy(self, X)
        refuse_no_columns(X)
        rows = validate_data(self, X, reset=reset, dtype=np.float64, order="C")
        if max(rows.max(), -rows.min()) > LARGEST_INPUT:
            raise ValueError(
                f"X holds values beyond +-{LARGEST_INPUT:g}, whose squares can overflow: scale them first."
            )
        return rows, stacked


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


class PrincipalComponents(ImageView):
    """Pixels projected on the first principal components of the training images (paper 003, Table 1: 40 of them).

    scikit-learn's PCA, without randomised solvers. There are never more components than pixels or training images.
    This is the only view that learns from the images: fit it on the training part only.

    Parameters
    ----------
    n_components : int, default=40
    shape : (height, width), default=None
        Of the images; None: see `ImageView`.

    Attributes
    ----------
    pca_ : the fitted PCA

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from emphatic.multiview.views import PrincipalComponents
    >>> PrincipalComponents().fit_transform(load_digits().images).shape
    (1797, 40)
    """

    def __init__(self, n_components: int = 40, shape: tuple[int, int] | None = None) -> None:
        self.n_components = n_components
        self.shape = shape

    def learn(self, X: FloatArray) -> int:
        n_components = min(check.integer("n_components", self.n_components, at_least=1), *X.shape)
        if len(X) < 2:
            raise ValueError(f"X has n_samples={len(X)}: principal components need at least 2 images.")
        # both are exact; with more images than pixels the covariance of the pixels is the smaller matrix
        solver = "covariance_eigh" if len(X) >= X.shape[1] else "full"
        with np.errstate(invalid="ignore"):  # the explained variance ratio is 0/0 if all images are equal
            self.pca_ = PCA(n_components, svd_solver=solver).fit(X)
        return n_components

    def describe(self, X: FloatArray) -> FloatArray:
        return np.asarray(self.pca_.transform(X))


def _check_shape(shape: Any) -> tuple[int, int]:
    if not isinstance(shape, (tuple, list)) or len(shape) != 2:
        raise ValueError(f"shape={shape!r} is not allowed: shape must be None or (height, width), such as (16, 16).")
    height, width = (check.integer(f"shape[{axis}]", size, at_least=1) for axis, size in enumerate(shape))
    return height, width
