"""Plots of an emphasis and of a fitted ensemble, each a plotly Figure; plotly comes with ``emphatic[study]``.

For users: what an emphasis does to a margin, what happened in the rounds of a fit, and what the ensemble makes of a
plane. ``figure.show()`` opens a figure, ``figure.write_html("page.html")`` saves it.
"""

from emphatic.plot.curves import emphasis
from emphatic.plot.history import rounds
from emphatic.plot.plane import boundary

__all__ = ["boundary", "emphasis", "rounds"]
