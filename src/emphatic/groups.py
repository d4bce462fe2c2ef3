"""Groups: rows that belong together, such as those of one person, which are never on both sides of a split."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emphatic.check import IntArray
from emphatic.missing import is_missing
from emphatic.user_warning import warn_user
from emphatic.wording import count


def encode_groups(groups: ArrayLike, n: int, name: str = "groups") -> IntArray:
    """Codes 0 .. G-1 of the groups of `n` rows: at least two groups, none missing; errors call them `name`.

    >>> encode_groups(["ann", "bob", "ann"], 3)
    array([0, 1, 0])
    """
    values: Any = np.asarray(groups)
    if values.shape != (n,):
        raise ValueError(f"{name} has shape {values.shape}, but X has {n} rows: {name} must have shape ({n},).")
    n_missing = sum(map(is_missing, values.tolist()))
    if n_missing:
        raise ValueError(f"{name} has no value in {count(n_missing, 'row')}: every row needs its {name.rstrip('s')}.")
    try:
        names, codes = np.unique(values, return_inverse=True)
    except TypeError as error:
        raise ValueError(f"{name} holds values of mixed type ({error}): all of them must be of one type.") from error
    if len(names) == 1:
        raise ValueError(
            f"{name} holds one {name.rstrip('s')} only: at least 2 are needed to judge models on rows of another."
        )
    return np.asarray(codes, dtype=np.intp)


def find_lone_classes(codes: IntArray, groups: IntArray) -> IntArray:
    """Classes all rows of which are in one group: models that are judged on these rows have never seen the class.

    >>> find_lone_classes(np.array([0, 1, 0, 2]), np.array([0, 0, 1, 1])).tolist()
    [1, 2]
    """
    pairs = np.unique(np.column_stack([codes, groups]), axis=0)
    return np.flatnonzero(np.bincount(pairs[:, 0]) == 1)


def check_groups(
    groups: ArrayLike, codes: IntArray, classes: np.ndarray, present: NDArray[np.bool_] | None = None
) -> IntArray:
    """The codes of the groups of rows of classes `codes`: at least one of the `classes` is in several groups.

    `groups` may be those of more rows, of which only the `present` ones count. A warning names classes that are in one
    group only.
    """
    encoded = encode_groups(groups, len(codes) if present is None else len(present))
    if present is not None:
        encoded = encode_groups(encoded[present], len(codes))
    lone = classes[find_lone_classes(codes, encoded)].tolist()
    if len(lone) == len(classes):
        raise ValueError(
            "groups keeps every class within one group: a model that is judged on a class would never have seen "
            "it. Each class needs rows in at least 2 groups."
        )
    if lone:
        warn_user(
            f"{'class' if len(lone) == 1 else 'classes'} {', '.join(map(repr, lone))} of y: all rows are in one "
            "group, so that models judged on them have never seen their class. Figures out of fold are too bad."
        )
    return encoded
