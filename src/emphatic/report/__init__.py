"""Self-contained HTML pages of texts, tables and charts, shared by the audit, comparisons and the papers' tables.

`write_page` writes one, `figures` and `colours` hold what figures share, `html` what every page in one file needs.
"""

from emphatic.report.figures import escape_label
from emphatic.report.grid import Grid
from emphatic.report.page import Chart, Section, write_page

__all__ = ["Chart", "Grid", "Section", "escape_label", "write_page"]
