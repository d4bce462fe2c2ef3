"""One search, on the whole table or on a sample of its rows, and the blend that it ends in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from scipy.sparse import issparse

from emphatic.auto.blend import Blend, blend_results
from emphatic.auto.budget import Budget
from emphatic.auto.candidate import Candidate, TrainingData
from emphatic.auto.encoding import TableEncoder
from emphatic.auto.samples import READING, estimate_reading
from emphatic.auto.search import Search
from emphatic.auto.sparse import FEW_COLUMNS, SparseEncoder
from emphatic.base import Lesson
from emphatic.check import FloatArray, IntArray
from emphatic.inputs import take_rows
from emphatic.randomness import draw_entropy


@dataclass(frozen=True)
class Task:
    """What is the same for every attempt of a fit.

    Attributes
    ----------
    lesson : the table, its labels and groups
    classes : labels by code
    weights : of the rows, for training
    columns : what to make of columns, where users say so
    metric, label_noise, n_jobs : parameters of the classifier
    budget : what all attempts may take together
    """

    lesson: Lesson
    classes: np.ndarray
    weights: FloatArray
    columns: Any
    metric: str
    label_noise: str
    n_jobs: int | None
    budget: Budget


class Attempt:
    """A search on some rows of a task's table."""

    def __init__(self, task: Task, rows: IntArray, *, is_first: bool) -> None:
        self.task, self.rows = task, rows
        start, lesson = perf_counter(), task.lesson
        whole = len(rows) == len(lesson.y)
        table, codes = (lesson.table if whole else take_rows(lesson.table, rows)), lesson.y[rows]
        self.encoder: TableEncoder | SparseEncoder
        if issparse(table) and table.shape[1] > FEW_COLUMNS:
            self.encoder = SparseEncoder().fit(table, lesson.rng)
        else:
            table = table.toarray() if issparse(table) else table
            self.encoder = TableEncoder(task.columns).fit(table, task.classes[codes])
        inputs, columns = self.encoder.encode(table)
        groups, n_classes = None if lesson.groups is None else lesson.groups[rows], len(task.classes)
        self.data = TrainingData.draw(inputs, codes, n_classes, task.weights[rows], lesson.rng, groups, columns)
        self.search = Search(self.data, draw_entropy(lesson.rng), task.n_jobs, task.budget, is_first=is_first)
        task.budget.record(READING, estimate_reading(self.data.size), perf_counter() - start)

    def run(self, candidates: tuple[Candidate, ...]) -> Iterator[None]:
        """Try the candidates; yields after each of them."""
        self.candidates = candidates
        return self.search.run(candidates)

    def blend_so_far(self) -> tuple[Blend, FloatArray, float]:
        """Of the candidates that were tried, with its out-of-fold probabilities and the share of wrong labels."""
        return blend_results(self.data, self.search.results, self.task.metric, self.task.label_noise)

    def finish(self) -> bool:
        """Blend what was found; False if there was no time for anything."""
        if not self.search.results:
            return False
        self.blend, self.probabilities, self.noise = self.blend_so_far()
        return True
