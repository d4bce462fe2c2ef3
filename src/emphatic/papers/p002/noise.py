"""Label noise, the further work of paper 002: its four policies beside other emphases, with the same machines."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from emphatic.papers.claims import Claim
from emphatic.papers.emphases.problems import SmallPartitions
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p002.claims.noise import judge_noise
from emphatic.papers.p002.ensembles import N_ESTIMATORS, build_machine, make_scaler
from emphatic.papers.p002.measured import Measured, join, read_study
from emphatic.papers.p002.problems import FIGURES, PAPER, POLICIES, PROBLEMS
from emphatic.papers.p002.readings import READING
from emphatic.papers.p002.spoilt import CONDITIONS, SpoiltEnsemble
from emphatic.papers.table import PublishedTable
from emphatic.report.grid import Grid
from emphatic.report.page import Section
from emphatic.study import Method, Store, Study
from emphatic.study.tasks import Setting

PARTITIONS = 10
OTHERS = ("RUSBoost", "Mada", "Savage", "Robust")
RULES = (*POLICIES, *OTHERS)


def make_emphasis(rule: str, near_noisy: str) -> Any:
    """An emphasis of the paper, or another: RUSBoost undersamples, the rest limit the weight of wrong samples.

    `Robust` gives up a tenth of the samples: where the smaller class is no larger, that may be all of it.
    """
    from emphatic.emphasis import Exponential, Mada, PatternType, Robust, Savage, Undersampled

    others = {"RUSBoost": Undersampled(Exponential()), "Mada": Mada(), "Savage": Savage(), "Robust": Robust(0.1)}
    return others[rule] if rule in others else PatternType(rule, near_noisy)


def build(setting: Setting, random_state: int) -> SpoiltEnsemble:
    """Boosted perceptrons that learn from spoilt labels."""
    from emphatic import RealAdaBoostClassifier

    ensemble = RealAdaBoostClassifier(
        build_machine(setting),
        make_emphasis(setting["rule"], setting["near_noisy"]),
        N_ESTIMATORS,
        resample=setting["resample"],
        random_state=random_state,
    )
    return SpoiltEnsemble(ensemble, setting["condition"], random_state)


def noise_method(problem: str) -> Method:
    """Every rule under every condition, in the reading of the tables."""
    given = READING.method(problem, ("standard",)).settings[0]
    choices = {name: value for name, value in given.items() if name != "policy"}
    settings = [{**choices, "rule": rule, "condition": condition} for condition in CONDITIONS for rule in RULES]
    return Method("boosted PP, spoilt labels", build, settings, partial(make_scaler, READING.scale))


def name_setting(setting: Setting) -> str:
    """Condition and rule, such as "20% flipped: balanced"."""
    return f"{setting['condition']}: {setting['rule']}"


@dataclass(frozen=True)
class NoiseTable(PublishedTable):
    """a, a+, a- and g on clean test labels, after training with spoilt ones."""

    paper = PAPER
    all_problems = tuple(PROBLEMS)
    quick_problems = ("diabetes", "glass")
    larger_is_better = True

    def problem_studies(self, problem: str, options: Options) -> Sequence[Study]:
        protocol = SmallPartitions(min(options.runs, PARTITIONS))
        return [self.make_study(problem, noise_method(problem), protocol)]

    def measure(self, options: Options, store: Store) -> Measured:
        """What is finished, by problem and setting."""
        return join([read_study(study, store, name_setting) for study in self.list_studies(options)])

    def lines(self, options: Options, store: Store) -> list[Line]:
        """Means over the problems that are finished."""
        found = self.measure(options, store)
        lines = []
        for condition in CONDITIONS:
            for rule in RULES:
                own = [figures for (_, name), figures in found.figures.items() if name == f"{condition}: {rule}"]
                for figure in ("a", "g"):
                    values = [float(np.mean(figures[figure])) for figures in own]
                    lines.append(Line(f"{len(own)} problems", f"{condition}, {figure}", rule, values))
        return lines

    def sections(self, options: Options, store: Store) -> list[Section]:
        found = self.measure(options, store)
        grids = [tabulate_condition(condition, found) for condition in CONDITIONS]
        return [Section(f"{self.id}-problems", "002: label noise, problem by problem", (), grids)]

    def claims(self, options: Options, store: Store) -> Sequence[Claim]:
        return judge_noise(self.measure(options, store))

    def caption(self, options: Options) -> str:
        return (
            "In %, mean (std over the problems) on clean test labels; random halves of at most 300 training and 1,000 "
            "test samples. Flipped: that share of the training labels, at random. Malicious: in either class, the "
            "fifth that a support vector machine classifies most safely. Standard to balanced are the paper's; the "
            f"others have the same machines ({READING}) and {N_ESTIMATORS} rounds."
        )


def tabulate_condition(condition: str, found: Measured) -> Grid:
    """a / a+ / a- / g by rule and problem."""
    rows = []
    for rule in RULES:
        cells = []
        for problem in PROBLEMS:
            means = [found.mean(problem, f"{condition}: {rule}", figure) for figure in FIGURES]
            cells.append(" / ".join(f"{mean:.1f}" for mean in means) if np.isfinite(means).all() else "")
        rows.append([rule, *cells])
    return Grid(("Rule", *PROBLEMS.values()), rows, f"{condition}: a / a+ / a- / g in %.")


NOISE = NoiseTable("002-noise", "002: label noise, the paper's further work")
