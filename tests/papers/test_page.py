"""The page of a reproduction: its numbers are those of the lines and of the records; what is missing is left out."""

import html
import json
import re
from dataclasses import dataclass

import numpy as np
import pytest

from emphatic.papers.figures.candidates import Candidate, lambda_charts, read_candidates, round_charts, surface_charts
from emphatic.papers.figures.emphasis import LAMBDAS, ROUNDS, emphasis_section
from emphatic.papers.figures.lines import (
    difference_chart,
    lines_grid,
    problem_charts,
    published_and_measured,
    rank_charts,
)
from emphatic.papers.lines import Line, value_text
from emphatic.papers.options import Options
from emphatic.papers.page import overview, write_report
from emphatic.papers.registry import load_table
from emphatic.papers.reproduce import Reproduction
from emphatic.papers.table import PublishedTable
from emphatic.study import Method, PredefinedOrPartitions, Record, Store, Study
from emphatic.study.statistics import mean_ranks
from emphatic.study.summary import Summary
from tests.study.fakes import FakeProblem, as_is, build_tree

LINES = [
    Line("ripley", "K 10%", "RA", [9.0, 10.0], (9.53, 0.34), note="a note"),
    Line("ripley", "K 10%", "λ=0.4", [8.0, 9.0], (8.8, 0.2), choice="oracle", p=0.034, p_published=0.01),
    Line("ripley", "K 10%", "λ", [8.5, 9.5], choice="cross-validated"),
    Line("ripley", "K 2%", "RA", [], (9.0, 0.5)),
    Line("kwok", "K 10%", "RA", [12.0, 13.0], (11.0, 0.1), stand_in=True),
    Line("2 problems", "mean rank", "RA", [1.0, 2.0]),
]


@dataclass(frozen=True)
class LambdaTable(PublishedTable):
    """Three lambdas on two problems, three runs each; with `centres`, a lambda of the centres besides."""

    id: str = "fake-lambda"
    title: str = "A fake table of lambdas"
    centres: bool = False

    all_problems = ("one", "two")

    def problem_studies(self, problem, options):
        return [self.study(problem)]

    def study(self, problem):
        lambdas = (0.0, 0.5, 1.0)
        settings = [
            {"lam": lam, "fraction": 0.1, "regularisation": 0.01, **({"lam_cen": own} if self.centres else {})}
            for lam in lambdas
            for own in (lambdas if self.centres else (0.5,))
        ]
        return Study(
            self.id, [Method("m", build_tree, settings, as_is)], [FakeProblem(problem)], PredefinedOrPartitions(3, 3)
        )

    def lines(self, options, store):
        return []

    def caption(self, options):
        return "A caption <here>."


def fill(store, table, error, skip=lambda work: False):
    """A record for each task of a table, its error a function of setting and run."""
    studies = [study for step in table.steps(Options()) for study in step.studies(store)]
    works = [task.key for study in studies for task in study.tasks()]
    for work in works:
        if not skip(work):
            value = error(json.loads(work.setting), int(work.split.rpartition("-")[2]))
            store.append(Record(work, "done", {"error": value, "curve": [[1, 0.5], [2, 0.4], [4, value]]}))


TABLE = LambdaTable()


def reproduced(lines=LINES, table=TABLE, summary=None, **more):
    return Reproduction(table, list(lines), summary or Summary(), Options(), **more)


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "s.sqlite") as made:
        yield made


