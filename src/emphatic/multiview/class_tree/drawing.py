"""A class tree as text and as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from emphatic.multiview.class_tree.node import Classes, Node


def written(root: Node, labels: np.ndarray) -> str:
    """A line a node and a leaf, indented by depth.

    >>> import numpy as np
    >>> tree = Node("sound", (0,), (1, 2), None, Node("colour", (1,), (2,), None, None))
    >>> print(written(tree, np.array(["cat", "crow", "dove"])))
    sound: cat | crow, dove
    ├─ cat
    └─ colour: crow | dove
       ├─ crow
       └─ dove
    """
    return "\n".join(_lines(root, labels))


def drawn(root: Node, labels: np.ndarray) -> Any:
    """A plotly figure: nodes with their views, leaves with their classes, the sets of a node where the mouse is."""
    try:
        import plotly.graph_objects as go
    except ImportError as error:
        raise ImportError('The tree is drawn by plotly: pip install "emphatic[study]"') from error
    places = list(_places(root, labels, 0, []))
    figure = go.Figure()
    ends = [(place, above) for place in places for above in place.above]
    figure.add_trace(
        go.Scatter(
            x=[value for place, above in ends for value in (above.x, place.x, None)],
            y=[value for place, above in ends for value in (above.y, place.y, None)],
            mode="lines",
            line={"color": "#94a3b8"},
            hoverinfo="skip",
        )
    )
    for leaf, colour in ((False, "#1d4ed8"), (True, "#c2410c")):
        shown = [place for place in places if place.leaf == leaf]
        figure.add_trace(
            go.Scatter(
                x=[place.x for place in shown],
                y=[place.y for place in shown],
                text=[place.text for place in shown],
                hovertext=[place.hover for place in shown],
                hoverinfo="text",
                mode="markers+text",
                textposition="bottom center" if leaf else "top center",
                marker={"size": 12, "color": colour, "symbol": "square" if leaf else "circle"},
            )
        )
    blank = {"showgrid": False, "zeroline": False, "showticklabels": False}
    figure.update_layout(template="plotly_white", showlegend=False, xaxis=blank, yaxis=blank)
    return figure


class _Place(NamedTuple):
    """Where a node or a leaf stands, what is written there, and the node above it, if there is one."""

    x: float
    y: float
    leaf: bool
    text: str
    hover: str
    above: list[Any]


def _places(root: Node, labels: np.ndarray, depth: int, leaves: list[str]) -> Iterator[_Place]:
    """Those below, and last the node itself, in the middle above them; `leaves` collects the leaves from the left."""
    below = []
    for classes, child in zip((root.first, root.second), root.children, strict=True):
        if child is None:
            below.append(_Place(len(leaves), -depth - 1, True, _names(classes, labels), _names(classes, labels), []))
            leaves.append(_names(classes, labels))
        else:
            *others, top = _places(child, labels, depth + 1, leaves)
            yield from others
            below.append(top)
    here = _Place((below[0].x + below[1].x) / 2, -depth, False, root.view, _title(root, labels), [])
    for one in below:
        yield one._replace(above=[here])
    yield here


def _lines(root: Node, labels: np.ndarray) -> Iterator[str]:
    yield _title(root, labels)
    for number, (classes, child) in enumerate(zip((root.first, root.second), root.children, strict=True)):
        first, rest = ("├─ ", "│  ") if number == 0 else ("└─ ", "   ")
        lines = [_names(classes, labels)] if child is None else list(_lines(child, labels))
        yield first + lines[0]
        yield from (rest + line for line in lines[1:])


def _title(node: Node, labels: np.ndarray) -> str:
    return f"{node.view}: {_names(node.first, labels)} | {_names(node.second, labels)}"


def _names(classes: Classes, labels: np.ndarray) -> str:
    return ", ".join(str(labels[code]) for code in classes)
