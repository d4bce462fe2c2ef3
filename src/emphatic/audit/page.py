"""The page of an audit: one HTML file that needs no network, in which a person reviews the suspicious labels.

What is in `web/` is put together here: `page.html` with the style, the scripts and the data inside it. A content
security policy names the style and the scripts by their hashes, so that a browser runs nothing else, whatever the
table holds, and fetches nothing.
"""

from __future__ import annotations

import html
from pathlib import Path

from emphatic.audit.page_data import page_data
from emphatic.audit.result import AuditResult
from emphatic.files import write_atomically
from emphatic.report.html import dump_for_script, fill_template, hash_for_policy, read_part

SCRIPTS = ("elements.js", "data.js", "marks.js", "rows.js", "overview.js", "grid.js", "sample.js", "review.js")
"""In the order of use; together they are one script."""


def write_page(result: AuditResult, path: str | Path) -> None:
    """Write the page; where it cannot be written, an OSError says why and no part of it is left behind."""
    write_atomically(path, page_text(result))


def page_text(result: AuditResult) -> str:
    """The page as text."""
    style = _read("page.css")
    script = f'(() => {{\n"use strict";\n{"".join(map(_read, SCRIPTS))}}})();\n'
    parts = {
        "policy": (
            f"default-src 'none'; style-src {hash_for_policy(style)}; script-src {hash_for_policy(script)}; "
            "img-src data:"
        ),
        "style": style,
        "script": script,
        "summary": html.escape(result.summary()),
        "data": dump_for_script(page_data(result)),
    }
    return fill_template(_read("page.html"), parts)


def _read(name: str) -> str:
    return read_part("emphatic.audit", name)
