"""Tables 004-reward and 004-deflections: the mean error while the reward and the number of deflections vary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, ClassVar

import numpy as np

from emphatic.papers.claims import Claim
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p004.choice import REWARDS, describe
from emphatic.papers.p004.ensembles import DEFLECTED, PARAMETERS, fuzzy_boost_setting
from emphatic.papers.p004.figures import draw_deflections, draw_rewards
from emphatic.papers.p004.sweep_claims import judge_deflections, judge_rewards
from emphatic.papers.p004.sweep_results import SweepResults
from emphatic.papers.p004.trees_table import FOLDS, TreesTable
from emphatic.report.page import Section
from emphatic.study import Store, Study
from emphatic.study.results import results_of
from emphatic.study.tasks import Setting, canonical

NUMBERS = (0, 1, 2, 4)
"""Of deflections."""


class SweepTable(TreesTable):
    """The mean error over the 20 problems, while parameters are varied; nothing is chosen."""

    variants: ClassVar[Sequence[Mapping[str, Any]]]

    def settings(self) -> list[Setting]:
        """Those of the variants: two may be one ensemble, as without deflection there is nothing to align."""
        return [fuzzy_boost_setting(**{**DEFLECTED, **variant}) for variant in self.variants]

    def problem_studies(self, problem: str, options: Options) -> Sequence[Study]:
        return [self.study(problem, self.settings())]

    def read_results(self, options: Options, store: Store) -> SweepResults:
        """Of the problems that all variants have finished."""
        settings = [canonical(setting) for setting in self.settings()]
        problems, errors, distances = [], [], []
        for problem in self.chosen_problems(options):
            [study] = self.problem_studies(problem, options)
            runs = results_of(study, store).errors
            if not all(setting in runs for setting in settings):
                continue
            gaps = results_of(study, store, lambda metrics: metrics.get("group_distance", 0.0)).errors
            problems.append(problem)
            errors.append([[100.0 * error for error in runs[setting].values()] for setting in settings])
            distances.append([float(np.mean(list(gaps[setting].values()))) for setting in settings])
        shape = len(problems), len(settings)
        return SweepResults(
            problems,
            self.variants,
            np.array(errors).reshape(*shape, FOLDS),
            np.array(distances).reshape(shape),
        )

    def lines(self, options: Options, store: Store) -> list[Line]:
        found = self.read_results(options, store)
        if not found.problems:
            return []
        return [
            Line(
                f"{len(found.problems)} problems",
                "DFA" if variant["n_deflections"] else "FuzzyBoost",
                describe(variant),
                values.tolist(),
            )
            for variant, values in zip(found.variants, found.means.T, strict=True)
        ]

    def caption(self, options: Options) -> str:
        return (
            f"Error in %, mean (std) over the problems, by one {FOLDS}-fold cross-validation each; the std is between "
            "problems, not between runs. Nothing was chosen from these lines."
        )


class RewardTable(SweepTable):
    """Every reward with every number of deflections."""

    variants = tuple(
        {"reward": reward, "n_deflections": number} for number, reward in product(NUMBERS, (*REWARDS, 0.9))
    )

    def sections(self, options: Options, store: Store) -> list[Section]:
        found = self.read_results(options, store)
        return draw_rewards(found) if found.problems else []

    def claims(self, options: Options, store: Store) -> Sequence[Claim]:
        return judge_rewards(self.read_results(options, store), PARAMETERS["reward"], DEFLECTED["n_deflections"])


class DeflectionTable(SweepTable):
    """The number of deflections, with distances from earlier minima that ignore the order of clusters or do not."""

    variants = tuple(
        {"n_deflections": number, "aligned": aligned} for aligned, number in product((False, True), NUMBERS)
    )

    def sections(self, options: Options, store: Store) -> list[Section]:
        found = self.read_results(options, store)
        return draw_deflections(found) if found.problems else []

    def claims(self, options: Options, store: Store) -> Sequence[Claim]:
        return judge_deflections(self.read_results(options, store), DEFLECTED)
