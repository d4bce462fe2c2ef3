"""Beyond paper 001, which has two classes only: its emphases on problems with more."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from emphatic.papers.claims import Claim
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p001.claims import judge_classes
from emphatic.papers.p001.designs import FOLDS, N_ESTIMATORS, build
from emphatic.papers.table import OVERLAP, PublishedTable, paired_p, setting_percent
from emphatic.study import Method, RepeatedKFold, Store, Study
from emphatic.wording import count

UNITS = 10  # hidden ones, with all classes
EMPHASES: dict[str, dict[str, Any]] = {
    "RA": {"emphasis": "mixed", "lam": 0.5},
    "no emphasis": {"emphasis": "controlled", "alpha": 1.0, "beta": 1.0},
    "ARA": {"emphasis": "controlled", "alpha": 0.0, "beta": 1.0},
    "CRA, α 0.4, β 0.5": {"emphasis": "controlled", "alpha": 0.4, "beta": 0.5},
    "Mixed, λ 0.3": {"emphasis": "mixed", "lam": 0.3},
    "Mixed, λ 0.7": {"emphasis": "mixed", "lam": 0.7},
}
SETTINGS = {name: {**one, "n_hidden": UNITS, "n_estimators": N_ESTIMATORS} for name, one in EMPHASES.items()}


@dataclass(frozen=True)
class ClassesTable(PublishedTable):
    """Beyond the paper: controlled and mixed emphasis with all classes of a problem.

    No parameter is chosen: every emphasis is run with the values listed, on the same folds and seeds. Folds are drawn
    so often that there are as many as runs.
    """

    all_problems = ("glass", "vehicle", "vowel")

    def problem_studies(self, problem: str, options: Options) -> Sequence[Study]:
        method = Method("boosted MLP", build, list(SETTINGS.values()), together=60)
        return [self.make_study(problem, method, RepeatedKFold(FOLDS, _repeats(options)))]

    def problem_lines(self, problem: str, options: Options, store: Store) -> Iterator[Line]:
        errors = self.problem_errors(problem, options, store)
        n_classes = len(np.unique(self.load(problem).y))
        reference = setting_percent(errors, SETTINGS["RA"])
        for name, setting in SETTINGS.items():
            values = setting_percent(errors, setting)
            p = paired_p(reference, values) if name != "RA" else None
            yield Line(problem, f"{n_classes} classes, H {UNITS}", name, values, p=p)

    def claims(self, options: Options, store: Store) -> Sequence[Claim]:
        problems = self.chosen_problems(options)
        shares = {name: np.unique(self.load(name).y, return_counts=True)[1] for name in problems}
        chance = {name: 100.0 * (1.0 - counts.max() / counts.sum()) for name, counts in shares.items()}
        return judge_classes(self.lines(options, store), chance, len(problems))

    def caption(self, options: Options) -> str:
        times = count(_repeats(options), "time")
        return (
            f"Test error in %, mean (std) over {FOLDS} folds, drawn {times}; T = {N_ESTIMATORS}; no "
            f"parameter was chosen. p: Wilcoxon signed-rank test over the folds against RA ({OVERLAP})."
        )


def _repeats(options: Options) -> int:
    """`runs` is 50 by default: ten times five folds."""
    return max(1, options.runs // FOLDS)


CLASSES = ClassesTable("001-K", "001 beyond two classes: boosted MLPs on problems with all their classes")
