"""Numbers whose squares stay finite: the largest input, the unit of a table, the exponent of memberships."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from emphatic import check
from emphatic.inputs import LARGEST_INPUT

Array = NDArray[Any]
"""float32 or float64."""

LARGEST_FUZZINESS = 10.0
"""There all memberships are nearly equal, and the tenth power of a small one is still above 0 in float32."""

SMALLEST_MASS = {np.dtype(np.float32): 1e-30, np.dtype(np.float64): 1e-290}
"""A sum of weighted powers of memberships below this has lost digits to underflow."""


def check_fuzziness(m: Any) -> float:
    """Return the exponent of the memberships, which must be above 1."""
    return check.real("m", m, 1, LARGEST_FUZZINESS, open_low=True)


def check_magnitude(table: Array) -> Array:
    """Return the table X, whose squares must be finite."""
    if _largest(table) > LARGEST_INPUT:
        raise ValueError(
            f"X holds values beyond +-{LARGEST_INPUT:g}, whose squares can overflow: scale the columns first."
        )
    return table


def check_largest_weight(largest: float) -> None:
    """Raise ValueError if the largest sample weight could make J overflow."""
    if largest > LARGEST_INPUT:
        raise ValueError(f"sample_weight holds values beyond {LARGEST_INPUT:g}, with which J can overflow: scale them.")


def find_unit(*tables: Array) -> float:
    """The largest power of two up to the largest magnitude in `tables`; 1 if all values are 0.

    Dividing by it is exact and brings the tables within +-2: squares neither overflow nor vanish, whatever the units.
    """
    largest = max(_largest(table) for table in tables)
    return float(np.ldexp(1.0, np.frexp(largest)[1] - 1)) if largest > 0 else 1.0


def _largest(table: Array) -> float:
    return max(float(table.max()), -float(table.min()))
