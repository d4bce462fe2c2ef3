"""Marks of a reviewer: read from a file, found in a table, applied to its labels, and learnt from.

`entries` reads a file and `matching` finds its rows, which `digests` know again; `taking` takes marks in any form and
gives a `record` of them. `correction` applies them, `learning` tells the models, and `review` says how far one is.
"""

from emphatic.audit.marks.correction import Correction
from emphatic.audit.marks.review import Review

__all__ = ["Correction", "Review"]
