"""What changes along the order of the rows or with time: the shares of the labels, and columns within the classes."""

import numpy as np
from scipy.stats import chi2_contingency, f_oneway, rankdata
from scipy.stats.contingency import association

from emphatic.audit.troubles.evidence import Evidence
from emphatic.audit.troubles.finding import Finding
from emphatic.check import FloatArray, IntArray

N_BLOCKS = 10
LEAST_ROWS, MOST_ROWS = 100, 20_000
"""Fewer rows are not looked at; of more, so many at even steps along their order."""

LEAST_CLASS = 50
"""Smaller classes count as one: the test is for cells of five rows or more."""

LEAST_SCORE, RARE = 0.1, 0.01
"""A change is told if it is larger than this, and if with no change one as large has this probability at most."""

SORTED = 0.9
"""From this score on, the rows look as if they were sorted by the column."""


def find_drift(evidence: Evidence, time: FloatArray | None = None) -> list[Finding]:
    r"""Cut the rows into ten blocks along their order, or by time, and compare the blocks.

    Labels: chi-squared test of labels and blocks; the score is Cramér's V. Columns: analysis of variance of the ranks
    :math:`r_i`, less their means in each class (so that a change of the labels alone is not told twice):
    :math:`F` of ten blocks, and the score :math:`\eta = \sqrt{SS_{blocks} / SS_{all}}`. The probabilities are
    multiplied by the number of tests. Dates are not tested: that time passes is no drift.
    """
    place = np.arange(evidence.n_rows, dtype=np.float64) if time is None else time
    if evidence.n_rows < LEAST_ROWS or np.ptp(place) == 0.0:
        return []
    order = np.argsort(place, kind="stable")
    order = order[np.linspace(0, len(order) - 1, min(len(order), MOST_ROWS)).astype(int)]
    blocks = _cut(place[order])
    codes = evidence.codes[order]
    along = "along the rows" if time is None else "with time"
    found = [*_compare_labels(evidence, codes, blocks, along), *_compare_columns(evidence, order, codes, blocks, along)]
    return sorted(found, key=lambda one: -one.score)


def _cut(places: FloatArray) -> IntArray:
    """Blocks 0 .. 9 of about the same size; equal places are in the same block."""
    blocks = np.floor((rankdata(places) - 0.5) / len(places) * N_BLOCKS).astype(np.intp)
    return np.asarray(np.unique(blocks, return_inverse=True)[1], dtype=np.intp)


def _compare_labels(evidence: Evidence, codes: IntArray, blocks: IntArray, along: str) -> list[Finding]:
    counts = np.zeros((len(evidence.classes), blocks.max() + 1), dtype=np.intp)
    np.add.at(counts, (codes, blocks), 1)
    small = counts.sum(axis=1) < LEAST_CLASS
    table = np.vstack([counts[~small], counts[small].sum(axis=0)[None][: int(small.any())]])
    if len(table) < 2 or (table.sum(axis=1) == 0).any():
        return []
    score = float(association(table, method="cramer", correction=False))
    if score < LEAST_SCORE or chi2_contingency(table, correction=False).pvalue > RARE:
        return []
    shares = counts / counts.sum(axis=0)
    code = int(np.argmax(np.ptp(shares, axis=1)))
    low, high = _name_extremes(shares[code])
    text = (
        f"The shares of the labels change {along}: {evidence.name_label(code)} is the label of "
        f"{100 * shares[code].min():.0f}% of the rows in the {low} and of {100 * shares[code].max():.0f}% in the "
        f"{high}."
    )
    return [Finding("drift", score, text)]


def _compare_columns(
    evidence: Evidence, order: IntArray, codes: IntArray, blocks: IntArray, along: str
) -> list[Finding]:
    tested = [i for i, j in enumerate(evidence.owners) if evidence.decisions[j].kind != "date"]
    ranks = rankdata(evidence.inputs[order][:, tested], axis=0)
    for code in np.unique(codes):
        ranks[codes == code] -= ranks[codes == code].mean(axis=0)
    varied = np.ptp(ranks, axis=0) > 1e-9
    tested = [i for i, one in zip(tested, varied) if one]
    if not tested:
        return []
    ranks = ranks[:, varied]
    with np.errstate(divide="ignore", invalid="ignore"):  # sorted by a column of ten values: no variance in a block
        result = f_oneway(*(ranks[blocks == block] for block in range(blocks.max() + 1)), axis=0)
    means = np.array([ranks[blocks == block].mean(axis=0) for block in range(blocks.max() + 1)])
    sizes = np.bincount(blocks)[:, None]
    scores = np.sqrt((sizes * means**2).sum(axis=0) / (ranks**2).sum(axis=0))
    strongest: dict[int, int] = {}
    for place in np.argsort(scores, kind="stable"):
        strongest[int(evidence.owners[tested[place]])] = int(place)
    found = []
    for column, place in strongest.items():
        if scores[place] >= LEAST_SCORE and result.pvalue[place] * len(tested) <= RARE:
            text = _describe(evidence, order, blocks, tested[place], float(scores[place]), along)
            found.append(Finding("drift", float(scores[place]), text, columns=(evidence.decisions[column].name,)))
    return found


def _describe(evidence: Evidence, order: IntArray, blocks: IntArray, number: int, score: float, along: str) -> str:
    column = int(evidence.owners[number])
    decision = evidence.decisions[column]
    if score >= SORTED and along == "along the rows":
        return f"The rows look sorted by {decision.name}."
    if decision.kind == "number":
        values, form = np.asarray(evidence.values[column])[order], "its mean is {:.4g} in the {} and {:.4g} in the {}"
    elif decision.categories is not None and not decision.many:
        values = 100.0 * (evidence.inputs[order, number] > 0.0)
        form = f"the share of {evidence.input_names[number]} is {{:.0f}}% in the {{}} and {{:.0f}}% in the {{}}"
    else:
        return f"{decision.name} changes {along}."
    known = ~np.isnan(values)
    sizes = np.bincount(blocks[known], minlength=blocks.max() + 1)
    means = np.bincount(blocks[known], values[known], blocks.max() + 1) / np.maximum(sizes, 1)
    means = np.where(sizes > 0, means, np.median(means[sizes > 0]))
    low, high = _name_extremes(means)
    return f"{decision.name} changes {along}: " + form.format(means.min(), low, means.max(), high) + "."


def _name_extremes(values: FloatArray) -> tuple[str, str]:
    """The blocks with the least and the largest value."""
    ordinals = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "last"]
    if len(values) != N_BLOCKS:
        ordinals = [f"block {number + 1} of {len(values)}" for number in range(len(values))]
        return ordinals[int(np.argmin(values))], ordinals[int(np.argmax(values))]
    return f"{ordinals[int(np.argmin(values))]} tenth", f"{ordinals[int(np.argmax(values))]} tenth"
