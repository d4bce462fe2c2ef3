"""The five views of a grey image of paper 003's Table 1, as scikit-learn transformers: one view a file."""

from emphatic.multiview.views.digit_views import DigitViews, digit_views
from emphatic.multiview.views.image import ImageView
from emphatic.multiview.views.image_vector import ImageVector
from emphatic.multiview.views.orientation_histogram import OrientationHistogram
from emphatic.multiview.views.principal_components import PrincipalComponents
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
