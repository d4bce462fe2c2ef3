"""How the rows of each partition are read or made, as data that travel to where their labels and weights are.

To Dask, a partition of a table that is read anew in every pass is a task of its own, which runs on any worker; labels
and weights, which are smaller and are kept, would then be sent after it, or the rows to them. A recipe of a few
kilobytes is sent instead: it is carried out inside the task that needs the rows, on the worker that holds their labels.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from emphatic.cluster import find_client

LARGEST_RECIPE = 2**16
"""Bytes. A larger one holds rows, as that of an array in this process does, and is left to Dask."""

Recipe = tuple[dict[Any, Any], Any]
"""A Dask graph, and its key that stands for the rows."""


def find_recipes(X: Any) -> Any:
    """A Dask array with the recipe of every partition of `X`, kept on the workers; None where there are none.

    There are none without a cluster, where partitions are kept on it, where several partitions need the same
    intermediate result, and where a recipe would hold rows.
    """
    if find_client() is None:
        return None
    import cloudpickle
    import dask
    import dask.array
    import distributed
    from dask.optimization import cull

    if distributed.futures_of(X):
        return None
    (optimised,) = dask.optimize(X)
    graph = dict(optimised.__dask_graph__())
    keys = [row[0] for row in optimised.__dask_keys__()]
    recipes = [(cull(graph, [key])[0], key) for key in keys]
    shared = sum(len(one) for one, _ in recipes) > len({name for one, _ in recipes for name in one})
    if shared or len(cloudpickle.dumps(recipes[0])) > LARGEST_RECIPE:
        return None
    boxes = np.empty(len(recipes), dtype=object)
    for number, recipe in enumerate(recipes):
        boxes[number] = Made(recipe)
    return dask.array.from_array(boxes, chunks=1, name=False).persist()


class Made:
    """Rows that are made when they are needed."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe

    def make(self) -> np.ndarray:
        import dask

        graph, key = self.recipe
        rows: np.ndarray = dask.get(graph, key)
        return rows


def make_rows(X: np.ndarray) -> np.ndarray:
    """The rows themselves, also of an array with one recipe."""
    return X[0].make() if X.dtype == object and len(X) == 1 and isinstance(X[0], Made) else X
