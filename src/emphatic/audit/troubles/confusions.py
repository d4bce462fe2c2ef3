"""Pairs of classes that are confused: how often, and in which direction."""

from itertools import combinations

import numpy as np

from emphatic.audit.troubles.evidence import Evidence
from emphatic.audit.troubles.finding import Finding

LEAST_SCORE = 0.2
"""A tenth of the rows of either class, on average, look more like the other one."""


def find_confusions(evidence: Evidence) -> list[Finding]:
    r"""Pairs of classes, scored by twice the balanced error of telling just these two apart.

    With the probabilities p of models that were not trained on a row, let :math:`e_{ab}` be the share of the rows
    labelled a for which :math:`p_b > p_a`. The score is :math:`\min(1, e_{ab} + e_{ba})`: 0 if the two are never
    confused, 1 if a toss of a coin would tell them apart as well.
    """
    probabilities, codes = evidence.left_out_probabilities, evidence.codes
    sizes = np.bincount(codes, minlength=len(evidence.classes))
    own = probabilities[np.arange(len(codes)), codes]
    # (K, K): rows labelled a that look more like b
    beyond = np.array([(probabilities > own[:, None])[codes == a].sum(axis=0) for a in range(len(sizes))])
    shares = beyond / sizes[:, None]
    scores = np.minimum(1.0, shares + shares.T)
    pairs = [pair for pair in combinations(range(len(sizes)), 2) if scores[pair] >= LEAST_SCORE]
    found = []
    for a, b in pairs:
        looks = ((codes == a) & (probabilities[:, b] > own)) | ((codes == b) & (probabilities[:, a] > own))
        one, other = evidence.name_label(a), evidence.name_label(b)
        text = (
            f"{one} and {other} are confused: {beyond[a, b]} of {sizes[a]} rows labelled {one} look more like {other}, "
            f"{beyond[b, a]} of {sizes[b]} labelled {other} more like {one}."
        )
        found.append(Finding("confused classes", float(scores[a, b]), text, tuple(np.flatnonzero(looks).tolist())))
    return sorted(found, key=lambda finding: -finding.score)
