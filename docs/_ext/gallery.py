"""How the examples become the gallery."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.style
import plotly.io
from sphinx_gallery.sorting import ExplicitOrder

SECTIONS = ["table", "labels", "views", "emphasis", "clusters", "scale"]
STYLE = Path(__file__).parents[1] / "_static" / "gallery.mplstyle"


def prepare_plotting(conf: dict[str, Any], example: str) -> None:
    """Before each example: the style of the figures, and plotly's figures as parts of a page."""
    matplotlib.rcdefaults()
    matplotlib.use("agg")
    matplotlib.style.use(STYLE)
    plotly.io.renderers.default = "sphinx_gallery"


GALLERY: dict[str, Any] = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "subsection_order": ExplicitOrder([f"../examples/{name}" for name in SECTIONS]),
    "within_subsection_order": "FileNameSortKey",
    "filename_pattern": r"\.py",
    "backreferences_dir": "api/examples",
    "doc_module": ("emphatic",),
    "reference_url": {"emphatic": None},
    "show_memory": False,
    "write_computation_times": False,
    "show_signature": False,
    "remove_config_comments": True,
    "nested_sections": True,
    "download_all_examples": False,
    "min_reported_time": 1,
}
