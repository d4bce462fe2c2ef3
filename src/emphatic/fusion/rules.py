"""Fusion rules: the supports of several classifiers, (members, n, K), become one distribution per sample, (n, K).

Supports lie in [0, 1]: probabilities, or any other measure of how much speaks for a class. Every rule returns rows that
sum to 1, whose largest entry is the decision (ties go to the first class), and 1/K each where no class has support.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import softmax

from emphatic import check
from emphatic.check import FloatArray
from emphatic.fusion.evidence import ROUNDING, simple_masses
from emphatic.fusion.weighting import combine_weighted
from emphatic.margins import favour, normalise_rows

LEAST_SUPPORT = 1e-12
"""Under `minimum` and `product` supports count as at least this: no member alone can exclude a class."""

LEAST_LOGARITHM = -650.0
"""Of a product of masses that is computed as such: the least normal number is e^-708."""


def majority(supports: ArrayLike) -> FloatArray:
    """Shares of the votes; a member votes for the class it supports most, and abstains if it supports none.

    Among classes with equally many votes the one with the largest mean support wins: its share is raised by one
    rounding step.

    >>> majority([[[0.6, 0.4]], [[0.1, 0.9]]])
    array([[0.5, 0.5]])
    >>> int(majority([[[0.6, 0.4]], [[0.1, 0.9]]]).argmax())
    1
    """
    given = check_supports(supports)
    chosen, votes_at_all = given.argmax(axis=2), given.max(axis=2) > 0
    votes = ((chosen[..., None] == np.arange(given.shape[2])) & votes_at_all[..., None]).sum(axis=0)
    winner = np.where(votes == votes.max(axis=1, keepdims=True), given.mean(axis=0), -1.0).argmax(axis=1)
    return favour(winner, normalise_rows(votes.astype(np.float64)))


def minimum(supports: ArrayLike) -> FloatArray:
    """The smallest support that any member gives to a class: what all of them can accept.

    >>> minimum([[[0.8, 0.2]], [[0.4, 0.6]]])
    array([[0.667, 0.333]])
    """
    return normalise_rows(np.maximum(check_supports(supports).min(axis=0), LEAST_SUPPORT))


def maximum(supports: ArrayLike) -> FloatArray:
    """The largest support that any member gives to a class: the most confident member decides.

    >>> maximum([[[0.8, 0.2]], [[0.4, 0.6]]])
    array([[0.571, 0.429]])
    """
    return normalise_rows(check_supports(supports).max(axis=0))


def mean(supports: ArrayLike) -> FloatArray:
    """The mean support of each class.

    >>> mean([[[0.8, 0.2]], [[0.4, 0.6]]])
    array([[0.6, 0.4]])
    """
    return normalise_rows(check_supports(supports).mean(axis=0))


def product(supports: ArrayLike) -> FloatArray:
    """The product of the supports, by logarithms: right if the members are independent given the class.

    >>> product([[[0.8, 0.2]], [[0.4, 0.6]]])
    array([[0.727, 0.273]])
    """
    logs = np.log(np.maximum(check_supports(supports), LEAST_SUPPORT)).sum(axis=0)
    return np.asarray(softmax(logs, axis=1))


def dempster_shafer(
    supports: ArrayLike, reliability: ArrayLike | None = None, weights: ArrayLike | None = None
) -> FloatArray:
    r"""Dempster's rule: pignistic probabilities of the orthogonal sum of all members (paper 003, equations 6 and 7).

    Member j with supports :math:`p_j` and reliability :math:`r_j` puts the mass :math:`s_{jc} = r_j p_{jc}` on class c
    and the rest, :math:`\theta_j`, on the set of all classes. The orthogonal sum of such masses stays on classes,
    :math:`\Theta` and the empty set, and needs no :math:`2^K` sets:

    .. math::
        m(\{c\}) = \prod_j (s_{jc} + \theta_j) - \prod_j \theta_j, \qquad m(\Theta) = \prod_j \theta_j

    With reliability 1 it is the product rule (without a least support); as the reliability tends to 0 its decisions
    become those of the mean. In between no member can veto a class, yet agreement counts more than in a mean.

    Parameters
    ----------
    supports : array (members, n, K)
        What a row lacks to the sum 1 is ignorance.
    reliability : number, array (members,) or (members, n), default=None
        In [0, 1]; None is 1.
    weights : array (members,), default=None
        How many times each member counts, from 0 on, in whole or in part; None is once.

    Returns
    -------
    array (n, K)
        Where the members contradict each other completely (`conflict` is 1) every class has 1/K.

    Examples
    --------
    >>> supports = [[[0.8, 0.2]], [[0.4, 0.6]]]
    >>> dempster_shafer(supports), dempster_shafer(supports, reliability=[0.9, 0.5])
    (array([[0.727, 0.273]]), array([[0.734, 0.266]]))
    >>> dempster_shafer(supports, reliability=0.9, weights=[1, 0.5])
    array([[0.722, 0.278]])
    """
    if weights is not None:
        return combine_weighted(*simple_masses(check_supports(supports), _or_one(reliability)), weights)
    single, ignorance, _ = combine_members(supports, reliability)
    return normalise_rows(single + ignorance[:, None] / single.shape[1])


def conflict(supports: ArrayLike, reliability: ArrayLike | None = None) -> FloatArray:
    """(n,) mass on the empty set when members are combined by `dempster_shafer`: 0 agreement, 1 contradiction.

    >>> conflict([[[1.0, 0.0]], [[0.0, 1.0]]]), conflict([[[1.0, 0.0]], [[0.0, 1.0]]], reliability=0.5)
    (array([1.]), array([0.25]))
    """
    return np.clip(1.0 - combine_members(supports, reliability)[2], 0.0, 1.0)


RULES: dict[str, Callable[[ArrayLike], FloatArray]] = {
    rule.__name__: rule for rule in (majority, minimum, maximum, mean, product, dempster_shafer)
}
"""The rules by name, as parameters such as `fusion="mean"` give them."""


def find_rule(name: str) -> Callable[[ArrayLike], FloatArray]:
    """The rule of this name; the error for an unknown name lists the rules."""
    return RULES[check.one_of("fusion", name, RULES)]


def combine_members(supports: ArrayLike, reliability: ArrayLike | None) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Masses on classes and on Theta, scaled to sum 1 (0 where nothing is left), and the mass outside the empty set.

    In logarithms where the masses of a sample are so small that their product could underflow.
    """
    given = check_supports(supports)
    masses, ignorances = simple_masses(given, _or_one(reliability))
    tiny = _could_underflow(masses, ignorances)
    if not tiny.any():
        return _multiply(masses, ignorances)
    single, ignorance, kept = np.empty(given.shape[1:]), np.empty(given.shape[1]), np.empty(given.shape[1])
    for rows, combine in ((~tiny, _multiply), (tiny, _add_logarithms)):
        parts = masses.compress(rows, axis=1), ignorances.compress(rows, axis=1)
        single[rows], ignorance[rows], kept[rows] = combine(*parts)
    return single, ignorance, kept


