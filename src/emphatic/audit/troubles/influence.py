"""Rows whose removal or correction would change the model most, by the closed form of a kernel ridge classifier."""

import numpy as np

from emphatic.audit.troubles.chance import score_large
from emphatic.audit.troubles.evidence import Evidence
from emphatic.audit.troubles.finding import Finding
from emphatic.audit.troubles.model import KernelModel
from emphatic.check import FloatArray
from emphatic.wording import count

MOST_REPORTED = 10
LEAST_ROWS = 30


def measure_influence(model: KernelModel) -> FloatArray:
    r"""(n,): root mean square, over all other rows, of the change of the outputs if a row is left out.

    Without row i the output at z is :math:`f(z) - (z \cdot a_i) p_i` with :math:`a_i = (Z^T Z + \rho I)^{-1} z_i` and
    the pull :math:`p_i = (t_i - f_i) / (1 - h_i)`. With the eigenvalues :math:`\lambda_j` of :math:`Z^T Z` and the
    coordinates :math:`r_{ij}` of :math:`z_i` along its eigenvectors,

    .. math:: \sum_{k \ne i} |f^{(-i)}(z_k) - f(z_k)|^2
              = |p_i|^2 \left[\sum_j \frac{\lambda_j\, r_{ij}^2}{(\lambda_j + \rho)^2} - h_i^2\right], \quad
              h_i = z_i \cdot a_i.
    """
    path = model.path
    leaving = path.leave_out(model.ridge, np.arange(len(model.codes)))
    own = (leaving.rotated * path.rotated).sum(axis=1)
    squares = np.maximum((leaving.rotated**2) @ path.eigenvalues - own**2, 0.0)
    return np.asarray(np.sqrt(squares * (leaving.pulls**2).sum(axis=1) / (len(model.codes) - 1)))


def count_changed(model: KernelModel, row: int, other: int) -> tuple[int, int]:
    """Predictions of other rows that change if a row is left out, and if its label becomes `other`.

    A new label changes the targets of two outputs by 2, and the outputs at z by :math:`z \\cdot a_i` times as much.
    """
    path = model.path
    leaving = path.leave_out(model.ridge, np.array([row]))
    outputs = path.rotated @ (path.moments / (path.eigenvalues + model.ridge)[:, None])
    reach = path.rotated @ leaving.rotated[0]
    change = np.zeros(outputs.shape[1])
    change[model.codes[row]], change[other] = -2.0, 2.0
    before = outputs.argmax(axis=1)
    counts = []
    for step in (-leaving.pulls[0], change):
        changed = (outputs + np.outer(reach, step)).argmax(axis=1) != before
        changed[row] = False
        counts.append(int(changed.sum()))
    return counts[0], counts[1]


def find_influential(evidence: Evidence) -> list[Finding]:
    """The ten rows with the largest influence, as far as they change the prediction of any other row.

    There is always a row with the largest influence: the score says how surely it does not belong to those of others.
    """
    if evidence.n_rows < LEAST_ROWS or not len(evidence.owners):  # nothing is used: all rows are alike to a model
        return []
    model = evidence.model
    influence = measure_influence(model)
    scores = score_large(influence)
    found = []
    for row in np.argsort(-influence, kind="stable")[:MOST_REPORTED].tolist():
        code = int(evidence.codes[row])
        rivals = model.scores[row].copy()
        rivals[code] = -np.inf
        other = int(rivals.argmax())
        removed, corrected = count_changed(model, row, other)
        if removed + corrected == 0:
            continue
        text = (
            f"{evidence.name_rows([row])}, labelled {evidence.name_label(code)}: without it the predictions of "
            f"{count(removed, 'other row')} change, labelled {evidence.name_label(other)} those of "
            f"{count(corrected, 'other row')}."
        )
        found.append(Finding("influential rows", float(scores[row]), text, (row,)))
    return found
