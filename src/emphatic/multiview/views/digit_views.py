"""All five views of paper 003's Table 1: one by one, or side by side in one table."""

from collections.abc import Sequence

import numpy as np

from emphatic.check import FloatArray
from emphatic.multiview.views.image import ImageVector, ImageView, PrincipalComponents
from emphatic.multiview.views.orientation_histogram import OrientationHistogram
from emphatic.multiview.views.rotated_sums import ColumnSums, RowSums


def digit_views(shape: tuple[int, int] | None = None, *, square_root: bool = False) -> dict[str, ImageView]:
    """The five views by the names of the paper's Table 1, in its order, not yet fitted.

    `shape` is that of the images (None: see `ImageView`); `square_root` is the option of `OrientationHistogram`.

    >>> from sklearn.datasets import load_digits
    >>> images = load_digits().images
    >>> {name: view.fit_transform(images).shape[1] for name, view in digit_views().items()}
    {'image_vector': 64, 'orienthisto': 144, 'pca_40': 40, 'rows_sum': 80, 'cols_sum': 80}
    """
    return {
        "image_vector": ImageVector(shape),
        "orienthisto": OrientationHistogram(square_root=square_root, shape=shape),
        "pca_40": PrincipalComponents(40, shape),
        "rows_sum": RowSums(shape=shape),
        "cols_sum": ColumnSums(shape=shape),
    }


class DigitViews(ImageView):
    """The five views of paper 003's Table 1 side by side: 760 columns for images of 16 x 16.

    Parameters
    ----------
    square_root : bool, default=False
        The option of `OrientationHistogram`.
    shape : (height, width), default=None
        Of the images; None: see `ImageView`.

    Attributes
    ----------
    views_ : dict
        The columns of each view by its name, as a slice.
    transformers_ : dict
        The fitted views by name.

    Examples
    --------
    >>> import numpy as np
    >>> from emphatic.multiview.views import DigitViews
    >>> images = np.random.default_rng(0).random((50, 256))
    >>> views = DigitViews().fit(images)
    >>> views.transform(images).shape
    (50, 760)
    >>> views.views_["pca_40"]
    slice(400, 440, None)
    """

    def __init__(self, square_root: bool = False, shape: tuple[int, int] | None = None) -> None:
        self.square_root = square_root
        self.shape = shape

    def learn(self, X: FloatArray) -> int:
        views = digit_views(self.image_shape_, square_root=self.square_root)
        self.transformers_ = {name: view.fit(X) for name, view in views.items()}
        ends = np.cumsum([len(view.get_feature_names_out()) for view in views.values()]).tolist()
        self.views_ = {name: slice(start, end) for name, start, end in zip(views, [0, *ends], ends, strict=False)}
        return ends[-1]

    def describe(self, X: FloatArray) -> FloatArray:
        return np.hstack([view.transform(X) for view in self.transformers_.values()])

    def get_feature_names_out(self, input_features: Sequence[str] | None = None) -> np.ndarray:
        """Names of the columns: the name of the view and a number, such as rows_sum17; `input_features` is ignored."""
        columns = {name: view.stop - view.start for name, view in self.views_.items()}
        return np.array([f"{name}{number}" for name, size in columns.items() for number in range(size)], dtype=object)
