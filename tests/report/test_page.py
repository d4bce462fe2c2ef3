"""A page of texts, tables and charts as text: complete, closed against what names hold, and never half-written."""

import base64
import hashlib
import json
import re
import sys

import numpy as np
import pytest

from emphatic import files
from emphatic.report import Chart, Grid, Section, escape_label, write_page
from emphatic.report.colours import DARK, SERIES, fade
from emphatic.report.grid import simplify, tabulate_figure
from emphatic.report.page import render_page

NASTY = ["<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>", "a\u2028b", '"quoted" & {{data}}']


def curve(**more):
    return {
        "data": [{"type": "scatter", "x": [0, 1], "y": [2.5, np.nan], "name": "one"}],
        "layout": {"height": 300},
        **more,
    }


def sections(*charts):
    grid = Grid(("Method", "Error"), [["tree", 12.345], ["forest", None]], "A caption.", frozenset(["Error"]))
    return [Section("first", "The first", ["Some text."], [grid], charts), Section("second", "The second")]


def own_parts(text):
    """The page without plotly's own script."""
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    return text.replace(max(scripts, key=len), "") if len(scripts) > 1 else text


def test_page_without_charts_is_small_and_whole():
    text = render_page("Title", "Lead.", sections())
    assert len(text) < 40_000
    assert not re.search(r"\{\{\w+\}\}", text)
    for part in ("<h1>Title</h1>", "Lead.", '<a href="#first">The first</a>', "<p>Some text.</p>", "<td>tree</td>"):
        assert part in text
    assert '<th scope="col" class="number">Error</th>' in text
    assert '<td class="number">12.35</td>' in text
    assert '<td class="number"></td>' in text
    assert "<caption>A caption.</caption>" in text


def test_charts_come_with_one_library_and_with_their_data_as_a_table():
    text = render_page(
        "Title", "", sections(Chart("c1", "Curve", "What it shows.", curve()), Chart("c2", "Same", "", curve()))
    )
    assert len(re.findall(r"plotly\.js v\d", text)) == 1
    [data] = re.findall(r'<script id="data" type="application/json">(.*?)</script>', text, re.DOTALL)
    assert json.loads(data)["charts"]["c1"] == {
        "data": [{"type": "scatter", "x": [0, 1], "y": [2.5, None], "name": "one"}],
        "layout": {"height": 300},
    }
    assert text.count("<td>one</td>") == 4  # two charts of two points


def test_figures_of_plotly_are_taken_as_well_and_lose_only_the_template():
    graph_objects = pytest.importorskip("plotly.graph_objects", reason="plotly is not installed")
    figure = graph_objects.Figure(graph_objects.Heatmap(z=np.array([[1.0, 2.0], [3.0, np.nan]]), x=["a", "b"]))
    text = render_page("Title", "", sections(Chart("c1", "Map", "", figure)))
    [data] = re.findall(r'<script id="data" type="application/json">(.*?)</script>', text, re.DOTALL)
    drawn = json.loads(data)["charts"]["c1"]
    assert drawn["data"][0]["z"] == [[1.0, 2.0], [3.0, None]]
    assert drawn["data"][0]["x"] == ["a", "b"]
    assert "template" not in drawn["layout"]


def test_arrays_as_plotly_writes_them():
    values = np.arange(6, dtype=np.float32).reshape(2, 3)
    coded = {"dtype": "f4", "bdata": base64.b64encode(values.tobytes()).decode(), "shape": "2, 3"}
    assert simplify({"z": coded}) == {"z": values.tolist()}


def test_nothing_in_a_name_is_markup():
    grid = Grid(NASTY, [NASTY], NASTY[0])
    figure = {"data": [{"name": escape_label(name), "x": [name], "y": [1]} for name in NASTY], "layout": {}}
    charts = [Chart("c", NASTY[1], NASTY[0], figure, small=True)]
    text = own_parts(render_page(NASTY[0], NASTY[1], [Section("s", NASTY[1], NASTY, [grid], charts)]))
    assert len(re.findall(r"<script\b", text)) == 3
    assert "<img" not in text
    assert "&lt;script&gt;alert(1)" in text
    assert "{{data}}" in text  # text, not a mark
    [data] = re.findall(r'<script id="data" type="application/json">(.*?)</script>', text, re.DOTALL)
    assert not set("<>&\u2028") & set(data)


