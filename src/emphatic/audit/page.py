"""The page of an audit: one HTML file that needs no network, in which a person reviews the suspicious labels.

What is in `web/` is put together here: `page.html` with the style, the scripts and the data inside it. A content
security policy names the style and the scripts by their hashes, so that a browser runs nothing else, whatever the
table holds, and fetches nothing.
"""

import datetime
import html
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from emphatic.audit.judgement import Findings
from emphatic.audit.page_data import collect_data
from emphatic.audit.reviewed import Reviewed
from emphatic.files import write_atomically
from emphatic.report.html import dump_for_script, fill_template, hash_for_policy, make_policy, read_part
from emphatic.report.page import Section, render_section
from emphatic.wording import count

SCRIPTS = (
    *("elements.js", "data.js", "marks.js", "marks_file.js", "estimate.js", "rows.js", "overview.js", "grid.js"),
    *("sample.js", "marking.js", "review.js"),
)
"""In the order of use; together they are one script."""


def write_page(
    findings: Reviewed, path: str | Path, sections: Sequence[Section] = (), *, source: str = "", target: str = ""
) -> None:
    """Write the page; where it cannot be written, an OSError says why and no part of it is left behind."""
    write_atomically(path, render_page(findings, sections, source=source, target=target))


def render_page(findings: Reviewed, sections: Sequence[Section] = (), *, source: str = "", target: str = "") -> str:
    """The page as text, with these sections below the review; `source` and `target` name the file and the labels."""
    read = partial(read_part, "emphatic.audit")
    style = read("page.css") + read("troubles.css")
    script = f'(() => {{\n"use strict";\n{"".join(map(read, SCRIPTS))}}})();\n'
    parts = {
        "policy": make_policy(f"style-src {hash_for_policy(style)}", script),
        "style": style,
        "script": script,
        "title": html.escape(f"Label audit: {source}" if source else "Label audit"),
        "about": html.escape(_describe_table(findings, source, target)),
        "summary": html.escape(Findings.summary(findings, n_worst=0)),  # the list and the script say the rest
        "troubles_link": _link_sections(sections),
        "troubles": _render_sections(sections),
        "data": dump_for_script(collect_data(findings)),
    }
    return fill_template(read("page.html"), parts)


def _describe_table(findings: Reviewed, source: str, target: str) -> str:
    """File, target, date and number of features, in one line; the summary has the other counts."""
    n_features = np.shape(findings.X)[1]
    named = source, target and f"labels in {target}", f"{datetime.date.today()}", count(n_features, "feature")
    return " · ".join(filter(None, named))


def _link_sections(sections: Sequence[Section]) -> str:
    """A line in the head of the page, with a link to each section."""
    links = ", ".join(f'<a href="#{one.id}">{html.escape(one.title)}</a>' for one in sections)
    return f'<nav id="troubles-link" aria-label="Other troubles">Also found: {links}</nav>' if links else ""


def _render_sections(sections: Sequence[Section]) -> str:
    rendered = "\n".join(map(render_section, sections))
    return f'<div id="troubles">\n<h1>Other troubles of this table</h1>\n{rendered}\n</div>' if rendered else ""
