"""Figures of a benchmark replace those between its marks, and nothing else."""

import pytest

from benchmarks.pages import fill_page, make_marks, write_figures


def test_the_page_is_filled_between_the_marks_of_the_benchmark():
    begin, end = make_marks("benchmarks.one")
    others = "\n".join(make_marks("benchmarks.two"))
    text = f"before {begin} old {end} after\n{others}"
    assert fill_page(text, ["new \\1"], "benchmarks.one") == f"before {begin}\n\nnew \\1\n{end} after\n{others}"


def test_a_page_without_marks_is_left_as_it_is(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("no marks")
    with pytest.raises(ValueError, match="no place for the figures"):
        write_figures(page, ["new"], "benchmarks.one")
    assert page.read_text() == "no marks"
