"""Tables as people have them: reading files, and one transformer for all learners."""

from emphatic.tables.transformer import TableTransformer

__all__ = ["TableTransformer"]
