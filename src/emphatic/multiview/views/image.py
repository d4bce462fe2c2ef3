"""What all views share: tables in which a row is an image, and the shape of that image."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from emphatic import check
from emphatic.base import LARGEST_INPUT
from emphatic.check import FloatArray


class ImageView(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """Base of the views. A view describes each image by itself: other images of a batch change nothing.

    Images are rows of pixels, (n, height * width), row of the image after row, or an array (n, height, width). The
    shape is the parameter `shape`, (height, width). None takes that of an array (n, height, width); rows of pixels are
    then square images if their number of pixels is a square, and else images of a single row. Images that are not
    square and come as rows of pixels therefore need `shape`; `image_shape_` says how they were read.

    A subclass writes `describe`, which gets checked rows and returns one row of features for each, and `learn`.
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

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the shape of the images in `X`, and what the view needs to know of them; `y` is ignored."""
        given = None if self.shape is None else _checked_shape(self.shape)
        rows, stacked = self._rows(X, reset=True)
        self.image_shape_ = given or stacked or _square_or_row(rows.shape[1])
        if math.prod(self.image_shape_) != rows.shape[1] or stacked not in (None, self.image_shape_):
            found = f"images of shape {stacked}" if stacked else f"{rows.shape[1]} columns"
            raise ValueError(f"shape={self.shape!r} is not allowed for X with {found}: shape must be (height, width).")
        self._n_features_out = self.learn(rows)
        return self

    def transform(self, X: Any) -> FloatArray:
        """Features of the images in `X`, one row an image."""
        check_is_fitted(self)
        rows, stacked = self._rows(X, reset=False)
        if stacked not in (None, self.image_shape_):
            raise ValueError(f"X has images of shape {stacked}, but those of fit have shape {self.image_shape_}.")
        return self.describe(rows)

    def _rows(self, X: Any, *, reset: bool) -> tuple[FloatArray, tuple[int, int] | None]:
        """`X` as float64 rows of pixels, and the shape of its images if it came as an array of them."""
        stacked = None
        if getattr(X, "ndim", 2) == 3:
            stacked = (int(X.shape[1]), int(X.shape[2]))
            X = np.reshape(X, (len(X), math.prod(stacked)))
        rows = validate_data(self, X, reset=reset, dtype=np.float64, order="C")
        if max(rows.max(), -rows.min()) > LARGEST_INPUT:
            raise ValueError(
                f"X holds values beyond +-{LARGEST_INPUT:g}, whose squares can overflow: scale them first."
            )
        return rows, stacked


def _checked_shape(shape: Any) -> tuple[int, int]:
    if not isinstance(shape, (tuple, list)) or len(shape) != 2:
        raise ValueError(f"shape={shape!r} is not allowed: shape must be None or (height, width), such as (16, 16).")
    height, width = (check.integer(f"shape[{axis}]", size, at_least=1) for axis, size in enumerate(shape))
    return height, width


def _square_or_row(n_pixels: int) -> tuple[int, int]:
    side = math.isqrt(n_pixels)
    return (side, side) if side * side == n_pixels else (1, n_pixels)
