"""Cells read one by one, each different text once."""

from collections.abc import Callable, Sequence

import numpy as np

from emphatic.check import FloatArray


def read_cells(texts: Sequence[str | None], read_one: Callable[[str], float]) -> FloatArray:
    """The numbers that `read_one` makes of the texts; NaN for None.

    >>> read_cells(["1", None, "2"], float)
    array([ 1., nan,  2.])
    """
    values = {text: np.nan if text is None else read_one(text) for text in dict.fromkeys(texts)}
    return np.array([values[text] for text in texts], dtype=np.float64)
