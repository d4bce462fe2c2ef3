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
from emphatic.auto.candidates.training_data import MANY_ROWS, TrainingData
from emphatic.auto.encoding import TableEncoder
from emphatic.auto.searching.blend import LEAST_NOISE, Blended, blend_results
from emphatic.auto.searching.budget import Budget
from emphatic.auto.searching.lists import list_candidates
from emphatic.auto.searching.samples import READING, Sample, Samples, estimate_reading, take_first
from emphatic.auto.searching.search import Search
from emphatic.auto.sparse import FEW_COLUMNS, SparseEncoder
from emphatic.base import Lesson
from emphatic.blending.by_loss import log_losses
from emphatic.blending.noise import estimate_noise, trust_labels
from emphatic.check import FloatArray, IntArray
from emphatic.inputs import take_rows
from emphatic.progress import progress_bar
from emphatic.randomness import draw_entropy
from emphatic.tables.policy import count_indicators

ENOUGH_SHARED = 100
"""Rows on which two attempts can be compared."""

USUAL_PASSES, MOST_PASSES = 2, 4
"""Of a search that doubts labels: of few rows; and with a budget, whatever the rows, if there is time for so many.
Many rows outvote wrong labels anyway, and classes that overlap are more often taken for wrong labels there."""


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

    def __init__(
        self,
        task: Task,
        rows: IntArray,
        *,
        is_quick: bool,
        n_folds: int | None = None,
        held_out: IntArray | None = None,
    ) -> None:
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
            n_folds=n_folds,
            held_out=held_out,
            is_over=task.budget.is_over,
        )
        self.judged = rows[self.data.judged]
        self._noise_of_first_pass: float | None = None  # later passes have weights that rest on it
        self.search = Search(self.data, draw_entropy(lesson.rng), task.n_jobs, task.budget, task.engine)
        task.budget.record(READING, estimate_reading(self.data.size), perf_counter() - start)

    def run(self, candidates: Sequence[Candidate]) -> Generator[None, None, None]:
        """Try the candidates; yields after each of them."""
        self.candidates = candidates
        return self.search.run(candidates)

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

    def blend_so_far(self) -> Blended:
        """Of the candidates that were tried."""
        return blend_results(
            self.data, self.search.results, self.task.metric, self.task.label_noise, self._noise_of_first_pass
        )

    def finish(self) -> None:
        """Blend what was found."""
        self.blend, self.probabilities, self.label_probabilities, self.noise = self.blend_so_far()
        self._noise_of_first_pass = self.noise

    @property
    def doubts_labels(self) -> bool:
        """Whether labels look wrong, and all rows were judged, so that it is known which."""
        return self.noise > LEAST_NOISE and not self.data.is_quick

    @property
    def wants_another_pass(self) -> bool:
        """Whether to fit the members again because labels are doubted."""
        n_passes = max(len(one.passes) for one in self.search.results)
        most = USUAL_PASSES if len(self.data.codes) < MANY_ROWS else 1
        most = MOST_PASSES if np.isfinite(self.task.budget.limit) else most
        members = (one.candidate for one in self.blend.members)
        return self.doubts_labels and n_passes < most and any(map(self.search.has_time_again, members))

    def run_again(self) -> Generator[None, None, None]:
        """Fit the members again, with less weight on labels that the blend doubts; yields after each of them."""
        rng, data = self.task.lesson.rng, self.data
        noise = estimate_noise(self.label_probabilities, data.codes)
        weights = data.weights * trust_labels(self.label_probabilities, data.codes, noise)
        again, entropy = data.draw_again(weights, rng), draw_entropy(rng)
        return self.search.run_again(again, entropy, [one.candidate for one in self.blend.members])


def make_attempts(
    task: Task,
    samples: Samples,
    ranks: IntArray,
    round_ended: Callable[[Attempt], bool],
    *,
    show_progress: bool,
) -> Attempt:
    """Try the samples, whose rows have the lowest `ranks`, and return the best attempt.

    Its members are fitted again if it doubts labels. `round_ended` is told about every candidate, and says whether to
    stop.
    """
    attempts: list[Attempt] = []
    for sample in samples:
        attempt = Attempt(task, take_first(ranks, sample.n), is_quick=sample.is_quick, n_folds=sample.n_folds)
        attempts.append(attempt)
        candidates = attempt.list_all(sample)
        if run_rounds(attempt, attempt.run(candidates), len(candidates), round_ended, show_progress):
            return choose_best(attempts)
        samples.note(attempt.blend, attempt.data.size)
    best = choose_best(attempts)
    while best.wants_another_pass:
        if run_rounds(best, best.run_again(), len(best.blend.members), round_ended, show_progress):
            break
    return best


def run_rounds(
    attempt: Attempt,
    rounds: Generator[None, None, None],
    n_rounds: int,
    round_ended: Callable[[Attempt], bool],
    show_progress: bool,
) -> bool:
    """Fit candidates, one per round, and blend what was found; True if `round_ended` asked to stop."""
    stopped = False
    with closing(rounds), progress_bar("candidates", n_rounds, show_progress) as advance:
        for _ in rounds:
            advance()
            if stopped := round_ended(attempt):
                break
    attempt.finish()
    return stopped


def choose_best(attempts: Sequence[Attempt]) -> Attempt:
    """The last one that is not certainly worse than those before it, out of fold on the rows that both are judged on.

    A later one has more rows to learn from. It is worse if its mean log loss is higher by more than two standard errors
    of the differences; where few rows are shared, chance would decide. Losses on different rows are never compared.
    """
    best, *others = attempts
    for later in others:
        shared, *places = np.intersect1d(best.judged, later.judged, return_indices=True)
        codes, weights = best.task.lesson.y[shared], best.task.weights[shared]
        before, after = (
            log_losses(one.probabilities[rows], codes) for one, rows in zip((best, later), places, strict=True)
        )
        if len(shared) < ENOUGH_SHARED or not _is_certainly_positive(after - before, weights):
            best = later
    return best


def _is_certainly_positive(values: FloatArray, weights: FloatArray) -> bool:
    """Whether the mean is more than two standard errors above 0."""
    shares = weights / weights.sum()
    mean = shares @ values
    return bool(mean > 2.0 * np.sqrt((shares**2) @ (values - mean) ** 2))
