"""Figure 1 of paper 000, redrawn: the test error round by round for three lambdas, on Ionosphere and Ripley.

The figure itself is that of Ionosphere; its caption does not say with how many centres, but λ = 0.2 is the best of
Table II with 2% of them. Ripley is added because Real AdaBoost overfits there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from emphatic.papers.claims import Claim
from emphatic.papers.figures.candidates import Candidate, read_candidates
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p000.convergence import SHOWN, Key, early, judge_curves, rise
from emphatic.papers.p000.figures import draw_curves
from emphatic.papers.p000.outcome import EARLY
from emphatic.papers.p000.rows import METRIC, PAPER, REAL_ADABOOST, Row
from emphatic.papers.p000.table import EmphasisTable
from emphatic.papers.published import lookup
from emphatic.report.page import Section
from emphatic.study import Method, Store
from emphatic.study.fit import choose_rounds, score
from emphatic.study.tasks import Setting

PROBLEMS = ("ionosphere", "ripley")
POINTS = 40
"""About as many rounds are kept of each run."""


def measure_curve(estimator: Any, X: Any, y: np.ndarray) -> dict[str, Any]:
    """The usual measures, with more rounds in the curve."""
    errors = [float(np.mean(predicted != y)) for predicted in estimator.staged_predict(X)]
    return {**score(estimator, X, y), "curve": [[t, errors[t - 1]] for t in choose_rounds(len(errors), POINTS)]}


@dataclass(frozen=True)
class CurveTable(EmphasisTable):
    """Rows of Table II, with the error at many rounds."""

    def make_method(self, settings: Sequence[Setting]) -> Method:
        return replace(super().make_method(settings), measure=measure_curve)

    def rows(self, options: Options) -> list[Row]:
        return [] if options.quick else [row for row in super().rows(options) if row.problem in PROBLEMS]

    def lines(self, options: Options, store: Store) -> list[Line]:
        found = self.curves(options, store)
        return [line for row in self.rows(options) for line in _write_lines(row, found)]

    def curves(self, options: Options, store: Store) -> dict[Key, dict[float, Candidate]]:
        """What was measured, by row and lambda; only rows that are finished."""
        rows: dict[Key, dict[float, Candidate]] = {}
        for one in read_candidates(self, options, store):
            if one.curve:
                key = (one.problem, round(100 * one.setting["fraction"]))
                rows.setdefault(key, {})[float(one.setting["lam"])] = one
        return {key: by_lambda for key, by_lambda in rows.items() if set(SHOWN) <= set(by_lambda)}

    def sections(self, options: Options, store: Store) -> list[Section]:
        charts = []
        for (problem, percent), by_lambda in self.curves(options, store).items():
            title = f"Figure 1: test error against rounds, {problem} {percent}%"
            curves = {f"λ={lam:g}": by_lambda[lam].curve for lam in SHOWN}
            caption = "Mean over the runs. The paper's figure is that of Ionosphere. λ = 0.5 is Real AdaBoost."
            charts.append(draw_curves(f"{PAPER}-figure-1-{problem}-{percent}", title, caption, curves))
        return [Section("figure-1", f"Figure 1 of paper {PAPER}, redrawn", charts=charts)] if charts else []

    def claims(self, options: Options, store: Store) -> Sequence[Claim]:
        found = self.curves(options, store)
        return judge_curves({key: {lam: one.curve for lam, one in own.items()} for key, own in found.items()})

    def caption_parts(self, options: Options) -> list[str]:
        extra = f"Notes: mean error after {EARLY} rounds, and how far it rises from its lowest value to the last round."
        return [extra, *(part for part in super().caption_parts(options) if not part.startswith(("Oracle", "p:")))]


def _write_lines(row: Row, found: Mapping[Key, Mapping[float, Candidate]]) -> list[Line]:
    published = lookup(PAPER, "II", row.dataset, REAL_ADABOOST, METRIC, {"K%": str(row.percent)})
    by_lambda = found.get((row.problem, row.percent), {})
    lines = []
    for lam in SHOWN:
        one = by_lambda.get(lam)
        note = "" if one is None else f"after {EARLY} rounds {early(one.curve):.2f}, rise {rise(one.curve):.2f}"
        values = () if one is None else one.errors
        lines.append(Line(row.problem, row.setting, f"λ={lam:g}", values, published if lam == 0.5 else None, note=note))
    return lines


FIGURE_1 = CurveTable(
    "000-figure-1",
    "000, Figure 1: error against rounds",
    "II",
    "emphasised",
    lambdas=SHOWN,
    parts=0,
)
