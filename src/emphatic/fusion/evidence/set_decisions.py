"""Answers that are sets of classes, chosen by evidence: by the least, the most or the middle that it says of a set."""

import numpy as np
from numpy.typing import NDArray

from emphatic import check
from emphatic.fusion.evidence.masses import Masses
from emphatic.fusion.evidence.sets import SetArray
from emphatic.fusion.evidence.utilities import DECIMALS, choose_sets, value_sizes

MEASURES = ("belief", "plausibility", "pignistic")

MOST_CLASSES = 12
"""All sets of classes are tried: 4,095 of 12 classes."""


def choose_sets_by(masses: Masses, measure: str = "belief", utility: str = "u65") -> NDArray[np.bool_]:
    r"""Choose, for every sample, the set of classes of the largest expected utility under its masses.

    A set A that holds the right class is worth :math:`g(|A|)`, as for `choose_sets`. Masses do not say which class of a
    focal set is the right one. If it is the one that suits A least, or most, the expected utility is

    .. math:: \underline{E}(A) = g(|A|)\,\mathrm{Bel}(A), \qquad \overline{E}(A) = g(|A|)\,\mathrm{Pl}(A)

    Belief is for those who fear the worst: it names several classes where evidence does not tell them apart.
    Plausibility is for those who hope for the best: it names one class where nothing speaks against it.

    Parameters
    ----------
    masses : Masses
        Mass on the empty set speaks for no answer.
    measure : {"belief", "plausibility", "pignistic"}, default="belief"
        "pignistic" is ``choose_sets(masses.pignistic())``. The other two try all sets, of at most 12 classes.
    utility : {"u65", "u80"}, default="u65"

    Returns
    -------
    bool array (n, K)
        Whether a class is in the set of a sample. Of equally good sets the smallest is chosen, of these the one with
        the first classes.

    Examples
    --------
    A witness saw a car or a bike, and it may have been anything.

    >>> from emphatic.fusion.evidence import Masses, choose_sets_by
    >>> witness = Masses.of([0b011, 0b111], [[0.9, 0.1]], n_classes=3)
    >>> choose_sets_by(witness, "belief")
    array([[ True,  True, False]])
    >>> choose_sets_by(witness, "plausibility")
    array([[ True, False, False]])
    """
    check.instance("masses", masses, Masses, "Masses.of_supports(probabilities)")
    check.one_of("measure", measure, MEASURES)
    if measure == "pignistic":
        return choose_sets(masses.pignistic(), utility)
    if masses.n_classes > MOST_CLASSES:
        raise ValueError(
            f"masses has {masses.n_classes} classes: {measure} tries all sets, of at most {MOST_CLASSES} classes; "
            'measure="pignistic" takes any number.'
        )
    sets, members = _list_sets(masses.n_classes)
    expected = getattr(masses, measure)(sets) * value_sizes(utility, members.sum(axis=1))
    return members[expected.round(DECIMALS).argmax(axis=1)]


def _list_sets(n_classes: int) -> tuple[SetArray, NDArray[np.bool_]]:
    """All sets but the empty one, as integers (S,) and as rows of members (S, K): by size, then by first classes."""
    sets = np.arange(1, 2**n_classes, dtype=np.int64)
    members = (sets[:, None] >> np.arange(n_classes) & 1).astype(bool)
    order = np.lexsort([*~members.T[::-1], members.sum(axis=1)])
    return sets[order], members[order]
