"""Beyond paper 001, which has two classes only: its emphases on problems with all their classes.

No parameter is chosen: every emphasis is run with the values named, on the same folds and seeds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p001.moderation import N_ESTIMATORS, build
from emphatic.study.protocol import RepeatedKFold
from emphatic.study.results import Run, results_of
from emphatic.study.runner import Study
from emphatic.study.statistics import signed_rank_p
from emphatic.study.store import Store
from emphatic.study.tasks import Method, Setting, canonical

PROBLEMS = ("glass", "vehicle", "vowel")
HIDDEN = 10
FOLDS = 5
EMPHASES: dict[str, dict[str, Any]] = {
    "RA": {"emphasis": "mixed", "lam": 0.5},
    "no emphasis": {"emphasis": "controlled", "alpha": 1.0, "beta": 1.0},
    "ARA": {"emphasis": "controlled", "alpha": 0.0, "beta": 1.0},
    "CRA, α 0.4, β 0.5": {"emphasis": "controlled", "alpha": 0.4, "beta": 0.5},
    "Mixed, λ 0.3": {"emphasis": "mixed", "lam": 0.3},
    "Mixed, λ 0.7": {"emphasis": "mixed", "lam": 0.7},
}


@cache
def load_problem(name: str) -> Any:
    """The problem with all its classes."""
    from emphatic.datasets import load

    return load(name)


@dataclass(frozen=True)
class ClassesTable:
    """Controlled and mixed emphasis with K classes, on folds drawn so often that there are as many as runs."""

    id: str = "001-K"
    title: str = "001 beyond two classes: boosted MLPs on problems with all their classes"

    def problems(self, quick: bool = False) -> Sequence[str]:
        return () if quick else PROBLEMS

    def stages(self, options: Options, store: Store) -> Iterator[Sequence[Study]]:
        yield [self._study(problem, options) for problem in self._asked_for(options)]

    def lines(self, options: Options, store: Store) -> list[Line]:
        lines = []
        for problem in self._asked_for(options):
            errors = results_of(self._study(problem, options), store).errors
            n_classes = len(np.unique(load_problem(problem).y))
            reference = _percent(errors.get(canonical(_setting("RA")), {}))
            for name in EMPHASES:
                values = _percent(errors.get(canonical(_setting(name)), {}))
                p = signed_rank_p(reference, values) if name != "RA" and len(values) == len(reference) > 0 else None
                lines.append(Line(problem, f"{n_classes} classes, H {HIDDEN}", name, values, p=p))
        return lines

    def caption(self, options: Options) -> str:
        return (
            f"Test error in %, mean (std) over {FOLDS} folds, drawn {_repeats(options)} times; T = {N_ESTIMATORS}; no "
            "parameter was chosen. p: Wilcoxon signed-rank test over the folds against RA (folds of one table are not "
            "independent: read it as a ruler, not as a proof)."
        )

    def _asked_for(self, options: Options) -> list[str]:
        return [one for one in PROBLEMS if not options.problems or one in options.problems]

    def _study(self, problem: str, options: Options) -> Study:
        method = Method("boosted MLP", build, [_setting(name) for name in EMPHASES], together=60)
        return Study(self.id, [method], [load_problem(problem)], RepeatedKFold(FOLDS, _repeats(options)))


def _repeats(options: Options) -> int:
    """`runs` are 50 by default: ten times five folds."""
    return max(1, options.runs // FOLDS)


def _setting(name: str) -> Setting:
    return {**EMPHASES[name], "n_hidden": HIDDEN, "n_estimators": N_ESTIMATORS}


def _percent(errors: Any) -> list[float]:
    runs: dict[Run, float] = dict(errors)
    return [100 * error for error in runs.values()]


CLASSES = ClassesTable()
