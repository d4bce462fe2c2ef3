"""Members chosen greedily for what they add to a blend: the weights of `EmphaticClassifier`.

Own losses alone (`by_loss`) cannot see that two members complement each other; greedy picks alone
follow chance where rows are few. Both together had the lowest test loss (docs/auto.md), so picks start from weights by
loss. The audit found no more wrong labels with the picks than without (docs/audit.md).
"""

from collections.abc import Iterable

import numpy as np

from emphatic.blending.by_loss import SMALLEST, Loss, log_loss, scale_strictness, weigh_by_loss
from emphatic.check import FloatArray, IntArray

PRIOR_PICKS, N_PICKS = 10_000.0, 30
"""The weights by loss count as 10,000 / n picks. From 3,000 to 30,000 did equally well."""

LEAST_SHARE = 0.1
"""A member of less than this share of the largest weight is left out: it would only slow the prediction."""


def weigh_greedily(predictions: FloatArray, codes: IntArray, weights: FloatArray, loss: Loss = log_loss) -> FloatArray:
    """Weights (members,), sum 1, for the mean of out-of-fold probabilities (members, n, K).

    1. The members' own losses give the first weights, which count as 10,000 / n picks.
    2. Each of 30 picks adds the member, picked before or not, that makes the loss of the mean lowest; the best mean on
       the way stays. Ties of a loss that counts mistakes are broken by the log loss.
    3. Members of little weight are left out.

    So the weights of few samples are nearly those of the losses, and many samples let members win that complement each
    other.

    >>> import numpy as np
    >>> good, opposite = np.array([[0.8, 0.2], [0.2, 0.8]]), np.array([[0.1, 0.9], [0.9, 0.1]])
    >>> weigh_greedily(np.stack([opposite, good]), np.array([0, 1]), np.ones(2))
    array([0., 1.])
    """

    n, n_members = len(codes), len(predictions)
    given = predictions[:, np.arange(n), codes]  # all that the log loss depends on

    def judge(means: Iterable[FloatArray], means_given: FloatArray) -> list[tuple[float, float]]:
        log_losses = -(np.log(np.maximum(means_given, SMALLEST)) @ (weights / weights.sum()))
        losses = log_losses if loss is log_loss else [loss(one, codes, weights) for one in means]
        return [(round(float(one), 12), float(other)) for one, other in zip(losses, log_losses, strict=True)]

    alone = np.array([one for one, _ in judge(predictions, given)])
    picks = weigh_by_loss(alone, scale_strictness(n)) * PRIOR_PICKS / n
    total = np.tensordot(picks, predictions, axes=1)
    total_given = picks @ given
    [best], best_picks = judge([total / picks.sum()], total_given[None] / picks.sum()), picks
    for _ in range(N_PICKS):
        count = picks.sum() + 1.0
        losses = judge(((total + one) / count for one in predictions), (total_given + given) / count)
        winner = min(range(n_members), key=losses.__getitem__)
        picks = picks + (np.arange(n_members) == winner)
        total, total_given = total + predictions[winner], total_given + given[winner]
        if losses[winner] < best:
            best, best_picks = losses[winner], picks
    kept = np.where(best_picks >= LEAST_SHARE * best_picks.max(), best_picks, 0.0)
    return np.asarray(kept / kept.sum())
