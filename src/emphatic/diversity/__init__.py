"""How much the members of an ensemble agree, and pruning to the few that agree least (paper 003, 3.1).

For users, on any fitted ensemble; `multiview` prunes its forests by the same choice.
"""

from emphatic.diversity.agreement import kappa, kappa_matrix, kappa_order, kappa_select
from emphatic.diversity.diagram import KappaErrorPoints, kappa_error_diagram, kappa_error_points
from emphatic.diversity.pruning import kappa_prune, member_predictions

__all__ = [
    "KappaErrorPoints",
    "kappa",
    "kappa_error_diagram",
    "kappa_error_points",
    "kappa_matrix",
    "kappa_order",
    "kappa_prune",
    "kappa_select",
    "member_predictions",
]
