"""How much Abalone's error depends on the partition: a support vector machine on the 50 partitions of the tables.

The paper prints 20.0% with a standard deviation of 0.2. The reference shows where that lies among partitions of the
printed sizes, for a classifier that has nothing to do with boosting.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from emphatic.papers.claims import Claim
from emphatic.papers.figures.plotly import axis, make_figure
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p000.judging import Verdict, judge
from emphatic.papers.p000.rows import METRIC, MORE_PARTITIONS, PAPER, REAL_ADABOOST, make_protocol
from emphatic.papers.published import lookup
from emphatic.papers.table import PublishedTable, setting_percent
from emphatic.report.colours import BLUE
from emphatic.report.page import Chart, Section
from emphatic.study import Method, Store, Study
from emphatic.study.tasks import Setting

SVC_SETTING = {"C": 10.0, "gamma": 0.1}
FIRST = 10
"""Partitions of the tables at ten runs."""


def build_svc(setting: Setting, random_state: int) -> Any:
    """The reference; it draws nothing at random."""
    from sklearn.svm import SVC

    return SVC(**setting)


@dataclass(frozen=True)
class PartitionTable(PublishedTable):
    """The reference on all partitions, whatever the number of runs: it takes seconds."""

    paper = PAPER
    all_problems = ("abalone",)

    def problem_studies(self, problem: str, options: Options) -> Sequence[Study]:
        method = Method("SVC", build_svc, [SVC_SETTING])
        return [self.make_study(problem, method, make_protocol(problem, MORE_PARTITIONS[problem]))]

    def problem_lines(self, problem: str, options: Options, store: Store) -> list[Line]:
        values = self._values(problem, options, store)
        published = read_published()
        note = (
            f"the printed {published:.2f} is at percentile {find_percentile(values, published):.0f}" if values else ""
        )
        return [
            Line(problem, f"all {MORE_PARTITIONS[problem]} partitions", "SVC", values, note=note),
            Line(problem, f"first {FIRST} partitions", "SVC", values[:FIRST]),
        ]

    def sections(self, options: Options, store: Store) -> list[Section]:
        values = sorted(self._values("abalone", options, store))
        if not values:
            return []
        bars = {
            "type": "bar",
            "x": list(range(1, len(values) + 1)),
            "y": values,
            "marker": {"color": BLUE},
            "name": "SVC",
        }
        low = np.floor(values[0]) - 1
        figure = make_figure(
            [bars], 320, axis("partition, sorted"), axis("test error in %", range=[low, values[-1] + 0.5])
        )
        caption = (
            f"Each bar is one random partition of the printed sizes. The paper prints {read_published():.2f} for RA."
        )
        chart = Chart("000-abalone-partitions", "Abalone: error of an SVC on 50 partitions", caption, figure)
        return [Section("abalone-partitions", "Abalone depends on the partition", charts=[chart])]

    def claims(self, options: Options, store: Store) -> Sequence[Claim]:
        values = self._values("abalone", options, store)
        text = (
            "Errors on Abalone have a standard deviation of 0.2 over random partitions (at most twice that, for a "
            "reference classifier)."
        )
        return [judge("Table II", text, bool(values), _compare_spread, values)]

    def _values(self, problem: str, options: Options, store: Store) -> list[float]:
        return setting_percent(self.problem_errors(problem, options, store), SVC_SETTING)

    def caption(self, options: Options) -> str:
        return (
            "Test error in %, mean (std over partitions) of scikit-learn's SVC with "
            + ", ".join(f"{name} = {value:g}" for name, value in SVC_SETTING.items())
            + ", inputs as in the tables. Percentile: share of partitions with an error below the printed one."
        )


def read_published() -> float:
    """The printed error of Real AdaBoost with 10% of centres."""
    return lookup(PAPER, "II", "Abalone", REAL_ADABOOST, METRIC, {"K%": "10"})[0]


def find_percentile(values: Sequence[float], published: float) -> float:
    """The share of values below the published one, in percent.

    >>> find_percentile([19.0, 20.0, 21.0, 22.0], 19.5)
    25.0
    """
    return 100 * float(np.mean(np.asarray(values) < published))


def _compare_spread(values: Sequence[float]) -> Verdict:
    mean, std = lookup(PAPER, "II", "Abalone", REAL_ADABOOST, METRIC, {"K%": "10"})
    spread = float(np.std(values, ddof=1))
    place = f"{mean:.2f} is at percentile {find_percentile(values, mean):.0f}"
    evidence = f"SVC {np.mean(values):.2f} ({spread:.2f}) over {len(values)} partitions, printed {std:.2f}; {place}"
    return spread <= 2 * (std or 0.0), evidence


ABALONE = PartitionTable("000-abalone", "000, Abalone: how much the error depends on the partition")
