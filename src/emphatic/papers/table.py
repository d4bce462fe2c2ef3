"""What all published tables share: their problems, their work as a list of steps, and their lines."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from emphatic.papers.claims import Claim
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.report.page import Section
from emphatic.study.protocol import SplitProtocol
from emphatic.study.results import Errors, Run, results_of
from emphatic.study.runner import Study
from emphatic.study.statistics import rank_sum_p, signed_rank_p
from emphatic.study.store import Store
from emphatic.study.tasks import Method, Setting, canonical

OVERLAP = "folds share training samples, so p is a guide, not a proof"
"""For captions with a test over folds."""


@cache
def load_problem(name: str, paper: str | None = None) -> Any:
    """A bundled problem, with the classes and sizes of a paper or else with all its rows and classes."""
    from emphatic.datasets import load

    return load(name, paper=paper)


@dataclass(frozen=True, eq=False)
class UnsplitProblem:
    """Rows and labels without a split of their own, for cross-validation."""

    name: str
    X: Any
    y: np.ndarray
    train: None = None
    test: None = None

    def partition(self, random_state: Any) -> tuple[Any, Any]:
        raise ValueError(f"{self.name} has no split: it can only be cross-validated")


@dataclass(frozen=True)
class Step:
    """Studies that can run side by side.

    `studies(store)` lists them. A step that depends on earlier ones reads from the store what these have chosen.
    """

    studies: Callable[[Store], Sequence[Study]]


@dataclass(frozen=True)
class PublishedTable(ABC):
    """A published table, as work to be done and as lines to be printed.

    A subclass lists its problems, says which studies (`problem_studies`) and which lines (`problem_lines`) belong to
    each of them, and explains the lines (`caption`). Where the work depends on earlier results it overrides `steps`;
    where lines cover several problems it overrides `lines`.
    """

    id: str
    title: str

    paper: ClassVar[str | None] = None  # whose classes and sizes the problems have; None for all rows and classes
    all_problems: ClassVar[Sequence[str]] = ()
    quick_problems: ClassVar[Sequence[str]] = ()  # empty where there is no quick form
    larger_is_better: ClassVar[bool] = False  # True for accuracies

    def problems(self, quick: bool = False) -> Sequence[str]:
        """The names that `Options.problems` may hold; empty if there is no quick form and `quick` is set."""
        return self.quick_problems if quick else self.all_problems

    def chosen_problems(self, options: Options) -> list[str]:
        """The problems to run, in the order of the table."""
        return [name for name in self.problems(options.quick) if not options.problems or name in options.problems]

    def load(self, problem: str) -> Any:
        """The data of a problem."""
        return load_problem(problem, self.paper)

    def steps(self, options: Options) -> list[Step]:
        """All work, in order: a step may begin when the store holds the steps before it."""
        return [Step(lambda _: self.list_studies(options))]

    def list_studies(self, options: Options) -> list[Study]:
        """The studies of all chosen problems, where no study depends on another."""
        return [study for name in self.chosen_problems(options) for study in self.problem_studies(name, options)]

    def problem_studies(self, problem: str, options: Options) -> Sequence[Study]:
        """The studies of one problem, where no study depends on another; none if `steps` is overridden."""
        return ()

    def lines(self, options: Options, store: Store) -> list[Line]:
        """Published beside measured, as far as the store holds it."""
        return [line for name in self.chosen_problems(options) for line in self.problem_lines(name, options, store)]

    def problem_lines(self, problem: str, options: Options, store: Store) -> Iterable[Line]:
        """The lines of one problem; none if `lines` is overridden."""
        return ()

    def problem_errors(self, problem: str, options: Options, store: Store) -> Errors:
        """The errors of all settings of `problem_studies` that have finished all their runs."""
        studies = self.problem_studies(problem, options)
        return {setting: runs for study in studies for setting, runs in results_of(study, store).errors.items()}

    def sections(self, options: Options, store: Store) -> list[Section]:
        """What the page shows after the lines, where there is more to say."""
        return []

    def claims(self, options: Options, store: Store) -> Sequence[Claim]:
        """What the paper claims about this table or its figures, judged by what the store holds."""
        return ()

    @abstractmethod
    def caption(self, options: Options) -> str:
        """How to read the lines: which reading of the paper was used, and what was chosen on test data."""

    def make_study(self, problem: str, method: Method, protocol: SplitProtocol) -> Study:
        """One method on one problem; its records are kept under the id of the table."""
        return Study(self.id, [method], [self.load(problem)], protocol)


def percent(errors: Mapping[Run, float]) -> list[float]:
    """Errors in percent, run by run."""
    return [100 * error for error in errors.values()]


def setting_percent(errors: Errors, setting: Setting) -> list[float]:
    """Errors of one setting in percent, run by run; empty unless all its runs are finished."""
    return percent(errors.get(canonical(setting), {}))


def group_repetitions(errors: Mapping[Run, float]) -> list[list[float]]:
    """The errors on the folds of each repetition of a cross-validation: "repeat-2-fold-0" belongs to "repeat-2".

    >>> group_repetitions({("repeat-0-fold-0", 0, ""): 0.1, ("repeat-0-fold-1", 0, ""): 0.3})
    [[0.1, 0.3]]
    """
    repetitions: dict[tuple[str, int], list[float]] = {}
    for (split, seed, _), error in errors.items():
        repetitions.setdefault((split.partition("-fold-")[0], seed), []).append(error)
    return list(repetitions.values())


def paired_p(first: Sequence[float], second: Sequence[float]) -> float | None:
    """p of the signed-rank test; None where runs are missing."""
    return signed_rank_p(first, second) if len(first) == len(second) > 0 else None


def both_p(first: Sequence[float], second: Sequence[float]) -> dict[str, Any]:
    """The fields `p` (rank-sum test) and `p_paired` (signed-rank test) of a line; none where runs are missing."""
    p_paired = paired_p(first, second)
    return {} if p_paired is None else {"p": rank_sum_p(first, second), "p_paired": p_paired}
