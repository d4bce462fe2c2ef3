"""The kappa-error diagram: each pair of members by its agreement and its mean error."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from emphatic.check import FloatArray, IntArray
from emphatic.diversity.agreement import kappa_matrix, kappa_select
from emphatic.diversity.pruning import check_predictions

MANY = 5000
"""More points than this are drawn by WebGL."""


class KappaErrorPoints(NamedTuple):
    """One entry per pair of members i < j.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from emphatic.diversity import kappa_error_points
    >>> X, y = load_iris(return_X_y=True)
    >>> points = kappa_error_points(RandomForestClassifier(4, random_state=0).fit(X, y), X, y)
    >>> len(points.kappa), list(zip(points.i.tolist(), points.j.tolist()))[:3]
    (6, [(0, 1), (0, 2), (0, 3)])
    """

    kappa: FloatArray
    error: FloatArray
    """Mean error rate of the two members."""
    i: IntArray
    j: IntArray


def kappa_error_points(ensemble: Any, X: Any, y: ArrayLike) -> KappaErrorPoints:
    """Agreement and mean error of every pair of members of a fitted ensemble on rows `X` with labels `y`.

    See `kappa_prune` for the ensembles and rows that are suitable.

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import BaggingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> points = kappa_error_points(BaggingClassifier(n_estimators=3, random_state=0).fit(X, y), X, y)
    >>> points.i, points.j
    (array([0, 0, 1]), array([1, 2, 2]))
    """
    return _measure_pairs(*check_predictions(ensemble, X, y))


def kappa_error_diagram(ensemble: Any, X: Any, y: ArrayLike, keep: int | None = None) -> Any:
    """A plotly figure of `kappa_error_points`; pairs of the `keep` members that pruning keeps have their own colour.

    Pairs that disagree are on the left, accurate pairs at the bottom: a good ensemble has a wide and low cloud. plotly
    comes with ``emphatic[plot]``; ``figure.write_html("diagram.html")`` saves the figure as a page.
    """
    try:
        import plotly.graph_objects as go
    except ImportError as error:
        raise ImportError('The diagram needs plotly: pip install "emphatic[plot]"') from error
    predictions, labels = check_predictions(ensemble, X, y)
    points = _measure_pairs(predictions, labels)
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


def _measure_pairs(predictions: np.ndarray, labels: np.ndarray) -> KappaErrorPoints:
    i, j = np.triu_indices(len(predictions), k=1)
    errors = (predictions != labels).mean(axis=1)
    return KappaErrorPoints(kappa_matrix(predictions)[i, j], (errors[i] + errors[j]) / 2, i, j)
