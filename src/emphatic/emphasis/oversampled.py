"""Any emphasis, with synthetic rows of the smaller classes (SMOTEBoost)."""

import numpy as np

from emphatic import check
from emphatic.base import DrawingWrapper, DrawnRows, Emphasis
from emphatic.inputs import LARGEST_INPUT, finite_table, table_like
from emphatic.margins import distribution_or_uniform


class Oversampled(DrawingWrapper):
    r"""Train learners on all rows and on synthetic ones of the smaller classes (SMOTEBoost: Chawla et al., PKDD 2003).

    .. math:: x_{\mathrm{new}} = x_i + u\, (x_j - x_i), \qquad u \sim U(0, 1), \quad j \in \mathrm{kNN}(i)

    SMOTE makes them anew in each round, of a row and a neighbour in its class. A synthetic row weighs as much as the
    mean row of its class under the emphasis. Edge, vote and next weights are those of the real rows. Columns must be
    numbers, of similar scale; imbalanced-learn is needed, ``pip install "emphatic[imbalance]"``.

    Parameters
    ----------
    base : Emphasis
        The emphasis of the real rows; it must be given.
    ratio : float in (0, 1], default=1.0
        How many rows smaller classes have then, in rows of the largest class; a class that has more keeps them.
    n_neighbors : int, default=5
        Of how many neighbours one is chosen; in a class that has no more rows than that, of all the others.

    >>> from emphatic.emphasis import Mixed, Oversampled
    >>> X, y = np.array([[0.0], [1.0], [2.0], [7.0], [9.0]]), np.array([0, 0, 0, 1, 1])
    >>> drawn = Oversampled(Mixed(0.3)).draw(X, y, np.full(5, 0.2), np.random.default_rng(0))
    >>> drawn.y, bool(7 <= drawn.X[5, 0] <= 9)
    (array([0, 0, 0, 1, 1, 1]), True)
    """

    def __init__(self, base: Emphasis | None = None, ratio: float = 1.0, n_neighbors: int = 5) -> None:
        self.base = base
        self.ratio = ratio
        self.n_neighbors = n_neighbors

    def check_own_parameters(self) -> None:
        check.real("ratio", self.ratio, 0, 1, open_low=True)
        check.integer("n_neighbors", self.n_neighbors, at_least=1)

    def redraw(self, drawn: DrawnRows, rng: np.random.Generator) -> DrawnRows:
        try:
            from imblearn.over_sampling import SMOTE
        except ImportError as error:
            raise ImportError('Oversampled needs imbalanced-learn: pip install "emphatic[imbalance]"') from error
        counts = np.bincount(drawn.y)
        wanted = round(self.ratio * counts.max())
        X = finite_table(drawn.X, "Oversampled makes new rows between others", LARGEST_INPUT)
        y, weights = drawn.y, drawn.weights
        for code in np.flatnonzero((counts > 0) & (counts < wanted)):
            k, seed = min(self.n_neighbors, int(counts[code]) - 1), int(rng.integers(2**31))
            X, y = SMOTE(sampling_strategy={code: wanted}, k_neighbors=k, random_state=seed).fit_resample(X, y)
            mean = drawn.weights[drawn.y == code].mean()  # the real rows come first
            weights = np.append(weights, np.full(len(y) - len(weights), mean))
        return drawn if y is drawn.y else DrawnRows(table_like(drawn.X, X), y, distribution_or_uniform(weights))
