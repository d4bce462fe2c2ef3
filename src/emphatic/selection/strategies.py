"""Which candidates are tried on which folds: all on all, or a budget."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.model_selection import ParameterGrid, ParameterSampler

from emphatic import check
from emphatic.check import FloatArray
from emphatic.randomness import as_generator
from emphatic.selection.results import Scores

Evaluate = Callable[[Sequence[dict[str, Any]], Sequence[int]], FloatArray]
"""Scores (candidates, folds) of these candidates on these folds."""


class Strategy(ABC):
    """A way to spend fits on the candidates of a grid."""

    def __init__(self, param_grid: Any, n_iter: int, factor: int, random_state: Any) -> None:
        self.param_grid = param_grid
        self.grid = ParameterGrid(param_grid)  # says what is wrong with a grid
        self.n_iter = check.integer("n_iter", n_iter, at_least=1)
        self.factor = check.integer("factor", factor, at_least=2)
        self.seed = int(as_generator(random_state).integers(2**31))

    @abstractmethod
    def run(self, evaluate: Evaluate, n_folds: int) -> Scores:
        """Spend the fits."""

    @abstractmethod
    def describe(self, scores: Scores) -> str:
        """What was searched, for those who read the result."""


class Grid(Strategy):
    """All candidates on all folds."""

    def run(self, evaluate: Evaluate, n_folds: int) -> Scores:
        return _on_all_folds(list(self.grid), evaluate, n_folds)

    def describe(self, scores: Scores) -> str:
        n, folds = scores.values.shape
        return f"grid: all {n} candidates on {folds} folds"


class Random(Strategy):
    """Some candidates, drawn without replacement, on all folds."""

    def run(self, evaluate: Evaluate, n_folds: int) -> Scores:
        n_iter = min(self.n_iter, len(self.grid))
        drawn = ParameterSampler(self.param_grid, n_iter, random_state=self.seed)
        return _on_all_folds(list(drawn), evaluate, n_folds)

    def describe(self, scores: Scores) -> str:
        n, folds = scores.values.shape
        return f"random (a budget): {n} of {len(self.grid)} candidates on {folds} folds"


class Halving(Strategy):
    """All candidates on few folds, then ever fewer on ever more: the noise of few folds is spent on bad candidates."""

    def run(self, evaluate: Evaluate, n_folds: int) -> Scores:
        candidates = list(self.grid)
        scores = Scores(candidates, *_empty(len(candidates), n_folds))
        alive = np.arange(len(candidates))
        for start, stop in self._rungs(len(candidates), n_folds):
            folds = np.arange(start, stop)
            if start > 0:
                best_first = np.lexsort((alive, scores.ranks()[alive]))
                alive = np.sort(alive[best_first[: math.ceil(len(alive) / self.factor)]])
            found = evaluate([candidates[row] for row in alive], folds.tolist())
            scores.values[np.ix_(alive, folds)] = found
            scores.tried[np.ix_(alive, folds)] = True
        return scores

    def _rungs(self, n_candidates: int, n_folds: int) -> list[tuple[int, int]]:
        """First and last fold of every rung; the number of folds seen grows by `factor` from rung to rung.

        >>> Halving({"a": range(30)}, 1, 3, 0)._rungs(30, 10)
        [(0, 1), (1, 3), (3, 10)]
        """
        most = min(_power(self.factor, n_folds), _power(self.factor, n_candidates))
        ends = [max(1, round(n_folds / self.factor**rung)) for rung in range(most, -1, -1)]
        return list(zip([0, *ends[:-1]], ends, strict=True))

    def describe(self, scores: Scores) -> str:
        rungs = [(int((scores.n_folds >= folds).sum()), folds) for folds in np.unique(scores.n_folds)]
        (all_of_them, first), *later = rungs
        text = f"halving (a budget): {all_of_them} candidates on {first} folds"
        return text + "".join(f", the best {count} on {folds}" for count, folds in later)


class Optuna(Strategy):
    """Candidates that Optuna proposes, a batch at a time so that they can share work, on all folds."""

    BATCH = 16

    def run(self, evaluate: Evaluate, n_folds: int) -> Scores:
        optuna = _optuna()
        if not isinstance(self.param_grid, Mapping):
            raise ValueError('strategy="optuna" needs a param_grid that is one dict, not a list of them.')
        study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=self.seed))
        wanted = min(self.n_iter, len(self.grid))
        known: dict[tuple[int, ...], FloatArray] = {}
        candidates: dict[tuple[int, ...], dict[str, Any]] = {}
        for _ in range(4 * math.ceil(wanted / self.BATCH)):  # it may propose what it proposed before
            trials = [study.ask() for _ in range(min(self.BATCH, wanted - len(known)))]
            places = [tuple(self._proposed(trial)) for trial in trials]
            new = [place for place in dict.fromkeys(places) if place not in known]
            for place in new:
                candidates[place] = self._candidate(place)
            if new:
                found = evaluate([candidates[place] for place in new], range(n_folds))
                known.update(zip(new, found, strict=True))
            for trial, place in zip(trials, places, strict=True):
                mean = float(known[place].mean())
                if math.isfinite(mean):
                    study.tell(trial, mean)
                else:  # a fit failed
                    study.tell(trial, state=optuna.trial.TrialState.FAIL)
            if len(known) == wanted:
                break
        values = np.array(list(known.values()))
        return Scores(list(candidates.values()), values, np.ones(values.shape, dtype=bool))

    def _proposed(self, trial: Any) -> list[int]:
        """Places in the lists of values: the lists are ordered, and so are the places."""
        return [trial.suggest_int(name, 0, len(values) - 1) for name, values in sorted(self.param_grid.items())]

    def _candidate(self, place: tuple[int, ...]) -> dict[str, Any]:
        items = sorted(self.param_grid.items())
        return {name: values[number] for (name, values), number in zip(items, place, strict=True)}

    def describe(self, scores: Scores) -> str:
        n, folds = scores.values.shape
        return f"optuna (a budget): {n} of {len(self.grid)} candidates on {folds} folds"


STRATEGIES: dict[str, type[Strategy]] = {"grid": Grid, "random": Random, "halving": Halving, "optuna": Optuna}


def _on_all_folds(candidates: list[dict[str, Any]], evaluate: Evaluate, n_folds: int) -> Scores:
    values = evaluate(candidates, range(n_folds))
    return Scores(candidates, values, np.ones(values.shape, dtype=bool))


def _empty(n_candidates: int, n_folds: int) -> tuple[FloatArray, Any]:
    return np.full((n_candidates, n_folds), np.nan), np.zeros((n_candidates, n_folds), dtype=bool)


def _power(base: int, number: int) -> int:
    """The largest k with base^k <= number."""
    power = 0
    while base ** (power + 1) <= number:
        power += 1
    return power


def _optuna() -> Any:
    try:
        import optuna
    except ImportError as error:
        raise ImportError('strategy="optuna" needs Optuna: pip install "emphatic[search]"') from error
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna
