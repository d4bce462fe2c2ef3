"""One self-contained HTML page of what was measured: `write_report` for the papers' tables, `write_page` for others."""

from emphatic.study.report.grid import Grid
from emphatic.study.report.page import Chart, Section, chart_text, write_page
from emphatic.study.report.report import write_report

__all__ = ["Chart", "Grid", "Section", "chart_text", "write_page", "write_report"]
