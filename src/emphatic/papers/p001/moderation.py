"""Paper 001, controlled emphasis intensity: is moderating the emphasis beneficial, and on which problems?

The text at hand lacks the paper's own table of results, so there is nothing to compare the measured errors with. How a
problem is run, as the paper says:

1. The number of hidden units H and the parameters of each emphasis are chosen together, by cross-validation inside the
   training part. The paper repeats five folds 20 times over a grid with step 0.1 (`full_search.py`); here the grid is
   coarser and the folds are repeated less often: a reduced search.
2. The chosen design is trained 50 times on the whole training part and scored on the test part. The std is that of
   these trainings: there is one training part per problem, as in the paper.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.stats import rankdata

from emphatic.papers.claims import Claim
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p001.claims import judge_moderation
from emphatic.papers.p001.designs import (
    FAMILIES,
    FOLDS,
    HIDDEN,
    N_ESTIMATORS,
    REDUCED,
    Search,
    build,
    one_part,
)
from emphatic.papers.p001.judges import REFERENCE, Measured, MeasuredProblem
from emphatic.papers.table import PublishedTable, Step, both_p, percent
from emphatic.study import InnerFolds, Method, Store, Study
from emphatic.study.protocol import SplitProtocol
from emphatic.study.results import Errors, best_setting, results_of
from emphatic.study.statistics import signed_rank_p
from emphatic.study.tasks import Setting

PAPER = "001"
TOGETHER = 400  # ensembles trained in lockstep: the more, the less the last networks to stall delay the others


@dataclass(frozen=True)
class ModerationTable(PublishedTable):
    """Every family on every problem, its design chosen by cross-validation.

    The records of all searches are kept under one id: what one of them has fitted the others need not fit again.
    """

    search: Search = REDUCED

    paper = PAPER
    quick_problems: ClassVar[Sequence[str]] = ("ripley", "hepatitis")

    def problems(self, quick: bool = False) -> Sequence[str]:
        from emphatic.datasets import names

        return self.quick_problems if quick else names(paper=PAPER)

    def steps(self, options: Options) -> list[Step]:
        problems = self.chosen_problems(options)
        return [
            Step(lambda _: [self.search_study(problem, options) for problem in problems]),
            Step(lambda store: [self._chosen_study(problem, options, store) for problem in problems]),
        ]

    def search_study(self, problem: str, options: Options) -> Study:
        """All candidates on the folds of the training part."""
        [part] = one_part(1).splits(self.load(problem))
        hidden, rounds = (HIDDEN[1:2], 10) if options.quick else (HIDDEN, N_ESTIMATORS)
        folds = InnerFolds(one_part(1), FOLDS) if options.quick else self.search.draw_folds(len(part.train))
        return self.make_study(problem, _method(self.search.list_candidates(hidden, rounds)), folds)

    def fold_errors(self, problem: str, options: Options, store: Store) -> Errors:
        """The errors of all candidates on the folds."""
        return results_of(self.search_study(problem, options), store).errors

    def training_study(self, problem: str, options: Options, choices: Mapping[str, str]) -> Study:
        """The chosen designs, each trained as often as there are runs."""
        settings = [json.loads(one) for one in dict.fromkeys(choices.values())]
        return self.make_study(problem, _method(settings), one_part(options.runs))

    def lines(self, options: Options, store: Store) -> list[Line]:
        lines = super().lines(options, store)
        return [*lines, *_rank_lines(lines)]

    def problem_lines(self, problem: str, options: Options, store: Store) -> Iterator[Line]:
        choices = choose_designs(self.fold_errors(problem, options, store))
        return self._family_lines(problem, options, store, choices)

    def _family_lines(self, problem: str, options: Options, store: Store, choices: Mapping[str, str]) -> Iterator[Line]:
        errors = results_of(self.training_study(problem, options, choices), store).errors
        reference = percent(errors.get(choices.get(REFERENCE, ""), {}))
        for family, setting in choices.items():
            values = percent(errors.get(setting, {}))
            yield Line(
                problem=problem,
                setting=_text(json.loads(setting)),
                method=family,
                values=values,
                choice="cross-validated",
                stand_in=bool(self.load(problem).stand_in),
                **(both_p(reference, values) if family != REFERENCE else {}),
            )

    def caption(self, options: Options) -> str:
        return (
            "Test error in %, mean (std) over trainings of the design that cross-validation inside the training part "
            f"chose; p: Wilcoxon rank-sum test of the trainings against {REFERENCE}. {self.search.text}. Mean rank: 1 "
            "is best; its p is a Wilcoxon signed-rank test of the mean errors over the problems, stand-ins left out."
        )

    def claims(self, options: Options, store: Store) -> Sequence[Claim]:
        return judge_moderation(self.measure(options, store))

    def measure(self, options: Options, store: Store) -> Measured:
        """What the claims are judged by, of all problems but stand-ins."""
        problems = [name for name in self.chosen_problems(options) if not self.load(name).stand_in]
        found = [self.measure_problem(name, options, store) for name in problems]
        return Measured(problems, {one.problem: one for one in found if one is not None})

    def measure_problem(self, problem: str, options: Options, store: Store) -> MeasuredProblem | None:
        """The same of one problem; None unless it is finished."""
        errors = self.fold_errors(problem, options, store)
        choices = choose_designs(errors)
        lines = {line.method: line for line in self._family_lines(problem, options, store, choices)}
        if len(lines) < len(FAMILIES) or not all(line.measured for line in lines.values()):
            return None
        first = results_of(self.training_study(problem, options, choices), store, _error_of_first_round).errors
        on_folds = [(json.loads(setting), float(np.mean(percent(runs)))) for setting, runs in errors.items()]
        [part] = one_part(1).splits(self.load(problem))
        return MeasuredProblem(
            problem=problem,
            lines=lines,
            alpha=json.loads(choices["CRA"])["alpha"],
            first_error=float(np.mean(percent(first[choices["CRA"]]))),
            boundary_error=min(mean for one, mean in on_folds if one.get("alpha") == one.get("beta") == 0.0),
            reference_error=min(mean for one, mean in on_folds if FAMILIES[REFERENCE](one)),
            sizes=(len(part.train), len(part.test)),
        )

    def _chosen_study(self, problem: str, options: Options, store: Store) -> Study:
        return self.training_study(problem, options, choose_designs(self.fold_errors(problem, options, store)))

    def make_study(self, problem: str, method: Method, protocol: SplitProtocol) -> Study:
        return Study(PAPER, [method], [self.load(problem)], protocol)


def choose_designs(errors: Errors) -> dict[str, str]:
    """The design of each family with the smallest error on the folds, as far as these are finished."""
    found = {}
    for family, belongs in FAMILIES.items():
        own: Errors = {setting: runs for setting, runs in errors.items() if belongs(json.loads(setting))}
        if own:
            found[family] = best_setting(own, _preference)
    return found


def _method(settings: Sequence[Setting]) -> Method:
    return Method("boosted MLP", build, settings, together=TOGETHER)


def _error_of_first_round(metrics: Mapping[str, Any]) -> float:
    curve = metrics.get("curve")
    return float(curve[0][1] if curve else metrics["error"])


def _preference(setting: str) -> tuple[float, ...]:
    """Of equally good designs: fewer units, then the milder emphasis, then the one nearer to Real AdaBoost's."""
    values = json.loads(setting)
    return values["n_hidden"], -values.get("alpha", 0.0), abs(values.get("lam", 0.5) - 0.5), values.get("beta", 0.0)


def _text(setting: Mapping[str, Any]) -> str:
    names = {"n_hidden": "H", "alpha": "α", "beta": "β", "lam": "λ"}
    return ", ".join(f"{short} {setting[name]:g}" for name, short in names.items() if name in setting)


def _rank_lines(lines: Sequence[Line]) -> Iterator[Line]:
    """The ranks of each family over the problems on which all families are finished."""
    means: dict[str, dict[str, float]] = {}
    for line in lines:
        if line.measured is not None and not line.stand_in:
            means.setdefault(line.problem, {})[line.method] = line.measured[0]
    whole = [one for one in means.values() if len(one) == len(FAMILIES)]
    if len(whole) < 2:
        return
    table = np.array([[one[family] for family in FAMILIES] for one in whole])
    ranks = rankdata(np.round(table, 9), axis=1)
    reference = table[:, list(FAMILIES).index(REFERENCE)]
    for number, family in enumerate(FAMILIES):
        p = None if family == REFERENCE else signed_rank_p(list(reference), list(table[:, number]))
        yield Line(f"mean rank, {len(whole)} problems", "", family, list(ranks[:, number]), p=p)


MODERATION = ModerationTable("001", "001: is moderating the emphasis beneficial?")
