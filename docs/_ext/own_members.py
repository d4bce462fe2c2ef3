"""A page of the API lists what our classes define; what they inherit from scikit-learn has a page there."""

from __future__ import annotations

import inspect
from typing import Any

from sphinx.application import Sphinx


def skip_foreign(app: Sphinx, what: str, name: str, member: Any, skip: bool, options: Any) -> bool | None:
    """Whether to leave this member out: True if other packages define it, None to let autodoc decide."""
    function = inspect.unwrap(member.fget if isinstance(member, property) else member)
    module = getattr(function, "__module__", None) or "emphatic"
    return None if module.split(".")[0] == "emphatic" else True


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-skip-member", skip_foreign)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
