"""Draw the curves of docs/emphases.md, weight against margin: `python -m tools.draw_emphases docs/images/emphases`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

import emphatic.emphasis
from emphatic import plot
from emphatic.base import Emphasis
from emphatic.emphasis import (
    Annealed,
    Averaged,
    Capped,
    Exponential,
    Guided,
    Mixed,
    Neighbour,
    Oversampled,
    Undersampled,
)
from emphatic.files import write_atomically
from emphatic.plot.figure import style_line

CHOSEN: dict[str, Emphasis] = {
    "Annealed": Annealed(Mixed(0.7), Mixed(0.3), rounds=3),  # in its second round: half of each
    "Averaged": Averaged(Exponential()),
    "Capped": Capped(Exponential(), 3.0),
    "Guided": Guided(Exponential()),
    "Mixed": Mixed(0.3),  # 0.5, the default, is Exponential()
    "Neighbour": Neighbour(Exponential()),
    "Oversampled": Oversampled(Exponential()),
    "Undersampled": Undersampled(Exponential()),
}
"""What stands for an emphasis that needs another one, or has a default that is one; others are drawn as they are."""

MARGINS = np.linspace(-3.0, 3.0, 121)
DASHES = {"solid": "", "dash": "7 4", "dot": "2 3", "dashdot": "8 3 2 3", "longdash": "12 4", "longdashdot": "14 4 2 4"}
"""As SVG writes what `style_line` names."""

LOWEST, HIGHEST = 0.03, 30.0
"""Weights at the lower and upper edge of the overview."""

Curve = Sequence[float]


def main(folder: str) -> None:
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, picture in draw_all().items():
        write_atomically(Path(folder) / f"{name}.svg", picture)


def draw_all() -> dict[str, str]:
    """Pictures by the names of their files: one per emphasis, and the overview."""
    curves = {name: find_curves(make_emphasis(name)) for name in list_drawn()}
    small = {name: draw_small(found) for name, found in curves.items()}
    single: dict[str, Curve] = {}
    for name, found in curves.items():
        if len(found) == 1:
            same = next((other for other, curve in single.items() if np.allclose(curve, found[0])), None)
            single[name if same is None else f"{same}, {name}"] = found[0] if same is None else single.pop(same)
    return {**small, "overview": draw_overview(single)}


def list_drawn() -> list[str]:
    """Names of the emphases whose weights are a function of the margin; those that only choose rows change none."""
    return [name for name in emphatic.emphasis.__all__ if can_be_drawn(make_emphasis(name))]


def make_emphasis(name: str) -> Emphasis:
    chosen = CHOSEN.get(name)
    found: Emphasis = getattr(emphatic.emphasis, name)() if chosen is None else chosen
    return found


def can_be_drawn(emphasis: Emphasis) -> bool:
    try:
        find_curves(emphasis)
    except ValueError as error:
        if "cannot be drawn" not in str(error):
            raise
        return False
    return not emphasis.draws


def find_curves(emphasis: Emphasis) -> list[Curve]:
    """Weights at `MARGINS`, that at the margin 0 being 1: several curves where it offers several distributions."""
    return [trace.y for trace in plot.emphasis(emphasis, margins=MARGINS).data]


def draw_small(curves: Sequence[Curve]) -> str:
    """One emphasis, in the size of a cell of a table: each curve as high as the frame, from weight 0 on."""
    left, right, top, bottom = 6, 154, 6, 64
    parts = [
        line(left, bottom, right, bottom, "#888"),
        line((left + right) / 2, top, (left + right) / 2, bottom, "#bbb", "3 3"),
        *(write((left + right) / 2 + 23 * place, 76, f"{place:+d}" if place else "0") for place in (-3, 0, 3)),
    ]
    for curve in curves:
        heights = np.asarray(curve) / max(curve)
        points = zip(np.linspace(left, right, len(curve)), bottom - heights * (bottom - top), strict=True)
        parts.append(polyline(points, style_line(0)["color"], "", 2.0 if len(curves) == 1 else 0.8))
    return wrap(160, 80, 9, parts)


def draw_overview(curves: dict[str, Curve]) -> str:
    """All that have a single curve, on a logarithmic scale, with a legend at the right."""
    left, right, top, bottom = 56, 600, 16, 424
    span = np.log(HIGHEST / LOWEST)

    def height(weight: float) -> float:
        return float(bottom - np.log(max(weight, 1e-9) / LOWEST) / span * (bottom - top))

    parts = ['<clipPath id="frame"><rect x="56" y="16" width="544" height="408"/></clipPath>']
    for weight in (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0):
        parts.append(line(left, height(weight), right, height(weight), "#ddd"))
        parts.append(write(left - 6, height(weight) + 4, f"{weight:g}", "end"))
    for margin in range(-3, 4):
        x = left + (margin + 3) / 6 * (right - left)
        parts.append(line(x, top, x, bottom, "#888" if margin == 0 else "#ddd"))
        parts.append(write(x, bottom + 18, f"{margin}"))
    parts.append(write((left + right) / 2, bottom + 38, "margin (below 0 wrong, above 0 right)"))
    middle = (top + bottom) / 2
    parts.append(f'<g transform="rotate(-90 14 {middle})">{write(14, middle, "weight (at margin 0: 1)")}</g>')
    for number, (name, curve) in enumerate(curves.items()):
        style = style_line(number)
        colour, dash = style["color"], DASHES[style["dash"]]
        points = zip(np.linspace(left, right, len(curve)), map(height, curve), strict=True)
        parts.append(f'<g clip-path="url(#frame)">{polyline(points, colour, dash, 2.0)}</g>')
        y = top + 12 + 22 * number
        parts += [line(right + 16, y, right + 56, y, colour, dash, 2.0), write(right + 64, y + 4, name, "start")]
    return wrap(860, 470, 13, parts)


def polyline(points: Iterable[tuple[float, float]], colour: str, dash: str, width: float) -> str:
    # four digits: where the last one flips, pictures still agree to a thousandth
    path = " ".join(f"{x:.4f},{y:.4f}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}"{dashed(dash)}/>'


def line(x: float, y: float, x_end: float, y_end: float, colour: str, dash: str = "", width: float = 1.0) -> str:
    ends = f'x1="{x:.4f}" y1="{y:.4f}" x2="{x_end:.4f}" y2="{y_end:.4f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width:g}"{dashed(dash)}/>'


def dashed(dash: str) -> str:
    return f' stroke-dasharray="{dash}"' if dash else ""


def write(x: float, y: float, words: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.4f}" y="{y:.4f}" text-anchor="{anchor}" fill="#333">{words}</text>'


def wrap(width: int, height: int, font_size: int, parts: Iterable[str]) -> str:
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="{font_size}">'
    return "\n".join([head, '<rect width="100%" height="100%" fill="#fff"/>', *parts, "</svg>", ""])


if __name__ == "__main__":
    main(*sys.argv[1:])
