"""Which candidates are tried on which folds, all on all or within a budget; and the scores that result."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import ParameterGrid, ParameterSampler

from emphatic import check
from emphatic.check import FloatArray
from emphatic.randomness import as_generator
from emphatic.wording import count

Evaluate = Callable[[Sequence[dict[str, Any]], Sequence[int]], FloatArray]
"""Scores (candidates, folds) of these candidates on these folds."""


@dataclass(frozen=True)
class Scores:
    """Scores `values` (candidates, folds) where `tried`; NaN for a fit that failed."""

    candidates: list[dict[str, Any]]
    values: FloatArray
    tried: NDArray[np.bool_]

    @property
    def n_folds(self) -> NDArray[np.intp]:
        """Number of folds on which each candidate was tried."""
        return self.tried.sum(axis=1)

    @property
    def means(self) -> FloatArray:
        """Mean over the folds that were tried; NaN if one of them failed."""
        return np.where(self.tried, self.values, 0.0).sum(axis=1) / self.n_folds

    def ranks(self) -> NDArray[np.int32]:
        """1 for the best: by the number of folds tried, then by the mean; ties share the better rank."""
        means = np.where(np.isnan(self.means), -np.inf, self.means)
        keys = list(zip(-self.n_folds, -np.round(means, 12), strict=True))
        return np.array([1 + sum(other < key for other in keys) for key in keys], dtype=np.int32)


def tabulate_scores(scores: Scores) -> dict[str, Any]:
    """The columns of `GridSearchCV.cv_results_`, and `n_folds`."""
    names = sorted({name for candidate in scores.candidates for name in candidate})
    table: dict[str, Any] = {}
    for name in names:
        column = np.ma.MaskedArray(np.empty(len(scores.candidates), dtype=object), mask=True)
        for row, candidate in enumerate(scores.candidates):
            if name in candidate:
                column[row] = candidate[name]
        table[f"param_{name}"] = column
    table["params"] = scores.candidates
    for fold in range(scores.values.shape[1]):
        table[f"split{fold}_test_score"] = np.where(scores.tried[:, fold], scores.values[:, fold], np.nan)
    spread = np.where(scores.tried, scores.values - scores.means[:, None], 0.0)
    table["mean_test_score"] = scores.means
    table["std_test_score"] = np.sqrt((spread**2).sum(axis=1) / scores.n_folds)
    table["rank_test_score"] = scores.ranks()
    table["n_folds"] = scores.n_folds
    return table


class Strategy(ABC):
    """A way to spend fits on the candidates of a grid."""

    def __init__(self, param_grid: Any, n_iter: int, factor: int, random_state: Any) -> None:
        if not isinstance(param_grid, Mapping | Sequence) or isinstance(param_grid, str):
            raise TypeError(
                f"param_grid={param_grid!r} is not allowed: it must be a dict of lists, or a list of such, as "
                "scikit-learn's ParameterGrid takes it."
            )
        self.param_grid = param_grid
        self.grid = ParameterGrid(param_grid)  # raises a helpful error for an invalid grid
        self.n_iter = check.integer("n_iter", n_iter, at_least=1)
        self.factor = check.integer("factor", factor, at_least=2)
        self.seed = int(as_generator(random_state).integers(2**31))

    @abstractmethod
    def run(self, evaluate: Evaluate, n_folds: int) -> Scores:
        """Try candidates on folds."""

    def describe(self, scores: Scores) -> str:
        """What was searched, for `search_`."""
        n, folds = scores.values.shape
        tried = f"{n} of {count(len(self.grid), 'candidate')} on {count(folds, 'fold')}"
        return f"{type(self).__name__.lower()} (a budget): {tried}"


class Grid(Strategy):
    """All candidates on all folds."""

    def run(self, evaluate: Evaluate, n_folds: int) -> Scores:
        return _try_on_all_folds(list(self.grid), evaluate, n_folds)

    def describe(self, scores: Scores) -> str:
        n, folds = scores.values.shape
        return f"grid: {'all ' if n > 1 else ''}{count(n, 'candidate')} on {count(folds, 'fold')}"


class Random(Strategy):
    """Some candidates, drawn without replacement, on all folds."""

    def run(self, evaluate: Evaluate, n_folds: int) -> Scores:
        n_iter = min(self.n_iter, len(self.grid))
        sample = ParameterSampler(self.param_grid, n_iter, random_state=self.seed)
        return _try_on_all_folds(list(sample), evaluate, n_folds)


class Halving(Strategy):
    """All candidates on few folds, then ever fewer on ever more folds: bad candidates are dropped early."""

    def run(self, evaluate: Evaluate, n_folds: int) -> Scores:
        candidates = list(self.grid)
        shape = len(candidates), n_folds
        scores = Scores(candidates, np.full(shape, np.nan), np.zeros(shape, dtype=bool))
        alive = np.arange(len(candidates))
        for start, stop in self._rungs(len(candidates), n_folds):
            folds = np.arange(start, stop)
            if start > 0:
                best_first = np.lexsort((alive, scores.ranks()[alive]))
                alive = np.sort(alive[best_first[: math.ceil(len(alive) / self.factor)]])
            scores.values[np.ix_(alive, folds)] = evaluate([candidates[row] for row in alive], folds.tolist())
            scores.tried[np.ix_(alive, folds)] = True
        return scores

    def _rungs(self, n_candidates: int, n_folds: int) -> list[tuple[int, int]]:
        """First and last fold of every rung; the number of folds grows by `factor` from rung to rung.

        >>> Halving({"a": range(30)}, 1, 3, 0)._rungs(30, 10)
        [(0, 1), (1, 3), (3, 10)]
        """
        most = min(_floor_log(self.factor, n_folds), _floor_log(self.factor, n_candidates))
        ends = [max(1, round(n_folds / self.factor**rung)) for rung in range(most, -1, -1)]
        return list(zip([0, *ends[:-1]], ends, strict=True))

    def describe(self, scores: Scores) -> str:
        rungs = [(int((scores.n_folds >= folds).sum()), folds) for folds in np.unique(scores.n_folds)]
        (all_of_them, first), *later = rungs
        text = f"halving (a budget): {count(all_of_them, 'candidate')} on {count(int(first), 'fold')}"
        return text + "".join(f", the best {best} on {folds}" for best, folds in later)


class Optuna(Strategy):
    """Candidates proposed by Optuna, a batch at a time so that they can share work, on all folds."""

    BATCH = 16

    def run(self, evaluate: Evaluate, n_folds: int) -> Scores:
        optuna = _import_optuna()
        if not isinstance(self.param_grid, Mapping):
            raise ValueError('strategy="optuna" needs a param_grid that is one dict, not a list of dicts.')
        study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=self.seed))
        lists = dict(sorted(self.param_grid.items()))
        wanted = min(self.n_iter, len(self.grid))
        known: dict[tuple[int, ...], FloatArray] = {}  # scores by the places of a candidate's values in their lists
        for _ in range(4 * math.ceil(wanted / self.BATCH)):  # it may propose a candidate again
            trials = [study.ask() for _ in range(min(self.BATCH, wanted - len(known)))]
            # places instead of values: lists are ordered, and so are integers
            places = [tuple(one.suggest_int(name, 0, len(lists[name]) - 1) for name in lists) for one in trials]
            new = [place for place in dict.fromkeys(places) if place not in known]
            if new:
                known.update(zip(new, evaluate([_look_up(lists, place) for place in new], range(n_folds)), strict=True))
            for trial, place in zip(trials, places, strict=True):
                mean = float(known[place].mean())
                if math.isfinite(mean):
                    study.tell(trial, mean)
                else:  # a fit failed
                    study.tell(trial, state=optuna.trial.TrialState.FAIL)
            if len(known) == wanted:
                break
        values = np.array(list(known.values()))
        return Scores([_look_up(lists, place) for place in known], values, np.ones(values.shape, dtype=bool))


STRATEGIES: dict[str, type[Strategy]] = {"grid": Grid, "random": Random, "halving": Halving, "optuna": Optuna}


def _try_on_all_folds(candidates: list[dict[str, Any]], evaluate: Evaluate, n_folds: int) -> Scores:
    values = evaluate(candidates, range(n_folds))
    return Scores(candidates, values, np.ones(values.shape, dtype=bool))


def _floor_log(base: int, number: int) -> int:
    """The largest k with base^k <= number."""
    power = 0
    while base ** (power + 1) <= number:
        power += 1
    return power


def _look_up(lists: Mapping[str, Sequence[Any]], place: tuple[int, ...]) -> dict[str, Any]:
    return {name: lists[name][number] for name, number in zip(lists, place, strict=True)}


def _import_optuna() -> Any:
    try:
        import optuna
    except ImportError as error:
        raise ImportError('strategy="optuna" needs Optuna: pip install "emphatic[search]"') from error
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna
