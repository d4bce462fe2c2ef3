"""Who wins how often: counts over problems, measured and published."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from emphatic.papers.p004.problems import PAPER
from emphatic.papers.published import lookup
from emphatic.study.statistics import win_lose_draw

DECIMALS = 1
"""Of an error in %: methods whose errors are equal when rounded to these draw."""

PUBLISHED = (
    *(("DFA", "FuzzyBoost"), ("FuzzyBoost", "AdaBoost"), ("FuzzyBoost", "Bagging"), ("DFA", "AdaBoost")),
    *(("DFA", "Bagging"), ("FuzzyBoost", "easy only"), ("FuzzyBoost", "difficult only")),
)
"""The pairs of the published table, in its order."""
PRINTED_NAMES = {"easy only": "Alle", "difficult only": "Alld"}


@dataclass(frozen=True)
class Score:
    """On how many problems the first of two methods has the smaller error, the larger one, the same."""

    wins: int
    losses: int
    draws: int

    @classmethod
    def of(cls, first: ArrayLike, second: ArrayLike) -> Score:
        """Of errors in %, problem by problem.

        >>> Score.of([10.0, 12.0, 8.01], [11.0, 11.0, 8.02])
        Score(wins=1, losses=1, draws=1)
        """
        one, other = (np.asarray(errors, dtype=np.float64).round(DECIMALS) for errors in (first, second))
        return cls(*win_lose_draw(one, other))

    @property
    def sign_p(self) -> float:
        """Two-sided p of the sign test, without the draws.

        >>> round(Score(15, 4, 1).sign_p, 3)
        0.019
        """
        decided = self.wins + self.losses
        return float(stats.binomtest(self.wins, decided).pvalue) if decided else 1.0

    def __str__(self) -> str:
        return f"{self.wins}/{self.losses}/{self.draws}"


def find_published(first: str, second: str) -> Score | None:
    """The counts that the slides print for this pair, if they do.

    >>> str(find_published("FuzzyBoost", "Bagging"))
    '15/4/1'
    """
    if (first, second) not in PUBLISHED:
        return None
    pair = f"{first} vs {PRINTED_NAMES.get(second, second)}"
    place = ("results", "20 UCI (C4.5, 3x10-fold CV)", pair)
    return Score(*(int(lookup(PAPER, *place, metric)[0]) for metric in ("n_wins", "n_losses", "n_draws")))
