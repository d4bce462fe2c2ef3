"""Tables that lie in partitions on many machines: Dask's collections, and what can be asked of them.

A fit on them is the same loop as any other. Weights, outputs and scores are Dask arrays that stay where their rows are;
a learner adds up what the partitions tell it.
"""

from emphatic.partitions.any_table import OpenedParts, open_parts
from emphatic.partitions.lazily import lazily, lazily_of_members, lazily_staged, map_rows, score_lazily
from emphatic.partitions.moments import merge_moments
from emphatic.partitions.opening import align, keep_features, open_partitions, open_rows, survey_labels, with_sizes
from emphatic.partitions.parts import Parts
from emphatic.partitions.refusal import refuse_to_add_up, refuse_visits
from emphatic.partitions.sampling import SAMPLE, RowSample
from emphatic.partitions.sketch import QuantileSketch, find_quantiles
from emphatic.partitions.table import Partitions, send_once

__all__ = [
    "SAMPLE",
    "OpenedParts",
    "Partitions",
    "Parts",
    "QuantileSketch",
    "RowSample",
    "align",
    "find_quantiles",
    "keep_features",
    "lazily",
    "lazily_of_members",
    "lazily_staged",
    "map_rows",
    "merge_moments",
    "open_partitions",
    "open_parts",
    "open_rows",
    "refuse_to_add_up",
    "refuse_visits",
    "score_lazily",
    "send_once",
    "survey_labels",
    "with_sizes",
]
