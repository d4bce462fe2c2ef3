"""Figures of plotly that can be zoomed: plotly's script lies in the site once, and is not fetched."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import plotly
from sphinx.application import Sphinx
from sphinx.util.fileutil import copy_asset_file

SCRIPT = "plotly.min.js"
FETCHED = re.compile(r'<script[^>]*src="https?://[^>]*></script>')


def copy_script(app: Sphinx) -> None:
    """Lay plotly's script beside the other static files."""
    static = Path(app.outdir) / "_static"
    static.mkdir(parents=True, exist_ok=True)
    copy_asset_file(Path(plotly.__file__).parent / "package_data" / SCRIPT, static)


def use_script(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Pages with a figure load the script; all others are spared four megabytes."""
    body = context.get("body", "")
    if "plotly-graph-div" in body:
        context["body"] = FETCHED.sub("", body)
        app.add_js_file(SCRIPT, loading_method=None)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", copy_script)
    app.connect("html-page-context", use_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
