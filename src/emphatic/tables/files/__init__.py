"""Tables from files as people have them: the layout is found out and said, and nothing is misread in silence.

`source` gives bytes, and `formats` says what they are; `survey`, `encoding`, `detection`, `header` and `footer` find
out how a CSV file is laid out, and `rows` streams it; `arrow`, `excel` and `json_lines` read formats with types.
"""

from emphatic.tables.files.layout import Layout
from emphatic.tables.files.options import Options
from emphatic.tables.files.reading import TableFile, iterate_table, read_table

__all__ = ["Layout", "Options", "TableFile", "iterate_table", "read_table"]
