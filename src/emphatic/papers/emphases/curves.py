"""Curves over the rounds: error, margin and effective sample size, of a few rules with each learner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from emphatic.papers.emphases.outcome import Curve, Outcome
from emphatic.papers.emphases.rules import NONE, REFERENCE, ROUNDS
from emphatic.papers.figures.plotly import axis, make_figure, scatter
from emphatic.report.colours import SERIES
from emphatic.report.page import Chart

SHOWN = (NONE, REFERENCE, "Logistic", "Savage", "Mixed", "Controlled", "Brown")
MEASURES = {
    "curve": ("Error over the rounds", "test error in %", 100.0),
    "margins": ("Margins over the rounds", "median margin", 1.0),
    "effective_shares": ("Effective sample size over the rounds", "effective share in %", 100.0),
}

CAPTION = "Means over the problems. Margins are over the sum of the votes, effective sample sizes over all samples."


def draw_curves(one: Outcome, name: str) -> list[Chart]:
    """Three charts for each learner: means over all fits; an ensemble that ended early stays where it was."""
    charts = []
    for learner in one.learners:
        for measure, (title, label, scale) in MEASURES.items():
            traces: list[dict[str, Any]] = []
            for rule, colour in zip(SHOWN, SERIES, strict=False):
                mean = scale * average_curves(one.curves(learner, rule, measure), ROUNDS)
                traces.append(scatter(rule, list(range(1, ROUNDS + 1)), mean.round(4).tolist(), line={"color": colour}))
            figure = make_figure(traces, 300, axis("round"), axis(label))
            slug = "".join(letter if letter.isalnum() else "-" for letter in f"{name}-{learner}-{measure}")
            charts.append(Chart(slug, f"{title}: {learner}", CAPTION, figure, small=True))
    return charts


def average_curves(curves: Sequence[Curve], n_rounds: int) -> np.ndarray:
    """The mean of curves that are known after some rounds, with straight lines between and the last value after them.

    >>> average_curves([[(1, 0.4), (3, 0.2)], [(1, 0.2)]], 4)
    array([0.3 , 0.25, 0.2 , 0.2 ])
    """
    if not curves:
        return np.full(n_rounds, np.nan)
    rounds = np.arange(1, n_rounds + 1)
    parts = (np.array(curve, dtype=np.float64).T for curve in curves)
    return np.asarray(np.mean([np.interp(rounds, known, values) for known, values in parts], axis=0))
