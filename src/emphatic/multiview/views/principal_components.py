"""The view `pca_40`: the directions in which the training images vary most."""

from __future__ import annotations

import numpy as np
from sklearn.decomposition import PCA

from emphatic import check
from emphatic.check import FloatArray
from emphatic.multiview.views.image import ImageView


class PrincipalComponents(ImageView):
    """Pixels projected on the first principal components of the training images (paper 003, Table 1: 40 of them).

    scikit-learn's PCA, without a part that is drawn at random, and for images of any shape. There are never more
    components than pixels or training images. It is the one view that learns: fit it on the training part only.

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
        # both are exact; the covariance of the pixels is the smaller matrix where there are more images than pixels
        solver = "covariance_eigh" if len(X) >= X.shape[1] else "full"
        with np.errstate(invalid="ignore"):  # the share of the variance, which is 0/0 if all images are equal
            self.pca_ = PCA(n_components, svd_solver=solver).fit(X)
        return n_components

    def describe(self, X: FloatArray) -> FloatArray:
        return np.asarray(self.pca_.transform(X))
