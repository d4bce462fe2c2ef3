"""What came of a study: tables, tests and a page of its records, for your own studies and for `emphatic compare`.

`outcome` compares methods on one problem, `findings` gathers all problems of a study; `table`, `charts` and `page` show
them.
"""

from emphatic.study.findings.findings import Findings

__all__ = ["Findings"]
