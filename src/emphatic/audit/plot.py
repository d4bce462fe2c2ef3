"""A figure of an audit: how suspicious the samples are, and which labels are taken for which."""

from __future__ import annotations

from typing import Any

import numpy as np

from emphatic.audit.result import KINDS, AuditResult

COLOURS = {"redundant": "#004488", "borderline": "#ddaa33", "noisy": "#bb5566"}
"""Paul Tol's high-contrast scheme: told apart without colour vision, and in grey."""
SYMBOLS = {"redundant": "circle", "borderline": "diamond", "noisy": "square"}


def draw(result: AuditResult) -> Any:
    """A plotly Figure of two panels: the samples by falling suspicion, and wrong labels expected for each pair.

    The second panel sums the suspicion of the samples by their label and the label suggested instead: as suspicion is
    the probability of a wrong label, a cell is the number of wrong labels to expect there.
    """
    try:
        from plotly import graph_objects
    except ImportError as error:
        raise ImportError('plotting needs the package plotly: pip install "emphatic[study]"') from error
    return graph_objects.Figure(figure(result))


def figure(result: AuditResult) -> dict[str, Any]:
    """What plotly draws, as it takes it."""
    labels = [str(label) for label in result.classes.tolist()]
    axis = {"type": "category", "categoryorder": "array", "categoryarray": labels}
    return {
        "data": [*(_samples(result, kind) for kind in KINDS), _pairs(result, labels)],
        "layout": {
            "template": "plotly_white",
            "title": {"text": f"Label audit: about {result.suspicion.sum():.0f} of {len(result.y)} labels wrong"},
            "xaxis": {"domain": [0.0, 0.56], "title": {"text": "samples, most suspicious first"}},
            "yaxis": {"range": [-0.02, 1.02], "title": {"text": "suspicion"}},
            "xaxis2": {"domain": [0.7, 1.0], "anchor": "y2", "title": {"text": "suggested"}, **axis},
            "yaxis2": {"anchor": "x2", "autorange": "reversed", "title": {"text": "label"}, **axis},
            "legend": {"title": {"text": "kind"}, "x": 0.54, "xanchor": "right", "y": 0.98},
        },
    }


def _samples(result: AuditResult, kind: str) -> dict[str, Any]:
    order = result.order
    ranks = np.flatnonzero(result.kinds[order] == kind)
    rows = order[ranks]
    texts = [f"row {result.index[i]}: {result.y[i]}, rather {result.suggested[i]}" for i in rows]
    return {
        "type": "scattergl",  # thousands of points stay fluent
        "mode": "markers",
        "name": f"{kind} ({len(rows)})",
        "x": (ranks + 1).tolist(),
        "y": result.suspicion[rows].tolist(),
        "text": texts,
        "hovertemplate": "%{text}<br>suspicion %{y:.3f}<extra></extra>",
        "marker": {"color": COLOURS[kind], "symbol": SYMBOLS[kind], "size": 7},
    }


def _pairs(result: AuditResult, labels: list[str]) -> dict[str, Any]:
    given, suggested = np.searchsorted(result.classes, result.y), np.searchsorted(result.classes, result.suggested)
    expected = np.zeros((len(labels), len(labels)))
    other = given != suggested
    np.add.at(expected, (given[other], suggested[other]), result.suspicion[other])
    return {
        "type": "heatmap",
        "x": labels,
        "y": labels,
        "z": expected.tolist(),
        "xaxis": "x2",
        "yaxis": "y2",
        "colorscale": [[0.0, "#f3f4f7"], [1.0, COLOURS["noisy"]]],  # from light to dark, whatever hue one sees
        "texttemplate": "%{z:.1f}",
        "colorbar": {"title": {"text": "expected<br>wrong"}},
        "hovertemplate": "labelled %{y}, rather %{x}: %{z:.1f} expected wrong<extra></extra>",
    }
