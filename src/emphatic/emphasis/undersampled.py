"""Any emphasis, with learners that see as many rows of each class (RUSBoost)."""

import numpy as np

from emphatic import check
from emphatic.base import DrawingWrapper, DrawnRows, Emphasis
from emphatic.inputs import take_rows
from emphatic.margins import distribution_or_uniform


class Undersampled(DrawingWrapper):
    r"""Train learners on the smallest class and as many rows of each other one (RUSBoost: Seiffert et al., 2010).

    .. math:: |S_t \cap \text{class } k| = \min\bigl(n_k,\; \mathrm{ratio} \cdot \min_j n_j\bigr)

    Each round draws its rows S_t anew, without replacement, and weighs them by the wrapped emphasis. Edge, vote and
    next weights are those of all rows.

    Parameters
    ----------
    base : Emphasis
        The emphasis of the rows; it must be given.
    ratio : float above 0, default=1.0
        Rows of a larger class, in rows of the smallest; at least 2 are drawn. RUSBoost's share p of the smaller of two
        classes is the ratio (1 - p) / p.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from emphatic import RealAdaBoostClassifier
    >>> from emphatic.emphasis import Exponential, Undersampled
    >>> from emphatic.metrics import class_accuracies
    >>> X, y = make_blobs([300, 20], centers=[[0, 0], [1, 1]], cluster_std=0.7, random_state=0)
    >>> tree = DecisionTreeClassifier(max_depth=2)
    >>> for emphasis in (Exponential(), Undersampled(Exponential())):
    ...     model = RealAdaBoostClassifier(tree, emphasis, n_estimators=10, random_state=0).fit(X, y)
    ...     print(class_accuracies(y, model.predict(X)).round(2))
    [1.   0.15]
    [0.84 0.85]
    """

    def __init__(self, base: Emphasis | None = None, ratio: float = 1.0) -> None:
        self.base = base
        self.ratio = ratio

    def check_own_parameters(self) -> None:
        check.real("ratio", self.ratio, 0, open_low=True)

    def redraw(self, drawn: DrawnRows, rng: np.random.Generator) -> DrawnRows:
        members = [np.flatnonzero(drawn.y == code) for code in np.unique(drawn.y)]
        fewest = min(map(len, members))
        n_drawn = max(2, round(min(self.ratio * fewest, len(drawn.y))))
        kept = [one if len(one) == fewest else rng.permutation(one)[:n_drawn] for one in members]
        if sum(map(len, kept)) == len(drawn.y):
            return drawn
        rows = np.sort(np.concatenate(kept))
        return DrawnRows(take_rows(drawn.X, rows), drawn.y[rows], distribution_or_uniform(drawn.weights[rows]))
