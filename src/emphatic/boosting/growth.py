"""The one boosting loop. It knows no emphasis and no learner by name."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

import numpy as np
from sklearn.base import clone

from emphatic import check
from emphatic.answers import check_finite, name_errors
from emphatic.base import Ballot, DrawnRows, Emphasis, Stage, Vote
from emphatic.boosting.training import Trained, Trainer, Training, takes_design_weight, train_all
from emphatic.check import FloatArray, IntArray
from emphatic.deferred import evaluate, is_deferred, settle
from emphatic.margins import distribution_or_uniform, margins, normalise, sum_of_products
from emphatic.randomness import child_generator, draw_entropy
from emphatic.votes import Edge, Equal

NAMED_VOTES: dict[str, Vote] = {"bound": Edge("bound"), "emphasis": Edge("emphasis"), "equal": Equal()}
"""What the short names of votes stand for."""

SMALLEST_EDGE = 1e-12
"""An edge within this of zero is rounding: whether it is -1e-34, 0 or 1e-17 depends on the CPU, and it is no edge."""


def grow(X: Any, y: IntArray, classes: np.ndarray, **parameters: Any) -> Iterator[Stage]:
    r"""Grow an ensemble, one `Stage` per round, until no learner with an edge can be found.

    1. Train a clone of `learner` under the emphasis' distribution D times `prior` (sum 1).
    2. Measure its edge :math:`r = \sum_i V_i m_i(o)`. V is the distribution of the vote: with ``vote="bound"`` it is
       Real AdaBoost's own, prior times :math:`e^{-m}`, whatever the emphasis; with ``"emphasis"`` that of step 1;
       ``"auto"`` takes what the emphasis declares.
    3. Give it the vote :math:`\alpha = \operatorname{artanh} r`, add :math:`\alpha o` to the score, yield the stage.
    4. Ask the emphasis for the next distribution.

    With ``vote="equal"`` every learner is kept, whatever its edge (that of ``"emphasis"``), and has the vote 1.
    `emphatic.votes` has more votes than those three.

    Where the emphasis offers several distributions, steps 1 and 2 are done for each, with the same random draws, and
    the learner with the largest edge goes on to step 3 (the first one of equal edges).

    A learner without a positive vote is discarded and trained again with fresh randomness, `patience` times; then the
    growth ends. With ``negative="flip"`` a learner with a negative vote is accepted.
    Stopping earlier is `itertools.islice`, monitoring is a `for` loop.

    Every training draws from a generator of its own that depends on `rng`, the round and the attempt alone. `Growth`
    lists the parameters; those who train the learners of many ensembles side by side use it directly.

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
    growth = Growth(X, y, classes, **parameters)
    while not growth.ended:
        stage = growth.tell(train_all(growth.ask()))
        if stage is not None:
            yield stage


