"""What an emphasis does, on a problem one can look at: Ripley's two-dimensional mixture, fitted in a second or two.

These charts depend on no store: they are fitted here, with fixed seeds, and are the same on every page.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from emphatic.report.colours import BLUE, GREY, ORANGE, fade
from emphatic.report.figures import place_legend
from emphatic.report.grid import Grid
from emphatic.report.page import Chart, Section

LAMBDAS = (0.2, 0.5, 0.8)
ROUNDS = (1, 5, 20, 50)
SHOWN_LAMBDA = 0.5
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
_STEPS = 60  # of the map of the plane, along a side


def emphasis_section() -> Section:
    """Weights over rounds, and boundaries with the samples drawn by their weights."""
    X, y = _training_part()
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
    pairs = [(bands[0], bands[-1], 0.18, "5% to 95%"), (bands[1], bands[-2], 0.4, "25% to 75%")]
    traces = [_band(rounds, low, high, opacity, text) for low, high, opacity, text in pairs]
    traces.append({**_curve(rounds, bands[2], "median"), "line": {"color": BLUE, "width": 2}})
    traces.append(
        {**_curve(rounds, relative.max(axis=1), "largest"), "line": {"color": ORANGE, "width": 2, "dash": "dot"}}
    )
    layout = {
        "xaxis": {"title": {"text": "round"}},
        "yaxis": {"title": {"text": "weight"}, "type": "log", "range": [-3, 2], "dtick": 1},
        **place_legend(traces, 360),
    }
    columns = ("Round", *(f"{100 * share:g}%" for share in QUANTILES), "largest")
    rows = [[t, *bands[:, t - 1].tolist(), float(relative[t - 1].max())] for t in rounds]
    what = {0.5: "Real AdaBoost: error and boundary alike"}.get(
        lam, "near the boundary" if lam < 0.5 else "large errors"
    )
    caption = f"λ = {lam:g} ({what}). Logarithmic: each step of the grid is ten times the weight."
    data = Grid(columns, rows, right=frozenset(columns))
    return Chart(
        f"weights-{round(100 * lam)}",
        f"Weights over rounds, λ = {lam:g}",
        caption,
        {"data": traces, "layout": layout},
        data,
        small=True,
    )


def boundary_chart(ensemble: Any, X: np.ndarray, y: np.ndarray, rounds: int) -> Chart:
    """The boundary after some rounds, and the samples as large as their weights in the last of these."""
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
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": f"class {label}",
                "x": X[own, 0].round(3).tolist(),
                "y": X[own, 1].round(3).tolist(),
                "customdata": weights[own].round(3).tolist(),
                "hovertemplate": "weight %{customdata:.2f}<extra></extra>",
                "marker": {
                    "color": fade(colour, 0.6),
                    "symbol": symbol,
                    "size": (3 + 5 * np.sqrt(weights[own])).clip(3, 32).round(1).tolist(),
                    "line": {"color": colour, "width": 1},
                },
            }
        )
    error = 100 * float(np.mean(predicted != y))
    heaviest = np.argsort(-weights)[:20]
    rows: list[list[Any]] = [[*map(float, X[i]), str(y[i]), float(weights[i])] for i in heaviest]
    columns = ("x1", "x2", "Class", "Weight")
    data = Grid(columns, rows, "The twenty heaviest samples.", frozenset(["x1", "x2", "Weight"]))
    layout = {
        "xaxis": {"title": {"text": "x1"}, "zeroline": False},
        "yaxis": {"title": {"text": "x2"}, "zeroline": False},
        **place_legend(traces, 360),
    }
    unit = "round" if rounds == 1 else "rounds"
    caption = f"λ = {SHOWN_LAMBDA:g}; training error {error:.1f}%. The larger a sample, the more weight it had."
    return Chart(
        f"boundary-{rounds}",
        f"Boundary after {rounds} {unit}",
        caption,
        {"data": traces, "layout": layout},
        data,
        small=True,
    )


def _training_part() -> tuple[np.ndarray, np.ndarray]:
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
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [*x, *reversed(x)],
        "y": [*low.tolist(), *reversed(high.tolist())],
        "fill": "toself",
        "fillcolor": fade(BLUE, opacity),
        "line": {"width": 0},
        "hoverinfo": "skip",
        "name": text,
    }


def _curve(x: list[int], y: np.ndarray, text: str) -> dict[str, Any]:
    return {"type": "scatter", "mode": "lines", "x": x, "y": y.tolist(), "name": text}
