"""The emphasis study as a table of `emphatic reproduce`: its work, its lines, and what its page says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from emphatic.papers.emphases.conditions import CONDITIONS, IMBALANCE
from emphatic.papers.emphases.outcome import Outcome, read_outcomes
from emphatic.papers.emphases.problems import PROBLEMS, SmallPartitions, load_two_classes
from emphatic.papers.emphases.rules import FOR_IMBALANCE, ROUNDS, RULES
from emphatic.papers.emphases.sections import write_sections
from emphatic.papers.emphases.trial import LEARNERS, build, measure
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.table import PublishedTable
from emphatic.report.page import Section
from emphatic.study import Method, Store, Study
from emphatic.study.tasks import Setting

REPETITIONS = 3
"""Partitions of each problem at most: the study is wide rather than deep."""


LONG = ("MLP",)
CONDITIONS_IF_LONG = ("clean", "20% flipped", IMBALANCE)


def list_settings(learner: str) -> list[Setting]:
    """Every rule under every condition it is meant for; of a learner that takes long, only under some."""
    return [
        {"learner": learner, "rule": rule, "condition": condition}
        for condition in (CONDITIONS_IF_LONG if learner in LONG else CONDITIONS)
        for rule in ({**RULES, **FOR_IMBALANCE} if condition == IMBALANCE else RULES)
    ]


@dataclass(frozen=True)
class EmphasesTable(PublishedTable):
    """Every emphasis, with four learners, on bundled problems with two classes, under six conditions."""

    all_problems = PROBLEMS
    quick_problems = ("ripley", "heart_statlog", "sonar")

    def load(self, problem: str) -> Any:
        return load_two_classes(problem)

    def problem_studies(self, problem: str, options: Options) -> Sequence[Study]:
        protocol = SmallPartitions(min(options.runs, REPETITIONS))
        learners = list(LEARNERS)[:1] if options.quick else LEARNERS
        return [
            self.make_study(problem, Method(learner, build, list_settings(learner), measure=measure), protocol)
            for learner in learners
        ]

    def outcomes(self, options: Options, store: Store) -> list[Outcome]:
        """One for each condition of which the store holds enough."""
        return read_outcomes(self.list_studies(options), store)

    def lines(self, options: Options, store: Store) -> list[Line]:
        return [
            Line("mean rank", f"{one.condition}, {len(one.cases)} cases", rule, one.ranks[:, number].tolist())
            for one in self.outcomes(options, store)
            for number, rule in enumerate(one.rules)
        ]

    def sections(self, options: Options, store: Store) -> list[Section]:
        return write_sections(self.outcomes(options, store))

    def caption(self, options: Options) -> str:
        return (
            f"Mean rank by test error (std over the cases, each a problem with a learner); errors are means over up to "
            f"{REPETITIONS} partitions. Ensembles of {ROUNDS} learners; parameters chosen by cross-validation on the "
            "training part, whose labels alone are spoilt. With imbalance, the mean of both classes' errors counts."
        )


EMPHASES = EmphasesTable("emphases", "The emphasis study: which rule, for which learner, under which noise")
