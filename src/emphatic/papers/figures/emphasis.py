"""What an emphasis does, on a problem that can be plotted: Ripley's two-dimensional mixture.

These charts need no store: the ensembles are fitted here in a second or two, with fixed seeds, the same on every page.
"""

from typing import Any

import numpy as np

from emphatic.papers.figures.plotly import axis, make_figure, scatter
from emphatic.report.colours import BLUE, GREY, ORANGE, fade
from emphatic.report.grid import Grid
from emphatic.report.page import Chart, Section

LAMBDAS = (0.2, 0.5, 0.8)
ROUNDS = (1, 5, 20, 50)
SHOWN_LAMBDA = 0.5
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
_STEPS = 60  # of the map of the plane, along a side


def emphasis_section() -> Section:
    """Weights over rounds, and boundaries with samples as large as their weights."""
    X, y = _load_training_part()
    fitted = {lam: _fit(X, y, lam) for lam in LAMBDAS}
    text = (
        "The 250 training samples of Ripley's problem, boosted RBF networks with a tenth of the samples as centres, "
        f"{ROUNDS[-1]} rounds. A weight of 1 is that of a sample without emphasis.",
    )
    charts = [weight_chart(ensemble.sample_weights_, lam) for lam, ensemble in fitted.items()]
    charts += [boundary_chart(fitted[SHOWN_LAMBDA], X, y, rounds) for rounds in ROUNDS]
    return Section("emphasis", "What an emphasis does", text, charts=charts)


def weight_chart(weights: np.ndarray, lam: float) -> Chart:
    """Quantiles of the weights, round by round; `weights` is (rounds, n), each round sums to 1."""
    relative = weights * weights.shape[1]
    bands = np.quantile(relative, QUANTILES, axis=1)
    rounds = list(range(1, len(weights) + 1))
    traces = [
        _band(rounds, bands[0], bands[-1], 0.18, "5% to 95%"),
        _band(rounds, bands[1], bands[-2], 0.4, "25% to 75%"),
        scatter("median", rounds, bands[2].tolist(), line={"color": BLUE, "width": 2}),
        scatter("largest", rounds, relative.max(axis=1).tolist(), line={"color": ORANGE, "width": 2, "dash": "dot"}),
    ]
    figure = make_figure(traces, 360, axis("round"), axis("weight", type="log", range=[-3, 2], dtick=1))
    columns = ("Round", *(f"{100 * share:g}%" for share in QUANTILES), "largest")
    rows = [[t, *bands[:, t - 1].tolist(), float(relative[t - 1].max())] for t in rounds]
    if lam == 0.5:
        what = "Real AdaBoost: error and closeness to the boundary alike"
    else:
        what = "samples near the boundary" if lam < 0.5 else "samples with large errors"
    caption = f"λ = {lam:g} ({what}). Logarithmic: each step of the grid is ten times the weight."
    data = Grid(columns, rows, right=frozenset(columns))
    title = f"Weights over rounds, λ = {lam:g}"
    return Chart(f"weights-{round(100 * lam)}", title, caption, figure, data, small=True)


def boundary_chart(ensemble: Any, X: np.ndarray, y: np.ndarray, rounds: int) -> Chart:
    """The boundary after some rounds, with samples as large as their weights in the last of these."""
    weights = ensemble.sample_weights_[rounds - 1] * len(y)
    low, high = X.min(axis=0) - 0.1, X.max(axis=0) + 0.1
    x1, x2 = (np.linspace(low[j], high[j], _STEPS) for j in (0, 1))
    plane = np.stack([side.ravel() for side in np.meshgrid(x1, x2)], axis=1)
    *_, decision = (values for _, values in zip(range(rounds), ensemble.staged_decision_function(plane), strict=False))
    *_, predicted = (values for _, values in zip(range(rounds), ensemble.staged_predict(X), strict=False))
    sides = np.tanh(decision).reshape(_STEPS, _STEPS).round(2)
    traces: list[dict[str, Any]] = [
        {
            "type": "contour",
            "x": x1.round(3).tolist(),
            "y": x2.round(3).tolist(),
            "z": sides.tolist(),
            "contours": {"start": 0, "end": 0, "size": 1, "coloring": "none"},
            "line": {"width": 3, "color": GREY},
            "showscale": False,
            "showlegend": True,
            "hoverinfo": "skip",
            "name": "boundary",
        }
    ]
    for label, colour, symbol in zip(ensemble.classes_, (BLUE, ORANGE), ("circle", "diamond")):
        own = y == label
        sizes = (3 + 5 * np.sqrt(weights[own])).clip(3, 32).round(1).tolist()
        marker = {"color": fade(colour, 0.6), "symbol": symbol, "size": sizes, "line": {"color": colour, "width": 1}}
        traces.append(
            scatter(
                f"class {label}",
                X[own, 0].round(3).tolist(),
                X[own, 1].round(3).tolist(),
                "markers",
                customdata=weights[own].round(3).tolist(),
                hovertemplate="weight %{customdata:.2f}<extra></extra>",
                marker=marker,
            )
        )
    figure = make_figure(traces, 360, axis("x1", zeroline=False), axis("x2", zeroline=False))
    rows: list[list[Any]] = [[*map(float, X[i]), str(y[i]), float(weights[i])] for i in np.argsort(-weights)[:20]]
    columns = ("x1", "x2", "Class", "Weight")
    data = Grid(columns, rows, "The twenty heaviest samples.", frozenset(["x1", "x2", "Weight"]))
    error = 100 * float(np.mean(predicted != y))
    caption = f"λ = {SHOWN_LAMBDA:g}; training error {error:.1f}%. The larger a sample, the more weight it had."
    title = f"Boundary after {rounds} round{'s' if rounds > 1 else ''}"
    return Chart(f"boundary-{rounds}", title, caption, figure, data, small=True)


def _load_training_part() -> tuple[np.ndarray, np.ndarray]:
    from emphatic.datasets import load

    ripley = load("ripley")
    return np.asarray(ripley.X, dtype=float)[ripley.train], np.asarray(ripley.y)[ripley.train]


def _fit(X: np.ndarray, y: np.ndarray, lam: float) -> Any:
    from emphatic import RBFNetworkClassifier, RealAdaBoostClassifier
    from emphatic.emphasis import Mixed
    from emphatic.learners import SampledCentres

    network = RBFNetworkClassifier(SampledCentres(0.1))
    return RealAdaBoostClassifier(network, Mixed(lam), ROUNDS[-1], keep_weights=True, random_state=0).fit(X, y)


def _band(x: list[int], low: np.ndarray, high: np.ndarray, opacity: float, text: str) -> dict[str, Any]:
    x, y = [*x, *reversed(x)], [*low.tolist(), *reversed(high.tolist())]
    return scatter(text, x, y, fill="toself", fillcolor=fade(BLUE, opacity), line={"width": 0}, hoverinfo="skip")
