"""What mistakes cost: `costs`, a matrix or a dict of dicts by label."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from emphatic import check
from emphatic.auto.decisions.labels import refuse_unknown_labels
from emphatic.check import FloatArray


def check_costs(costs: Any) -> None:
    """Raise ValueError or TypeError unless all costs are finite and at least 0: (K, K) numbers, or dicts by label."""
    if hasattr(costs, "columns"):  # whose order of classes an array would lose
        raise TypeError('costs is a DataFrame, and must be a matrix or a dict by label: use costs.to_dict("index").')
    if isinstance(costs, Mapping):
        for label, of_label in costs.items():
            if not isinstance(of_label, Mapping):
                example = '{"yes": {"no": 10}, "no": {"yes": 1}}'
                raise TypeError(f"costs[{label!r}] must be a dict by predicted label: costs are such as {example}.")
            for predicted, cost in of_label.items():
                check.real(f"costs[{label!r}][{predicted!r}]", cost, 0)
        return
    values = check.numbers("costs", costs)
    if values.ndim != 2 or values.shape[0] != values.shape[1]:
        raise ValueError(f"costs has the shape {values.shape}: it must be a square matrix with one row per class.")
    if not np.isfinite(values).all():
        raise ValueError("costs holds NaN or infinity: every cost must be finite.")
    if (values < 0).any():
        raise ValueError(f"costs holds negative values (least {values.min():g}): every cost must be at least 0.")


def read_costs(costs: Any, classes: np.ndarray) -> FloatArray:
    """(K, K), checked: rows are true classes, columns predicted ones; what a dict lacks costs 0.

    >>> import numpy as np
    >>> read_costs({"yes": {"no": 10}, "no": {"yes": 1}}, np.array(["no", "yes"]))
    array([[ 0.,  1.],
           [10.,  0.]])
    """
    n_classes = len(classes)
    if isinstance(costs, Mapping):
        labels = classes.tolist()
        refuse_unknown_labels("costs", [*costs, *(one for of_label in costs.values() for one in of_label)], classes)
        return np.array([[float(costs.get(true, {}).get(one, 0.0)) for one in labels] for true in labels])
    values = check.numbers("costs", costs)
    if len(values) != n_classes:
        raise ValueError(
            f"costs has the shape {values.shape}, and y has {n_classes} classes: it must be ({n_classes}, {n_classes})."
        )
    return values
