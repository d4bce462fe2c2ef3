"""What happened in the rounds of a fit: edges, votes, effective sample sizes, margins and errors."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from emphatic.boosting.additive import AdditiveEnsemble
from emphatic.check import FloatArray
from emphatic.margins import labels, margins
from emphatic.plot.figure import make_figure
from emphatic.plot.fitted import check_ensemble, encode_known, staged_outputs
from emphatic.report.colours import BLUE, GREY, ORANGE
from emphatic.wording import count

RECORDED = {"edges_": "edge", "alphas_": "vote", "effective_sample_sizes_": "effective<br>sample size"}
"""Attributes of an ensemble with a number per round, and what they are called."""

QUANTILES = {"smallest margin": (0.0, "dot"), "a tenth is below": (0.1, "dash"), "median margin": (0.5, "solid")}
"""Shares of the margins that lie below a curve, each with its dash."""

PANEL, GAP, AROUND = 135, 35, 180
"""Heights in pixels: of a panel, between panels, and of title and axis together."""


def rounds(
    model: Any, X: Any = None, y: ArrayLike | None = None, X_test: Any = None, y_test: ArrayLike | None = None
) -> Any:
    """Draw what a fitted ensemble recorded about its rounds, and how margins and errors developed: a plotly Figure.

    One panel each, above each other: the edges of the learners, their votes, and the effective sample sizes, 1 / sum
    D^2. With rows also the margins of the ensemble so far over the sum of its votes, in [-1, 1] (the smallest, that
    below which a tenth lies, and the median), and its errors.

    Parameters
    ----------
    model : fitted RealAdaBoostClassifier, FuzzyBoostClassifier or other AdditiveEnsemble
    X, y : table and labels, default=None
        The training rows. Both or neither.
    X_test, y_test : table and labels, default=None
        Rows that the model was not trained on. Both or neither.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from emphatic import RealAdaBoostClassifier, plot
    >>> X, y = make_moons(200, noise=0.2, random_state=0)
    >>> stump = DecisionTreeClassifier(max_depth=1)
    >>> model = RealAdaBoostClassifier(stump, n_estimators=10, random_state=0).fit(X[:100], y[:100])
    >>> [curve.name for curve in plot.rounds(model).data]
    ['edge', 'vote', 'effective sample size']
    >>> len(plot.rounds(model, X[:100], y[:100], X[100:], y[100:]).data)
    11
    """
    ensemble = check_ensemble(model)
    courses = []
    for kind, colour, names, table, given in (
        ("training", BLUE, "X y", X, y),
        ("test", ORANGE, "X_test y_test", X_test, y_test),
    ):
        if (table is None) != (given is None):
            raise ValueError(f"Only one of {names.replace(' ', ' and ')} is given: both are needed, or neither.")
        if given is not None:
            courses.append(follow(ensemble, table, given, kind=kind, colour=colour, names=names))
    panels = {
        title: [_trace(getattr(ensemble, name), title.replace("<br>", " "), GREY, showlegend=False)]
        for name, title in RECORDED.items()
        if hasattr(ensemble, name)
    }
    if courses:
        panels["margin over<br>sum of votes"] = [trace for one in courses for trace in one.draw_margins()]
        panels["error"] = [one.draw_errors() for one in courses]
    name, n_rounds = type(model).__name__, count(len(ensemble.alphas_), "round")
    return make_figure(stack(panels, f"{name}, {n_rounds}"))


@dataclass(frozen=True, eq=False)
class Course:
    """How the margins (quantiles, rounds) and the error (rounds,) of some rows developed."""

    kind: str
    colour: str
    quantiles: FloatArray
    errors: FloatArray

    def draw_margins(self) -> list[dict[str, Any]]:
        return [
            _trace(values, f"{self.kind}: {name}", self.colour, dash)
            for values, (name, (_, dash)) in zip(self.quantiles, QUANTILES.items(), strict=True)
        ]

    def draw_errors(self) -> dict[str, Any]:
        return _trace(self.errors, f"{self.kind}: error", self.colour)


def follow(model: AdditiveEnsemble, X: Any, y: ArrayLike, *, kind: str, colour: str, names: str) -> Course:
    """Margins and errors of these rows after each round."""
    codes = encode_known(model, y, names.split()[1])
    shares = [share for share, _ in QUANTILES.values()]
    quantiles, errors = [], []
    for output in staged_outputs(model, X, codes, names):
        quantiles.append(np.quantile(margins(output, codes), shares))
        errors.append(np.mean(labels(output) != codes))
    return Course(kind, colour, np.array(quantiles).T, np.array(errors))


def _trace(values: FloatArray, name: str, colour: str, dash: str = "solid", **more: Any) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines" if len(values) > 1 else "markers",  # a single round is no line
        "name": name,
        "x": list(range(1, len(values) + 1)),
        "y": values.tolist(),
        "line": {"color": colour, "dash": dash, "width": 2},
        "marker": {"color": colour},
        "hovertemplate": "round %{x}: %{y:.4g}",
        **more,
    }


def stack(panels: dict[str, list[dict[str, Any]]], title: str) -> dict[str, Any]:
    """Panels above each other, the first on top, on one axis of rounds; the legend is beside the margins."""
    height = PANEL * len(panels) + GAP * (len(panels) - 1)
    layout: dict[str, Any] = {
        "template": "plotly_white",
        "title": {"text": title},
        "height": height + AROUND,
        "xaxis": {"title": {"text": "round"}, "anchor": f"y{len(panels)}", "rangemode": "tozero"},
    }
    traces = []
    for number, (name, drawn) in enumerate(panels.items(), start=1):
        top = 1.0 - (number - 1) * (PANEL + GAP) / height
        low = max(top - PANEL / height, 0.0)  # rounding must not leave the figure
        layout[f"yaxis{number}"] = {"domain": [low, top], "title": {"text": name}, "rangemode": "tozero"}
        traces += [{**trace, "xaxis": "x", "yaxis": f"y{number}"} for trace in drawn]
        if "legend" not in layout and any(trace.get("showlegend", True) for trace in drawn):
            layout["legend"] = {"y": top, "yanchor": "top"}
    return {"data": traces, "layout": layout}
