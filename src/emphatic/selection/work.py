"""The fits of a search: which candidates share an ensemble or a table, and the scores of all of them."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from emphatic.boosting.real_adaboost import RealAdaBoostClassifier
from emphatic.boosting.together import Failure, Fit, fit_together
from emphatic.check import FloatArray
from emphatic.engines import Item, Shared, iterate_tasks
from emphatic.inputs import take_rows
from emphatic.progress import progress_bar
from emphatic.threads import one_thread

BATCH = 128
"""Ensembles that grow together: enough to fill the vectors of the processor, few enough to stay small in memory."""

Candidate = dict[str, Any]


@dataclass(frozen=True)
class Search:
    """What is the same for all candidates."""

    estimator: Any
    X: Any
    y: np.ndarray
    sample_weight: FloatArray | None
    splits: Sequence[tuple[NDArray[np.intp], NDArray[np.intp]]]
    scorer: Callable[..., float]

    @property
    def prefix(self) -> str:
        """Prefix of the names of the ensemble's own parameters: empty unless it is the last step of a pipeline."""
        return f"{self.estimator.steps[-1][0]}__" if isinstance(self.estimator, Pipeline) else ""

    def build(self, parameters: Candidate) -> Any:
        """An unfitted copy of the estimator with these parameters."""
        try:
            return clone(self.estimator).set_params(**clone(parameters, safe=False))
        except AttributeError as error:  # None has no parameters
            raise ValueError(
                f"{parameters} cannot be set, because a component named there is None: give the estimator one, such as "
                "emphasis=Controlled()."
            ) from error

    def ensemble(self, estimator: Any) -> Any:
        """The estimator itself, or the last step of a pipeline."""
        return estimator.steps[-1][1] if self.prefix else estimator

    def fit_weights(self, rows: Any) -> dict[str, FloatArray]:
        """The weights of these rows, under the name that the estimator's `fit` expects."""
        return {} if self.sample_weight is None else {f"{self.prefix}sample_weight": self.sample_weight[rows]}


@dataclass(frozen=True)
class Unit:
    """One ensemble on one fold, and the candidates, by number, that are its first so many rounds (None: all of them).

    Units of the same fold and `preparation` share their tables.
    """

    fold: int
    parameters: Candidate
    lengths: dict[int, int | None]
    preparation: int


Outcome = dict[int, float] | Failure
"""The scores of a unit's candidates, or the error of its fit."""


def score_all(
    shared: Shared,
    candidates: Sequence[Candidate],
    folds: Sequence[int],
    progress: bool,
    *,
    n_jobs: int | None = None,
    engine: Any = None,
) -> tuple[FloatArray, list[str]]:
    """Scores (candidates, folds), NaN where a fit failed or its score is no finite number; and what went wrong.

    What is shared is a `Search`. The batches do not depend on where they run: neither do results.
    """
    search: Search = shared.value
    groups = list(_group(search, candidates))
    units = [Unit(fold, *group) for fold in folds for group in groups]
    batches = [units[start : start + BATCH] for start in range(0, len(units), BATCH)]
    scores = np.full((len(candidates), len(search.splits)), np.nan)
    failures: list[str] = []
    with progress_bar("ensembles", len(units), progress) as advance:
        items = (Item((batch,), shared=(shared,)) for batch in batches)
        outcomes = iterate_tasks(_score_batch, items, n_jobs=n_jobs, engine=engine)
        for batch, found in zip(batches, outcomes, strict=True):
            for unit, values in zip(batch, found, strict=True):
                if isinstance(values, Failure):
                    failures.append(f"{unit.parameters}: {type(values).__name__}: {values}")
                    continue
                for number, value in values.items():
                    if math.isfinite(value):
                        scores[number, unit.fold] = value
                    else:
                        failures.append(f"{candidates[number]}: the scorer returned {value}, and not a finite number")
            advance(len(batch))
    return scores[:, list(folds)], failures


