"""Data sets with licence, citation and the rules of the papers: `load(name)` gives a `Problem`, `names()` lists them.

For users, and for studies and papers; no estimator needs a data set. What needs scikit-learn is imported when first
used, so that the command lists the data sets at once.
"""

import importlib
from typing import TYPE_CHECKING, Any

from emphatic.datasets.catalogue import names

if TYPE_CHECKING:
    from emphatic.datasets.generators import five_gaussians_not_kwok, ripley_mixture, waveform
    from emphatic.datasets.loading import load
    from emphatic.datasets.problem import Problem

_MODULES = {
    "Problem": "problem",
    "five_gaussians_not_kwok": "generators",
    "load": "loading",
    "ripley_mixture": "generators",
    "waveform": "generators",
}

__all__ = ["Problem", "five_gaussians_not_kwok", "load", "names", "ripley_mixture", "waveform"]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
