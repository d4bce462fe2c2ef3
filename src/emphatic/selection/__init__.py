"""Parameter search by cross-validation, with the work shared between candidates.

For users; nothing else in the package calls it.
"""

from emphatic.selection.search import PAPER_001_GRID, EnsembleSearchCV

__all__ = ["PAPER_001_GRID", "EnsembleSearchCV"]
