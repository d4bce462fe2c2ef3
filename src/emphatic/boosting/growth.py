"""The one boosting loop. It knows no emphasis and no learner by name."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import Any

import numpy as np
from sklearn.base import clone

from emphatic import check
from emphatic.base import Emphasis, Stage
from emphatic.boosting.orders import Order, Steps, Trained, carry_out
from emphatic.boosting.training import Trainer, takes_design_weight
from emphatic.check import FloatArray, IntArray
from emphatic.margins import distribution_or_uniform, margins, normalise
from emphatic.randomness import draw_entropy


def grow(X: Any, y: IntArray, classes: np.ndarray, **parameters: Any) -> Iterator[Stage]:
    r"""Grow an ensemble, one `Stage` a round, until no learner with an edge can be found.

    1. Train a clone of `learner` under the emphasis' distribution D times `prior` (sum 1).
    2. Measure its edge :math:`r = \sum_i V_i m_i(o)`. V is the distribution of the vote: with ``vote="bound"`` it is
       Real AdaBoost's own, prior times :math:`e^{-m}`, whatever the emphasis; with ``"emphasis"`` that of step 1;
       ``"auto"`` takes what the emphasis declares.
    3. Give it the vote :math:`\alpha = \operatorname{artanh} r`, add :math:`\alpha o` to the score, yield the stage.
    4. Ask the emphasis for the next distribution.

    With ``vote="equal"`` every learner is kept, whatever its edge (that of ``"emphasis"``), and has the vote 1.

    Where the emphasis offers several distributions, steps 1 and 2 are done for each, with the same random draws, and
    the learner of the largest edge goes on to step 3 (of equal ones the first).

    A learner without a positive edge is discarded and drawn again with fresh randomness, `patience` times; then the
    growth ends. With ``negative="flip"`` one with a negative edge is accepted, its vote being negative.
    Stopping earlier is `itertools.islice`, monitoring is a `for` loop.

    Every training draws from a generator of its own that depends on `rng`, the round and the attempt alone.
    `Growth` lists the parameters, and is the same for those who train the learners of many ensembles side by side.

    >>> from itertools import islice
    >>> import numpy as np
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from emphatic.emphasis import Exponential
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 0, 1, 0])
    >>> stump = DecisionTreeClassifier(max_depth=1)
    >>> stages = grow(X, y, np.array([0, 1]), learner=stump, emphasis=Exponential(), rng=np.random.default_rng(0))
    >>> [round(stage.edge, 3) for stage in islice(stages, 2)]
    [0.5, 0.366]
    """
    return Growth(X, y, classes, **parameters).stages()


class Growth:
    """An ensemble that grows: `next_stage` orders learners, and makes a `Stage` of those that come back (see `grow`).

    Parameters
    ----------
    X, y, classes
        Checked table, codes 0 .. K-1, and the labels that the codes stand for.
    learner : classifier
    emphasis, design_emphasis : Emphasis
        Which samples learners look at, and by which an RBF network places its units (None: the same).
    vote, resample, negative, patience
        As in `RealAdaBoostClassifier`.
    prior : array (n,) or None
        The user's sample weights, sum 1.
    feature_names : array of str or None
    rng : Generator
    """

    def __init__(
        self,
        X: Any,
        y: IntArray,
        classes: np.ndarray,
        *,
        learner: Any,
        emphasis: Emphasis,
        design_emphasis: Emphasis | None = None,
        vote: str = "auto",
        resample: str | bool = "auto",
        negative: str = "stop",
        patience: int = 5,
        prior: FloatArray | None = None,
        feature_names: np.ndarray | None = None,
        rng: np.random.Generator,
    ) -> None:
        self.emphasis, self.design_emphasis = _ready(emphasis, design_emphasis, learner, len(classes))
        own_vote = check.one_of("vote", vote, ("auto", "bound", "emphasis", "equal")) == "auto"
        self.vote = self.emphasis.vote if own_vote else vote
        self.emphasis.check_use("emphasis", self.vote)
        if self.design_emphasis:
            self.design_emphasis.check_use("design_emphasis", self.vote)
        self.flips = check.one_of("negative", negative, ("stop", "flip")) == "flip"
        self.trainer = Trainer(learner, X, y, classes, resample, feature_names)
        self.attempts = 1 + (check.integer("patience", patience, at_least=0) if self.trainer.is_random else 0)
        self.X, self.y, self.classes = X, y, classes
        self.prior = np.full(len(y), 1.0 / len(y)) if prior is None else prior
        with np.errstate(divide="ignore"):  # a prior of 0 stays 0: exp(-inf)
            self.log_prior = np.log(self.prior)
        self.largest_edge = self.emphasis.largest_edge(len(y))
        self.entropy = draw_entropy(rng)
        self.n_rounds = 0
        self.stage: Stage | None = None
        self.observed: dict[str, np.ndarray] = {}

    def stages(self) -> Iterator[Stage]:
        """Round after round, each learner trained when its stage is asked for."""
        while (stage := carry_out(self.next_stage())) is not None:
            yield stage

    def next_stage(self) -> Steps[Stage | None]:
        """One round; None when no learner with an edge was found, which ends the growth."""
        if self.stage is None:
            weights, score, total_alpha, bound = self.emphasis.start(self.X, self.y), self._no_score(), 0.0, self.prior
            design = self.design_emphasis.start(self.X, self.y) if self.design_emphasis else None
        else:
            weights, score, total_alpha = self.emphasis.update(self.stage), self.stage.score, self.stage.total_alpha
            design = self.design_emphasis.update(self.stage) if self.design_emphasis else None
            bound = normalise(self.log_prior - self.stage.ensemble_margin)
        offered = np.atleast_2d(weights)
        candidates = [distribution_or_uniform(one * self.prior) for one in offered]
        design_weights = None if design is None else distribution_or_uniform(design * self.prior)
        voters = [bound] * len(candidates) if self.vote == "bound" else candidates
        for attempt in range(self.attempts):
            seed = self.entropy, (self.n_rounds, attempt)  # the same draws for all candidates
            trained = yield [Order(self.trainer, one, design_weights, seed) for one in candidates]
            edge, chosen = max(self._edges(trained, voters), key=itemgetter(0))
            if edge > 0 or (self.flips and edge < 0) or self.vote == "equal":
                break
        else:
            return None
        fitted, output = trained[chosen]
        alpha = 1.0 if self.vote == "equal" else float(np.arctanh(edge))
        self.stage = Stage(
            self.X,
            self.y,
            offered[chosen],
            candidates[chosen],
            fitted,
            output,
            alpha,
            edge,
            score + alpha * output,
            total_alpha + abs(alpha),
            chosen,
        )
        self.n_rounds += 1
        self.observed = self.emphasis.observe(self.stage)
        return self.stage

    def _no_score(self) -> FloatArray:
        n, n_classes = len(self.y), len(self.classes)
        return np.zeros(n if n_classes == 2 else (n, n_classes))

    def _edges(self, trained: list[Trained], voters: list[FloatArray]) -> Iterator[tuple[float, int]]:
        """Edge and number of every candidate."""
        for number, ((_, output), electorate) in enumerate(zip(trained, voters, strict=True)):
            edge = float(electorate @ margins(output, self.y))
            yield min(max(edge, -self.largest_edge), self.largest_edge), number


def _ready(
    emphasis: Emphasis, design_emphasis: Emphasis | None, learner: Any, n_classes: int
) -> tuple[Emphasis, Emphasis | None]:
    """Fresh clones with checked parameters; the needs of both emphases are held against learner and classes."""
    name = type(learner).__name__
    ready: list[Any] = []
    for role, given in (("emphasis", emphasis), ("design_emphasis", design_emphasis)):
        if given is None:
            ready.append(None)
            continue
        check.instance(role, given, Emphasis, "Mixed(0.3)")
        given.check_parameters()
        if not isinstance(learner, given.learner_type):
            needed = given.learner_type.__name__
            raise ValueError(f"{role}={given!r} needs a learner that is a {needed}, and {name} is not one.")
        if n_classes > 2 and not given.multi_class:
            reason = f"{role}={given!r} is defined for 2 classes, and y has {n_classes}"
            raise ValueError(f"Only binary classification is supported. {reason}.")
        ready.append(clone(given))
    if design_emphasis is not None and not takes_design_weight(learner):
        raise ValueError(
            f"design_emphasis={design_emphasis!r} needs a learner that takes design_weight, such as "
            f"RBFNetworkClassifier, and {name} does not."
        )
    return ready[0], ready[1]
