"""Two passes of the panel over the table: the second on new folds, with less weight on labels that the first doubts."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from emphatic.audit.budget import Budget
from emphatic.audit.panel import Panel
from emphatic.audit.sampling import draw_sample
from emphatic.audit.scoring import score_held_out
from emphatic.blending.folds import draw_folds
from emphatic.blending.pool import pool_by_likelihood
from emphatic.blending.temperature import calibrate
from emphatic.check import FloatArray, IntArray
from emphatic.engines import Item, Shared, iterate_tasks
from emphatic.hush import ignore_warnings
from emphatic.inputs import take_rows
from emphatic.randomness import child_generator
from emphatic.tables import TableTransformer
from emphatic.tables.decision import Decision
from emphatic.threads import one_thread

N_PASSES = 2
LEAST_WEIGHT = 0.05
"""Weight in the second pass of a sample whose label is certainly wrong according to the first."""


@dataclass(frozen=True)
class LabelledTable:
    """A table with labels: as given, what was decided about its columns, as numbers, and as codes."""

    X: Any
    columns: Sequence[Decision]
    inputs: FloatArray | None
    codes: IntArray
    classes: np.ndarray


class Task(NamedTuple):
    """Rows, the members of the panel that score them, and how; its number says what it draws."""

    number: int
    members: Any
    rows: Any
    score: Callable[..., Any]
    """Of what is shared, the weights and a generator."""
    shared: tuple[Shared, ...]


def run_passes(
    table: LabelledTable,
    panel: Panel,
    n_folds: int,
    entropy: int,
    n_jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    *,
    budget: Budget | None = None,
    n_passes: int = N_PASSES,
    held: FloatArray | None = None,
    engine: Any = None,
) -> FloatArray:
    r"""Out-of-fold probabilities (n, K): the mean of the panel's blends in two passes.

    The first pass weighs all labels equally. The second one, on new folds, trains with the weights
    :math:`w_i = \max(0.05,\ p_i[y_i] / \max_k p_i[k])` of the first one's probabilities. Whatever is random depends on
    `entropy`, the pass and the number of the task alone: results are the same for every `n_jobs` and `engine`.

    Where `held` (n,) is not NaN, it is the weight in both passes, as for labels that a person has marked. With a
    `budget`, the second pass is left out if it would take too long, judging by the first.
    """
    budget = Budget() if budget is None else budget
    n_fold_models = len(panel.fold_models)
    n_members = n_fold_models + len(panel.scorers)
    weights, blends = _hold(np.ones(len(table.codes)), held), []
    for_folds = Shared(replace(table, inputs=None)), Shared(panel)  # these prepare the table themselves
    for_scorers = Shared(table.inputs), Shared(table.codes)
    for number in range(n_passes):
        start = perf_counter()
        folds = draw_folds(table.codes, n_folds, child_generator(entropy, number))
        # tasks that run side by side: one fold by all its models, or all rows by one scorer
        every = slice(0, n_fold_models)
        by_folds = [Task(i, every, rows, partial(_score_fold, rows=rows), for_folds) for i, rows in enumerate(folds)]
        at_once = [
            Task(len(folds) + i, n_fold_models + i, slice(None), scorer, for_scorers)
            for i, scorer in enumerate(panel.scorers)
        ]
        tasks = at_once + by_folds  # the long ones first, so that workers end at about the same time
        hushed = partial(_run_task, panel.prepares)
        items = (
            Item((one.score, child_generator(entropy, number, one.number)), shared=(weights, *one.shared))
            for one in tasks
        )
        scores = np.zeros((n_members, *table.codes.shape, len(table.classes)))
        results = iterate_tasks(hushed, items, n_jobs=n_jobs, engine=engine, prefer=panel.prefer)
        for done, (found, task) in enumerate(zip(results, tasks), start=1 + number * len(tasks)):
            scores[task.members, task.rows] = found
            if progress is not None:
                progress(done, n_passes * len(tasks))
        for one in scores:
            one[:] = calibrate(one, table.codes, weights)  # in their place: of a million rows, they take gigabytes
        blends.append(pool_by_likelihood(list(scores), table.codes, weights))
        weights = _hold(weigh_labels(blends[-1], table.codes), held)
        if number + 1 < n_passes and not budget.allows("the second pass", perf_counter() - start):
            break
    return np.asarray(np.mean(blends, axis=0))


def weigh_labels(probabilities: FloatArray, codes: IntArray) -> FloatArray:
    """Weights in [0.05, 1]: the probability of the given label, relative to that of the most probable one.

    >>> import numpy as np
    >>> weigh_labels(np.array([[0.8, 0.2], [0.8, 0.2], [0.99, 0.01]]), np.array([0, 1, 1])).round(2)
    array([1.  , 0.25, 0.05])
    """
    own = probabilities[np.arange(len(codes)), codes]
    return np.asarray(np.maximum(own / probabilities.max(axis=1), LEAST_WEIGHT))


def _hold(weights: FloatArray, held: FloatArray | None) -> FloatArray:
    return weights if held is None else np.where(np.isnan(held), weights, held)


def _run_task(hush: bool, weights: FloatArray, *rest: Any) -> Any:
    """One thread per task. Warnings of our own panel say nothing new: a weak member loses its weight in the blend."""
    with one_thread(), ignore_warnings() if hush else nullcontext():
        *shared, score, rng = rest
        return score(*shared, weights, rng)


def _score_fold(
    table: LabelledTable, panel: Panel, weights: FloatArray, rng: np.random.Generator, *, rows: IntArray
) -> list[FloatArray]:
    others = np.setdiff1d(np.arange(len(table.codes)), rows)
    if panel.most_rows is not None and panel.most_rows < len(others):
        others = others[draw_sample(table.codes[others], panel.most_rows, rng)]
    X_others, X = take_rows(table.X, others), take_rows(table.X, rows)
    if panel.prepares:
        transformer = TableTransformer(columns={one.name: one for one in table.columns}).fit(X_others)
        X_others, X = transformer.transform(X_others), transformer.transform(X)
    training = X_others, table.classes[table.codes[others]], weights[others]
    return [score_held_out(model, training, X, table.classes, rng) for model in panel.fold_models]
