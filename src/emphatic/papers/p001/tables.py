"""Paper 001, controlled emphasis intensity: is moderating the emphasis beneficial, and on which problems?

The text at hand lacks the paper's own table of results, so there is nothing to compare the measured errors with. How a
problem is run, as the paper says:

1. The number of hidden units H and the parameters of each emphasis are chosen together, by cross-validation inside the
   training part. The paper repeats five folds 20 times over a grid with step 0.1; `GRID` is coarser and the folds are
   repeated less often: a reduced search.
2. The chosen design is trained 50 times on the whole training part and scored on the test part. The std is that of
   these trainings: there is one training part per problem, as in the paper.

All families are subsets of one set of candidates, so they share their fits: Real AdaBoost is `Mixed(0.5)`, ARA and
betaRA are among the candidates of CRA.

The paper has two classes only; `ClassesTable` runs its emphases on problems with more.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import rankdata

from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.table import OVERLAP, PublishedTable, Step, both_p, paired_p, percent, setting_percent
from emphatic.study import InnerFolds, Method, PredefinedOrPartitions, RepeatedKFold, Store, Study
from emphatic.study.protocol import SplitProtocol
from emphatic.study.results import Errors, best_setting, results_of
from emphatic.study.statistics import signed_rank_p
from emphatic.study.tasks import Setting
from emphatic.wording import count

PAPER = "001"
REFERENCE = "RA"
N_ESTIMATORS = 30
HIDDEN = (2, 4, 8)
FIFTHS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
TENTHS = tuple(round(0.1 * k, 1) for k in range(11))
QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
TOGETHER = 400  # ensembles trained in lockstep: the more, the less the last networks to stall delay the others

CONTROLLED = [
    *({"emphasis": "controlled", "alpha": a, "beta": b} for a in FIFTHS[:-1] for b in FIFTHS),
    {"emphasis": "controlled", "alpha": 1.0, "beta": 1.0},  # alpha = 1 is uniform whatever beta is
]
MIXED = [{"emphasis": "mixed", "lam": lam} for lam in TENTHS]
DYNAMIC = [{"emphasis": "dynamic neighbour", "n_neighbors": 5, "share": 0.5}]
GRID: list[dict[str, Any]] = [*CONTROLLED, *MIXED, *DYNAMIC]

FAMILIES: dict[str, Callable[[Setting], bool]] = {
    "RA": lambda one: one.get("lam") == 0.5,
    "no emphasis": lambda one: one.get("alpha") == 1.0,
    "ARA": lambda one: one.get("alpha") == 0.0 and one["beta"] == 1.0,
    "betaRA": lambda one: one.get("alpha") == 0.0,
    "CRA": lambda one: one["emphasis"] == "controlled",
    "Mixed": lambda one: one["emphasis"] == "mixed",
    "DWK-RA": lambda one: one["emphasis"] == "dynamic neighbour",
}
"""Which candidates each family of the table chooses from."""

UNITS = 10  # hidden ones, with all classes
FOLDS = 5
EMPHASES: dict[str, dict[str, Any]] = {
    "RA": {"emphasis": "mixed", "lam": 0.5},
    "no emphasis": {"emphasis": "controlled", "alpha": 1.0, "beta": 1.0},
    "ARA": {"emphasis": "controlled", "alpha": 0.0, "beta": 1.0},
    "CRA, α 0.4, β 0.5": {"emphasis": "controlled", "alpha": 0.4, "beta": 0.5},
    "Mixed, λ 0.3": {"emphasis": "mixed", "lam": 0.3},
    "Mixed, λ 0.7": {"emphasis": "mixed", "lam": 0.7},
}
SETTINGS = {name: {**one, "n_hidden": UNITS, "n_estimators": N_ESTIMATORS} for name, one in EMPHASES.items()}


def build(setting: Setting, random_state: int) -> Any:
    """The ensemble of a setting."""
    from emphatic import MLPNetworkClassifier, RealAdaBoostClassifier
    from emphatic.emphasis import Controlled, DynamicMixed, Mixed, Neighbour

    if setting["emphasis"] == "controlled":
        emphasis: Any = Controlled(setting["alpha"], setting["beta"])
    elif setting["emphasis"] == "mixed":
        emphasis = Mixed(setting["lam"])
    else:
        emphasis = Neighbour(DynamicMixed(QUARTERS), setting["n_neighbors"], setting["share"])
    return RealAdaBoostClassifier(
        MLPNetworkClassifier(setting["n_hidden"]), emphasis, setting["n_estimators"], random_state=random_state
    )


@dataclass(frozen=True)
class ModerationTable(PublishedTable):
    """Every family on every problem, its design chosen by cross-validation."""

    paper = PAPER
    quick_problems = ("ripley", "hepatitis")

    def problems(self, quick: bool = False) -> Sequence[str]:
        from emphatic.datasets import names

        return self.quick_problems if quick else names(paper=PAPER)

    def steps(self, options: Options) -> list[Step]:
        problems = self.chosen_problems(options)
        return [
            Step(lambda _: [self.search(problem, options) for problem in problems]),
            Step(lambda store: [self.trainings(problem, options, store) for problem in problems]),
        ]

    def search(self, problem: str, options: Options) -> Study:
        """All candidates on the folds of the training part."""
        rounds = 10 if options.quick else N_ESTIMATORS
        candidates = [
            {**one, "n_hidden": units, "n_estimators": rounds}
            for units in (HIDDEN[1:2] if options.quick else HIDDEN)
            for one in GRID
        ]
        # small training parts have their folds drawn twice
        [part] = _one_part(1).splits(self.load(problem))
        repeats = 1 if options.quick or len(part.train) > 250 else 2
        return self._study(problem, candidates, InnerFolds(_one_part(1), 5, repeats))

    def choices(self, problem: str, options: Options, store: Store) -> dict[str, str]:
        """The design of each family with the smallest error on the folds."""
        errors = results_of(self.search(problem, options), store).errors
        found = {}
        for family, belongs in FAMILIES.items():
            own: Errors = {setting: runs for setting, runs in errors.items() if belongs(json.loads(setting))}
            if own:
                found[family] = best_setting(own, _preference)
        return found

    def trainings(self, problem: str, options: Options, store: Store) -> Study:
        """The chosen designs, each trained as often as there are runs."""
        settings = [json.loads(one) for one in dict.fromkeys(self.choices(problem, options, store).values())]
        return self._study(problem, settings, _one_part(options.runs))

    def lines(self, options: Options, store: Store) -> list[Line]:
        lines = super().lines(options, store)
        return [*lines, *_rank_lines(lines)]

    def problem_lines(self, problem: str, options: Options, store: Store) -> Iterator[Line]:
        choices = self.choices(problem, options, store)
        errors = results_of(self.trainings(problem, options, store), store).errors
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
            f"chose; p: Wilcoxon rank-sum test of the trainings against {REFERENCE}. A reduced search: H of "
            f"{', '.join(map(str, HIDDEN))}; α and β in steps of 0.2, λ of 0.1; DWK-RA with 5 neighbours, share 0.5, "
            "and λ in steps of 0.25; 5 folds, drawn once, or twice for up to 250 rows (in the paper 20 times); "
            f"T = {N_ESTIMATORS}. Mean rank: 1 is best; its p is a Wilcoxon signed-rank test of the mean errors over "
            "the problems, stand-ins left out."
        )

    def _study(self, problem: str, settings: Sequence[Setting], protocol: SplitProtocol) -> Study:
        return self.make_study(problem, Method("boosted MLP", build, settings, together=TOGETHER), protocol)


def _one_part(runs: int) -> PredefinedOrPartitions:
    """One training part for all runs, as in the paper."""
    return PredefinedOrPartitions(runs, n_partitions=1)


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

    def caption(self, options: Options) -> str:
        times = count(_repeats(options), "time")
        return (
            f"Test error in %, mean (std) over {FOLDS} folds, drawn {times}; T = {N_ESTIMATORS}; no "
            f"parameter was chosen. p: Wilcoxon signed-rank test over the folds against RA ({OVERLAP})."
        )


def _repeats(options: Options) -> int:
    """`runs` is 50 by default: ten times five folds."""
    return max(1, options.runs // FOLDS)


MODERATION = ModerationTable("001", "001: is moderating the emphasis beneficial?")
CLASSES = ClassesTable("001-K", "001 beyond two classes: boosted MLPs on problems with all their classes")
