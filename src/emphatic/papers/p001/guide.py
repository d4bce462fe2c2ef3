"""Paper 001, section 2: the guide of the emphasis, which is the partial ensemble or another machine.

The text prefers the partial ensemble and has no figures for others. Here fixed designs are run with the ensemble itself
and with two classifiers as guides (`emphatic.emphasis.Guided`); nothing is chosen.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from emphatic.papers.claims import Claim
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p001.claims import judge_guides
from emphatic.papers.p001.designs import N_ESTIMATORS, build, one_part
from emphatic.papers.p001.judges import REFERENCE
from emphatic.papers.table import PublishedTable, both_p, setting_percent
from emphatic.study import Method, Store, Study
from emphatic.study.tasks import Setting

UNITS = 4  # hidden ones
MOST_RUNS = 20
OWN = "partial ensemble"
GUIDES = (OWN, "logistic regression", "SVM")
EMPHASES: dict[str, dict[str, Any]] = {
    "ARA": {"emphasis": "controlled", "alpha": 0.0, "beta": 1.0},
    "CRA, α 0, β 0.5": {"emphasis": "controlled", "alpha": 0.0, "beta": 0.5},
    "CRA, α 0.3, β 0.5": {"emphasis": "controlled", "alpha": 0.3, "beta": 0.5},
}


def make_setting(emphasis: Setting, guide: str = OWN) -> dict[str, Any]:
    """An emphasis with its guide."""
    return {**emphasis, "guide": guide, "n_hidden": UNITS, "n_estimators": N_ESTIMATORS}


SETTINGS = {
    (REFERENCE, OWN): make_setting({"emphasis": "mixed", "lam": 0.5}),
    **{(name, guide): make_setting(one, guide) for name, one in EMPHASES.items() for guide in GUIDES},
}
"""By method and guide."""


def build_guided(setting: Setting, random_state: int) -> Any:
    """The ensemble of a setting, with a guide for its emphasis."""
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.svm import SVC

    from emphatic.emphasis import Guided

    ensemble = build(setting, random_state)
    if setting["guide"] != OWN:
        # decisions become probabilities by Platt's scaling; None is logistic regression
        guide = CalibratedClassifierCV(SVC(), cv=3, ensemble=False) if setting["guide"] == "SVM" else None
        ensemble.set_params(emphasis=Guided(ensemble.emphasis, guide))
    return ensemble


@dataclass(frozen=True)
class GuideTable(PublishedTable):
    """Fixed designs with the partial ensemble and with other machines as guides."""

    paper = "001"
    all_problems = ("breast", "crabs", "credit", "diabetes", "german", "hepatitis", "ionosphere", "ripley")
    quick_problems = ("crabs",)

    def problem_studies(self, problem: str, options: Options) -> Sequence[Study]:
        method = Method("guided MLP", build_guided, list(SETTINGS.values()), together=len(SETTINGS) * MOST_RUNS)
        return [self.make_study(problem, method, one_part(min(options.runs, MOST_RUNS)))]

    def problem_lines(self, problem: str, options: Options, store: Store) -> Iterator[Line]:
        errors = self.problem_errors(problem, options, store)
        for (name, guide), setting in SETTINGS.items():
            values = setting_percent(errors, setting)
            own = setting_percent(errors, SETTINGS[name, OWN])
            yield Line(problem, f"guide: {guide}", name, values, **(both_p(own, values) if guide != OWN else {}))

    def claims(self, options: Options, store: Store) -> Sequence[Claim]:
        problems = self.chosen_problems(options)
        found = [self.problem_errors(problem, options, store) for problem in problems]
        means: dict[str, dict[str, list[float]]] = {name: {guide: [] for guide in GUIDES} for name in EMPHASES}
        for (name, guide), setting in SETTINGS.items():
            runs = [setting_percent(errors, setting) for errors in found]
            if name in means:
                means[name][guide] = [float(np.mean(one)) for one in runs if one]
        return judge_guides(means, OWN, len(problems))

    def caption(self, options: Options) -> str:
        return (
            f"Test error in %, mean (std) over trainings, at most {MOST_RUNS}; H = {UNITS}, T = {N_ESTIMATORS}; no "
            "parameter was chosen. Guide: whose output, out of fold where it is not the partial ensemble's, the "
            "emphasis is made of. SVM: with an RBF kernel, default parameters and Platt's scaling. p: Wilcoxon "
            "rank-sum test of the trainings against the same emphasis with the partial ensemble as its guide."
        )


GUIDE = GuideTable("001-guide", "001: the partial ensemble and other machines as guides of the emphasis")
