"""Table 004-chains: r learners of each chain, as the loop of the slides makes them.

The loop grows r learners of the hard chain and r of the easy one; the vote sums r. If FuzzyBoost has r per chain, 2r
in all, its rivals may have had r learners, which favours FuzzyBoost, or 2r, which is fair: both are measured. r is half
of the number of trees of table 004, so that FuzzyBoost is the same ensemble here and there.
"""

from __future__ import annotations

from collections.abc import Sequence

from emphatic.papers.claims import Claim
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p004.claims import judge_score
from emphatic.papers.p004.ensembles import N_TREES, fuzzy_boost_setting, list_methods, resize
from emphatic.papers.p004.scores import find_published
from emphatic.papers.p004.trees_table import DRAWS, FOLDS, REPEATS, TreesTable, mean_lines, wins_line
from emphatic.study import Store, Study
from emphatic.study.tasks import Setting

R = N_TREES // 2
RIVALS = ("AdaBoost", "Bagging", "easy only", "difficult only")
SIZES = {R: f"rivals of r = {R} trees", 2 * R: f"rivals of 2r = {2 * R} trees"}
FUZZY_BOOST = "FuzzyBoost"


def name_rival(rival: str, n_trees: int) -> str:
    """A rival by its size.

    >>> name_rival("Bagging", 15)
    'Bagging of 15 trees'
    """
    return f"{rival} of {n_trees} trees"


def list_ensembles() -> dict[str, Setting]:
    """FuzzyBoost with r trees in each chain, and its rivals of r and of 2r trees."""
    methods = list_methods()
    return {
        FUZZY_BOOST: fuzzy_boost_setting(n_trees=R, r_per_chain=True),
        **{name_rival(rival, size): resize(methods[rival], size) for size in SIZES for rival in RIVALS},
    }


class ChainsTable(TreesTable):
    """Mean errors, and wins of FuzzyBoost over rivals of both sizes."""

    def problem_studies(self, problem: str, options: Options) -> Sequence[Study]:
        return [self.study(problem, list(list_ensembles().values()), FOLDS, min(options.runs, REPEATS))]

    def lines(self, options: Options, store: Store) -> list[Line]:
        errors = self.read_errors(list_ensembles(), options, store)
        pairs = [(rival, size) for size in SIZES for rival in RIVALS] if errors.problems else []
        wins = [wins_line(errors, FUZZY_BOOST, name_rival(r, size), f"wins, {SIZES[size]}", r) for r, size in pairs]
        return [*mean_lines(errors), *wins]

    def claims(self, options: Options, store: Store) -> Sequence[Claim]:
        errors = self.read_errors(list_ensembles(), options, store)
        return [
            judge_score(
                errors,
                FUZZY_BOOST,
                name_rival(rival, size),
                find_published(FUZZY_BOOST, rival),
                f"FuzzyBoost with r = {R} learners in each chain has smaller errors than {name_rival(rival, size)}.",
            )
            for size in SIZES
            for rival in RIVALS
        ]

    def caption(self, options: Options) -> str:
        return (
            f"FuzzyBoost with r = {R} CART trees in each of its two chains, {2 * R} in all: the ensemble of table 004. "
            f"Mean error in % over the problems, mean (std over problems), by {FOLDS}-fold cross-validation. "
            "Wins: the number of problems on which FuzzyBoost has the smaller error over all "
            f"repetitions; {DRAWS}; p: Wilcoxon signed-rank test over the problems. Rivals of {R} trees, as the slides "
            "may have had them, are half as large as FuzzyBoost: part of the difference is that."
        )
