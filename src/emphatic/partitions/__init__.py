"""Tables that lie in partitions on many machines: Dask's collections, and what can be asked of them.

A fit on them is the same loop as any other. Weights, outputs and scores are Dask arrays that stay where their rows are;
a learner adds up what the partitions tell it.
"""

from emphatic.partitions.any_table import OpenedPieces, Pieces, gather_rows, join_pieces, open_pieces
from emphatic.partitions.lazily import lazily, lazily_staged, score_lazily
from emphatic.partitions.opening import open_partitions, survey_labels, with_sizes
from emphatic.partitions.refusal import refuse_to_add_up, refuse_visits
from emphatic.partitions.table import Partitions, send_once

__all__ = [
    "OpenedPieces",
    "Partitions",
    "Pieces",
    "gather_rows",
    "join_pieces",
    "lazily",
    "lazily_staged",
    "open_partitions",
    "open_pieces",
    "refuse_to_add_up",
    "refuse_visits",
    "score_lazily",
    "send_once",
    "survey_labels",
    "with_sizes",
]
