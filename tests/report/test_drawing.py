"""Pictures, sliders and cells with bars: exact places, and texts that stay text."""

import re

import pytest

from emphatic.report import Bar, Chooser, Drawing, Grid, Line, Section, Shade, make_axis
from emphatic.report.colours import DARK, SERIES
from emphatic.report.drawing import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, render_drawing
from emphatic.report.grid import render_grid
from emphatic.report.page import render_page

NASTY = "<script>alert(1)</script>"
GRID = Grid(("x", "y"), [[0.0, 1.0]])


def drawing(*lines, **more):
    return Drawing("d", "Title", "Caption.", lines, make_axis("x", 0.0, 2.0), make_axis("y", 0.0, 1.0), GRID, **more)


def test_points_are_at_their_places():
    text = render_drawing(drawing(Line("one", (0.0, 1.0, 2.0), (0.0, 0.5, 1.0))))
    left, right, top, bottom = LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM
    [points] = re.findall(r'<polyline class="line c0" points="([^"]*)"', text)
    assert points == f"{left}.0,{bottom}.0 {(left + right) / 2:.1f},{(top + bottom) / 2:.1f} {right}.0,{top}.0"
    assert "legend" not in text  # one line needs none


def test_several_lines_have_a_legend_without_the_quiet_ones():
    lines = [Line("first", (0, 1), (0, 1)), Line("", (0, 1), (0, 1), quiet=True), Line("second", (0, 1), (1, 0))]
    text = render_drawing(drawing(*lines))
    assert re.findall(r'<li class="(c\d)">', text) == ["c0", "c1"]
    assert "</svg>first</li>" in text and "</svg>second</li>" in text
    assert text.count('class="line quiet"') == 1


def test_marks_say_their_values_and_the_rug_stays_inside():
    text = render_drawing(drawing(Line("p", (0.5, 1.5), (0.25, 0.75), marked=True), rug=(-1.0, 0.5, 5.0)))
    assert re.findall(r"<title>([^<]*)</title>", text) == ["p: 0.5, 0.250", "p: 1.5, 0.750"]
    assert text.count('class="rug"') == 1


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0.0, 1.0, ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        (0.0, 0.05, ["0", "0.01", "0.02", "0.03", "0.04", "0.05"]),
        (-3.0, 7.5, ["-2", "0", "2", "4", "6"]),
        (1234.5, 98765.0, ["20000", "40000", "60000", "80000"]),
        (1e-9, 4e-9, ["1e-09", "2e-09", "3e-09", "4e-09"]),
        (-1e300, 1e300, ["-1e+300", "-5e+299", "0", "5e+299", "1e+300"]),
        (5.0, 5.0, ["3", "4", "5", "6", "7"]),
        (0.0, 0.0, ["-0.4", "-0.2", "0", "0.2", "0.4"]),
        (0.0, 5e-324, ["-0.4", "-0.2", "0", "0.2", "0.4"]),
        (-1.7e308, 1.7e308, ["-1e+300", "-5e+299", "0", "5e+299", "1e+300"]),
        (1e16, 1e16 + 2, ["1e+16"]),
        (1 / 3, 1 / 3 + 1e-9, ["0.333333"]),
    ],
)
def test_ticks_are_round_numbers(low, high, ticks):
    axis = make_axis("x", low, high)
    assert [text for _, text in axis.ticks] == ticks
    assert all(axis.low <= value <= axis.high for value, _ in axis.ticks)


def test_texts_are_never_markup():
    chooser = Chooser("c", Grid((NASTY, NASTY + "2"), [[NASTY, NASTY]]))
    picture = Drawing(
        "d", NASTY, NASTY, [Line(NASTY, (0,), (0,), marked=True)] * 2,
        make_axis(NASTY, 0, 1, lambda _: NASTY), make_axis(NASTY, 0, 1), Grid((NASTY,), [[Shade(NASTY, 0.5)]]),
    )  # fmt: skip
    whole = Section("s", NASTY, charts=[picture], facts=[(NASTY, NASTY)], warnings=[NASTY], chooser=chooser)
    text = render_page("Title", "", [whole])
    assert len(re.findall(r"<script\b", text)) == 3
    assert text.count("&lt;script&gt;alert(1)") > 15


def test_a_page_of_pictures_needs_no_library_and_allows_no_inline_styles():
    text = render_page("Title", "", [Section("s", "S", charts=[drawing(Line("a", (0, 1), (0, 1)))])])
    assert len(text) < 60_000
    assert "unsafe" not in re.findall(r'Content-Security-Policy" content="([^"]*)"', text)[0]
    assert "style=" not in text
    assert "need JavaScript" not in text
    for light, dark in DARK.items():
        assert f"light-dark({light}, {dark})" in text
    assert len(DARK) == len(SERIES)


def test_shades_and_bars():
    text = render_grid(Grid(("a", "b"), [[Shade("7", 0.34), Bar(0.5, 0.1)], [Shade("9", 2.0), Bar(-0.5)]]), "name")
    assert '<td class="number shade s3">7</td>' in text
    assert '<td class="number shade s10">9</td>' in text
    assert '<rect width="50.0" height="10"/><path d="M40.0 5H60.0"/>' in text
    assert '<rect width="0.0" height="10"/></svg>' in text  # less than nothing is nothing


def test_a_chooser_shows_the_row_it_starts_at():
    grid = Grid(("Threshold", "Recall"), [["0.1", "90%"], ["0.5", "60%"]])
    text = render_page("Title", "", [Section("s", "S", chooser=Chooser("c", grid, start=1))])
    assert '<input id="c-input" type="range" min="0" max="1" value="1">' in text
    assert "<dt>Recall</dt><dd>60%</dd>" in text
    with pytest.raises(ValueError, match="'s' is used 2 times"):
        render_page("Title", "", [Section("s", "S", chooser=Chooser("s", grid))])
