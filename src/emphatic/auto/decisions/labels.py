"""Labels that users write into parameters."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from emphatic.names import unknown


def refuse_unknown_labels(parameter: str, labels: Iterable[Any], classes: np.ndarray) -> None:
    """Raise ValueError for a label in a parameter that is not one of the classes."""
    known = classes.tolist()
    for label in labels:
        if label not in known:
            raise unknown(f"label in {parameter}:", repr(label), map(repr, known))
