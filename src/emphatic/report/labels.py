"""Names beside the marks of a chart, so that few of them cover each other."""

from collections.abc import Sequence

_Box = tuple[float, float, float, float]
_WIDTH, _HEIGHT = 700.0, 320.0
"""Pixels of a chart of middling width."""
_LETTER, _LINE, _GAP = 6.5, 14.0, 8.0
"""Pixels of a letter, of a line, and from the middle of a mark to its name."""


def place_labels(x: Sequence[float], y: Sequence[float], names: Sequence[str]) -> list[str]:
    """Say for each mark on which side its name goes (plotly's `textposition`).

    Marks are taken from left to right; each gets the first side on which its name covers least.

    >>> place_labels([0.0, 0.0, 1.0], [0.0, 0.01, 1.0], ["forest", "tree", "network"])
    ['middle right', 'middle left', 'middle right']
    """
    across, up = _stretch(x, _WIDTH), _stretch(y, _HEIGHT)
    taken: list[_Box] = [(a - _GAP, b - _GAP, a + _GAP, b + _GAP) for a, b in zip(across, up, strict=True)]
    sides: dict[int, str] = {}
    for mark in sorted(range(len(names)), key=lambda each: across[each]):
        others = [box for number, box in enumerate(taken) if number != mark]
        boxes = _list_boxes(across[mark], up[mark], _LETTER * len(names[mark]))
        costs = {side: _count_overlaps(box, others) for side, box in boxes.items()}
        sides[mark] = min(costs, key=lambda side: costs[side])
        taken.append(boxes[sides[mark]])
    return [sides[mark] for mark in range(len(names))]


def _list_boxes(a: float, b: float, width: float) -> dict[str, _Box]:
    """Where the name of the mark at (a, b) would be: left, bottom, right, top."""
    return {
        "middle right": (a + _GAP, b - _LINE / 2, a + _GAP + width, b + _LINE / 2),
        "middle left": (a - _GAP - width, b - _LINE / 2, a - _GAP, b + _LINE / 2),
        "top center": (a - width / 2, b + _GAP, a + width / 2, b + _GAP + _LINE),
        "bottom center": (a - width / 2, b - _GAP - _LINE, a + width / 2, b - _GAP),
    }


def _count_overlaps(box: _Box, others: Sequence[_Box]) -> int:
    """How many boxes it covers; beyond the edge of the chart is worse than any."""
    covered = sum(
        box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3] for other in others
    )
    return covered + len(others) * (box[0] < -_WIDTH / 10 or box[2] > _WIDTH * 1.1)


def _stretch(values: Sequence[float], size: float) -> list[float]:
    low, high = min(values), max(values)
    return [size * (value - low) / (high - low) if high > low else size / 2 for value in values]
