"""A figure of a model: its members, the columns that matter, and how its predictions compare with the labels."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from emphatic.auto.searching.blend import Blend
from emphatic.check import FloatArray, IntArray
from emphatic.importance import Importances
from emphatic.metrics import bin_probabilities
from emphatic.wording import as_one_line

BLUE, ORANGE, GREY = "#0067a8", "#c04c00", "#5b6576"

MOST_COLUMNS, MOST_LABELLED = 15, 15
"""Columns that are shown, and classes up to which a confusion matrix has numbers in its cells."""

LONGEST = 32
"""Characters of a name."""


@dataclass(frozen=True, eq=False)
class Picture:
    """What the figure shows; of a model from a file, labels and probabilities out of fold are not known."""

    blend: Blend
    importances: Importances
    classes: Sequence[Any]
    codes: IntArray | None = None
    predicted: IntArray | None = None
    probabilities: FloatArray | None = None


def make_figure(description: dict[str, Any]) -> Any:
    """The figure of plotly that a nested dict describes."""
    try:
        from plotly import graph_objects
    except ImportError as error:
        raise ImportError('plot() needs the package plotly: pip install "emphatic[plot]"') from error
    return graph_objects.Figure(description)


def describe_figure(picture: Picture) -> dict[str, Any]:
    """Members and columns above; calibration and confusion below, where they are known."""
    blend, known = picture.blend, picture.codes is not None
    above = [0.62, 1.0] if known else [0.0, 1.0]
    title = f"EmphaticClassifier: log loss {blend.loss:.4f}, error {100 * blend.error:.1f}% out of fold"
    data = [_draw_members(blend), _draw_columns(picture.importances)]
    layout: dict[str, Any] = {
        "template": "plotly_white",
        "title": {"text": title},
        "showlegend": False,
        "height": 800 if known else 450,
        "margin": {"l": 220},
        "xaxis": {"domain": [0.0, 0.38], "anchor": "y", "title": {"text": "weight"}, "tickformat": ".0%"},
        "yaxis": {"domain": above, "anchor": "x", "autorange": "reversed", "title": {"text": ""}},
        "xaxis2": {"domain": [0.62, 1.0], "anchor": "y2", "title": {"text": "increase of the log loss"}},
        "yaxis2": {"domain": above, "anchor": "x2", "autorange": "reversed"},
    }
    for number, trace in ((1, data[0]), (2, data[1])):
        axis = layout["yaxis" if number == 1 else "yaxis2"]
        axis |= {"tickvals": trace["y"], "ticktext": trace.pop("names")}
    if known:
        data += [*_draw_calibration(picture), _draw_confusion(picture)]
        labels = [_cut(str(label)) for label in picture.classes]
        ticks = {"tickvals": list(range(len(labels))), "ticktext": labels} if len(labels) <= MOST_LABELLED else {}
        layout |= {
            "xaxis3": {
                "domain": [0.0, 0.38],
                "anchor": "y3",
                "range": [0, 1],
                "title": {"text": "probability of the most probable class"},
            },
            "yaxis3": {"domain": [0.0, 0.42], "anchor": "x3", "range": [0, 1], "title": {"text": "share right"}},
            "xaxis4": {"domain": [0.62, 1.0], "anchor": "y4", "title": {"text": "predicted"}, **ticks},
            "yaxis4": {
                "domain": [0.0, 0.42],
                "anchor": "x4",
                "autorange": "reversed",
                "title": {"text": "label"},
                **ticks,
            },
        }
    return {"data": data, "layout": layout}


def _draw_members(blend: Blend) -> dict[str, Any]:
    members = blend.members
    return {
        "type": "bar",
        "orientation": "h",
        "y": list(range(len(members))),
        "x": [one.weight for one in members],
        "names": [_cut(str(one)) for one in members],
        "text": [f"loss {one.loss:.3f}" for one in members],
        "hovertext": [html.escape(f"{one}: log loss {one.loss:.4f}, error {100 * one.error:.1f}%") for one in members],
        "hoverinfo": "text",
        "marker": {"color": BLUE},
    }


def _draw_columns(found: Importances) -> dict[str, Any]:
    order = found.order[:MOST_COLUMNS]
    return {
        "type": "bar",
        "orientation": "h",
        "y": list(range(len(order))),
        "x": found.values[order].tolist(),
        "names": [_cut(found.names[place]) for place in order],
        "error_x": {"type": "data", "array": found.spreads[order].tolist(), "color": GREY},
        "hovertext": [html.escape(as_one_line(found.names[place])) for place in order],
        "hoverinfo": "text+x",
        "marker": {"color": ORANGE},
        "xaxis": "x2",
        "yaxis": "y2",
    }


def _draw_calibration(picture: Picture) -> list[dict[str, Any]]:
    assert picture.probabilities is not None
    right = picture.probabilities.argmax(axis=1) == picture.codes
    means, shares, counts = bin_probabilities(picture.probabilities.max(axis=1), right)
    axes = {"xaxis": "x3", "yaxis": "y3"}
    diagonal = {"type": "scatter", "mode": "lines", "x": [0, 1], "y": [0, 1], "line": {"color": GREY, "dash": "dot"}}
    points = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": means.tolist(),
        "y": shares.tolist(),
        "hovertext": [f"{count:,} rows" for count in counts.tolist()],
        "hoverinfo": "text+x+y",
        "marker": {"color": BLUE},
    }
    return [{**diagonal, "hoverinfo": "skip", **axes}, {**points, **axes}]


def _draw_confusion(picture: Picture) -> dict[str, Any]:
    n_classes = len(picture.classes)
    assert picture.codes is not None and picture.predicted is not None
    cells = np.bincount(picture.codes * n_classes + picture.predicted, minlength=n_classes**2)
    counts = cells.reshape(n_classes, n_classes)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return {
        "type": "heatmap",
        "x": list(range(n_classes)),
        "y": list(range(n_classes)),
        "z": shares.tolist(),
        "text": counts.tolist(),
        "texttemplate": "%{text}" if n_classes <= MOST_LABELLED else "",
        "hovertemplate": "%{y} predicted as %{x}: %{text} rows<extra></extra>",
        "colorscale": [[0.0, "#f3f4f7"], [1.0, BLUE]],
        "zmin": 0.0,
        "zmax": 1.0,
        "showscale": False,
        "xaxis": "x4",
        "yaxis": "y4",
    }


def _cut(name: str) -> str:
    line = as_one_line(name)
    return html.escape(line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…")
