"""What the columns of the training table held, in a few numbers each: enough to say how another table differs.

A profile of a column divides its cells into bins, the last one for missing values, and keeps how many rows of the
training table fell into each; `drift` compares these counts. Beyond that it keeps what single cells are judged by: the
range of numbers and dates, the categories and words that occurred. `differences` gathers what differs, batch by batch,
and says it.
"""

from emphatic.tables.profile.differences import Differences
from emphatic.tables.profile.profile import Profile

__all__ = ["Differences", "Profile"]