def _or_one(reliability: ArrayLike | None) -> ArrayLike:
    return 1.0 if reliability is None else reliability


def _could_underflow(masses: FloatArray, ignorances: FloatArray) -> NDArray[np.bool_]:
    """(n,): whether the product of the least masses above 0 of all members is too small to be computed as such."""
    both = (masses, ignorances)
    least = min(one.min(where=one > 0, initial=1.0) for one in both)
    if len(masses) * np.log(least) >= LEAST_LOGARITHM:  # of all samples: mostly that is the end of it
        return np.zeros(masses.shape[1], dtype=bool)
    singles, unknowns = (np.log(np.where(one > 0, one, 1.0)) for one in both)
    return np.asarray(np.minimum(singles.min(axis=2), unknowns).sum(axis=0) < LEAST_LOGARITHM)


def _multiply(masses: FloatArray, ignorances: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Members are added one by one, with positive terms only: the difference of products in the closed form would lose
    digits. Scaling after each keeps the masses of many contradicting members from underflowing.
    """
    single, ignorance, kept = (np.zeros(masses.shape[1:]), *np.ones((2, masses.shape[1])))
    for mass, unknown in zip(masses, ignorances, strict=True):
        single = single * (mass + unknown[:, None]) + ignorance[:, None] * mass
        ignorance = ignorance * unknown
        total = single.sum(axis=1) + ignorance
        kept *= total
        scale = np.divide(1.0, total, out=np.zeros_like(total), where=total > 0)
        single, ignorance = single * scale[:, None], ignorance * scale
    return single, ignorance, kept


def _add_logarithms(masses: FloatArray, ignorances: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The same in logarithms, which need no scaling on the way; -inf is the logarithm of 0."""
    with np.errstate(divide="ignore"):
        logs, unknowns = np.log(masses), np.log(ignorances)
    single, ignorance = np.full(masses.shape[1:], -np.inf), np.zeros(masses.shape[1])
    for log, unknown in zip(logs, unknowns, strict=True):
        single = np.logaddexp(single + np.logaddexp(log, unknown[:, None]), ignorance[:, None] + log)
        ignorance = ignorance + unknown
    total = np.logaddexp(np.logaddexp.reduce(single, axis=1), ignorance)
    shift = np.where(np.isfinite(total), total, 0.0)
    return np.exp(single - shift[:, None]), np.exp(ignorance - shift), np.exp(total)


def check_supports(supports: ArrayLike) -> FloatArray:
    """Supports in [0, 1] as an array (members, n, K), or an error that says what is wrong."""
    given = check.numbers("supports", supports)
    if given.ndim != 3 or given.shape[0] == 0 or given.shape[2] == 0:
        raise ValueError(
            f"supports has shape {given.shape}: it must be (members, samples, classes), with no axis empty."
        )
    if not ((given >= 0) & (given <= 1 + ROUNDING)).all():  # NaN is caught as well
        raise ValueError("supports holds values outside [0, 1], or NaN: every support must lie in [0, 1].")
    return given
