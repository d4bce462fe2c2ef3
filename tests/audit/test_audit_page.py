"""The page of an audit as text: complete, closed against what the data holds, and never half-written."""

import base64
import hashlib
import json
import re
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest

from emphatic import files
from emphatic.audit import page, plot
from emphatic.audit.page_data import collect_data
from emphatic.report.html import dump_for_script
from emphatic.tables.policy import decide_columns
from tests.audit.audits import fruits, made_result

NASTY = [
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "a\u2028b\u2029c",
    '"quoted", \\ & {{data}}',
]


@pytest.fixture
def nasty():
    table = pd.DataFrame({NASTY[0]: NASTY, NASTY[1]: [1.0, None, np.nan, 4.0]})
    return made_result(
        table, [NASTY[0], NASTY[0], NASTY[1], NASTY[1]], [0.9, 0.1, 0.2, 0.3], [NASTY[1]] * 4, index=NASTY
    )


def embedded(text):
    return re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.DOTALL)[1]


def test_page_holds_the_data_as_they_are(nasty):
    assert json.loads(embedded(page.render_page(nasty))) == collect_data(nasty)


def test_nothing_of_the_data_is_markup(nasty):
    text = page.render_page(nasty, source=NASTY[0], target=NASTY[1])
    assert len(re.findall(r"<script\b", text)) == 2
    assert text.count("</script>") == 2
    assert "<img" not in text
    assert not set("<>&\u2028\u2029") & set(embedded(text))
    assert "&lt;script&gt;alert(1)" in text  # the name of the file


def test_policy_names_style_and_script_by_their_hashes(nasty):
    text = page.render_page(nasty)
    for element in ("style", "script"):
        [content] = re.findall(rf"<{element}>(.*?)</{element}>", text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{element}-src 'sha256-{digest}'" in text
    assert "default-src 'none'" in text
    assert "base-uri 'none'; form-action 'none'" in text  # which default-src does not cover


def test_page_is_complete_and_makes_no_html_of_text():
    text = page.render_page(fruits())
    assert not re.search(r"\{\{\w+\}\}", text)
    assert not re.findall(r"""(?:src|href)\s*=\s*["'](?!data:)|@import|\burl\(|\bfetch\(""", text)
    assert not re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", text)


def test_figures_and_missing_cells():
    data = collect_data(fruits())
    assert data["features"] == [
        {"name": "colour", "numeric": False, "spread": None, "cells": ["red", "green", None, "red", "red", "green"]},
        {
            "name": "weight",
            "numeric": True,
            "spread": pytest.approx(np.std([150, 7, 160, 9, 8.25])),
            "cells": [150.0, 7.0, 160.0, None, 9.0, 8.25],
        },
    ]
    assert data["classes"] == ["apple", "grape"]
    assert data["label"] == [0, 0, 0, 0, 1, 1]
    assert data["suggested"] == [0, 1, 0, 0, 1, 1]
    assert [data["kinds"][kind] for kind in data["kind"]][:4] == ["redundant", "noisy", "redundant", "borderline"]
    assert data["suspicion"][1] == 0.9
    assert data["index"] == [10, 11, 12, 13, 14, 15]
    assert data["neighbours"][0] == [1, 2]


def test_pandas_polars_and_arrays_give_the_same_cells():
    cells = [[1.5, 2.0, None], ["a", None, "b"]]
    tables = {
        "pandas": pd.DataFrame({"x0": cells[0], "x1": cells[1]}),
        "polars": pl.DataFrame({"x0": cells[0], "x1": cells[1]}),
        "array": np.array(cells, dtype=object).T,
        "list": [list(row) for row in zip(*cells)],
    }
    for table in tables.values():
        features = collect_data(made_result(table, [0, 1, 1], [0.1, 0.2, 0.3], [0, 1, 1], n_neighbours=1))["features"]
        assert [feature["name"] for feature in features] == ["x0", "x1"]
        assert [feature["cells"] for feature in features] == cells
        assert [feature["numeric"] for feature in features] == [True, False]


@pytest.mark.parametrize(
    ("cells", "shown"),
    [
        ([2**53, 2**53 + 1], [str(2**53), str(2**53 + 1)]),  # a browser would round the second
        ([True, False], ["True", "False"]),
        ([np.inf, 1.0], ["inf", "1"]),
        ([pd.NA, pd.Timestamp("2024-02-29")], [None, "2024-02-29 00:00:00"]),
        ([1e300, -1e300], [1e300, -1e300]),  # the spread is not finite: it must not become NaN
    ],
)
def test_cells_that_a_browser_has_no_number_for(cells, shown):
    result = made_result(
        pd.DataFrame({"x": pd.Series(cells, dtype=object)}), [0, 1], [0.1, 0.2], [0, 1], n_neighbours=1
    )
    assert collect_data(result)["features"][0]["cells"] == shown
    dump_for_script(collect_data(result))


def test_text_that_the_audit_takes_for_numbers_is_compared_as_numbers():
    table = pd.DataFrame({"x": ["1,5", "2", None], "id": ["007", "1", "2"]}, dtype=object)
    columns = decide_columns(table, columns={"x": "number", "id": "category"}, decimal=",")
    result = replace(made_result(table, [0, 1, 1], [0.1, 0.2, 0.3], [0, 1, 1], n_neighbours=1), columns=columns)
    number, text = collect_data(result)["features"]
    assert (number["numeric"], number["cells"], number["spread"]) == (True, [1.5, 2, None], 0.25)
    assert (text["numeric"], text["cells"]) == (False, ["007", "1", "2"])
    plain = made_result(table, [0, 1, 1], [0.1, 0.2, 0.3], [0, 1, 1], n_neighbours=1)
    assert collect_data(result)["digest"] == collect_data(plain)["digest"]  # of the cells as they are written


def test_row_labels_of_several_levels_and_equal_column_names():
    table = pd.DataFrame([[1, 2], [3, 4]], columns=["x", "x"], index=pd.MultiIndex.from_tuples([("a", 1), ("b", 2)]))
    data = collect_data(made_result(table, [0, 1], [0.1, 0.2], [0, 1], index=table.index, n_neighbours=1))
    assert data["index"] == ["a, 1", "b, 2"]
    assert [feature["cells"] for feature in data["features"]] == [[1, 3], [2, 4]]


def test_digest_is_of_the_table_not_of_the_findings():
    table, y, suggested = pd.DataFrame({"x": [1.0, 2.0, 3.0]}), [0, 1, 1], [0, 1, 1]
    digest = collect_data(made_result(table, y, [0.1, 0.2, 0.3], suggested))["digest"]
    assert collect_data(made_result(table, y, [0.4, 0.5, 0.6], suggested))["digest"] == digest
    assert collect_data(made_result(table + 1, y, [0.1, 0.2, 0.3], suggested))["digest"] != digest
    assert collect_data(made_result(table, [1, 0, 1], [0.1, 0.2, 0.3], suggested))["digest"] != digest


def test_written_page_is_read_as_utf_8(tmp_path):
    result = made_result(pd.DataFrame({"größe": [1, 2, 3]}), ["ü", "é", "é"], [0.9, 0.1, 0.1], ["é", "é", "é"])
    result.to_html(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page.render_page(result)
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("missing/page.html", FileNotFoundError, "its folder does not exist"),
        (".", IsADirectoryError, "it is a folder"),
        ("table.csv/page.html", FileNotFoundError, "its folder does not exist"),
    ],
)
def test_a_path_that_cannot_be_written(tmp_path, name, error, message):
    (tmp_path / "table.csv").touch()
    with pytest.raises(error, match=message) as raised:
        page.write_page(fruits(), tmp_path / name)
    assert raised.value.filename == str(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]


