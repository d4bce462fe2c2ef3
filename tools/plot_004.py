"""Draw the two figures of docs/papers/004.md from a store: `python tools/plot_004.py STORE docs/images`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from emphatic.files import write_atomically
from emphatic.papers.options import Options
from emphatic.papers.p004.tables import DEFLECTION, REWARD, SweepTable
from emphatic.study import Store

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 520, 300, 60, 20, 30, 50
COLOURS = ("#1f5fa8", "#c4552d")
Point = tuple[float, float]


def main(store_path: str, folder: str) -> None:
    with Store(store_path) as store:
        by_reward = curves(REWARD, store, "reward", lambda variant: ("FuzzyBoost", "DFA")["aligned" in variant])
        by_number = curves(
            DEFLECTION, store, "n_deflections", lambda variant: ("not aligned", "aligned")[variant["aligned"]]
        )
    Path(folder).mkdir(exist_ok=True)
    write_atomically(Path(folder) / "004-reward.svg", chart(by_reward, "reward"))
    write_atomically(Path(folder) / "004-deflections.svg", chart(by_number, "number of deflections"))


def curves(table: SweepTable, store: Store, x: str, name: Callable[[Mapping[str, Any]], str]) -> dict[str, list[Point]]:
    """Mean errors of a sweep over `x`, a curve for each of its kinds."""
    found: dict[str, list[Point]] = {}
    for variant, line in zip(table.variants, table.lines(Options(), store), strict=True):
        found.setdefault(name(variant), []).append((variant[x], float(np.mean(line.values))))
    return found


def chart(curves: Mapping[str, Sequence[Point]], x_label: str) -> str:
    """Lines through points, with a scale that covers them and does not begin at 0."""
    xs, ys = ([point[axis] for points in curves.values() for point in points] for axis in (0, 1))
    low, high = np.floor(min(ys) * 5) / 5, np.ceil(max(ys) * 5) / 5
    x_scale = (WIDTH - LEFT - RIGHT) / (max(xs) - min(xs))
    y_scale = (HEIGHT - TOP - BOTTOM) / (high - low)

    def place(x: float, y: float) -> tuple[float, float]:
        return LEFT + (x - min(xs)) * x_scale, HEIGHT - BOTTOM - (y - low) * y_scale

    parts = []
    for tick in np.linspace(low, high, round((high - low) * 5) + 1):
        y = place(min(xs), tick)[1]
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(text(LEFT - 8, y + 4, f"{tick:.1f}", "end"))
    for x in sorted(set(xs)):
        parts.append(text(place(x, low)[0], HEIGHT - BOTTOM + 18, f"{x:g}", "middle"))
    for number, (name, points) in enumerate(curves.items()):
        placed = [place(*point) for point in points]
        colour = COLOURS[number]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in placed]
        parts.append(text(LEFT + 8 + 160 * number, TOP - 10, name, "start", colour))
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x_label, "middle"))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(f'<g transform="rotate(-90 14 {middle})">{text(14, middle, "mean error, %", "middle")}</g>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    return f'{head} font-family="sans-serif" font-size="13">\n<rect width="100%" height="100%" fill="#fff"/>\n' + (
        "\n".join(parts) + "\n</svg>\n"
    )


def text(x: float, y: float, words: str, anchor: str, colour: str = "#333") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{words}</text>'


if __name__ == "__main__":
    main(*sys.argv[1:])
