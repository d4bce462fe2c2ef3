"""Data sets with licence, citation and the rules of the papers: `load(name)` gives a `Problem`, `names()` lists them.

For users, and for studies and papers; no estimator needs a data set.
"""

from emphatic.datasets.catalogue import names
from emphatic.datasets.generators import five_gaussians_not_kwok, ripley_mixture, waveform
from emphatic.datasets.loading import load
from emphatic.datasets.problem import Problem

__all__ = ["Problem", "five_gaussians_not_kwok", "load", "names", "ripley_mixture", "waveform"]
