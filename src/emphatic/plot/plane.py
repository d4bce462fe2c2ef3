"""The decision regions of an ensemble of two inputs, round after round, with the samples as large as their weights."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from emphatic.boosting.additive import AdditiveEnsemble
from emphatic.check import FloatArray, IntArray
from emphatic.margins import labels
from emphatic.plot.figure import make_figure
from emphatic.plot.fitted import check_ensemble, encode_known, staged_outputs
from emphatic.plot.inputs import check_points, like, name_inputs, spread
from emphatic.plot.slider import choose_rounds, make_slider
from emphatic.report.colours import SERIES, fade
from emphatic.report.figures import escape_label
from emphatic.wording import as_one_line, count

RESOLUTION = 120
"""Steps of the picture, along each side."""

SYMBOLS = ("circle", "diamond", "square", "triangle-up", "x", "star", "triangle-down", "cross")
"""Classes differ by colour and by symbol."""


def boundary(model: Any, X: Any, y: ArrayLike, round: int | None = None) -> Any:
    """Draw which class an ensemble predicts where, in the plane of its two inputs: a plotly Figure.

    Points are the rows of `X`. If the ensemble was fitted to them with `keep_weights=True`, they are as large as
    their weights in the round that is shown; otherwise all are equal, and the line below the title says so.

    Parameters
    ----------
    model : fitted RealAdaBoostClassifier, FuzzyBoostClassifier or other AdditiveEnsemble of two inputs
    X, y : table (n, 2) of numbers, and the labels of its rows
        The training rows, or others.
    round : int from 1 to the number of rounds, default=None
        The ensemble of this many rounds; None: a slider over at most 20 rounds, from the first to the last, which is
        shown first.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from emphatic import RealAdaBoostClassifier, plot
    >>> X, y = make_moons(200, noise=0.2, random_state=0)
    >>> model = RealAdaBoostClassifier(n_estimators=5, keep_weights=True, random_state=0).fit(X, y)
    >>> figure = plot.boundary(model, X, y)
    >>> [step.label for step in figure.layout.sliders[0].steps]
    ['1', '2', '3', '4', '5']
    >>> len(plot.boundary(model, X, y, round=3).layout.sliders)
    0
    """
    ensemble = check_ensemble(model)
    chosen = choose_rounds(len(ensemble.alphas_), round)
    if ensemble.n_features_in_ != 2:
        inputs = count(ensemble.n_features_in_, "input")
        raise ValueError(f"model was trained on {inputs}: only an ensemble of exactly 2 inputs can be drawn.")
    codes = encode_known(ensemble, y)
    predicted = _labels_at(chosen, staged_outputs(ensemble, X, codes))
    points = check_points(X)
    sides = [spread(column, RESOLUTION) for column in points.T]
    plane = np.stack([side.ravel() for side in np.meshgrid(*sides)], axis=1)
    regions = [one.reshape(RESOLUTION, -1) for one in _labels_at(chosen, ensemble.staged_output(like(X, plane)))]
    weights, caption = _weigh(ensemble, len(points))
    frames: list[dict[str, Any]] = [
        {
            "name": str(number),
            "data": [_draw_regions(ensemble, region), *_size_points(ensemble, weights[number - 1], codes)],
            "layout": {"title": _title(number, float(np.mean(found != codes)), caption)},
        }
        for number, found, region in zip(chosen, predicted, regions, strict=True)
    ]
    places = [dict(zip("xy", sides)), *({"x": own[:, 0], "y": own[:, 1]} for own in _split(points, codes, ensemble))]
    shown = [{**place, **trace} for place, trace in zip(places, frames[-1]["data"], strict=True)]
    axes = [{"title": {"text": name}, "zeroline": False, "showgrid": False} for name in name_inputs(ensemble, X)]
    layout = {
        "template": "plotly_white",
        "height": 600,
        "margin": {"t": 100},
        "legend": {"title": {"text": "class"}, "itemsizing": "constant"},
        "xaxis": axes[0],
        "yaxis": axes[1],
        **frames[-1]["layout"],
    }
    if round is not None:
        return make_figure({"data": shown, "layout": layout})
    return make_figure({"data": shown, "layout": {**layout, "sliders": [make_slider(chosen)]}, "frames": frames})


def _labels_at(chosen: Sequence[int], outputs: Iterable[FloatArray]) -> list[IntArray]:
    """Codes of the predicted classes after the chosen rounds; what comes after the last of them is not computed."""
    found = []
    for number, output in zip(range(1, chosen[-1] + 1), outputs):
        if number in chosen:
            found.append(labels(output))
    return found


def _weigh(model: AdditiveEnsemble, n: int) -> tuple[FloatArray, str]:
    """(rounds, n): weights of the points, 1 on average, and what is to be said about them."""
    kept = getattr(model, "sample_weights_", None)
    if kept is not None and kept.shape[1] == n:
        return kept * n, "Points are as large as their weights in this round."
    if kept is None:
        reason = "the model was fitted without keep_weights=True"
    else:
        reason = f"the model kept the weights of {count(kept.shape[1], 'row')}, and X has {n:,}"
    return np.ones((len(model.alphas_), n)), f"All points are equally large: {reason}."


def _draw_regions(model: AdditiveEnsemble, codes: IntArray) -> dict[str, Any]:
    n_classes = len(model.classes_)
    bands = [(place, fade(SERIES[place % len(SERIES)], 0.25)) for place in range(n_classes)]
    colours = [[(place + end) / n_classes, colour] for place, colour in bands for end in (0, 1)]
    quiet = {"type": "heatmap", "showscale": False, "hoverinfo": "skip"}
    return {**quiet, "z": codes.astype(np.int16), "zmin": -0.5, "zmax": n_classes - 0.5, "colorscale": colours}


def _size_points(model: AdditiveEnsemble, weights: FloatArray, codes: IntArray) -> list[dict[str, Any]]:
    """The points of each class, without their places, which are the same in all rounds."""
    return [
        {
            "type": "scatter",
            "mode": "markers",
            "name": escape_label(as_one_line(str(label))),
            "customdata": own,
            "hovertemplate": "(%{x:.4g}, %{y:.4g}), weight %{customdata:.3g} of the mean",
            "marker": {
                "size": (3.0 + 5.0 * np.sqrt(own)).clip(
                    3.0, 32.0
                ),  # an area that follows the weight, and stays visible
                "symbol": SYMBOLS[place % len(SYMBOLS)],
                "color": fade(SERIES[place % len(SERIES)], 0.6),
                "line": {"color": SERIES[place % len(SERIES)], "width": 1},
            },
        }
        for place, (label, own) in enumerate(zip(model.classes_.tolist(), _split(weights, codes, model), strict=True))
    ]


def _split(values: FloatArray, codes: IntArray, model: AdditiveEnsemble) -> list[FloatArray]:
    """The values of each class."""
    return [values[codes == place] for place in range(len(model.classes_))]


def _title(number: int, error: float, caption: str) -> dict[str, Any]:
    return {"text": f"After round {number}: error {100 * error:.1f}% of these rows", "subtitle": {"text": caption}}
