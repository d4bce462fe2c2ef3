"""Self-contained HTML pages of texts, tables and charts, shared by the audit, comparisons and the papers' tables.

`write_page` writes one; `html` holds what every page in one file needs.
"""

from emphatic.report.grid import Grid
from emphatic.report.page import Chart, Section, chart_text, write_page

__all__ = ["Chart", "Grid", "Section", "chart_text", "write_page"]
