"""How the cells of a text column are written: learnt from the training rows, kept in the model, and read by ever after.

`numbers` knows decimal signs, thousands separators, units and missing-value marks, `dates` the order of day, month and
year, `booleans` the words for true and false. A text that none of them reads stays as it is written.
"""

from emphatic.tables.spelling.booleans import are_truth_values, read_truth_values
from emphatic.tables.spelling.dates import DateSpelling
from emphatic.tables.spelling.numbers import NumberSpelling

__all__ = ["DateSpelling", "NumberSpelling", "are_truth_values", "read_truth_values"]
