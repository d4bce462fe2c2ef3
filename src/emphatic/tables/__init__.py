"""Tables as people have them: reading files, what becomes of each column, and one transformer for all learners.

Everything that takes a raw table may use this package; it imports nothing above `inputs`. `spelling` finds out how
numbers, dates and truth values are written, `policy` is the one place that says which columns are used and how,
`encodings` and `transformer` turn them into numbers, `writing` keeps spreadsheets from running cells.
"""

from emphatic.tables.policy import decide_columns
from emphatic.tables.transformer import TableTransformer

__all__ = ["TableTransformer", "decide_columns"]
