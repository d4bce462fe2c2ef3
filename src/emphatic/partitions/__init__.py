"""Tables that lie in partitions on many machines: Dask's collections, and what can be asked of them.

A fit on them is the same loop as any other. Weights, outputs and scores are Dask arrays that stay where their rows are;
a learner adds up what the partitions tell it.
"""

from emphatic.partitions.lazily import lazily, lazily_staged, map_rows, score_lazily
from emphatic.partitions.opening import open_partitions, open_rows, read_names
from emphatic.partitions.sampling import SAMPLE, RowSample
from emphatic.partitions.table import Partitions

__all__ = [
    "SAMPLE",
    "Partitions",
    "RowSample",
    "lazily",
    "lazily_staged",
    "map_rows",
    "open_partitions",
    "open_rows",
    "read_names",
    "score_lazily",
]
