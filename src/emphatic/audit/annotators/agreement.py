"""How much annotators agree beyond chance: in pairs, and all together, with labels missing."""

import numpy as np

from emphatic.audit.annotators.labels import MISSING
from emphatic.check import FloatArray, IntArray
from emphatic.diversity.agreement import kappa


def compare_pairs(codes: IntArray) -> FloatArray:
    """Cohen's kappa (A, A) of all pairs of annotators, on the rows that both have labelled; NaN if there are none.

    >>> import numpy as np
    >>> compare_pairs(np.array([[0, 0, -1], [1, 1, -1], [1, 0, -1], [0, -1, -1]]))[0].round(2)
    array([1. , 0.4, nan])
    """
    n_annotators = codes.shape[1]
    kappas = np.full((n_annotators, n_annotators), np.nan)
    for a in range(n_annotators):
        for b in range(a + 1):
            shared = (codes[:, a] != MISSING) & (codes[:, b] != MISSING)
            if shared.any():
                kappas[a, b] = kappas[b, a] = kappa(codes[shared, a], codes[shared, b])
    return kappas


def fleiss_kappa(counts: FloatArray) -> float:
    r"""Fleiss' kappa of `counts` (n, K): how many annotators gave each label to each row.

    .. math:: \kappa = \frac{\bar P - \bar P_e}{1 - \bar P_e}, \quad
              P_i = \frac{\sum_k n_{ik} (n_{ik} - 1)}{n_i (n_i - 1)}, \quad
              \bar P_e = \sum_k \Bigl(\sum_i n_{ik} \Big/ \sum_i n_i\Bigr)^2

    Only rows with two labels or more count; they may have different numbers of labels. NaN without such rows; 1 if all
    their labels are the same.

    >>> import numpy as np
    >>> fleiss_kappa(np.array([[2.0, 0.0], [0.0, 2.0], [1.0, 1.0]])).__round__(3)
    0.333
    """
    counts = _keep_compared(counts)
    if len(counts) == 0:
        return float("nan")
    totals = counts.sum(axis=1)
    observed = ((counts * (counts - 1.0)).sum(axis=1) / (totals * (totals - 1.0))).mean()
    chance = ((counts.sum(axis=0) / totals.sum()) ** 2).sum()
    return 1.0 if chance == 1.0 else float((observed - chance) / (1.0 - chance))


def krippendorff_alpha(counts: FloatArray) -> float:
    r"""Krippendorff's alpha for nominal labels, of `counts` (n, K) as in `fleiss_kappa`.

    .. math:: \alpha = 1 - (N - 1) \frac{N - \sum_k o_{kk}}{N^2 - \sum_k n_k^2}, \quad
              o_{kk} = \sum_i \frac{n_{ik} (n_{ik} - 1)}{n_i - 1}

    N labels are in rows with two labels or more, :math:`n_k` of them k. Rows count by their labels, not equally as in
    Fleiss' kappa, and chance is that of drawing without replacement.

    >>> import numpy as np
    >>> krippendorff_alpha(np.array([[2.0, 0.0], [0.0, 2.0], [1.0, 1.0]])).__round__(3)
    0.444
    """
    counts = _keep_compared(counts)
    if len(counts) == 0:
        return float("nan")
    totals = counts.sum(axis=1)
    n = totals.sum()
    coincidences = ((counts * (counts - 1.0)).sum(axis=1) / (totals - 1.0)).sum()
    possible = n**2 - (counts.sum(axis=0) ** 2).sum()
    return 1.0 if possible == 0.0 else float(1.0 - (n - 1.0) * (n - coincidences) / possible)


def _keep_compared(counts: FloatArray) -> FloatArray:
    return np.asarray(counts[counts.sum(axis=1) >= 2.0], dtype=np.float64)
