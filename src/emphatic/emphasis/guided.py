"""Any emphasis, with another classifier in the place of the ensemble (the external guide that paper 001 discusses)."""

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from emphatic import check
from emphatic.answers import name_errors
from emphatic.base import Emphasis, EmphasisWrapper, Stage, output_of
from emphatic.blending.folds import draw_folds
from emphatic.check import FloatArray, IntArray
from emphatic.inputs import check_classifier, take_rows
from emphatic.margins import margins
from emphatic.randomness import seed_clone
from emphatic.user_warning import warn_user

SEED = 0  # of the folds, and of a guide whose seed was left open: an emphasis is the same in every fit of a table

CHANCE = 3.0
"""Standard deviations by which an ensemble must be worse than its first learner (McNemar's test), or it is chance."""


class Guided(EmphasisWrapper):
    r"""Let another classifier, the guide, say which samples are hard (the auxiliary machine of paper 001, section 2).

    .. math:: f_t(x_i) \to g(x_i) \sum_{s \le t} |\alpha_s|, \qquad o_t(x_i) \to g(x_i)

    The wrapped emphasis sees the ensemble as if all its learners had answered like the guide g, in [-1, 1]. In
    ``Guided(Controlled(alpha, beta))`` the guide's output takes the place of o in the paper's equation 1.

    Parameters
    ----------
    base : Emphasis
        The emphasis to guide, by the margins of the samples; it must be given.
    guide : classifier, default=None
        Any classifier. Probabilities p count as 2p - 1, labels as +-1. None is a logistic regression on standardised
        inputs.
    n_folds : int, default=5
        Each sample is judged by a guide that was fitted without it, in cross-validation with this many folds. Every
        class needs at least two samples.

    Notes
    -----
    Guides are fitted once for a fit, before the first round, and not kept. As the guide does not change, nor do the
    weights of a bounded emphasis after the first round, in which they are equal: learners then differ by chance alone,
    as networks do. The user's sample weights are multiplied in as always, but the guide is fitted without them.

    A guide's errors stay what they are, whatever the ensemble learns. An emphasis on errors alone, such as
    ``Controlled(alpha=0, beta=1)``, therefore puts most of the weight on them in every round, and an unbounded one,
    such as `Exponential`, ever more of it while the votes add up. Learners are then rewarded for contradicting the
    guide, which is not itself in the ensemble, and the ensemble can end up worse than chance. When it has become worse
    than its first learner in this way, the fit warns. ``vote="bound"`` measures learners by Real AdaBoost's own
    weights, and prevents it in most cases; so do emphases that leave the other samples enough weight, such as
    ``Controlled(0.3, 0.5)``.

    The vote, and the type of learner that is needed, are those of `base`.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from emphatic import RealAdaBoostClassifier, RBFNetworkClassifier
    >>> from emphatic.emphasis import Controlled, Guided
    >>> X, y = make_moons(200, noise=0.2, random_state=0)
    >>> emphasis = Guided(Controlled(alpha=0.3, beta=0.5))
    >>> model = RealAdaBoostClassifier(RBFNetworkClassifier(), emphasis, n_estimators=20, random_state=0).fit(X, y)
    >>> model.score(X, y) > 0.95
    True
    """

    def __init__(self, base: Emphasis | None = None, guide: Any = None, n_folds: int = 5) -> None:
        self.base = base
        self.guide = guide
        self.n_folds = n_folds

    def check_own_parameters(self) -> None:
        if self.guide is not None:
            check_classifier("guide", self.guide)
        check.integer("n_folds", self.n_folds, at_least=2)

    @property
    def needs_all_rows(self) -> str:
        return "its guide is fitted to all rows"

    def start(self, X: Any, y: IntArray) -> FloatArray:
        if np.unique(y, return_counts=True)[1].min() < 2:
            raise ValueError("Guided fits guides without the samples they judge: every class needs at least 2 samples.")
        self.output_ = judge_out_of_fold(self.guide, X, y, self.n_folds)
        self.first_right_: Any = None
        self.warned_ = False
        return super().start(X, y)

    def update(self, stage: Stage) -> FloatArray:
        weights = super().update(replace(stage, output=self.output_, score=self.output_ * stage.total_alpha))
        self._warn_of_contradiction(stage, weights)
        return weights

    def _warn_of_contradiction(self, stage: Stage, weights: FloatArray) -> None:
        """Warn, once, if weights on the guide's errors have made the ensemble worse than its first learner."""
        right = stage.ensemble_margin > 0
        if self.first_right_ is None:
            self.first_right_ = right
        guide_margin = margins(self.output_, stage.y)
        # With a negative edge of the guide, a learner that contradicts it has a positive one.
        if self.warned_ or np.max(weights @ guide_margin) >= 0.0:
            return
        lost, gained = int((self.first_right_ & ~right).sum()), int((right & ~self.first_right_).sum())
        if lost - gained > CHANCE * np.sqrt(lost + gained):
            self.warned_ = True
            warn_user(
                f"The learners contradict the guide: {self.inner!r} puts most of the weight on what the guide gets "
                f"wrong, and the ensemble is now wrong for {np.mean(~right):.0%} of the samples, its first learner for "
                f"{np.mean(~self.first_right_):.0%}, and the guide for {np.mean(guide_margin <= 0):.0%}. Use "
                'vote="bound", or an emphasis that leaves the other samples enough weight, such as '
                "Guided(Controlled(0.3, 0.5))."
            )


def judge_out_of_fold(guide: Any, X: Any, y: IntArray, n_folds: int) -> FloatArray:
    """The output, in [-1, 1], of classifiers fitted without the sample that they judge: (n,), or (n, K)."""
    if guide is None:
        guide = make_pipeline(StandardScaler(), LogisticRegression())
    rng, classes = np.random.default_rng(SEED), np.unique(y)
    output = np.empty(len(y) if len(classes) == 2 else (len(y), len(classes)))
    for rows in draw_folds(y, min(n_folds, len(y)), rng):
        others = np.setdiff1d(np.arange(len(y)), rows)
        with name_errors("guide", guide):
            fitted = seed_clone(clone(guide), rng).fit(take_rows(X, others), y[others])
            # what a classifier calls probabilities need not lie in [0, 1]
            output[rows] = np.clip(output_of(fitted, take_rows(X, rows), classes), -1.0, 1.0)
    return output