class Growth:
    """An ensemble that grows: `ask` which learners it needs, train them, `tell` it the result, until it has `ended`.

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
        vote: str | Vote = "auto",
        resample: str | bool = "auto",
        negative: str = "stop",
        patience: int = 5,
        prior: FloatArray | None = None,
        feature_names: np.ndarray | None = None,
        rng: np.random.Generator,
    ) -> None:
        self.emphasis = _ready_emphasis("emphasis", emphasis, learner, len(classes))
        self.vote = _ready_vote(vote, self.emphasis)
        self.emphasis.check_use("emphasis", self.vote)
        self.design_emphasis = None
        if design_emphasis is not None:
            self.design_emphasis = _ready_emphasis("design_emphasis", design_emphasis, learner, len(classes))
            self.design_emphasis.check_use("design_emphasis", self.vote)
            if self.emphasis.draws:
                raise ValueError(
                    f"design_emphasis={design_emphasis!r} is not allowed with emphasis={emphasis!r}, whose "
                    "learners see other rows than those of the table: leave it out."
                )
            if self.design_emphasis.draws:
                raise ValueError(
                    f"design_emphasis={design_emphasis!r} is not allowed: it draws the rows of a round, which only "
                    "emphasis can do. For the design use one that weighs all rows, such as Mixed(0.3)."
                )
        self.flips = check.one_of("negative", negative, ("stop", "flip")) == "flip"
        if is_deferred(y):
            for role, one in (("emphasis", self.emphasis), ("design_emphasis", self.design_emphasis)):
                _refuse_without_rows(role, one)
        self.trainer = Trainer(learner, X, y, classes, resample, feature_names)
        is_random = self.trainer.is_random or self.emphasis.draws
        self.n_attempts = 1 + (check.integer("patience", patience, at_least=0) if is_random else 0)
        self.X, self.y = X, y
        self.prior = np.full_like(y, 1.0 / len(y), dtype=np.float64) if prior is None else prior
        with np.errstate(divide="ignore"):  # a prior of 0 stays 0: exp(-inf)
            self.log_prior = np.log(self.prior)
        self.largest_edge = self.emphasis.largest_edge(len(y))
        self.entropy = draw_entropy(rng)
        self.stage: Stage | None = None
        """The last round, or None before the first."""
        self.ended = False
        """Whether there will be no further stage: no learner had an edge, or the vote has come to its end."""
        self.n_classes = len(classes)
        self._round, self._attempt = 0, 0
        self.first_score: FloatArray = self.prior * 0.0
        """Before the first round: 0 for every row."""
        if len(classes) > 2:
            self.first_score = self.first_score[:, None] * np.zeros(len(classes))
        self._score = self.first_score
        self._outputs: list[FloatArray] = []  # of all learners, only for a vote that revises earlier ones

    def ask(self) -> list[Training]:
        """The trainings that the round needs: one for each distribution that the emphasis offers."""
        if self._attempt == 0:
            self._set_distributions()
        key = self._round, self._attempt  # the same draws for all candidates
        return [
            Training(self.trainer, one, self._design_weights, self.entropy, key, self._draw(one))
            for one in self._candidates
        ]

    def tell(self, trained: Sequence[Trained]) -> Stage | None:
        """The stage made of the learners that `ask` asked for; None when none of them has an edge.

        After that the growth has `ended`, or the next `ask` tries again with fresh randomness.
        """
        edges = self._measure_edges(trained)
        # the first one of equal edges, where edges that differ by rounding only count as equal
        chosen = next(number for number, edge in enumerate(edges) if edge >= max(edges) - SMALLEST_EDGE)
        edge, (learner, output) = edges[chosen], trained[chosen]
        ballot = Ballot(self.y, self.n_classes, self.prior, self._candidates[chosen], output, self._score, edge)
        votes = self.vote.choose(ballot)
        alpha = float(np.ravel(votes)[-1])
        has_vote = alpha > SMALLEST_EDGE or (self.flips and alpha < -SMALLEST_EDGE)
        if not (has_vote or self.vote.keeps_all):
            self._attempt += 1
            self.ended = self._attempt == self.n_attempts
            return None
        alphas, total_alpha = self._add(output, votes)
        stage = Stage(
            X=self.X,
            y=self.y,
            weights=self._offered[chosen],
            training_weights=self._candidates[chosen],
            learner=learner,
            output=output,
            alpha=alpha,
            edge=edge,
            score=self._score,
            total_alpha=total_alpha,
            alphas=alphas,
            candidate=chosen,
        )
        observed = {} if is_deferred(self.y) else self.emphasis.observe(stage)  # of partitions nothing is gathered
        self.stage = replace(stage, observed=observed) if observed else stage
        self._round, self._attempt = self._round + 1, 0
        self.ended = self.vote.ended
        return self.stage

    def _add(self, output: FloatArray, votes: float | FloatArray) -> tuple[FloatArray | None, float]:
        """Add a learner to the score; the votes of all learners if they were set anew, and the sum of their sizes."""
        if not self.vote.revises:
            alpha = float(votes)
            self._score = settle(self._score + alpha * output)
            return None, abs(alpha) + (self.stage.total_alpha if self.stage else 0.0)
        alphas = np.atleast_1d(votes)
        self._outputs.append(output)
        self._score = settle(sum((one * each for one, each in zip(alphas, self._outputs)), np.zeros_like(self._score)))
        return alphas, float(np.abs(alphas).sum())

    def _draw(self, weights: FloatArray) -> DrawnRows | None:
        """The rows that a learner is trained on where the emphasis draws them; None is all rows."""
        if not self.emphasis.draws:
            return None
        rng = child_generator(self.entropy, self._round, self._attempt, 0)  # a stream that no learner draws from
        return self.emphasis.draw(self.X, self.y, weights, rng)

    def _set_distributions(self) -> None:
        """What the emphasis offers for the next round, and under which distribution each learner's edge is measured."""
        if self.stage is None:
            weights, bound = self.emphasis.start(self.X, self.y), self.prior
            design = self.design_emphasis.start(self.X, self.y) if self.design_emphasis else None
        else:
            weights, bound = self.emphasis.update(self.stage), normalise(self.log_prior - self.stage.ensemble_margin)
            design = self.design_emphasis.update(self.stage) if self.design_emphasis else None
        self._offered = list(weights) if weights.ndim == 2 else [weights]
        self._candidates = [settle(distribution_or_uniform(one * self.prior)) for one in self._offered]
        self._design_weights = None if design is None else settle(distribution_or_uniform(design * self.prior))
        self._voters = [bound] * len(self._candidates) if self.vote.under == "bound" else self._candidates

    def _measure_edges(self, trained: Sequence[Trained]) -> list[float]:
        r""":math:`r = \sum_i V_i m_i(o)` of each learner, within what still has a finite vote."""
        if not is_deferred(self.y):
            for one in trained:
                with name_errors(self._round, one.learner):
                    check_finite(one.learner, "output", one.output)
        outcome = zip(trained, self._voters, strict=True)
        edges = [sum_of_products(voters, margins(one.output, self.y)) for one, voters in outcome]
        found = [float(edge) for edge in evaluate(*edges)]
        if not all(map(isfinite, found)):
            name = type(trained[0].learner).__name__
            raise ValueError(f"member {self._round} ({name}) has an output that is not finite.")
        return [min(max(edge, -self.largest_edge), self.largest_edge) for edge in found]


