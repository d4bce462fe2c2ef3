"""Two rounds of opinions: the second one on new folds, and with less weight on what the first one doubts."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone

from emphatic.audit.blend import blend
from emphatic.audit.leave_one_out import kernel_scores
from emphatic.audit.members import Panel
from emphatic.audit.out_of_fold import LEAST_PROBABILITY, held_out_scores, training_part
from emphatic.blending.folds import deal
from emphatic.blending.ridge import Kernel
from emphatic.blending.temperature import tempered
from emphatic.check import FloatArray, IntArray
from emphatic.inputs import take_rows
from emphatic.randomness import child_generator, seed_clone
from emphatic.tables import TableTransformer
from emphatic.threads import one_thread

N_STAGES = 2
LEAST_TRUST = 0.05
"""Weight in the second stage of a sample whose label the first one holds for certainly wrong."""


@dataclass(frozen=True)
class Labelled:
    """A table with labels: as given, as numbers, and as codes."""

    X: Any
    inputs: FloatArray
    codes: IntArray
    classes: np.ndarray

    @property
    def labels(self) -> np.ndarray:
        """The labels, in the type of the classes."""
        return np.asarray(self.classes[self.codes])


Answer = tuple[slice, Any, list[FloatArray]]
"""Which members, on which rows, and their scores (rows, K)."""


def out_of_fold_probabilities(
    table: Labelled,
    panel: Panel,
    n_folds: int,
    entropy: int,
    n_jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> FloatArray:
    r"""(n, K): the mean of two stages of the panel's blended opinions.

    The first stage trusts all labels alike. The second one, on folds drawn anew, trains with the weights
    :math:`w_i = \max(0.05,\ p_i[y_i] / \max_k p_i[k])` of the first one's probabilities. Whatever is random depends on
    `entropy`, the stage and the number of the task alone: results are the same for every `n_jobs`.
    """
    weights, stages = np.ones(len(table.codes)), []
    n_tasks = (n_folds if panel.fold_models else 0) + len(panel.kernels) + len(panel.forests)
    for stage in range(N_STAGES):
        folds = deal(table.codes, n_folds, child_generator(entropy, stage))
        tasks = list(_tasks(table, panel, folds, weights))
        jobs = (
            delayed(_quietly)(task, panel.prepares, child_generator(entropy, stage, i)) for i, task in enumerate(tasks)
        )
        scores = np.zeros((len(panel), *table.codes.shape, len(table.classes)))
        answers = Parallel(n_jobs=n_jobs, return_as="generator")(jobs)
        for done, (members, rows, opinions) in enumerate(answers, start=1 + stage * n_tasks):
            scores[members, rows] = opinions
            if progress is not None:
                progress(done, N_STAGES * n_tasks)
        opinions = [tempered(one, table.codes, weights)[0] for one in scores]
        stages.append(blend(opinions, table.codes))
        weights = trust(stages[-1], table.codes)
    return np.asarray(np.mean(stages, axis=0))


def trust(probabilities: FloatArray, codes: IntArray) -> FloatArray:
    """Weights in [0.05, 1]: how probable the given label is beside the most probable one.

    >>> import numpy as np
    >>> trust(np.array([[0.8, 0.2], [0.8, 0.2], [0.99, 0.01]]), np.array([0, 1, 1])).round(2)
    array([1.  , 0.25, 0.05])
    """
    own = probabilities[np.arange(len(codes)), codes]
    return np.asarray(np.maximum(own / probabilities.max(axis=1), LEAST_TRUST))


def _tasks(
    table: Labelled, panel: Panel, folds: list[IntArray], weights: FloatArray
) -> Iterator[Callable[..., Answer]]:
    """What can be done side by side: one fold by all models, or all rows by one kernel or forest."""
    first = len(panel.fold_models)
    if first:
        yield from (partial(_judge_fold, table, panel, rows, weights) for rows in folds)
    for number, kernel in enumerate(panel.kernels, start=first):
        yield partial(_judge_by_kernel, table, kernel, number, weights)
    for number, forest in enumerate(panel.forests, start=first + len(panel.kernels)):
        yield partial(_judge_by_forest, table, forest, number, weights)


def _quietly(task: Callable[..., Answer], ours: bool, rng: np.random.Generator) -> Answer:
    """One thread a task. Warnings of our own panel are no news: a weak member loses its weight in the blend."""
    with one_thread(), warnings.catch_warnings():
        if ours:
            warnings.simplefilter("ignore")
        return task(rng)


def _judge_fold(table: Labelled, panel: Panel, rows: IntArray, weights: FloatArray, rng: np.random.Generator) -> Answer:
    training, X = training_part(table.X, table.labels, weights, rows), take_rows(table.X, rows)
    if panel.prepares:
        transformer = TableTransformer(columns="useful").fit(training[0])
        training, X = (transformer.transform(training[0]), *training[1:]), transformer.transform(X)
    scores = [held_out_scores(model, training, X, table.classes, rng) for model in panel.fold_models]
    return slice(0, len(scores)), rows, scores


def _judge_by_kernel(
    table: Labelled, kernel: Kernel, number: int, weights: FloatArray, rng: np.random.Generator
) -> Answer:
    scores = kernel_scores(table.inputs, table.codes, len(table.classes), weights, kernel, rng)
    return slice(number, number + 1), slice(None), [scores]


def _judge_by_forest(
    table: Labelled, forest: Any, number: int, weights: FloatArray, rng: np.random.Generator
) -> Answer:
    """Out of bag. Labels are not seen through the inputs, which were prepared without them."""
    forest = seed_clone(clone(forest), rng).fit(table.inputs, table.codes, sample_weight=weights)
    scores = np.log(np.maximum(forest.oob_decision_function_, LEAST_PROBABILITY))
    return slice(number, number + 1), slice(None), [scores]
