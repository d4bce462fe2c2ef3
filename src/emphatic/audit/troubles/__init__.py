"""What else may be wrong with a labelled table: copies, rows unlike any other, columns that leak, drift and the like.

`find` holds the function that users call. It reads the table into `evidence`, hands it to the searches (one file per
kind of trouble, each a function of the evidence that returns findings) and puts what they find into a `result`.
"""

from emphatic.audit.troubles.find import find_troubles
from emphatic.audit.troubles.finding import KINDS, Finding
from emphatic.audit.troubles.result import Troubles

__all__ = ["KINDS", "Finding", "Troubles", "find_troubles"]
