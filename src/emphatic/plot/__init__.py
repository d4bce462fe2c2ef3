"""Plots of an emphasis, an ensemble and of clusters, each a plotly Figure; plotly comes with ``emphatic[plot]``.

For users: what an emphasis does to a margin, what happened in the rounds of a fit, what the ensemble makes of a
plane, and how rows are shared out among clusters. ``figure.show()`` opens a figure,
``figure.write_html("page.html")`` saves it.
"""

from emphatic.plot.clusters import memberships
from emphatic.plot.curves import emphasis
from emphatic.plot.history import rounds
from emphatic.plot.plane import boundary

__all__ = ["boundary", "emphasis", "memberships", "rounds"]
