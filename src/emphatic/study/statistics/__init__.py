"""Statistics of errors: two methods (`pairs`, `bayes`), and many methods over many problems (`ranks`, `wins`).

Numbers in, numbers out; anyone may call them.
"""

from emphatic.study.statistics.bayes import Posterior, signed_rank_posterior
from emphatic.study.statistics.pairs import (
    bootstrap_interval,
    in_published_stds,
    mean_and_std,
    rank_sum_p,
    signed_rank_p,
    win_lose_draw,
)
from emphatic.study.statistics.ranks import Friedman, against_all, cliques, friedman, holm, mean_ranks, nemenyi_distance
from emphatic.study.statistics.wins import improvability, win_rates

__all__ = [
    "Friedman",
    "Posterior",
    "against_all",
    "bootstrap_interval",
    "cliques",
    "friedman",
    "holm",
    "improvability",
    "in_published_stds",
    "mean_and_std",
    "mean_ranks",
    "nemenyi_distance",
    "rank_sum_p",
    "signed_rank_p",
    "signed_rank_posterior",
    "win_lose_draw",
    "win_rates",
]
