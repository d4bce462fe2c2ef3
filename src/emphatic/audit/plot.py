"""A figure of an audit: how suspicious the samples are, and which labels are confused with which."""

from typing import Any

import numpy as np

from emphatic.audit.judgement import KINDS, Findings

COLOURS = {"redundant": "#004488", "borderline": "#ddaa33", "noisy": "#bb5566"}
"""Paul Tol's high-contrast scheme: distinguishable without colour vision, and in grey."""
SYMBOLS = {"redundant": "circle", "borderline": "diamond", "noisy": "square"}


def draw_figure(findings: Findings) -> Any:
    """A plotly Figure of two panels: samples by decreasing suspicion, and expected wrong labels per pair of classes.

    The second panel sums the posteriors of the samples by given label: a cell is the number of labels to expect that
    should be another one.
    """
    try:
        from plotly import graph_objects
    except ImportError as error:
        raise ImportError('plot() needs the package plotly: pip install "emphatic[plot]"') from error
    return graph_objects.Figure(describe_figure(findings))


def describe_figure(findings: Findings) -> dict[str, Any]:
    """The figure as the nested dict that plotly takes."""
    labels = [str(label) for label in findings.classes.tolist()]
    axis = {"type": "category", "categoryorder": "array", "categoryarray": labels}
    return {
        "data": [*(_trace_samples(findings, kind) for kind in KINDS), _trace_pairs(findings, labels)],
        "layout": {
            "template": "plotly_white",
            "title": {"text": f"Label audit: about {findings.suspicion.sum():.0f} of {len(findings.y)} labels wrong"},
            "xaxis": {"domain": [0.0, 0.56], "title": {"text": "samples, most suspicious first"}},
            "yaxis": {"range": [-0.02, 1.02], "title": {"text": "suspicion"}},
            "xaxis2": {"domain": [0.7, 1.0], "anchor": "y2", "title": {"text": "true class"}, **axis},
            "yaxis2": {"anchor": "x2", "autorange": "reversed", "title": {"text": "label"}, **axis},
            "legend": {"title": {"text": "kind"}, "x": 0.54, "xanchor": "right", "y": 0.98},
        },
    }


def _trace_samples(findings: Findings, kind: str) -> dict[str, Any]:
    order = findings.order
    ranks = np.flatnonzero(findings.kinds[order] == kind)
    rows = order[ranks]
    return {
        "type": "scattergl",  # stays smooth with thousands of points
        "mode": "markers",
        "name": f"{kind} ({len(rows)})",
        "x": (ranks + 1).tolist(),
        "y": findings.suspicion[rows].tolist(),
        "text": [findings.describe(i) for i in rows],
        "hovertemplate": "%{text}<br>suspicion %{y:.3f}<extra></extra>",
        "marker": {"color": COLOURS[kind], "symbol": SYMBOLS[kind], "size": 7},
    }


def _trace_pairs(findings: Findings, labels: list[str]) -> dict[str, Any]:
    expected = np.zeros((len(labels), len(labels)))
    np.add.at(expected, np.searchsorted(findings.classes, findings.y), findings.posterior)
    np.fill_diagonal(expected, 0.0)  # right labels
    return {
        "type": "heatmap",
        "x": labels,
        "y": labels,
        "z": expected.tolist(),
        "xaxis": "x2",
        "yaxis": "y2",
        "colorscale": [
            [0.0, "#f3f4f7"],
            [1.0, COLOURS["noisy"]],
        ],  # light to dark: readable without colour
        "texttemplate": "%{z:.1f}",
        "colorbar": {"title": {"text": "expected<br>wrong"}},
        "hovertemplate": "labelled %{y}, truly %{x}: %{z:.1f} expected<extra></extra>",
    }
