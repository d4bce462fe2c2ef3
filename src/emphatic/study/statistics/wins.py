"""Many methods over many problems, by errors: how often one is better than another, and how far each is from the best.

They describe and do not test; `ranks` and `bayes` do. Both are measures of the TabArena benchmark.
"""

import numpy as np
from numpy.typing import ArrayLike

from emphatic import check
from emphatic.study.statistics.ranks import check_table


def win_rates(errors: ArrayLike) -> check.FloatArray:
    """Share of the problems on which the row's method has a lower error than the column's; a tie counts half.

    (problems, methods) -> (methods, methods); the diagonal is NaN: no method competes with itself.

    >>> win_rates([[0.1, 0.2, 0.3], [0.1, 0.3, 0.3]])
    array([[ nan, 1. , 1. ],
           [0. ,  nan, 0.75],
           [0. , 0.25,  nan]])
    """
    table = check_table(errors)
    # Method by method: all pairs on all problems at once may not fit in memory.
    rates = [((own[:, None] < table) + 0.5 * (own[:, None] == table)).mean(axis=0) for own in table.T]
    found = np.array(rates)
    np.fill_diagonal(found, np.nan)
    return found


def improvability(errors: ArrayLike) -> check.FloatArray:
    """By how many percent the error of the best method is lower than one's own, on average over the problems.

    (problems, methods) -> (methods,). On one problem it is 100 (1 - best error / own error), and 0 where the own error
    is 0. The mean lies between 0 (always the best) and 100 (on every problem, another makes no error).

    >>> improvability([[0.1, 0.2, 0.4], [0.2, 0.2, 0.1]])
    array([25. , 50. , 37.5])
    """
    table = check_table(errors)
    if (table < 0).any():
        raise ValueError(f"errors holds negative values (least {table.min():g}): every error must be at least 0")
    best = table.min(axis=1, keepdims=True)
    ratio = np.divide(best, table, out=np.ones_like(table), where=table > 0)
    return np.asarray(100 * (1 - ratio).mean(axis=0))
