"""What the tables of digits share: their folds, their settings side by side, and accuracies in percent."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from emphatic.papers.options import Options
from emphatic.papers.p003.digits import FOLDER, IMAGE_VIEWS, list_problems, load_digits, make_transformer
from emphatic.papers.p003.ensembles import build
from emphatic.papers.p003.settings import PER_CLASS
from emphatic.papers.published import lookup
from emphatic.papers.table import PublishedTable
from emphatic.study import Method, RepeatedKFold, Study
from emphatic.study.results import Errors
from emphatic.study.tasks import Setting, canonical

FOLDS, QUICK_FOLDS = 10, 3
Measure = Callable[[Any, Any, np.ndarray], dict[str, Any]]


@dataclass(frozen=True)
class DigitsTable(PublishedTable):
    """One 10-fold cross-validation per line, as in the paper; all lines of a problem have the same folds and seeds."""

    quick_problems: ClassVar[Sequence[str]] = ("digits",)
    larger_is_better = True

    def problems(self, quick: bool = False) -> Sequence[str]:
        return self.quick_problems if quick else list_problems()

    def load(self, problem: str) -> Any:
        return load_digits(problem)

    def study(
        self,
        name: str,
        problem: str,
        settings: Sequence[Setting],
        options: Options,
        measure: Measure | None = None,
        make: Callable[[Setting, int], Any] = build,
    ) -> Study:
        """A method with all its settings."""
        transformer, folds = partial(make_transformer, problem), self.n_folds(options)
        # The number of folds is in the name, because fold 0 of 3 and fold 0 of 10 have the same split id. All settings
        # of a fold are fitted together: its views are computed once.
        named = f"{name}, {folds} folds"
        method = Method(named, make, settings, transformer, together=len(settings), measure=measure)
        return self.make_study(problem, method, RepeatedKFold(folds, 1))

    def n_folds(self, options: Options) -> int:
        """Of the cross-validation."""
        return QUICK_FOLDS if options.quick else FOLDS


def accuracies(errors: Errors, setting: Setting) -> list[float]:
    """In percent, fold by fold; empty unless all folds are finished."""
    return [100.0 * (1.0 - error) for error in errors.get(canonical(setting), {}).values()]


def find_published(
    table: str, problem: str, method: str, per_class: int, **conditions: str
) -> tuple[float, float | None] | None:
    """The paper's accuracy; None for other prototypes, and for mfeat, which has other views."""
    if problem not in IMAGE_VIEWS or per_class != PER_CLASS[0]:
        return None
    return lookup("003", table, "digits10k", method, "accuracy_%", conditions)


def remark_on_usps() -> str:
    """What to say where the file is missing."""
    return "" if "usps" in list_problems() else f"USPS is left out: {FOLDER} does not point to a folder that holds it."
