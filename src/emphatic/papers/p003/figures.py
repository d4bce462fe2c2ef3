"""Figures 2, 3 and 4 of paper 003, drawn from other digits: two class trees, and a sample of the digits."""

from typing import Any

import numpy as np

from emphatic.papers.figures.plotly import axis, make_figure
from emphatic.papers.p003.settings import PER_CLASS, tree_setting
from emphatic.report.grid import Grid, simplify
from emphatic.report.page import Chart
from emphatic.study import Store, Study
from emphatic.study.tasks import canonical

TREES = {"2": ["image_vector", "orienthisto"], "3": ["image_vector"]}
"""The views of the tree that each figure shows."""
SAMPLE_ROWS = 3
"""Digits of each class in the sample."""


def draw_trees(problem: str, study: Study, store: Store, data: Any) -> list[Chart]:
    """Figures 2 and 3: the trees of the first fold, if the store holds them."""
    charts = []
    [method] = study.methods
    for number, views in TREES.items():
        setting = canonical(tree_setting(problem, views, "evidence", PER_CLASS[0]))
        records = store.records(study.name, problem=problem, method=method.name)
        found = [one for one in records if one.key.setting == setting and "splits" in one.metrics]
        if found:
            first = min(found, key=lambda one: one.key.split)
            splits = [(view, tuple(a), tuple(b)) for view, a, b in first.metrics["splits"]]
            charts.append(_draw_tree(number, problem, views, splits, np.unique(data.y)))
    return charts


def _draw_tree(number: str, problem: str, views: list[str], splits: list[Any], labels: np.ndarray) -> Chart:
    from emphatic.multiview.class_tree.node import plant_tree, plot_tree

    figure = simplify(plot_tree(plant_tree(splits), labels))
    layout = {name: value for name, value in figure["layout"].items() if name != "template"}
    rows = [[view, *(", ".join(str(labels[code]) for code in side) for side in sides)] for view, *sides in splits]
    return Chart(
        f"003-figure-{number}-{problem}",
        f"Figure {number}: a class tree of {problem} on {' and '.join(views)}",
        "The tree of the first fold: nodes with the view that splits their classes, leaves with a class.",
        {"data": figure["data"], "layout": {**layout, "height": 420}},
        Grid(("View", "First set", "Second set"), rows),
    )


def draw_digits(problem: Any) -> Chart:
    """Figure 4: the first digits of each class. Not of USPS, which may not be shipped."""
    side = round(problem.X.shape[1] ** 0.5)
    classes = np.unique(problem.y)
    rows = [
        np.hstack([problem.X[np.flatnonzero(problem.y == code)[row]].reshape(side, side) for code in classes])
        for row in range(SAMPLE_ROWS)
    ]
    image = np.vstack(rows)[::-1]  # the axis points upwards
    trace = {"type": "heatmap", "name": "", "z": image.tolist(), "colorscale": "Greys", "showscale": False}
    return Chart(
        f"003-figure-4-{problem.name}",
        f"Figure 4: a sample of {problem.name}",
        f"The first {SAMPLE_ROWS} of each class, {side} x {side} grey values.",
        make_figure([trace], 300, axis("column"), axis("row", scaleanchor="x")),
        Grid(("Class",), [[str(code)] for code in classes]),
    )
