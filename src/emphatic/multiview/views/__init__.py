"""The five views of a greyscale image in paper 003's Table 1, as scikit-learn transformers.

For users; nothing else in the package but paper 003 needs them.
"""

from emphatic.multiview.views.digit_views import DigitViews, digit_views
from emphatic.multiview.views.image import ImageVector, ImageView, PrincipalComponents
from emphatic.multiview.views.orientation_histogram import OrientationHistogram
from emphatic.multiview.views.rotated_sums import ColumnSums, RowSums

__all__ = [
    "ColumnSums",
    "DigitViews",
    "ImageVector",
    "ImageView",
    "OrientationHistogram",
    "PrincipalComponents",
    "RowSums",
    "digit_views",
]
