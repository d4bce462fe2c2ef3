"""Table 004-control: FuzzyBoost without its clusters.

All memberships start equal (`init="equal"`), so that the first bootstrap of each chain is a plain one and only the
updates matter; what is left of the difference is what fuzzy c-means contributes. A smaller fuzziness, which makes
memberships more distinct, is a third line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from emphatic.papers.claims import Claim
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p004.claims import judge_score
from emphatic.papers.p004.ensembles import fuzzy_boost_setting
from emphatic.papers.p004.trees_table import DRAWS, FOLDS, REPEATS, MeanErrors, TreesTable, mean_lines, wins_line
from emphatic.study import Store, Study
from emphatic.study.results import results_of
from emphatic.study.tasks import Setting, canonical

CLUSTERS, EQUAL, DISTINCT = "fuzzy c-means, m = 2", "equal memberships", "fuzzy c-means, m = 1.5"
STARTS: Mapping[str, Setting] = {
    CLUSTERS: fuzzy_boost_setting(),
    EQUAL: fuzzy_boost_setting(init="equal"),
    DISTINCT: fuzzy_boost_setting(fuzziness=1.5),
}
INFORMED = 0.001
"""Clusters tell samples apart where the first entropies spread by more than this share of the largest entropy."""


class ControlTable(TreesTable):
    """Mean errors by where memberships come from, on all problems and on those where the clusters tell something."""

    def problem_studies(self, problem: str, options: Options) -> Sequence[Study]:
        return [self.study(problem, list(STARTS.values()), FOLDS, min(options.runs, REPEATS))]

    def lines(self, options: Options, store: Store) -> list[Line]:
        errors = self.read_errors(STARTS, options, store)
        informed = errors.keep(self.find_informed(errors, options, store))
        wins = [
            wins_line(own, CLUSTERS, other, setting)
            for own, setting in ((errors, "wins"), (informed, "wins where clusters tell samples apart"))
            if own.problems
            for other in (EQUAL, DISTINCT)
        ]
        return [*mean_lines(errors), *wins]

    def find_informed(self, errors: MeanErrors, options: Options, store: Store) -> list[str]:
        """The problems on which fuzzy c-means gives samples different entropies, on the mean over the folds."""
        return [problem for problem in errors.problems if self._spread(problem, options, store) > INFORMED]

    def _spread(self, problem: str, options: Options, store: Store) -> float:
        [study] = self.problem_studies(problem, options)
        spreads = results_of(study, store, lambda metrics: metrics.get("entropy_spread", 0.0)).errors
        return float(np.mean(list(spreads[canonical(STARTS[CLUSTERS])].values())))

    def claims(self, options: Options, store: Store) -> Sequence[Claim]:
        errors = self.read_errors(STARTS, options, store)
        informed = self.find_informed(errors, options, store)
        claim = judge_score(
            errors,
            CLUSTERS,
            EQUAL,
            None,
            "Fuzzy clustering of the training data makes the ensemble better: with its memberships errors are smaller "
            "than with equal ones.",
            place="main idea",
            more=f"{errors.keep(informed).score(CLUSTERS, EQUAL)} on the {len(informed)} problems where clusters tell "
            "samples apart"
            if informed
            else "",
        )
        return [claim]

    def caption(self, options: Options) -> str:
        return (
            f"FuzzyBoost of 30 CART trees by where its first memberships come from. Mean error in % over the problems, "
            f"mean (std over problems), by {FOLDS}-fold cross-validation. Wins: the number of problems on which the "
            f"default, fuzzy c-means with m = 2, has the smaller error; {DRAWS}; p: Wilcoxon signed-rank test over the "
            "problems. Nothing was chosen from these lines."
        )
