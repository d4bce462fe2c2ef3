"""The kappa-error diagram: each pair of members by its agreement and its mean error."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from emphatic.check import FloatArray, IntArray
from emphatic.diversity.agreement import kappa_matrix, kappa_select
from emphatic.diversity.members import checked_labels, checked_members, member_predictions

MANY = 5000
"""Beyond so many points a page is drawn by the graphics card."""


class KappaErrorPoints(NamedTuple):
    """An entry for every pair of members i < j."""

    kappa: FloatArray
    error: FloatArray
    """Mean of the shares of rows that the two members get wrong."""
    i: IntArray
    j: IntArray


def kappa_error_points(ensemble: Any, X: Any, y: ArrayLike) -> KappaErrorPoints:
    """Agreement and mean error of every pair of members of a fitted ensemble on rows `X` with labels `y`.

    Which ensembles, and which rows, is said at `kappa_prune`.

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import BaggingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> points = kappa_error_points(BaggingClassifier(n_estimators=3, random_state=0).fit(X, y), X, y)
    >>> points.i, points.j
    (array([0, 0, 1]), array([1, 2, 2]))
    """
    checked_members(ensemble)
    labels = checked_labels(ensemble, X, y)
    return _points(member_predictions(ensemble, X), labels)


def kappa_error_diagram(ensemble: Any, X: Any, y: ArrayLike, keep: int | None = None) -> Any:
    """A plotly figure of `kappa_error_points`; the pairs among the `keep` members that pruning keeps stand out.

    To the left are pairs that differ, low are pairs that are accurate: a cloud that is wide and low is what an ensemble
    wants. plotly comes with ``emphatic[study]``; ``figure.write_html("diagram.html")`` makes a page of it.
    """
    try:
        import plotly.graph_objects as go
    except ImportError as error:
        raise ImportError('The diagram is drawn by plotly: pip install "emphatic[study]"') from error
    checked_members(ensemble)
    labels = checked_labels(ensemble, X, y)
    predictions = member_predictions(ensemble, X)
    points = _points(predictions, labels)
    groups = {"pairs": ("#94a3b8", np.ones(len(points.kappa), dtype=bool))}
    if keep is not None:
        kept = kappa_select(kappa_matrix(predictions), keep)
        inside = np.isin(points.i, kept) & np.isin(points.j, kept)
        groups = {"other pairs": ("#94a3b8", ~inside), f"pairs of the {keep} kept": ("#c2410c", inside)}
    scatter = go.Scattergl if len(points.kappa) > MANY else go.Scatter
    figure = go.Figure()
    for name, (colour, shown) in groups.items():
        figure.add_trace(
            scatter(
                x=points.kappa[shown],
                y=points.error[shown],
                customdata=np.column_stack([points.i[shown], points.j[shown]]),
                hovertemplate="members %{customdata[0]} and %{customdata[1]}<br>kappa %{x:.3f}, error %{y:.2%}",
                mode="markers",
                marker={"size": 7, "opacity": 0.7, "color": colour},
                name=name,
            )
        )
    figure.update_layout(
        template="plotly_white",
        xaxis={"title": {"text": "kappa: agreement beyond chance"}},
        yaxis={"title": {"text": "mean error of the pair"}, "tickformat": ".1%"},
        legend={"orientation": "h", "y": 1.08},
        showlegend=len(groups) > 1,
    )
    return figure


def _points(predictions: np.ndarray, labels: np.ndarray) -> KappaErrorPoints:
    i, j = np.triu_indices(len(predictions), k=1)
    errors = (predictions != labels).mean(axis=1)
    return KappaErrorPoints(kappa_matrix(predictions)[i, j], (errors[i] + errors[j]) / 2, i, j)
