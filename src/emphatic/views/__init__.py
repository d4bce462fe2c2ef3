"""The five views of a grey image of paper 003's Table 1, as scikit-learn transformers: one view a file."""

from emphatic.views.digit_views import DigitViews, digit_views
from emphatic.views.image import ImageView
from emphatic.views.image_vector import ImageVector
from emphatic.views.orientation_histogram import OrientationHistogram
from emphatic.views.principal_components import PrincipalComponents
from emphatic.views.rotated_sums import ColumnSums, RowSums

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