def _refuse_without_rows(role: str, emphasis: Emphasis | None) -> None:
    if emphasis is not None and emphasis.needs_all_rows:
        raise ValueError(
            f"{role}={emphasis!r} is not allowed with a Dask collection: {emphasis.needs_all_rows}. Use X.compute() "
            "where the table fits in memory, or an emphasis of margins alone, such as Mixed(0.3)."
        )


def _ready_emphasis(role: str, emphasis: Emphasis, learner: Any, n_classes: int) -> Emphasis:
    """A fresh clone with checked parameters, whose needs are checked against learner and classes."""
    check.instance(role, emphasis, Emphasis, "Mixed(0.3)")
    emphasis.check_parameters()
    name = type(learner).__name__
    if not isinstance(learner, emphasis.learner_type):
        needed = emphasis.learner_type.__name__
        raise ValueError(f"{role}={emphasis!r} needs a learner that is a {needed}, and {name} is not one.")
    if n_classes > 2 and not emphasis.multi_class:
        reason = f"{role}={emphasis!r} is defined for 2 classes, and y has {n_classes}"
        raise ValueError(f"Only binary classification is supported. {reason}.")
    if role == "design_emphasis" and not takes_design_weight(learner):
        raise ValueError(
            f"design_emphasis={emphasis!r} needs a learner that takes design_weight, such as RBFNetworkClassifier, "
            f"and {name} does not."
        )
    ready: Emphasis = clone(emphasis)
    return ready


def _ready_vote(vote: str | Vote, emphasis: Emphasis) -> Vote:
    """A fresh vote with checked parameters; for "auto" that of the emphasis, which may be the emphasis itself."""
    if isinstance(vote, str):
        check.one_of("vote", vote, ("auto", *NAMED_VOTES))
        declared = emphasis.vote if vote == "auto" else vote
        ready: Vote = NAMED_VOTES[declared] if isinstance(declared, str) else declared
    elif isinstance(vote, Emphasis) or not isinstance(vote, Vote):
        named = ", ".join(map(repr, ("auto", *NAMED_VOTES)))
        raise ValueError(f"vote={vote!r} is not allowed: vote must be one of {named}, or a vote of emphatic.votes.")
    else:
        vote.check_parameters()
        ready = clone(vote)
    ready.begin()
    return ready
