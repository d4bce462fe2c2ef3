"""The one boosting loop, and Real AdaBoost on top of it. It knows no emphasis and no learner by name."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from operator import itemgetter
from typing import Any

import numpy as np
from sklearn.base import clone

from emphatic import check
from emphatic.base import Emphasis, Stage
from emphatic.check import FloatArray, IntArray
from emphatic.margins import distribution_or_uniform, margins, normalise
from emphatic.training import Trainer, takes_design_weight

LARGEST_EDGE = 1.0 - 1e-10
"""A perfect learner gets the vote artanh(LARGEST_EDGE) = 11.86, not infinity."""


def grow(
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
) -> Iterator[Stage]:
    r"""Grow an ensemble, one `Stage` a round, until no learner with an edge can be found.

    1. Train a clone of `learner` under the emphasis' distribution D times `prior` (sum 1).
    2. Measure its edge :math:`r = \sum_i V_i m_i(o)`. V is the distribution of the vote: with ``vote="bound"`` it is
       Real AdaBoost's own, prior times :math:`e^{-m}`, whatever the emphasis; with ``"emphasis"`` that of step 1;
       ``"auto"`` takes what the emphasis declares.
    3. Give it the vote :math:`\alpha = \operatorname{artanh} r`, add :math:`\alpha o` to the score, yield the stage.
    4. Ask the emphasis for the next distribution.

    Where the emphasis offers several distributions, steps 1 and 2 are done for each, with the same random draws, and
    the learner of the largest edge goes on to step 3 (of equal ones the first).

    A learner without a positive edge is discarded and drawn again with fresh randomness, `patience` times; then the
    growth ends. With ``negative="flip"`` one with a negative edge is accepted, its vote being negative.
    Stopping earlier is `itertools.islice`, monitoring is a `for` loop.

    Every training draws from a generator of its own that depends on `rng`, the round and the attempt alone.

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
    emphasis, design_emphasis = _ready(emphasis, design_emphasis, learner)
    vote = emphasis.vote if check.one_of("vote", vote, ("auto", "bound", "emphasis")) == "auto" else vote
    emphasis.check_use("emphasis", vote)
    if design_emphasis:
        design_emphasis.check_use("design_emphasis", vote)
    check.one_of("negative", negative, ("stop", "flip"))
    trainer = Trainer(learner, X, y, classes, resample, feature_names)
    attempts = 1 + (check.integer("patience", patience, at_least=0) if trainer.is_random else 0)
    prior = np.full(len(y), 1.0 / len(y)) if prior is None else prior
    with np.errstate(divide="ignore"):  # a prior of 0 stays 0: exp(-inf)
        log_prior = np.log(prior)
    entropy = int(rng.integers(2**63))

    weights = emphasis.start(X, y)
    design = design_emphasis.start(X, y) if design_emphasis else None
    score = np.zeros(len(y) if len(classes) == 2 else (len(y), len(classes)))
    bound, total_alpha = prior, 0.0
    for number in itertools.count():
        offered = np.atleast_2d(weights)
        candidates = [distribution_or_uniform(one * prior) for one in offered]
        design_weights = None if design is None else distribution_or_uniform(design * prior)
        voters = [bound] * len(candidates) if vote == "bound" else candidates
        for attempt in range(attempts):
            key = (number, attempt)
            trained = _train_each(trainer, candidates, design_weights, voters, entropy, key)
            edge, chosen, fitted, output = max(trained, key=itemgetter(0))
            if edge > 0 or (negative == "flip" and edge < 0):
                break
        else:
            return
        alpha = float(np.arctanh(edge))
        score = score + alpha * output
        total_alpha += abs(alpha)
        stage = Stage(
            X, y, offered[chosen], candidates[chosen], fitted, output, alpha, edge, score, total_alpha, chosen
        )
        yield stage
        weights = emphasis.update(stage)
        design = design_emphasis.update(stage) if design_emphasis else None
        bound = normalise(log_prior - stage.ensemble_margin)


def _train_each(
    trainer: Trainer,
    candidates: list[FloatArray],
    design_weights: FloatArray | None,
    voters: list[FloatArray],
    entropy: int,
    key: tuple[int, int],
) -> Iterator[tuple[float, int, Any, FloatArray]]:
    """Edge, number, learner and output of every candidate, one at a time; `key` gives all the same random draws."""
    for number, (training_weights, electorate) in enumerate(zip(candidates, voters, strict=True)):
        child = np.random.default_rng(np.random.SeedSequence(entropy, spawn_key=key))
        fitted, output = trainer.train(training_weights, design_weights, child)
        edge = min(max(float(electorate @ margins(output, trainer.y)), -LARGEST_EDGE), LARGEST_EDGE)
        yield edge, number, fitted, output


def _ready(emphasis: Emphasis, design_emphasis: Emphasis | None, learner: Any) -> tuple[Emphasis, Emphasis | None]:
    """Fresh clones with checked parameters; the needs of both emphases are held against the learner."""
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
        ready.append(clone(given))
    if design_emphasis is not None and not takes_design_weight(learner):
        raise ValueError(
            f"design_emphasis={design_emphasis!r} needs a learner that takes design_weight, such as "
            f"RBFNetworkClassifier, and {name} does not."
        )
    return ready[0], ready[1]
