"""What each member of a panel costs, in seconds of one core, from the size of its work.

The constants were fitted to CPU times for 5,000 to 20,000 rows of 10 to 111 inputs on one machine. How fast another one
is, `emphatic.audit.forecast` finds out.
"""

from typing import NamedTuple

from emphatic.audit.neighbours import count_candidates
from emphatic.blending.ridge import MOST_UNITS


class Size(NamedTuple):
    """Rows that a member learns from, rows that it scores, columns of numbers, and classes."""

    n_training: int
    n_scored: int
    n_inputs: int
    n_classes: int

    @property
    def n_outputs(self) -> int:
        """Two classes need one output, more need one each."""
        return 1 if self.n_classes == 2 else self.n_classes


def cost_preparation(size: Size) -> float:
    """Of turning rows into numbers."""
    return 5e-8 * (size.n_training + size.n_scored) * size.n_inputs


def cost_neighbours(size: Size) -> float:
    """Of the neighbours of every row: all distances from the rows among which they are looked for."""
    n_candidates = count_candidates(size.n_scored, size.n_inputs)
    return 1.5e-10 * size.n_scored * n_candidates * max(size.n_inputs, 10)


def cost_logistic(size: Size) -> float:
    """Of logistic regression."""
    return 5e-8 * size.n_training * size.n_inputs * size.n_outputs


def cost_networks(size: Size) -> float:
    """Of 30 boosted RBF networks."""
    return (1e-5 + 1.5e-7 * size.n_inputs) * (size.n_training + size.n_scored) * size.n_outputs**0.5


def cost_perceptrons(share: float, size: Size) -> float:
    """Of three MLPs that take this share of the usual number of epochs."""
    return share * (4e-5 + 2.3e-6 * size.n_inputs) * size.n_training * size.n_outputs**0.5 + 2e-6 * size.n_scored


def cost_boosted_trees(n_steps: int, n_leaves: int, size: Size) -> float:
    """Growing a tree takes time for its nodes, and for a histogram of every column."""
    nodes = (7e-4 + 2.4e-5 * size.n_inputs) * n_leaves / 16
    histograms = 6e-9 * size.n_inputs * size.n_training * (n_leaves / 16) ** 0.5
    return n_steps * size.n_outputs * (nodes + histograms + 3e-8 * size.n_scored)


def cost_kernel(most_rows: int, most_predicted: int, size: Size) -> float:
    """Of a decomposition for at most `most_rows` rows, and of the activations of all others."""
    rows = min(size.n_training, most_rows)
    units = min(MOST_UNITS, rows, max(1, most_predicted // size.n_scored))
    activations = (2e-8 + 1.5e-9 * size.n_inputs) * units * (size.n_scored - rows)
    return rows * units * (1.6e-10 * units + 8.5e-8 + 7e-10 * size.n_inputs) + 2e-10 * units**3 + activations


def cost_forest(n_trees: int, most_rows: int, size: Size) -> float:
    """Of growing trees on bootstraps of at most `most_rows` rows, and of scoring the rows that these left out."""
    grown = (9e-7 + 4e-9 * size.n_inputs) * min(size.n_training, most_rows)
    return n_trees * (grown + 3e-7 * size.n_scored)
