"""How Sphinx builds the site: `make docs`. Nothing is fetched while it builds, and no page needs the network."""

from __future__ import annotations

import sys
from pathlib import Path

import emphatic

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE / "_ext"))

from gallery import GALLERY, prepare_plotting
from sklearn_inventory import write_inventory

project = "emphatic"
author = "The emphatic developers"
copyright = "The emphatic developers, BSD 3-Clause"
version = release = emphatic.__version__

extensions = [
    "myst_nb",  # pages and notebooks; brings myst_parser
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.intersphinx",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "mathml",
    "own_members",
    "plotly_once",
]
exclude_patterns = ["_build", "gallery/**/*.ipynb", "gallery/**/*.py", "**/README.md"]
nitpicky = True
highlight_language = "none"  # a block without a language is output, a command or a drawing
templates_path = ["_templates"]

# pages
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 4
suppress_warnings = ["config.cache"]  # functions in sphinx_gallery_conf cannot be pickled, and need not be

# notebooks: their outputs are stripped in git, made here, and kept until a notebook changes
nb_execution_mode = "cache"
nb_execution_cache_path = str(ROOT / "build" / "notebooks")
nb_execution_timeout = 600
nb_execution_raise_on_error = True
nb_merge_streams = True

# the API
autosummary_generate = True
autosummary_context = {"curves": {path.stem for path in (HERE / "images" / "emphases").glob("*.svg")}}
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
add_module_names = False
toc_object_entries_show_parents = "hide"

# scikit-learn's names, from the package that is installed
intersphinx_mapping = {"sklearn": ("https://scikit-learn.org/stable/", write_inventory(ROOT / "build" / "sklearn.inv"))}

# the gallery: an example runs again when its file changes
sphinx_gallery_conf = GALLERY | {"reset_modules": (prepare_plotting,)}

# the theme
html_theme = "pydata_sphinx_theme"
html_title = "emphatic"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["names.js"]
html_show_sourcelink = False
html_copy_source = False
html_logo = "images/logo.svg"
html_favicon = "images/logo.svg"
html_theme_options = {
    "header_links_before_dropdown": 6,
    "navbar_align": "left",
    "show_prev_next": True,
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "footer_start": ["copyright"],
    "footer_end": ["theme-version"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
    "logo": {"text": "emphatic"},
}
html_sidebars = {"index": [], "start": [], "audit": []}  # pages without others below them