def table_cells(text):
    return [html.unescape(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", text)]


def test_numbers_on_the_page_are_those_of_the_lines(store, tmp_path):
    write_report([reproduced()], store, Options(), tmp_path / "page.html")
    cells = table_cells((tmp_path / "page.html").read_text(encoding="utf-8"))
    for line in LINES:
        for text in (line.problem, value_text(line.published), value_text(line.measured), line.note):
            assert text in cells
        if line.difference is not None:
            assert f"{line.difference:+.1f}" in cells
    assert "stand-in, not comparable" in cells
    assert "not finished" in cells
    assert "oracle λ=0.4" in cells


def test_marks_of_the_chart_are_the_means_with_their_deviations():
    figure = published_and_measured(LINES[:4], "test error in %")
    marks = {trace["name"]: trace for trace in figure["data"]}
    assert marks["published"]["x"] == [9.53, 8.8, 9.0]
    assert marks["published"]["error_x"]["array"] == [0.34, 0.2, 0.5]
    assert marks["measured"]["x"] == [9.5]
    assert marks["oracle"]["x"] == [8.5]
    assert marks["cross-validated"]["x"] == [9.0]
    assert marks["oracle"]["error_x"]["array"] == [pytest.approx(np.std([8, 9], ddof=1))]
    assert len({trace["marker"]["symbol"] for trace in figure["data"]}) == 4  # told apart without colour
    # two headings, each over its lines
    assert figure["layout"]["yaxis"]["ticktext"] == [
        "<b>K 10%</b>",
        "RA",
        "oracle λ=0.4",
        "cross-validated λ",
        "<b>K 2%</b>",
        "RA",
    ]


def test_a_stand_in_is_hollow_and_says_so():
    charts = {chart.title: chart for chart in problem_charts("t", LINES, ["ripley", "kwok"], "test error in %")}
    chart = charts["kwok (stand-in, not comparable)"]
    assert "not comparable" in chart.caption
    [measured] = [trace for trace in chart.figure["data"] if trace["name"] == "measured"]
    assert measured["marker"]["color"] == ["rgba(0,103,168,0)"]
    [solid] = [trace for trace in charts["ripley"].figure["data"] if trace["name"] == "measured"]
    assert solid["marker"]["color"] == ["#0067a8"]


def test_lines_of_a_setting_stand_together_and_lines_with_their_own_name_it():
    mixed = [Line("p", setting, method, [1.0]) for method in ("x", "y") for setting in ("a", "b")]
    assert published_and_measured(mixed, "")["layout"]["yaxis"]["ticktext"] == [
        "<b>a</b>",
        "x",
        "y",
        "<b>b</b>",
        "x",
        "y",
    ]
    own = [Line("p", f"H {n}", f"m{n}", [1.0]) for n in range(3)]
    assert published_and_measured(own, "")["layout"]["yaxis"]["ticktext"] == ["m0, H 0", "m1, H 1", "m2, H 2"]


def test_sums_over_problems_have_an_axis_of_their_own():
    charts = {chart.title: chart for chart in problem_charts("t", LINES, ["ripley", "kwok"], "test error in %")}
    assert charts["ripley"].figure["layout"]["xaxis"]["title"]["text"] == "test error in %"
    assert charts["2 problems: mean rank"].figure["layout"]["xaxis"]["title"]["text"] == "mean rank"


def test_hostile_names_are_text_in_tables_and_charts(store, tmp_path):
    name = "</script><img src=x onerror=alert(1)>"
    done = reproduced([Line(name, name, name, [1.0, 2.0], (1.0, 0.5), note=name)])
    write_report([done], store, Options(), tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<img" not in text.split("<script>")[0]
    assert name in table_cells(text)
    figure = published_and_measured(done.lines, name)
    assert "<img" not in str(figure)


def test_differences_of_comparable_lines_only():
    chart = difference_chart({"t": LINES, "none": LINES[-1:]})
    assert [row[:2] for row in chart.data.rows] == [["t", "ripley, K 10%, RA"], ["t", "ripley, K 10%, oracle λ=0.4"]]
    measured, oracle = chart.figure["data"]
    assert np.sign(measured["x"]) == np.sign([LINES[0].difference])
    assert np.expm1(np.abs(oracle["x"])) == pytest.approx(np.abs([LINES[1].difference]))  # the axis is compressed
    assert difference_chart({"t": LINES[-1:]}) is None


def test_overview_counts():
    section = overview([reproduced(), reproduced(LINES[-1:])])
    assert section.grids[0].rows == [
        ["fake-lambda", 6, 5, 2, 1, 2, "0.8", 2],
        ["fake-lambda", 1, 1, 0, None, None, None, None],
    ]


def test_more_is_better_where_papers_print_accuracies():
    lines = [Line("p", "a", "x", [90.0, 91.0], (80.0, 5.0))]
    [row] = overview([reproduced(lines, load_table("002-3"))]).grids[0].rows
    assert row[-1] == 1
    [row] = overview([reproduced(lines, load_table("000-II"))]).grids[0].rows
    assert row[-1] == 0


def test_candidates_are_the_settings_with_all_runs(store):
    table = LambdaTable()
    fill(
        store,
        table,
        lambda setting, run: 0.1 * setting["lam"] + 0.01 * run,
        lambda work: work.problem == "two" and '"lam":1.0' in work.setting,
    )
    candidates = read_candidates(table, Options(), store)
    assert [(one.problem, one.setting["lam"]) for one in candidates] == [
        ("one", 0.0),
        ("one", 0.5),
        ("one", 1.0),
        ("two", 0.0),
        ("two", 0.5),
    ]
    assert all("regularisation" not in one.setting for one in candidates)
    assert candidates[1].errors == pytest.approx([5.0, 6.0, 7.0])
    assert candidates[1].standard_error == pytest.approx(1 / np.sqrt(3))
    assert np.array(candidates[1].curve) == pytest.approx(np.array([(1, 50), (2, 40), (4, 6)]))


def test_a_run_that_ended_early_keeps_its_last_error(store):
    table = LambdaTable()
    works = [task.key for task in table.study("one").tasks() if '"lam":0.5' in task.key.setting]
    curves = [[[1, 0.4], [4, 0.2], [16, 0.1]], [[1, 0.4], [2, 0.3]], [[1, 0.4], [4, 0.2], [16, 0.1]]]
    store.append(*(Record(work, "done", {"error": 0.1, "curve": curve}) for work, curve in zip(works, curves)))
    [one] = read_candidates(table, Options(), store)
    assert one.curve == [(1, pytest.approx(40)), (4, pytest.approx(70 / 3)), (16, pytest.approx(50 / 3))]


def test_error_against_lambda(store):
    table = LambdaTable()
    fill(store, table, lambda setting, run: 0.1 + 0.1 * setting["lam"] + 0.01 * run)
    charts = lambda_charts("t", read_candidates(table, Options(), store))
    assert [chart.title for chart in charts] == ["Error against λ: one", "Error against λ: two"]
    [curve] = charts[0].figure["data"]
    assert curve["x"] == [0.0, 0.5, 1.0]
    assert curve["y"] == pytest.approx([11.0, 16.0, 21.0])


def test_error_over_two_lambdas_as_a_surface(store):
    table = LambdaTable(centres=True)
    fill(store, table, lambda setting, run: 0.1 * setting["lam"] + 0.2 * setting["lam_cen"])
    candidates = read_candidates(table, Options(), store)
    assert lambda_charts("t", candidates) == []
    surface = surface_charts("t", candidates)[0].figure["data"][0]
    assert surface["type"] == "surface"
    assert surface["x"] == surface["y"] == [0.0, 0.5, 1.0]
    expected = [[10 * lam + 20 * own for lam in surface["x"]] for own in surface["y"]]  # a row: a lambda of the centres
    assert np.array(surface["z"]) == pytest.approx(np.array(expected))


def test_error_against_rounds_of_the_settings_that_the_lines_show():
    candidates = [
        Candidate("p", "m", {"lam": lam}, [lam, lam + 1], [(1, 9.0), (2, 8.0), (4, lam)]) for lam in (1, 2, 3)
    ]
    lines = [
        Line("p", "s", "RA", [2, 3]),
        Line("p", "s", "best", [2, 3], choice="oracle"),
        Line("p", "s", "other", [7, 8]),
    ]
    [chart] = round_charts("t", candidates, lines)
    [curve] = chart.figure["data"]
    assert curve["name"] == "RA = oracle best"
    assert (curve["x"], curve["y"]) == ([1, 2, 4], [9.0, 8.0, 2])
    [chart] = round_charts("t", candidates, [])  # no line shows one: all of them, as they are few
    assert [trace["name"] for trace in chart.figure["data"]] == ["m, λ 1", "m, λ 2", "m, λ 3"]
    many = [Candidate("p", "m", {"lam": lam}, [lam], [(1, 9.0), (2, 8.0), (4, 7.0)]) for lam in range(20)]
    assert round_charts("t", many, []) == []


MEANS = np.array([[1.0, 2.0, 3.0], [1.5, 1.2, 4.0], [1.0, 5.0, 6.0], [2.0, 2.5, 2.2]])


@pytest.mark.parametrize("larger_is_better", [False, True])
def test_rank_diagram_is_that_of_the_means(larger_is_better):
    problems = [f"p{i}" for i in range(len(MEANS))]
    lines = [Line(problem, "", "abc"[j], [MEANS[i, j]]) for i, problem in enumerate(problems) for j in range(3)]
    lines += [Line("mean rank, 4 problems", "", name, [1.0]) for name in "abc"]  # no problem
    lines += [Line("other", "", name, [value], stand_in=True) for name, value in zip("abc", (9, 8, 7))]
    [chart] = rank_charts("t", lines, [*problems, "other"], larger_is_better)
    expected = dict(zip("abc", mean_ranks(-MEANS if larger_is_better else MEANS)))
    assert dict(chart.data.rows) == pytest.approx(expected)
    ranks = [rank for _, rank in chart.data.rows]
    assert ranks == sorted(ranks)
    assert chart.figure["data"][-1]["x"] == ranks


def test_ranks_of_each_setting_and_none_for_too_few():
    lines = [
        Line(f"p{i}", setting, "abc"[j], [MEANS[i, j]]) for setting in ("s", "t") for i in range(4) for j in range(3)
    ]
    problems = ["p0", "p1", "p2", "p3"]
    assert [chart.title for chart in rank_charts("t", lines, problems, False)] == [
        "Ranks of the methods: s",
        "Ranks of the methods: t",
    ]
    assert rank_charts("t", lines, problems[:2], False) == []
    assert rank_charts("t", [line for line in lines if line.method != "c"], problems, False) == []


def test_an_empty_store_leaves_the_table_and_no_charts_of_records(store, tmp_path):
    write_report([reproduced(stopped=True)], store, Options(quick=True), tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Error against" not in text
    assert "The time budget ended" in text
    assert "in a quick form" in text


def test_failed_fits_are_reported(store, tmp_path):
    write_report([reproduced(summary=Summary(3, 2, "ripley: ValueError"))], store, Options(), tmp_path / "page.html")
    assert "2 fits failed; the first: ripley: ValueError" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_lines_grid_is_as_wide_as_its_columns():
    grid = lines_grid(LINES)
    assert all(len(row) == len(grid.columns) for row in grid.rows)


def test_what_an_emphasis_does_is_the_same_every_time():
    first, second = emphasis_section(), emphasis_section()
    assert [chart.figure for chart in first.charts] == [chart.figure for chart in second.charts]
    weights = first.charts[: len(LAMBDAS)]
    for chart in weights:
        quantiles = np.array([row[1:] for row in chart.data.rows])
        assert quantiles.shape == (ROUNDS[-1], 6)
        assert (np.diff(quantiles, axis=1) >= 0).all()
        assert quantiles[0] == pytest.approx(1.0)  # the first round knows no emphasis
    boundaries = first.charts[len(LAMBDAS) :]
    assert [chart.title for chart in boundaries] == [f"Boundary after {t} round{'s' if t > 1 else ''}" for t in ROUNDS]
    for chart in boundaries:
        n_samples = sum(len(trace["x"]) for trace in chart.figure["data"] if trace["type"] == "scatter")
        assert n_samples == 250
