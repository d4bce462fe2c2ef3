"""Self-contained HTML pages of texts, tables and charts, shared by the audit, comparisons and the papers' tables.

`write_page` writes one, `figures` and `colours` hold what figures share, `html` what every page in one file needs.
A `Chart` is drawn by plotly, a `Drawing` is a small picture that needs no script.
"""

from emphatic.report.chooser import Chooser
from emphatic.report.drawing import Axis, Drawing, Line, make_axis
from emphatic.report.figures import escape_label
from emphatic.report.grid import Bar, Grid, Shade
from emphatic.report.page import Chart, Section, write_page

__all__ = [
    "Axis",
    "Bar",
    "Chart",
    "Chooser",
    "Drawing",
    "Grid",
    "Line",
    "Section",
    "Shade",
    "escape_label",
    "make_axis",
    "write_page",
]
