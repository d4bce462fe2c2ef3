"""The distance of every row from the noise: rows farther than this from all clusters belong to none.

Row 0 of the shares is that of the noise.
"""

from typing import Any

import numpy as np

from emphatic import check, fields
from emphatic.check import FloatArray, IntArray
from emphatic.clustering.base import FuzzyClusterer
from emphatic.clustering.fuzzy_c_means import minimise
from emphatic.clustering.units import Array
from emphatic.fields import IfSet, Number, saved
from emphatic.kernels import fuzzy_c_means as kernel

OUTLIER = -1
"""The label of rows that belong to the noise rather than to any cluster, as in scikit-learn."""


def check_noise_distance(value: Any) -> None:
    """Raise ValueError unless `value` is "auto", infinite or a positive number."""
    infinite = isinstance(value, float | np.floating) and value == np.inf
    if not infinite and not (isinstance(value, str) and value == "auto"):
        try:
            check.real("noise_distance", value, 0, open_low=True)
        except ValueError as error:
            raise ValueError(f'{str(error)[:-1]}, "auto" or infinity.') from error


def find_noise_distance(X: Array, weights: FloatArray, centres: Array) -> float:
    r"""The distance from the noise that Davé recommends, with the centres of fuzzy c-means:

    .. math:: \delta^2 = \frac{1}{c \sum_i w_i} \sum_i w_i \sum_j \lVert x_i - v_j \rVert^2 .

    Where all rows lie on one centre it is infinite: there is no noise.
    """
    squares = kernel.squared_distances(np.ascontiguousarray(X.T), centres)
    mean = float(np.average(squares.mean(axis=0), weights=weights))
    return float(np.sqrt(mean)) if mean > 0 else np.inf


def label_outliers(shares: Array, labels: IntArray) -> IntArray:
    """Labels, and -1 where the noise has the largest share."""
    return np.where(shares[0] > shares[1:].max(axis=0), OUTLIER, labels)


@saved(
    labels_=IfSet(fields.Array(np.int64, "samples", low=-1, below="clusters")),
    noise_distance_=IfSet(Number(above=0.0), default=np.inf),
)
class NoiseClusterer(FuzzyClusterer):
    """A clusterer with noise."""

    noise_distance: Any
    noise_distance_: float

    def check_parameters(self) -> None:
        """Raise ValueError for a parameter that is not allowed."""
        super().check_parameters()
        check_noise_distance(self.noise_distance)

    def list_saved(self) -> dict[str, Any]:
        """Fitted attributes to save: numbers in files are finite, so a noise distance that is not there is infinite."""
        fitted = {name: getattr(self, name) for name in self.saved_fields if hasattr(self, name)}
        return {name: value for name, value in fitted.items() if name != "noise_distance_" or np.isfinite(value)}

    def _start(self, X: Array, weights: FloatArray) -> list[Array]:
        starts = list(self._draw_centres(X, weights))
        if isinstance(self.noise_distance, str):
            centres = minimise(X, weights, starts, float(self.m), self.tol, self.max_iter).prototypes
            self.noise_distance_ = find_noise_distance(X, weights, centres)
        else:
            self.noise_distance_ = float(self.noise_distance)
        return starts

    def _label(self, shares: Array, membership: Array) -> IntArray:
        return label_outliers(shares, super()._label(shares, membership))
