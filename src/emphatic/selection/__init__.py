"""Choosing parameters by cross-validation, with the work shared between the candidates."""

from emphatic.selection.search import PAPER_001_GRID, EnsembleSearchCV

__all__ = ["PAPER_001_GRID", "EnsembleSearchCV"]
