"""Line charts drawn here, as small SVG pictures: they need no script, follow the theme by style, and can be printed.

For pages that must stay light; plotly (`Chart`) draws more kinds of charts, but its script is 4.8 MB.
"""

import html
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from emphatic.report.colours import DARK, SERIES
from emphatic.report.grid import Grid

WIDTH, HEIGHT = 360, 290
LEFT, RIGHT, TOP, BOTTOM = 46, 14, 26, 44
"""Of the picture and its margins, in units that are about a pixel on a phone."""

LARGEST, SMALLEST = 1e300, 1e-290
"""Ends of an axis, and their distance: beyond these, floats end."""


@dataclass(frozen=True)
class Axis:
    """From `low` to `high`, with a text at each of the `ticks`."""

    title: str
    low: float
    high: float
    ticks: Sequence[tuple[float, str]]

    def scale(self, value: float) -> float:
        """The place of a value: 0 at the low end, 1 at the high one."""
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True)
class Line:
    """Points joined by a line; `marked` ones are also shown as dots, whose values appear under the pointer.

    A `quiet` line is for comparison, such as a diagonal: grey, and not in the legend.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    marked: bool = False
    quiet: bool = False


@dataclass(frozen=True)
class Drawing:
    """A line chart with its title above it and its caption below; its numbers are also given as the table `data`.

    `rug` are places on the x axis that are marked below the lines, such as quantiles of a column. Texts may be of
    anybody: they are escaped here.
    """

    id: str
    title: str
    caption: str
    lines: Sequence[Line]
    x: Axis
    y: Axis
    data: Grid
    rug: Sequence[float] = ()
    small: bool = True


def make_axis(
    title: str, low: float, high: float, write: Callable[[float], str] = "{:g}".format, most: int = 6
) -> Axis:
    """An axis with ticks at round numbers, `most` at most.

    >>> make_axis("share", 0.0, 1.0).ticks
    [(0.0, '0'), (0.2, '0.2'), (0.4, '0.4'), (0.6, '0.6'), (0.8, '0.8'), (1.0, '1')]
    >>> make_axis("constant", 3.0, 3.0).low < 3.0
    True
    """
    low, high = max(low, -LARGEST), min(high, LARGEST)
    if high - low < SMALLEST:
        margin = 0.5 * abs(low) if abs(low) > SMALLEST else 0.5
        low, high = low - margin, high + margin
    power = 10.0 ** math.floor(math.log10((high - low) / (most - 1)))
    for step in (power, 2 * power, 5 * power, 10 * power):
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if last - first < most:
            break
    ticks = [float(f"{count * step:.12g}") for count in range(first, last + 1)]
    by_text = {write(tick): tick for tick in ticks if low <= tick <= high}  # in a narrow range texts may be equal
    return Axis(title, low, high, [(tick, text) for text, tick in by_text.items()])


def write_colour_rules() -> str:
    """The colours of the lines as rules of a style sheet, in both themes."""
    return "\n".join(f".c{k} {{ --own: light-dark({light}, {DARK[light]}); }}" for k, light in enumerate(SERIES))


def render_drawing(drawing: Drawing) -> str:
    """Render the legend, if there are several lines, and the picture."""
    shown = [line for line in drawing.lines if not line.quiet]
    legend = "".join(
        f'<li class="c{k % len(SERIES)}"><svg viewBox="0 0 24 8" aria-hidden="true"><path class="line" d="M0 4H24"/>'
        f"</svg>{html.escape(line.name)}</li>"
        for k, line in enumerate(shown)
    )
    title = html.escape(drawing.title)
    parts = [
        *_draw_axes(drawing.x, drawing.y),
        *(_draw_tick(drawing, value) for value in drawing.rug if drawing.x.low <= value <= drawing.x.high),
        *(_draw_line(line, "quiet", drawing) for line in drawing.lines if line.quiet),
        *(_draw_line(line, f"c{k % len(SERIES)}", drawing) for k, line in enumerate(shown)),
    ]
    return (
        (f'<ul class="legend">{legend}</ul>\n' if len(shown) > 1 else "")
        + f'<svg class="drawing" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{title}" '
        f'aria-describedby="{drawing.id}-caption">\n' + "\n".join(parts) + "\n</svg>"
    )


def _draw_axes(x: Axis, y: Axis) -> list[str]:
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    parts = []
    for value, text in y.ticks:
        place = _place_y(y, value)
        parts.append(f'<path class="rule" d="M{LEFT} {place:.1f}H{right}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{place + 4:.1f}" text-anchor="end">{html.escape(text)}</text>')
    for value, text in x.ticks:
        place = _place_x(x, value)
        parts.append(f'<path class="rule" d="M{place:.1f} {TOP}V{bottom}"/>')
        anchor = "end" if place > right - 12 and len(text) > 4 else "middle"
        parts.append(f'<text x="{place:.1f}" y="{bottom + 17}" text-anchor="{anchor}">{html.escape(text)}</text>')
    parts.append(f'<path class="axis" d="M{LEFT} {TOP}V{bottom}H{right}"/>')
    parts.append(f'<text class="title" x="{LEFT - 6}" y="14">{html.escape(_cut(y.title))}</text>')
    middle = (LEFT + right) / 2
    below = html.escape(_cut(x.title))
    parts.append(f'<text class="title" x="{middle:g}" y="{HEIGHT - 8}" text-anchor="middle">{below}</text>')
    return parts


def _draw_tick(drawing: Drawing, value: float) -> str:
    bottom = HEIGHT - BOTTOM
    return f'<path class="rug" d="M{_place_x(drawing.x, value):.1f} {bottom}v-7"/>'


def _draw_line(line: Line, style: str, drawing: Drawing) -> str:
    places = [(_place_x(drawing.x, a), _place_y(drawing.y, b)) for a, b in zip(line.x, line.y, strict=True)]
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
    drawn = f'<polyline class="line {style}" points="{points}"/>'
    if line.marked:
        drawn += "".join(
            f'<circle class="mark {style}" cx="{a:.1f}" cy="{b:.1f}" r="3.5"><title>'
            f"{html.escape(f'{line.name}: {given:.4g}, {value:.3f}')}</title></circle>"
            for (a, b), given, value in zip(places, line.x, line.y)
        )
    return drawn


def _place_x(axis: Axis, value: float) -> float:
    return LEFT + axis.scale(value) * (WIDTH - LEFT - RIGHT)


def _place_y(axis: Axis, value: float) -> float:
    return HEIGHT - BOTTOM - axis.scale(value) * (HEIGHT - TOP - BOTTOM)


def _cut(text: str, longest: int = 46) -> str:
    """A title that fits the picture; the title above the chart has room for all of it."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
