"""Beyond paper 001, which has two classes only: its emphases on problems with all their classes.

No parameter is chosen: every emphasis is run with the values listed, on the same folds and seeds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p001.moderation import N_ESTIMATORS, build
from emphatic.papers.table import OVERLAP, PublishedTable, paired_p, read_errors, setting_percent
from emphatic.study.protocol import RepeatedKFold
from emphatic.study.runner import Study
from emphatic.study.store import Store
from emphatic.study.work import Method

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
SETTINGS = {name: {**one, "n_hidden": HIDDEN, "n_estimators": N_ESTIMATORS} for name, one in EMPHASES.items()}


@dataclass(frozen=True)
class ClassesTable(PublishedTable):
    """Controlled and mixed emphasis with K classes; the folds are drawn so often that there are as many as runs."""

    all_problems = ("glass", "vehicle", "vowel")

    def problem_studies(self, problem: str, options: Options) -> Sequence[Study]:
        method = Method("boosted MLP", build, list(SETTINGS.values()), together=60)
        return [self.make_study(problem, method, RepeatedKFold(FOLDS, _repeats(options)))]

    def problem_lines(self, problem: str, options: Options, store: Store) -> Iterator[Line]:
        [study] = self.problem_studies(problem, options)
        errors = read_errors(study, store)
        n_classes = len(np.unique(self.load(problem).y))
        reference = setting_percent(errors, SETTINGS["RA"])
        for name, setting in SETTINGS.items():
            values = setting_percent(errors, setting)
            p = paired_p(reference, values) if name != "RA" else None
            yield Line(problem, f"{n_classes} classes, H {HIDDEN}", name, values, p=p)

    def caption(self, options: Options) -> str:
        return (
            f"Test error in %, mean (std) over {FOLDS} folds, drawn {_repeats(options)} times; T = {N_ESTIMATORS}; no "
            f"parameter was chosen. p: Wilcoxon signed-rank test over the folds against RA ({OVERLAP})."
        )


def _repeats(options: Options) -> int:
    """`runs` is 50 by default: ten times five folds."""
    return max(1, options.runs // FOLDS)


CLASSES = ClassesTable("001-K", "001 beyond two classes: boosted MLPs on problems with all their classes")
