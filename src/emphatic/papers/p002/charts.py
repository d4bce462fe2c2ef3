"""Published against measured, all figures of a table in one chart."""

import numpy as np

from emphatic.papers.figures.plotly import axis, make_figure, scatter
from emphatic.papers.p002.measured import Measured
from emphatic.papers.p002.pattern_shares import tabulate_types
from emphatic.papers.p002.problems import FIGURES, NETWORKS, POLICIES, find_published
from emphatic.report.colours import SERIES
from emphatic.report.page import Chart, Section

CAPTION = (
    "Every a, a+, a- and g of every problem, in %. On the line, measured is what was published; points that are far "
    "from it are named in the claims of Table 3."
)


def chart_published(table_id: str, found: Measured) -> list[Section]:
    """A chart with one series per variant; none while nothing is finished."""
    traces = []
    for method, colour in zip([*POLICIES.values(), NETWORKS], SERIES, strict=False):
        points = [
            (find_published(problem, own, figure)[0], float(np.mean(figures[figure])), f"{problem}, {figure}")
            for (problem, own), figures in found.figures.items()
            if own == method
            for figure in FIGURES
        ]
        if points:
            published, measured, names = (list(part) for part in zip(*points, strict=True))
            marker = {"color": colour, "size": 7}
            traces.append(
                scatter(method, published, np.round(measured, 2).tolist(), "markers", text=names, marker=marker)
            )
    if not traces:
        return []
    line = scatter("equal", [30, 100], [30, 100], line={"dash": "dot", "width": 1})
    figure = make_figure([*traces, line], 480, axis("published, in %"), axis("measured, in %"))
    chart = Chart(f"{table_id}-published", "Published against measured", CAPTION, figure)
    grids = tabulate_types(found)
    return [Section(f"{table_id}-differences", f"{table_id}: published against measured", (), grids, [chart])]