def test_policy_names_every_style_and_script():
    text = render_page("Title", "", sections(Chart("c1", "Curve", "", curve())))
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["img-src"] == "data:"
    for element, rule in (("style", "style-src-elem"), ("script", "script-src")):
        contents = re.findall(rf"<{element}(?: id=\"[^\"]*\")?>(.*?)</{element}>", text, re.DOTALL)
        assert contents
        for content in contents:
            assert base64.b64encode(hashlib.sha256(content.encode()).digest()).decode() in rules[rule]
        assert "unsafe" not in rules[rule]


def test_nothing_is_fetched_and_no_text_becomes_html():
    text = own_parts(render_page("Title", "", sections(Chart("c1", "Curve", "", curve()))))
    assert not re.findall(r"""(?:src|href)\s*=\s*["'](?!data:|#)|@import|\burl\(|\bfetch\(|https?://""", text)
    assert not re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", text)


@pytest.mark.parametrize(
    ("ids", "message"), [(["a b"], "'a b' must be letters"), ([""], "'' must be"), (["a", "a"], "'a' is used 2 times")]
)
def test_ids_that_a_link_could_not_find(ids, message):
    with pytest.raises(ValueError, match=message):
        render_page("Title", "", [Section(each, "Title") for each in ids])


def test_a_failure_while_writing_leaves_the_old_page(tmp_path, monkeypatch):
    (tmp_path / "page.html").write_text("the old one")

    def refuse(*_):
        raise PermissionError(13, "Permission denied", "something else")

    monkeypatch.setattr(files.os, "replace", refuse)
    with pytest.raises(PermissionError):
        write_page(tmp_path / "page.html", "Title", "", sections())
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    assert (tmp_path / "page.html").read_text() == "the old one"


def test_written_page_is_the_text_in_utf_8(tmp_path):
    write_page(tmp_path / "page.html", "λ", "", sections())
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == render_page("λ", "", sections())


def test_charts_without_plotly_say_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "plotly.offline", None)
    with pytest.raises(ImportError, match=r'pip install "emphatic\[plot\]"'):
        render_page("Title", "", sections(Chart("c1", "Curve", "", curve())))
    assert "<h1>Title</h1>" in render_page("Title", "", sections())  # without charts it is not needed


def test_data_of_points_and_of_matrices():
    points = {
        "data": [
            {"x": [1, 2], "y": [3.0, 4.0], "name": "a &lt; b", "error_y": {"array": [0.1, 0.2]}},
            {"x": [5], "y": [6.0]},
        ],
        "layout": {"xaxis": {"title": {"text": "rounds"}}},
    }
    [grid] = tabulate_figure(points)
    assert grid.columns == ["Series", "rounds", "y", "±"]
    assert grid.rows == [["a < b", 1, 3.0, 0.1], ["a < b", 2, 4.0, 0.2], ["", 5, 6.0, None]]
    [grid] = tabulate_figure({"data": [{"z": [[1, 2], [3, 4]], "x": [0.5, 1], "y": ["u", "v"]}]})
    assert grid.columns == ["y \\ x", "0.5", "1"]
    assert grid.rows == [["u", 1, 2], ["v", 3, 4]]
    assert tabulate_figure({"data": []}) == []


def luminance(colour):
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return np.dot([0.2126, 0.7152, 0.0722], linear)


def contrast(first, second):
    lighter, darker = sorted((luminance(first), luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def themes():
    """The colours of the style sheet, light and dark."""
    pairs = re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\)", render_page("", "", []))
    whole = [
        (name, *("#" + "".join(2 * sign for sign in each[1:]) if len(each) == 4 else each for each in two))
        for name, *two in pairs
    ]
    return [{name: light for name, light, _ in whole}, {name: dark for name, _, dark in whole}]


@pytest.mark.parametrize("dark", [False, True])
def test_contrast_is_enough_for_text_and_for_marks(dark):
    theme = themes()[dark]
    for paper in ("paper", "card", "hover"):
        for text in ("ink", "soft", "accent"):
            assert contrast(theme[text], theme[paper]) >= 4.5, (text, paper)
    assert contrast(theme["on-accent"], theme["accent"]) >= 4.5
    for colour in SERIES:
        assert contrast(DARK[colour] if dark else colour, theme["card"]) >= 3.0, colour


def test_faded_colours_keep_their_channels():
    assert fade(SERIES[0], 0.5) == "rgba(0,103,168,0.5)"
