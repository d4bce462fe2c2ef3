"""The page of an audit: one HTML file that needs no network, in which a person reviews the suspicious labels.

What is in `web/` is put together here: `page.html` with the style, the scripts and the data inside it. A content
security policy names the style and the scripts by their hashes, so that a browser runs nothing else, whatever the
table holds, and fetches nothing.
"""

from __future__ import annotations

import base64
import hashlib
import html
import re
from importlib import resources
from pathlib import Path

from emphatic.audit.page_data import page_data, script_safe_json
from emphatic.audit.result import AuditResult
from emphatic.files import write_atomically

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
        "policy": f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; img-src data:",
        "style": style,
        "script": script,
        "summary": html.escape(result.summary()),
        "data": script_safe_json(page_data(result)),
    }
    # In one pass: what looks like a mark in the data is data.
    return re.sub(r"\{\{(\w+)\}\}", lambda mark: parts[mark[1]], _read("page.html"))


def _read(name: str) -> str:
    return resources.files("emphatic.audit").joinpath("web", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """How a content security policy names an inline element."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
