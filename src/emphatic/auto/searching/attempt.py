"""One search, on the whole table or on a sample of its rows, and the blend that it ends in."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from scipy.sparse import issparse

from emphatic.auto.candidates.contract import Candidate
from emphatic.auto.candidates.linear import list_sparse_candidates
from emphatic.auto.candidates.training_data import TrainingData
from emphatic.auto.encoding import TableEncoder
from emphatic.auto.searching.blend import Blend, blend_results
from emphatic.auto.searching.budget import Budget
from emphatic.auto.searching.lists import list_candidates
from emphatic.auto.searching.samples import READING, Sample, Samples, estimate_reading, take_first
from emphatic.auto.searching.search import Search
from emphatic.auto.sparse import FEW_COLUMNS, SparseEncoder
from emphatic.base import Lesson
from emphatic.blending.by_loss import log_loss
from emphatic.check import FloatArray, IntArray
from emphatic.inputs import take_rows
from emphatic.progress import progress_bar
from emphatic.randomness import draw_entropy
from emphatic.tables.policy import count_indicators

ENOUGH_SHARED = 100
"""Rows on which two attempts can be compared."""


@dataclass(frozen=True)
class Task:
    """What is the same for every attempt of a fit.

    Attributes
    ----------
    lesson : the table, its labels and groups
    classes : labels by code
    weights : of the rows, for training
    columns : what to make of columns, where users say so
    metric, label_noise, n_jobs, engine : parameters of the classifier
    budget : what all attempts may take together
    """

    lesson: Lesson
    classes: np.ndarray
    weights: FloatArray
    columns: Any
    metric: str
    label_noise: str
    n_jobs: int | None
    engine: Any
    budget: Budget


class Attempt:
    """A search on some rows of a task's table.

    With `is_quick` every candidate is fitted once, and judged on a fold of the rows, an eighth or less, or on those at
    the places `held_out` among them.
    """

    def __init__(self, task: Task, rows: IntArray, *, is_quick: bool, held_out: IntArray | None = None) -> None:
        self.task, self.rows = task, rows
        start, lesson = perf_counter(), task.lesson
        whole = len(rows) == len(lesson.y)
        table, codes = (lesson.table if whole else take_rows(lesson.table, rows)), lesson.y[rows]
        self.encoder: TableEncoder | SparseEncoder
        if issparse(table) and table.shape[1] > FEW_COLUMNS:
            self.encoder = SparseEncoder().fit(table, lesson.rng)
        else:
            table = table.toarray() if issparse(table) else table
            # a sample of the rows has the indicators of the whole table: what it takes tells what the table will take
            max_categories = count_indicators(len(lesson.y))
            self.encoder = TableEncoder(task.columns, max_categories).fit(table, task.classes[codes])
        inputs, columns = self.encoder.encode(table)
        groups, n_classes = None if lesson.groups is None else lesson.groups[rows], len(task.classes)
        self.data = TrainingData.draw(
            inputs,
            codes,
            n_classes,
            task.weights[rows],
            lesson.rng,
            groups,
            columns,
            is_quick=is_quick,
            held_out=held_out,
            is_over=task.budget.is_over,
        )
        self.judged = rows[self.data.judged]
        self.search = Search(self.data, draw_entropy(lesson.rng), task.n_jobs, task.budget, task.engine)
        task.budget.record(READING, estimate_reading(self.data.size), perf_counter() - start)

    def run(self, sample: Sample) -> Generator[None, None, None]:
        """Try the candidates of the sample; yields after each of them."""
        self.candidates = self.list_all(sample)
        return self.search.run(self.candidates)

    def list_all(self, sample: Sample) -> tuple[Candidate, ...]:
        """The candidates of a sample."""
        if not sample.and_all:
            return sample.candidates
        size, columns = self.data.size, self.data.columns
        if columns is None:
            every = list_candidates(*size[:3], is_quick=sample.is_quick)
        else:
            every = list_sparse_candidates(columns)
        return (*sample.candidates, *(one for one in every if one not in sample.candidates))

    def blend_so_far(self) -> tuple[Blend, FloatArray, float]:
        """Of the candidates that were tried, with its out-of-fold probabilities and the share of wrong labels."""
        return blend_results(self.data, self.search.results, self.task.metric, self.task.label_noise)

    def finish(self) -> None:
        """Blend what was found."""
        self.blend, self.probabilities, self.noise = self.blend_so_far()


def make_attempts(
    task: Task,
    samples: Samples,
    ranks: IntArray,
    round_ended: Callable[[Attempt], bool],
    *,
    show_progress: bool,
) -> Attempt:
    """Try the samples, whose rows have the lowest `ranks`, and return the best attempt.

    `round_ended` is told about every candidate, and says whether to stop.
    """
    attempts: list[Attempt] = []
    stopped = False
    for sample in samples:
        rows = take_first(ranks, sample.n)
        attempt = Attempt(task, rows, is_quick=sample.is_quick)
        with (
            closing(attempt.run(sample)) as rounds,
            progress_bar("candidates", len(attempt.candidates), show_progress) as advance,
        ):
            for _ in rounds:
                advance()
                if stopped := round_ended(attempt):
                    break
        attempt.finish()
        attempts.append(attempt)
        samples.note(attempt.blend, attempt.data.size)
        if stopped:
            break
    return choose_best(attempts)


def choose_best(attempts: Sequence[Attempt]) -> Attempt:
    """The last one that is not worse than those before it, out of fold on the rows that both are judged on.

    Losses on different rows would be compared by chance. Where such rows are few, the later one is taken, which has
    more rows to learn from.
    """
    best, *others = attempts
    for later in others:
        shared, *places = np.intersect1d(best.judged, later.judged, return_indices=True)
        codes, weights = best.task.lesson.y[shared], best.task.weights[shared]
        before, after = (one.probabilities[rows] for one, rows in zip((best, later), places, strict=True))
        if len(shared) < ENOUGH_SHARED or log_loss(after, codes, weights) <= log_loss(before, codes, weights):
            best = later
    return best
