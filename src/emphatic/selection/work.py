"""The fits of a search: which candidates share an ensemble, which share a table, and what all of them score."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from emphatic.boosting.real_adaboost import RealAdaBoostClassifier
from emphatic.boosting.together import Fit, fit_together
from emphatic.check import FloatArray
from emphatic.inputs import take_rows
from emphatic.progress import progress_bar
from emphatic.threads import one_thread

BATCH = 128
"""Ensembles that grow in step: enough to fill the vectors of the processor, few enough to stay small in memory."""

Candidate = dict[str, Any]


@dataclass(frozen=True)
class Search:
    """What stays the same for all candidates."""

    estimator: Any
    X: Any
    y: np.ndarray
    sample_weight: FloatArray | None
    splits: Sequence[tuple[NDArray[np.intp], NDArray[np.intp]]]
    scorer: Callable[..., float]

    @property
    def prefix(self) -> str:
        """Of the names of the ensemble's own parameters."""
        return f"{self.estimator.steps[-1][0]}__" if isinstance(self.estimator, Pipeline) else ""

    def build(self, parameters: Candidate) -> Any:
        """An unfitted copy of the estimator with these parameters."""
        try:
            return clone(self.estimator).set_params(**clone(parameters, safe=False))
        except AttributeError as error:  # a part that is None has no parameters
            raise ValueError(
                f"{parameters} cannot be set, as a part that is named there is None: give the estimator that part, "
                "such as emphasis=Controlled()."
            ) from error

    def ensemble(self, estimator: Any) -> Any:
        """The part of the estimator, or of a copy of it, that comes after the preparation of tables."""
        return estimator.steps[-1][1] if self.prefix else estimator

    def fit_weights(self, rows: Any) -> dict[str, FloatArray]:
        """The weights of these rows, under the name by which the estimator takes them."""
        return {} if self.sample_weight is None else {f"{self.prefix}sample_weight": self.sample_weight[rows]}


@dataclass(frozen=True)
class Unit:
    """One ensemble on one fold, and the candidates, by number, that are this ensemble after so many rounds.

    Units of one fold and one `preparation` see the same table.
    """

    fold: int
    parameters: Candidate
    lengths: dict[int, int | None]
    preparation: int


Outcome = dict[int, float] | Exception
"""The scores of a unit's candidates, or why it has none."""


def score_all(
    search: Search, candidates: Sequence[Candidate], folds: Sequence[int], n_jobs: int | None, progress: bool
) -> tuple[FloatArray, list[str]]:
    """Scores (candidates, folds), NaN where a fit failed; and what was wrong with those that did."""
    groups = list(_alike(search, candidates))
    units = [Unit(fold, *group) for fold in folds for group in groups]
    batches = [units[start : start + BATCH] for start in range(0, len(units), BATCH)]
    scores = np.full((len(candidates), len(search.splits)), np.nan)
    failures: list[str] = []
    with progress_bar("ensembles", len(units), progress) as advance:
        for batch, found in zip(batches, _each(search, batches, n_jobs), strict=True):
            for unit, values in zip(batch, found, strict=True):
                if isinstance(values, Exception):
                    failures.append(f"{unit.parameters}: {type(values).__name__}: {values}")
                else:
                    scores[list(values), unit.fold] = list(values.values())
            advance(len(batch))
    return scores[:, list(folds)], failures


def _each(search: Search, batches: Sequence[list[Unit]], n_jobs: int | None) -> Iterator[list[Outcome]]:
    if effective_n_jobs(n_jobs) == 1:
        return (_score_batch(search, batch) for batch in batches)
    parallel = Parallel(n_jobs=n_jobs, return_as="generator")
    return iter(parallel(delayed(_score_batch)(search, batch) for batch in batches))


def _alike(search: Search, candidates: Sequence[Candidate]) -> Iterator[tuple[Candidate, dict[int, int | None], int]]:
    """Parameters of the ensembles that must grow, each with the candidates that are it, or the beginning of it; and a
    number that is the same for those whose tables are prepared alike."""
    name = f"{search.prefix}n_estimators"
    grows = isinstance(search.ensemble(search.estimator), RealAdaBoostClassifier)
    groups: dict[Any, list[int]] = {}
    for number, candidate in enumerate(candidates):
        shares = grows and isinstance(candidate.get(name), int) and search.prefix[:-2] not in candidate
        groups.setdefault(_same(candidate, lambda key: key != name) if shares else number, []).append(number)
    preparations: dict[Any, int] = {}
    for numbers in groups.values():
        lengths = {number: candidates[number].get(name) if len(numbers) > 1 else None for number in numbers}
        longest = candidates[max(numbers, key=lambda number: lengths[number] or 0)]
        before = _same(longest, lambda key: not key.startswith(search.prefix))
        yield longest, lengths, preparations.setdefault(before, len(preparations))


def _same(candidate: Candidate, concerned: Callable[[str], bool]) -> Any:
    """Equal for candidates with the same values of these parameters: they are the same objects, out of one list."""
    return tuple(sorted((name, id(value)) for name, value in candidate.items() if concerned(name)))


def _score_batch(search: Search, batch: Sequence[Unit]) -> list[Outcome]:
    """For every unit the scores of its candidates. A table that several units share is made once."""
    tables: dict[tuple[int, int], tuple[Any, Any]] = {}
    fits, tests = [], []
    with one_thread():
        for unit in batch:
            train, test = search.splits[unit.fold]
            estimator = search.build(unit.parameters)
            key = unit.fold, unit.preparation
            if key not in tables:
                tables[key] = _tables(search, estimator, train, test)
            weights = None if search.sample_weight is None else search.sample_weight[train]
            fits.append(Fit(search.ensemble(estimator), tables[key][0], search.y[train], weights))
            tests.append(test)
        fitted = fit_together(fits)
        return [
            _scores(search, unit, one, tables[unit.fold, unit.preparation][1], test)
            for unit, one, test in zip(batch, fitted, tests, strict=True)
        ]


def _tables(search: Search, estimator: Any, train: Any, test: Any) -> tuple[Any, Any]:
    """Training and test rows as the ensemble sees them: after the steps before it, fitted on the training rows."""
    X_train, X_test = take_rows(search.X, train), take_rows(search.X, test)
    if not search.prefix or len(estimator.steps) == 1:
        return X_train, X_test
    before = estimator[:-1]
    return before.fit_transform(X_train, search.y[train]), before.transform(X_test)


def _scores(search: Search, unit: Unit, fitted: Any, X: Any, rows: NDArray[np.intp]) -> Outcome:
    if isinstance(fitted, Exception):
        return fitted
    weights = {} if search.sample_weight is None else {"sample_weight": search.sample_weight[rows]}
    return {
        number: float(
            search.scorer(fitted if length is None else _first_rounds(fitted, length), X, search.y[rows], **weights)
        )
        for number, length in unit.lengths.items()
    }


def _first_rounds(ensemble: RealAdaBoostClassifier, length: int) -> RealAdaBoostClassifier:
    """The ensemble as it was after so many rounds."""
    shorter = clone(ensemble)
    shorter.__dict__.update(ensemble.__dict__)
    shorter.estimators_, shorter.alphas_ = ensemble.estimators_[:length], ensemble.alphas_[:length]
    return shorter
