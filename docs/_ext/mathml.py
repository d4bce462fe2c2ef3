"""Formulas as MathML, which browsers draw themselves: no script, no fonts, nothing to fetch."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)
OTHER_WORDS = {
    r"\\dots\b": r"\\ldots",
    r"\\(big|Big)(?![a-zA-Z])": "",
    r"\\textstyle\b": "",
    r"\\operatorname\{(\w+)\}(?=\s)": r"\\operatorname{\1}\\,",
    r"\\substack\{(.*?\\\\.*?)\}(?=[}\s])": r"{\\begin{matrix}\1\\end{matrix}}",
}
"""What docutils does not know, in words that it knows."""


def translate(node: nodes.Element, as_block: bool) -> str:
    code = node.astext()
    for ours, theirs in OTHER_WORDS.items():
        code = re.sub(ours, theirs, code)
    try:
        return str(tex2mathml(code, as_block=as_block))
    except MathError as error:
        LOGGER.warning("formula %r: %s", code, error, location=node)
        return f"<code>{code}</code>"


def visit_inline(translator: Any, node: nodes.math) -> None:
    translator.body.append(translate(node, as_block=False))
    raise nodes.SkipNode


def visit_block(translator: Any, node: nodes.math_block) -> None:
    translator.body.append(f'<div class="formula" tabindex="0">{translate(node, as_block=True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    app.config.html_math_renderer = "mathml"
    return {"parallel_read_safe": True, "parallel_write_safe": True}
