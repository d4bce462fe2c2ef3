"""What classes count in the training: `class_weight`, as in scikit-learn."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from emphatic import check
from emphatic.check import FloatArray, IntArray


def check_class_weight(class_weight: Any) -> None:
    """Raise ValueError or TypeError unless `class_weight` is None, "balanced" or a dict of positive numbers."""
    if class_weight is None or isinstance(class_weight, str):
        check.one_of("class_weight", class_weight, (None, "balanced"))
    elif not isinstance(class_weight, Mapping):
        example = '{"no": 1, "yes": 10}'
        raise TypeError(
            f'class_weight={class_weight!r} is not allowed: it must be None, "balanced" or a dict by label, such as '
            f"{example}."
        )
    else:
        for label, weight in class_weight.items():
            check.real(f"class_weight[{label!r}]", weight, 0, open_low=True)


def weigh_classes(class_weight: Any, classes: np.ndarray, codes: IntArray, weights: FloatArray) -> FloatArray:
    """Weights of the samples times those of their classes; "balanced": all classes weigh the same together.

    A class that a dict lacks has the weight 1.

    >>> import numpy as np
    >>> labels, codes, ones = np.array(["no", "yes"]), np.array([0, 0, 0, 1]), np.ones(4)
    >>> weigh_classes({"yes": 5.0}, labels, codes, ones)
    array([1., 1., 1., 5.])
    >>> weigh_classes("balanced", labels, codes, ones).round(2)
    array([0.67, 0.67, 0.67, 2.  ])
    """
    if class_weight is None:
        return weights
    if isinstance(class_weight, str):
        totals = np.bincount(codes, weights, minlength=len(classes))
        return np.asarray(weights * weights.sum() / (np.count_nonzero(totals) * totals[codes]))
    factors = np.array([float(class_weight.get(label, 1.0)) for label in classes.tolist()])
    return np.asarray(weights * factors[codes])
