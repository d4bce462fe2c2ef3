"""Groups, or annotators, whose labels disagree with those of the rest."""

from collections import Counter
from typing import Any

import numpy as np
from scipy.stats import poisson

from emphatic.audit.troubles.chance import LEAST_SCORE, score_by_chance
from emphatic.audit.troubles.evidence import Evidence
from emphatic.audit.troubles.finding import Finding
from emphatic.check import IntArray
from emphatic.groups import find_lone_classes

LEAST_RATIO, LEAST_COUNT = 1.5, 3
"""Contradictions per expected one, and in all: a group is not reported for less, however sure it is."""


def find_disagreement(evidence: Evidence, groups: IntArray, names: Any, kind: str) -> list[Finding]:
    r"""Groups with more contradicted labels than the other groups lead to expect.

    Models that were trained without the group of a row give its probabilities p. They contradict the label if another
    one is the most probable, which they expect to happen with the probability :math:`1 - \max p`. Let C be the number
    of contradictions in a group and M the sum of these probabilities, C' and M' the same in all others. If the group
    were like the others, C would be a Poisson number with the mean :math:`M C' / M'`; E is the number of groups times
    the probability of C or more, and the score 1 / (1 + E). A group with less than three contradictions is not
    reported, and a class that only one group has is not looked at.
    """
    probabilities = evidence.model.predict_other_groups(groups)
    predicted = probabilities.argmax(axis=1)
    # a class that only one group has is unknown to the models of the others
    lone = np.isin(evidence.codes, find_lone_classes(evidence.codes, groups))
    contradicted = (predicted != evidence.codes) & ~lone
    n_groups = len(names)
    sizes = np.bincount(groups, minlength=n_groups)
    seen = np.bincount(groups, contradicted, n_groups)
    mass = np.bincount(groups, 1.0 - probabilities.max(axis=1), n_groups)
    # half a contradiction more: where the others have none, one is still possible
    rate = (seen.sum() - seen + 0.5) / np.maximum(mass.sum() - mass, 1e-9)
    expected = np.minimum(mass * rate, sizes)
    scores = score_by_chance(n_groups * poisson.sf(seen - 1.0, expected))
    found = []
    for group in np.argsort(-scores, kind="stable"):
        if scores[group] < LEAST_SCORE or seen[group] < max(LEAST_COUNT, LEAST_RATIO * expected[group]):
            continue
        rows = np.flatnonzero((groups == group) & contradicted)
        pairs = Counter(zip(evidence.codes[rows].tolist(), predicted[rows].tolist()))
        (given, other), n = max(pairs.items(), key=lambda item: (item[1], -item[0][0], -item[0][1]))
        noun = "group" if kind == "disagreeing groups" else "annotator"
        text = (
            f"{noun} {names[group]}: models of the others contradict {int(seen[group])} of {sizes[group]} labels, "
            f"where {expected[group]:.1f} are to be expected; most often ({n} times) the label is "
            f"{evidence.name_label(given)} and they say {evidence.name_label(other)}."
        )
        found.append(Finding(kind, float(scores[group]), text, tuple(rows.tolist())))
    return found
