"""Pages of the papers are filled from a store: each mark with what its command prints, claims with their verdicts."""

import pytest

from benchmarks.pages import make_marks
from emphatic.papers import registry
from emphatic.papers.claims import Claim
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.report.page import Chart, Section
from emphatic.study import Store
from tests.papers.fakes import FakeTable
from tools import write_papers

FIGURE = {"data": [{"type": "scatter", "x": [1, 2], "y": [3, 4]}], "layout": {"height": 200}}


class FigureTable(FakeTable):
    def sections(self, options, store):
        return [Section("one", "One", ["A text."], charts=[Chart("fake-figure", "A figure", "Seen.", FIGURE)])]

    def claims(self, options, store):
        return [Claim("Table I", "all is well", options.runs == 3, f"{options.runs} runs"), Claim("", "?", None, "")]


TABLE = FigureTable("000-fake")


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setitem(registry.TABLES, "000-fake", f"{__name__}:TABLE")
    with Store(tmp_path / "store.sqlite") as store:
        yield store


def test_a_mark_names_tables_and_options():
    tables, options = write_papers.read_command("emphatic reproduce 000-II 000-III --runs 10 --problems ripley,breast")
    assert tables == ["000-II", "000-III"]
    assert options == Options(runs=10, problems=("ripley", "breast"))


def test_tables_are_written_with_their_sections_and_figures(store):
    charts = []
    text = "\n".join(write_papers.write_tables("emphatic reproduce 000-fake --runs 1", store, charts))
    assert "### A fake table" in text
    assert "A text." in text
    assert "![A figure](../images/papers/fake-figure.svg)" in text
    assert [chart.id for chart in charts] == ["fake-figure"]


def test_lines_of_a_table_can_stand_without_its_sections_and_figures(store):
    charts = []
    text = "\n".join(write_papers.write_tables("emphatic reproduce 000-fake --runs 1 --lines", store, charts))
    assert "### A fake table" in text
    assert "A text." not in text
    assert charts == []


def test_a_store_of_one_command_fills_the_marks_of_that_command_only(store, tmp_path):
    marks = ["emphatic reproduce 000-fake", "emphatic reproduce 000-fake --lines", "tools.write_papers claims 000"]
    parts = ["{}\nfilled before\n{}\n".format(*make_marks(mark)) for mark in marks]
    page = tmp_path / "papers" / "000.md"
    page.parent.mkdir()
    page.write_text("".join(parts), encoding="utf-8")
    write_papers.main([str(store.path), str(tmp_path), "--only", marks[1]])
    text = page.read_text(encoding="utf-8")
    assert text.startswith(parts[0])
    assert text.endswith(parts[2])
    assert "### A fake table" in text.removeprefix(parts[0])


def test_a_command_that_no_page_shows_is_refused(store, tmp_path, capsys):
    with pytest.raises(SystemExit):
        write_papers.main([str(store.path), str(tmp_path), "--only", "emphatic reproduce 000-fake --runs 7"])
    assert "has a mark of 'emphatic reproduce 000-fake --runs 7'" in capsys.readouterr().err


def test_claims_are_judged_with_the_options_of_the_first_mark_that_names_their_table(store):
    page = "<!-- figures: written by emphatic reproduce 000-fake --runs 3 -->"
    options = write_papers.find_options([page, page.replace("3", "7")])
    claims = {table: list(TABLE.claims(own, store)) for table, own in options.items()}
    [own] = write_papers.write_claims("tools.write_papers claims 000", claims)
    assert "| Table I | all is well | holds | 3 runs | emphatic reproduce 000-fake |" in own
    [every] = write_papers.write_claims("tools.write_papers claims", claims)
    assert every.startswith("## Paper 000\n\n1 holds, 1 cannot be judged.")
    assert own in every


def test_settings_of_a_problem_and_method_can_stand_side_by_side():
    lines = [
        Line("glass", "a", "balanced", [95.0, 97.0], (96.3, 0.9)),
        Line("glass", "g", "balanced", [90.0], (93.3, None)),
        Line("7 problems", "all", "difference", [1.5]),
    ]
    text = write_papers.write_wide(lines)
    assert text.startswith("| Problem | Method | a published | a measured | g published | g measured |")
    assert "| glass | balanced | 96.30 (0.90) | 96.00 (1.41) | 93.30 | 90.00 |" in text
    assert "| 7 problems | all | difference |" in text