def test_a_failure_while_writing_leaves_the_old_page(tmp_path, monkeypatch):
    (tmp_path / "page.html").write_text("the old one")

    def refuse(source, _):
        raise PermissionError(13, "Permission denied", source)

    monkeypatch.setattr(files.os, "replace", refuse)
    with pytest.raises(PermissionError) as raised:
        page.write_page(fruits(), tmp_path / "page.html")
    assert raised.value.filename == str(tmp_path / "page.html")
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    assert (tmp_path / "page.html").read_text() == "the old one"


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "pages").mkdir()
    (tmp_path / "page.html").symlink_to(tmp_path / "pages" / "real.html")
    page.write_page(fruits(), tmp_path / "page.html")
    assert (tmp_path / "page.html").is_symlink()
    assert (tmp_path / "pages" / "real.html").stat().st_size > 0


def test_a_device_is_not_replaced_by_a_file():
    with pytest.raises(OSError, match="not a regular file"):
        files.write_atomically("/dev/null", "text")


def test_figure_shows_every_sample_once_and_expects_wrong_labels_by_pair():
    result = fruits()
    *samples, pairs = plot.describe_figure(result)["data"]
    ranks = sorted(rank for trace in samples for rank in trace["x"])
    assert ranks == [1, 2, 3, 4, 5, 6]
    assert [trace["name"] for trace in samples] == ["redundant (4)", "borderline (1)", "noisy (1)"]
    assert samples[2]["text"] == ["row 11: labelled apple, suggested grape"]
    assert pairs["z"] == [[0.0, 0.9], [0.0, 0.0]]


def test_plotly_takes_the_figure():
    pytest.importorskip("plotly", reason="plotly is not installed")
    drawn = fruits().plot()
    assert [trace.type for trace in drawn.data] == ["scattergl"] * 3 + ["heatmap"]


def test_plot_without_plotly_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "plotly", None)
    with pytest.raises(ImportError, match=r'pip install "emphatic\[plot\]"'):
        fruits().plot()
