"""Memberships of rows in clusters, as bands whose heights are the memberships."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from emphatic.clustering.base import FuzzyClusterer
from emphatic.clustering.validity import check_membership
from emphatic.plot.figure import make_figure
from emphatic.report.colours import SERIES, fade
from emphatic.wording import count


def memberships(membership: ArrayLike | FuzzyClusterer) -> Any:
    """Draw the memberships of rows in clusters, row beside row: a plotly Figure.

    Each cluster is a band, and a row is a vertical line on which each band is as high as the membership. Rows are
    sorted by their cluster, and inside of it by their membership in it: steep edges are clear clusters, and slopes show
    the rows between them.

    Parameters
    ----------
    membership : array of shape (n, c), or a fitted clusterer of `emphatic.clustering`, whose `membership_` is drawn

    Examples
    --------
    >>> from emphatic import plot
    >>> figure = plot.memberships([[0.1, 0.9], [0.8, 0.2], [1.0, 0.0]])
    >>> [(band.name, band.y) for band in figure.data]
    [('cluster 0', (1.0, 0.8, 0.1)), ('cluster 1', (0.0, 0.2, 0.9))]
    >>> figure.data[0].customdata
    (2, 1, 0)
    """
    if isinstance(membership, FuzzyClusterer):
        check_is_fitted(membership)
        membership = membership.membership_
    U = check_membership(membership)
    order = np.lexsort([-U.max(axis=1), U.argmax(axis=1)])
    bands = [
        {
            "type": "scatter",
            "mode": "lines",
            "name": f"cluster {j}",
            "x": list(range(1, len(U) + 1)),
            "y": U[order, j].tolist(),
            "customdata": order.tolist(),
            "stackgroup": "memberships",
            "line": {"color": SERIES[j % len(SERIES)], "width": 1},
            "fillcolor": fade(SERIES[j % len(SERIES)], 0.5),
            "hovertemplate": "row %{customdata}: %{y:.3g}",
        }
        for j in range(U.shape[1])
    ]
    layout = {
        "template": "plotly_white",
        "title": {"text": f"Memberships of {count(len(U), 'row')} in {count(U.shape[1], 'cluster')}"},
        "xaxis": {"title": {"text": "rows, sorted by cluster and membership"}, "showgrid": False},
        "yaxis": {"title": {"text": "membership"}, "rangemode": "tozero"},
    }
    return make_figure({"data": bands, "layout": layout})
