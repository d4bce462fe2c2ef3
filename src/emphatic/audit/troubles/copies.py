"""Sets of rows that are equal or nearly equal, and how surely their likeness is no accident."""

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree
from scipy.special import xlog1py
from sklearn.decomposition import PCA

from emphatic.audit.troubles.chance import LEAST_SCORE, score_by_chance
from emphatic.audit.troubles.evidence import Evidence
from emphatic.audit.troubles.neighbours import Neighbourhood
from emphatic.check import FloatArray, IntArray

LEAST_ROWS = 20
"""With fewer different rows there is nothing to say about how near they usually are."""

NEAR = 0.15
"""Of the distance of the tenth neighbour: what is farther is never called nearly equal, however rare it is."""

LEAST_FALL = 0.1
"""Of a logarithm, from which a power is read: where all distances are alike, it is no larger than nine."""

MOST_TREE_INPUTS = 16
"""A tree of more inputs is slow; distances between projections are never larger, so that none is missed."""


class CopySet(NamedTuple):
    """Rows that are copies of each other; the distance of its surest two, and the usual one of a tenth neighbour."""

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

    Let s be the distance of a row's tenth neighbour, within which there are N rows. If these fill a ball of p
    dimensions evenly, one of the others is within x of the row with the probability

    .. math:: P(x) = 1 - \left(1 - (x / s)^p\right)^{N - 1},

    and of m rows E = m P / 2 pairs are as near by chance. Two rows with E < 1/4 (s is the smaller one of the two) are
    linked if they are also nearer than 0.15 s, and than 0.15 times its median. The score of a set is 1 / (1 + E) of its
    surest pair.
    """
    hood = evidence.neighbourhood
    if hood is None or len(hood.rows) < LEAST_ROWS:
        return []
    usual = hood.distances[:, -1]
    first, second, distance = _find_pairs(evidence.inputs[hood.rows], NEAR * np.minimum(usual, np.median(usual)))
    least = np.minimum(usual[first], usual[second])
    scores = _score_pairs(evidence, hood, distance, least)
    kept = scores >= LEAST_SCORE
    return _join(evidence, hood.rows, first[kept], second[kept], [scores[kept], distance[kept], least[kept]])


def score_copies(evidence: Evidence) -> FloatArray:
    """Of every row: how surely it and its nearest row that is not equal to it are no accident (`find_near_sets`)."""
    hood = evidence.neighbourhood
    if hood is None or len(hood.rows) < LEAST_ROWS:
        return np.zeros(evidence.n_rows)
    usual = np.zeros(evidence.n_rows)
    usual[hood.rows] = hood.distances[:, -1]
    least = np.minimum(usual[hood.rows], usual[hood.neighbours[:, 0]])
    of_copy = np.zeros(evidence.copies.max() + 1)
    of_copy[evidence.copies[hood.rows]] = _score_pairs(evidence, hood, hood.distances[:, 0], least)
    return np.asarray(of_copy[evidence.copies])


def _score_pairs(evidence: Evidence, hood: Neighbourhood, distance: FloatArray, usual: FloatArray) -> FloatArray:
    """Scores of pairs at these distances, where a tenth neighbour is usually so far away."""
    ratio = np.divide(distance, usual, out=np.ones_like(distance), where=distance < usual)
    nearer = ratio ** estimate_dimension(hood.distances, evidence.inputs.shape[1])
    within = -np.expm1(xlog1py(hood.n_inside - 1.0, -nearer))
    return score_by_chance(0.5 * len(hood.rows) * within)


def estimate_dimension(distances: FloatArray, n_inputs: int) -> float:
    r"""The dimension p of the space that the rows fill, from the distances d_1 .. d_k of their neighbours.

    The larger one of two estimates, as either falls short where rows come in clusters, but at most `n_inputs`:

    1. of Levina and Bickel, :math:`(k - 2) / \sum_{j<k} \log (d_k / d_j)`, its median over the rows;
    2. the power with which :math:`d_k / d_1` falls, :math:`P(d_k / d_1 > x) \sim x^{-p}`, between the quantiles 0.75
       and 0.9 of the rows. Near duplicates, if less than a tenth of the rows have one, do not matter.
    """
    spread = distances[(distances[:, 0] > 0.0) & (distances[:, -1] > distances[:, 0])]
    if not len(spread):
        return 1.0
    logarithms = np.log(spread[:, -1:] / spread[:, :-1])
    body, tail = np.quantile(logarithms[:, 0], [0.75, 0.9])
    of_tail = np.log(0.25 / 0.1) / max(tail - body, LEAST_FALL)
    of_means = np.median((distances.shape[1] - 2) / logarithms.sum(axis=1))
    return float(np.clip(max(of_tail, of_means), 1.0, max(n_inputs, 1)))


def _join(
    evidence: Evidence, rows: IntArray, first: IntArray, second: IntArray, of_pairs: list[FloatArray]
) -> list[CopySet]:
    """Link pairs of rows to sets, and add the exact copies of each row; the set with the highest score first."""
    links = coo_array((np.ones(len(first)), (first, second)), shape=(len(rows), len(rows)))
    numbers = connected_components(links)[1]
    of_copy = np.zeros(evidence.copies.max() + 1, dtype=np.intp)
    of_copy[evidence.copies[rows]] = numbers
    scores, distance, usual = of_pairs
    surest: dict[int, int] = {}
    for pair in np.lexsort((-distance, scores)).tolist():  # the last one that is written is the surest and nearest
        surest[int(numbers[first[pair]])] = pair
    members = of_copy[evidence.copies]
    order = np.argsort(members, kind="stable")
    linked = np.array(sorted(surest), dtype=np.intp)
    starts, ends = (np.searchsorted(members[order], linked, side) for side in ("left", "right"))
    sets = [
        CopySet(order[start:end], *(float(each[surest[number]]) for each in (scores, distance, usual)))
        for number, start, end in zip(linked.tolist(), starts, ends)
    ]
    return sorted(sets, key=lambda one: (-one.score, one.distance, one.rows[0]))


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
