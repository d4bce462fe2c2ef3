"""What turns a column of one kind into numbers: dates, free text, and categories too many for an indicator each.

An encoding is learnt from the cells of a column alone, without labels, and is a part of model files. Its outputs are on
the scale of the other inputs: a number has unit deviation, and two different categories are at squared distance 1.
"""

from emphatic.tables.encodings.dates import DateEncoding
from emphatic.tables.encodings.encoding import Encoding
from emphatic.tables.encodings.many_categories import ManyCategories
from emphatic.tables.encodings.texts import TextEncoding

__all__ = ["DateEncoding", "Encoding", "ManyCategories", "TextEncoding"]