def _group(search: Search, candidates: Sequence[Candidate]) -> Iterator[tuple[Candidate, dict[int, int | None], int]]:
    """Parameters of the ensembles to fit, each with the candidates that are it or its first rounds; and a number that
    is equal for those whose tables are prepared in the same way."""
    name = f"{search.prefix}n_estimators"
    grows = isinstance(search.ensemble(search.estimator), RealAdaBoostClassifier)
    groups: dict[Any, list[int]] = {}
    for number, candidate in enumerate(candidates):
        shares = grows and isinstance(candidate.get(name), int) and search.prefix[:-2] not in candidate
        groups.setdefault(_identify(candidate, lambda key: key != name) if shares else number, []).append(number)
    preparations: dict[Any, int] = {}
    for numbers in groups.values():
        lengths = {number: candidates[number].get(name) if len(numbers) > 1 else None for number in numbers}
        longest = candidates[max(numbers, key=lambda number: lengths[number] or 0)]
        before = _identify(longest, lambda key: not key.startswith(search.prefix))
        yield longest, lengths, preparations.setdefault(before, len(preparations))


def _identify(candidate: Candidate, concerned: Callable[[str], bool]) -> Any:
    """Equal for candidates with the same values of these parameters, which are the same objects out of one list."""
    return tuple(sorted((name, id(value)) for name, value in candidate.items() if concerned(name)))


def _score_batch(search: Search, batch: Sequence[Unit]) -> list[Outcome]:
    """The scores of the candidates of each unit. A table that several units share is made once."""
    tables: dict[tuple[int, int], tuple[Any, Any]] = {}
    fits = []
    with one_thread():
        for unit in batch:
            train, test = search.splits[unit.fold]
            estimator = search.build(unit.parameters)
            key = unit.fold, unit.preparation
            if key not in tables:
                tables[key] = _prepare_tables(search, estimator, train, test)
            weights = None if search.sample_weight is None else search.sample_weight[train]
            fits.append(Fit(search.ensemble(estimator), tables[key][0], search.y[train], weights))
        return [
            _score_unit(search, unit, fitted, tables[unit.fold, unit.preparation][1])
            for unit, fitted in zip(batch, fit_together(fits), strict=True)
        ]


def _prepare_tables(search: Search, estimator: Any, train: Any, test: Any) -> tuple[Any, Any]:
    """Training and test rows as the ensemble sees them: after the preceding steps, fitted on the training rows."""
    X_train, X_test = take_rows(search.X, train), take_rows(search.X, test)
    if not search.prefix or len(estimator.steps) == 1:
        return X_train, X_test
    before = estimator[:-1]
    return before.fit_transform(X_train, search.y[train]), before.transform(X_test)


def _score_unit(search: Search, unit: Unit, fitted: Any, X: Any) -> Outcome:
    if isinstance(fitted, Failure):
        return fitted
    rows = search.splits[unit.fold][1]
    weights = {} if search.sample_weight is None else {"sample_weight": search.sample_weight[rows]}
    ensembles = {k: fitted if n is None else _first_rounds(fitted, n) for k, n in unit.lengths.items()}
    scores = {k: search.scorer(one, X, search.y[rows], **weights) for k, one in ensembles.items()}
    wrong = [value for value in scores.values() if not isinstance(value, Real)]
    if wrong:
        raise TypeError(f"scoring={search.scorer!r} returned {wrong[0]!r}: a scorer must return a number.")
    return {k: float(value) for k, value in scores.items()}


def _first_rounds(ensemble: RealAdaBoostClassifier, length: int) -> RealAdaBoostClassifier:
    """The ensemble after its first `length` rounds."""
    shorter = clone(ensemble)
    shorter.__dict__.update(ensemble.__dict__)
    shorter.estimators_, shorter.alphas_ = ensemble.estimators_[:length], ensemble.alphas_[:length]
    return shorter
