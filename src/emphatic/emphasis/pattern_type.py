"""The emphasis of paper 002: redundant, noisy and borderline samples each get their own weights."""

from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from emphatic import check
from emphatic.base import Emphasis, MarginLearner, Stage
from emphatic.check import FloatArray, IntArray
from emphatic.deferred import evaluate, settle
from emphatic.margins import look_up, normalise

TYPES = ("redundant", "noisy", "near_noisy", "borderline")
REDUNDANT, NOISY, NEAR_NOISY, BORDERLINE = range(4)

FACTORS = {
    "standard": (1.0, 1.0, 1.0, 1.0),
    "negative": (1.0, -1.0, 1.0, 1.0),
    "positive": (1.0, -1.0, -1.0, 1.0),
    "balanced": (1.0, -1.0, 0.0, 1.0),
}
"""The paper's Table 1: R of every type, in the order of `TYPES`."""

NEAR_NOISY_IF = ("all", "majority")
"""How many hidden margins of a near noisy sample are below 0."""


class PatternType(Emphasis):
    r"""Let the type of a sample decide whether an error raises or lowers its weight (paper 002, section 3).

    .. math:: D_{t+1}(i) \propto D_t(i)\, \exp\bigl(-\alpha_t R_i\, d_i h_t(x_i)\bigr)

    The margins of the hidden units of learner t, in units of the margin that it learnt, determine the type of a sample:

    ============== ============================================================ ======== ======== ======== ========
    type           hidden margins                                               standard negative positive balanced
    ============== ============================================================ ======== ======== ======== ========
    ``redundant``  all above 1: safely right                                           1        1        1        1
    ``noisy``      all below -1: safely wrong, so perhaps its label is                 1       -1       -1       -1
    ``near_noisy`` all (or most) below 0, not noisy, and of the larger class           1        1       -1        0
    ``borderline`` any others                                                          1        1        1        1
    ============== ============================================================ ======== ======== ======== ========

    The numbers are R. With 1 a wrong sample gains weight, with -1 it loses some, with 0 it keeps what it has.

    Parameters
    ----------
    policy : {"standard", "negative", "positive", "balanced"}, default="balanced"
        "standard" is AdaBoost. "negative" distrusts samples that are safely wrong, "positive" also those of the larger
        class that are nearly so, which favours the smaller class; "balanced" leaves these as they are.
    near_noisy : {"all", "majority"}, default="all"
        Which hidden margins of a near noisy sample are below 0: all of them, as the paper words it, or more than half,
        so that the machine is wrong. Few samples of a well-trained machine are wrong by all its units, and without
        near noisy samples "positive" and "balanced" are "negative".

    Notes
    -----
    The positive class is the smaller one (of two equal ones `classes_[1]`), and there must be two. Only a
    `MarginLearner` has hidden margins, and so no other learner will do. The ensemble keeps `pattern_types_`, an array
    (rounds, n): the type of every training sample by the learner of every round.

    A learner without an error counts as one with the error 1/(2n), as the paper continues after it. Where R is not 1,
    AdaBoost's bound of the training error does not hold.

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> from emphatic import ParallelPerceptronClassifier, RealAdaBoostClassifier
    >>> from emphatic.emphasis import PatternType
    >>> from emphatic.metrics import class_accuracies
    >>> X, y = make_blobs([300, 60], centers=[[0.3, 0.3], [0.7, 0.6]], cluster_std=0.2, random_state=0)
    >>> machine = ParallelPerceptronClassifier(3)
    >>> for policy in ("standard", "balanced"):
    ...     model = RealAdaBoostClassifier(machine, PatternType(policy), n_estimators=10, random_state=0).fit(X, y)
    ...     print(policy, class_accuracies(y, model.predict(X)).round(2))
    standard [0.96 0.72]
    balanced [0.9  0.88]
    >>> model.pattern_types_.shape
    (10, 360)
    >>> sorted(set(model.pattern_types_[-1].tolist()))
    ['borderline', 'near_noisy', 'noisy', 'redundant']
    """

    learner_type: ClassVar[type] = MarginLearner
    vote: ClassVar[str] = "emphasis"
    multi_class: ClassVar[bool] = False

    def __init__(self, policy: str = "balanced", near_noisy: str = "all") -> None:
        self.policy = policy
        self.near_noisy = near_noisy

    def check_parameters(self) -> None:
        check.one_of("policy", self.policy, tuple(FACTORS))
        check.one_of("near_noisy", self.near_noisy, NEAR_NOISY_IF)

    def largest_edge(self, n: int) -> float:
        return 1.0 - 1.0 / n  # an error of 1/(2n)

    def start(self, X: Any, y: IntArray) -> FloatArray:
        (positives,) = evaluate((y == 1).sum())
        self.negative_ = int(positives > len(y) / 2)  # the code of the larger class
        self.seen_: tuple[Any, Any] = (None, None)
        return super().start(X, y)

    def observe(self, stage: Stage) -> dict[str, np.ndarray]:
        return {"pattern_types_": np.array(TYPES)[self._types(stage)]}

    def update(self, stage: Stage) -> FloatArray:
        factors = look_up(np.array(FACTORS[self.policy]), self._types(stage))
        with np.errstate(divide="ignore"):  # a weight that has vanished stays 0: exp(-inf)
            log_weights = np.log(stage.weights)
        return normalise(log_weights - stage.alpha * factors * stage.margin)

    def _types(self, stage: Stage) -> NDArray[np.int8]:
        """Of the samples in this round: found once, for `observe` and `update` both ask for them."""
        if self.seen_[0] is not stage.learner or self.seen_[1] is not stage.X:
            self.types_ = settle(stage.ask_rows(partial(self._find_types, stage.learner), dtype=np.int8))
            self.seen_ = stage.learner, stage.X
        return self.types_

    def _find_types(self, learner: MarginLearner, X: Any, y: IntArray) -> NDArray[np.int8]:
        return types_of(learner.respond_margins(X, y), y == self.negative_, self.near_noisy)


def types_of(hidden_margins: FloatArray, negative: NDArray[np.bool_], near_noisy: str = "all") -> NDArray[np.int8]:
    """Type of every sample, as a position in `TYPES`, from its hidden margins (n, H) and whether it is negative.

    >>> hidden = np.array([[2, 3, 2], [-2, -3, -2], [-2, -0.5, -2], [-2, -0.5, -2], [2, -3, -3]])
    >>> negative = np.array([True, True, True, False, True])
    >>> [TYPES[code] for code in types_of(hidden, negative)]
    ['redundant', 'noisy', 'near_noisy', 'borderline', 'borderline']
    >>> [TYPES[code] for code in types_of(hidden, negative, "majority")]
    ['redundant', 'noisy', 'near_noisy', 'borderline', 'near_noisy']
    """
    lowest, highest = hidden_margins.min(axis=1), hidden_margins.max(axis=1)
    if near_noisy == "all":
        wrong = highest < 0.0
    else:
        wrong = 2 * (hidden_margins < 0.0).sum(axis=1) > hidden_margins.shape[1]
    conditions = [lowest > 1.0, highest < -1.0, negative & wrong]
    return np.select(conditions, [REDUNDANT, NOISY, NEAR_NOISY], BORDERLINE).astype(np.int8)
