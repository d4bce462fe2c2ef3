"""Dempster's rule for members that count more or less than once."""

import numpy as np
from numpy.typing import ArrayLike

from emphatic import check
from emphatic.check import FloatArray
from emphatic.margins import normalise_rows


def combine_weighted(masses: FloatArray, ignorances: FloatArray, weights: ArrayLike) -> FloatArray:
    r"""(n, K) pignistic probabilities of masses (members, n, K) and ignorances (members, n); one weight per member.

    The orthogonal sum multiplies what the members put on a class or on all of them, so a member that is combined
    :math:`w` times counts with the power :math:`w`, which need not be whole:

    .. math::
        m(\{c\}) + m(\Theta) = \prod_j (s_{jc} + \theta_j)^{w_j}, \qquad m(\Theta) = \prod_j \theta_j^{w_j}

    Members that see much the same should count less than once each: their agreement is no news.
    """
    given = check_weights(weights, len(masses))
    counted = given > 0  # a member of weight 0 does not count, even where its logarithm is infinite
    with np.errstate(divide="ignore"):
        plausible, unknown = np.log(masses[counted] + ignorances[counted][..., None]), np.log(ignorances[counted])
    whole, rest = share_masses(plausible, unknown, given[counted])
    return normalise_rows(whole - rest)


def share_masses(plausible: FloatArray, unknown: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    r"""(n, K) and (n, 1), whose difference is :math:`m(\{c\}) + m(\Theta) / K`, all scaled by the largest of a row.

    They are :math:`m(\{c\}) + m(\Theta)` and :math:`(1 - 1/K)\,m(\Theta)`, from the logarithms of
    :math:`s_{jc} + \theta_j` and of :math:`\theta_j`.
    """
    # not by a product of matrices, whose last bit may depend on the number of threads
    products = (weights[:, None, None] * plausible).sum(axis=0)
    ignorance = (weights[:, None] * unknown).sum(axis=0)[:, None]
    largest = products.max(axis=1, keepdims=True)
    scale = np.where(np.isfinite(largest), largest, 0.0)
    return np.exp(products - scale), np.exp(ignorance - scale) * (1.0 - 1.0 / plausible.shape[2])


def check_weights(weights: ArrayLike, n_members: int) -> FloatArray:
    """One finite number, at least 0, for every member."""
    given = check.numbers("weights", weights)
    if given.shape != (n_members,):
        raise ValueError(f"weights has shape {given.shape}: it must be ({n_members},), one per member.")
    if not ((given >= 0) & np.isfinite(given)).all():
        raise ValueError(f"weights={weights!r} is not allowed: every weight must be a finite number of at least 0.")
    return given
