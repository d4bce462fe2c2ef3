"""The contenders of a comparison as methods of a study."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from emphatic.comparison.contenders import Contender, contenders, installed, measure
from emphatic.names import UnknownName, unknown
from emphatic.randomness import derive_seed
from emphatic.study.problem import OwnProblem
from emphatic.study.protocol import ProblemLike, RepeatedKFold, Split, SplitProtocol
from emphatic.study.runner import Study
from emphatic.study.tasks import Method

TABLE_ID = "compare"
GROW_FASTER = frozenset(
    {
        "EmphaticClassifier",
        "FuzzyBoost",
        "Parallel perceptrons",
        "RealAdaBoost of MLPs",
        "RealAdaBoost of RBF networks",
        "SVC",
    }
)
"""Contenders whose time or memory grows faster than the rows, or which take minutes for ten thousand of them."""


@dataclass(frozen=True)
class Capped:
    """The splits of `outer` with at most `n_rows` training rows, drawn from each class in proportion; all test rows."""

    outer: SplitProtocol
    n_rows: int

    def splits(self, problem: ProblemLike) -> Iterator[Split]:
        y = np.asarray(problem.y)
        for split in self.outer.splits(problem):
            rng = np.random.default_rng(derive_seed(problem.name, split.id, "at most", self.n_rows))
            rows = drawn(y[split.train], self.n_rows, rng)
            yield Split(split.id, split.seed, split.train[rows], split.test, split.fold)


def drawn(y: np.ndarray, n_rows: int, rng: np.random.Generator) -> np.ndarray:
    """About `n_rows` row numbers in rising order: of each class its share, and one at least.

    >>> drawn(np.array([0] * 90 + [1] * 9 + [2]), 10, np.random.default_rng(0)).shape
    (11,)
    """
    share = min(1.0, n_rows / len(y))
    parts = [np.flatnonzero(y == label) for label in np.unique(y)]
    return np.sort(np.concatenate([rng.permutation(rows)[: max(1, round(share * len(rows)))] for rows in parts]))


@dataclass(frozen=True)
class Entrant:
    """A contender with the study of its fits; `note` says what is particular about them."""

    contender: Contender
    study: Study
    note: str = ""

    @property
    def name(self) -> str:
        return self.contender.name


def chosen(names: Sequence[str], n_classes: int) -> tuple[list[Contender], list[str]]:
    """Contenders by name (upper or lower case; none: all that are installed), and a sentence for each left out."""
    here, all_names = installed(), {name.lower(): name for name in contenders()}
    for name in names:
        if name.lower() not in all_names:
            raise unknown("method", name, contenders())
        if all_names[name.lower()] not in here:
            package = contenders()[all_names[name.lower()]].package
            raise UnknownName(f"{all_names[name.lower()]} needs the package {package}, which is not installed")
    asked = [here[all_names[name.lower()]] for name in dict.fromkeys(names)] or list(here.values())
    able = [one for one in asked if one.takes(n_classes)]
    left_out = [f"{one.name} is left out: it tells two classes apart" for one in asked if one not in able]
    if not able:
        raise UnknownName(f"none of these methods can tell {n_classes} classes apart")
    return able, left_out


def entrants(
    who: Sequence[Contender], problem: OwnProblem, n_folds: int, n_repeats: int, max_rows: int
) -> list[Entrant]:
    """Each contender with its study, those that cannot take many rows with at most `max_rows` to train on."""
    outer = RepeatedKFold(n_folds, n_repeats)
    n_train = len(problem.y) * (n_folds - 1) // n_folds
    found = []
    for one in who:
        capped = one.name in GROW_FASTER and n_train > max_rows
        # The cap is part of the name by which the store knows the fits.
        name = f"{one.name}, at most {max_rows} rows" if capped else one.name
        method = Method(name, one.build, transformer=as_it_is, measure=measure)
        study = Study(TABLE_ID, [method], [problem], Capped(outer, max_rows) if capped else outer)
        found.append(Entrant(one, study, f"trained on {max_rows} of {n_train} rows" if capped else ""))
    return found


def as_it_is() -> None:
    """No preparation: contenders take the raw table."""
