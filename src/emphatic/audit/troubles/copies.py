"""Sets of rows that are equal or nearly equal, and how surely their likeness is no accident."""

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree
from sklearn.decomposition import PCA

from emphatic.audit.troubles.chance import score_by_chance
from emphatic.audit.troubles.evidence import Evidence
from emphatic.audit.troubles.neighbours import Neighbourhood, estimate_dimension
from emphatic.check import FloatArray, IntArray

LEAST_ROWS = 20
"""With fewer different rows there is nothing to say about how near they usually are."""

NEAR = 0.25
"""Of the distance of the tenth neighbour: what is farther is never called nearly equal, however rare it is."""

MOST_TREE_INPUTS = 16
"""A tree of more inputs is slow; distances between projections are never larger, so that none is missed."""


class CopySet(NamedTuple):
    """Rows that are copies of each other; `distance` is that of its nearest two, `usual` that of the tenth neighbour."""

    rows: IntArray
    score: float
    distance: float = 0.0
    usual: float = 0.0


def find_exact_sets(evidence: Evidence) -> list[CopySet]:
    """Sets of equal rows, in the order of their first rows.

    Their score is the share of the rows that have no copy: where most rows have one, the columns take so few values
    that copies are the rule.
    """
    sets = _split(evidence.copies)
    score = 1.0 - sum(map(len, sets)) / evidence.n_rows
    return [CopySet(rows, score) for rows in sets]


def find_near_sets(evidence: Evidence) -> list[CopySet]:
    r"""Sets of rows that are nearer to each other than chance would bring them, with the exact copies of each.

    Let s be the distance of a row's tenth neighbour, within which there are N rows. If these are spread evenly, as in
    a ball of p dimensions, one of the others is within x of the row with the probability

    .. math:: P(x) = 1 - \left(1 - (x / s)^p\right)^{N - 1},

    and of m rows E = m P / 2 pairs are that near by chance. Pairs with E < 1 that are also nearer than s / 4 are linked
    (s is the smaller one of the two rows), and the score of a set is 1 / (1 + E) of its nearest pair.
    """
    hood = evidence.neighbourhood
    if hood is None or len(hood.rows) < LEAST_ROWS:
        return []
    usual = hood.distances[:, -1]
    dimension = estimate_dimension(hood.distances, evidence.inputs.shape[1])
    rare = 1.0 - (1.0 - 2.0 / len(hood.rows)) ** (1.0 / (hood.n_inside - 1.0))
    first, second, distance = _find_pairs(evidence.inputs[hood.rows], usual * min(NEAR, rare ** (1.0 / dimension)))
    if not len(first):
        return []
    least = np.minimum(usual[first], usual[second])
    expected = _expect_pairs(distance / least, dimension, hood)
    size = len(hood.rows)
    component = connected_components(coo_array((np.ones(len(first)), (first, second)), shape=(size, size)))[1]
    sets = []
    of_pair = component[first]
    component_of_copy = dict(zip(evidence.copies[hood.rows].tolist(), component.tolist()))
    of_row = np.array([component_of_copy[copy] for copy in evidence.copies.tolist()])
    nearest = np.lexsort((distance, expected))
    linked = np.unique(of_pair)
    best = {int(of_pair[pair]): pair for pair in nearest[::-1]}  # the last to be written is the nearest
    order = np.argsort(of_row, kind="stable")
    starts, ends = (np.searchsorted(of_row[order], linked, side) for side in ("left", "right"))
    for one, start, end in zip(linked.tolist(), starts, ends):
        pair = best[one]
        score = float(score_by_chance(expected[pair]))
        sets.append(CopySet(order[start:end], score, float(distance[pair]), float(least[pair])))
    return sorted(sets, key=lambda one: (-one.score, one.distance, one.rows[0]))


def _expect_pairs(ratio: FloatArray, dimension: float, hood: Neighbourhood) -> FloatArray:
    """Pairs that are this near by chance, in units of the distance of the tenth neighbour."""
    within = -np.expm1((hood.n_inside - 1.0) * np.log1p(-np.minimum(ratio, 1.0 - 1e-12) ** dimension))
    return np.asarray(len(hood.rows) * within / 2.0)


def _find_pairs(inputs: FloatArray, radii: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Pairs of rows, each within the radius of the other, and their distances."""
    places = inputs
    if inputs.shape[1] > MOST_TREE_INPUTS < len(inputs):
        places = PCA(MOST_TREE_INPUTS, svd_solver="covariance_eigh").fit_transform(inputs)
    tree = cKDTree(places)
    found = tree.query_ball_point(places, radii * (1.0 + 1e-9))  # a projection may be longer by rounding
    first = np.repeat(np.arange(len(inputs)), [len(one) for one in found])
    second = np.concatenate([np.asarray(one, dtype=np.intp) for one in found])
    first, second = first[first < second], second[first < second]
    distance = np.linalg.norm(inputs[first] - inputs[second], axis=1)
    near = (distance <= np.minimum(radii[first], radii[second])) & (radii[first] > 0.0) & (radii[second] > 0.0)
    return first[near], second[near], distance[near]


def _split(numbers: IntArray) -> list[IntArray]:
    """Positions of equal numbers, where there are two or more, in the order of the first ones."""
    order = np.argsort(numbers, kind="stable")
    sets = np.split(order, np.flatnonzero(np.diff(numbers[order])) + 1)
    return sorted((rows for rows in sets if len(rows) > 1), key=lambda rows: int(rows[0]))
