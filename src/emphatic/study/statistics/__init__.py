"""Statistics of errors: two methods (`pairs`), and many methods over many problems (`ranks`).

Numbers in, numbers out; anyone may call them.
"""

from emphatic.study.statistics.pairs import (
    bootstrap_interval,
    in_published_stds,
    mean_and_std,
    rank_sum_p,
    signed_rank_p,
    win_lose_draw,
)
from emphatic.study.statistics.ranks import Friedman, against_all, cliques, friedman, holm, mean_ranks, nemenyi_distance

__all__ = [
    "Friedman",
    "against_all",
    "bootstrap_interval",
    "cliques",
    "friedman",
    "holm",
    "in_published_stds",
    "mean_and_std",
    "mean_ranks",
    "nemenyi_distance",
    "rank_sum_p",
    "signed_rank_p",
    "win_lose_draw",
]
