"""Tables as people have them: reading files, what becomes of each column, and one transformer for all learners.

Everything that takes a raw table may use this package; it imports nothing above `inputs`. `policy` is the one place
that says which columns are used and how, `transformer` turns them into numbers, `writing` keeps spreadsheets from
running cells.
"""

from emphatic.tables.policy import decide_columns
from emphatic.tables.transformer import TableTransformer

__all__ = ["TableTransformer", "decide_columns"]
