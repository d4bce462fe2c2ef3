"""Contenders that search or train for a minute: AutoGluon, FLAML, networks of pytabkit, and peers tuned by Optuna.

None has to be installed (extra `automl`). Each takes a frame of numbers and categories, and labels 0 .. K-1. Where a
limit of time is given it is the library's own, of the clock; that of Optuna's searches is CPU time. One thread each.
"""

from __future__ import annotations

import contextlib
import logging
import shutil
import tempfile
import time
import warnings
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from benchmarks.peers_tuning import SPACES, make_splitter
from emphatic.comparison.contenders import CodedLabels, list_contenders
from emphatic.comparison.measures import log_loss
from emphatic.inputs import take_rows
from emphatic.recipes import Recipe
from emphatic.recipes.preparation import CategoryColumns

LABEL = "the label"


class AutoGluon(ClassifierMixin, BaseEstimator):
    """`TabularPredictor` with a preset and a limit of time; its files are in a temporary folder until it is deleted."""

    def __init__(self, seconds: float = 60.0, preset: str = "medium_quality", random_state: int = 0) -> None:
        self.seconds = seconds
        self.preset = preset
        self.random_state = random_state

    def fit(self, X: pd.DataFrame, y: np.ndarray) -> Self:
        from autogluon.tabular import TabularPredictor

        self.classes_ = np.unique(y)
        self._folder = tempfile.TemporaryDirectory(prefix="autogluon-")
        predictor = TabularPredictor(LABEL, eval_metric="log_loss", path=self._folder.name, verbosity=0)
        options = {"time_limit": self.seconds, "presets": self.preset, "num_cpus": 1, "num_gpus": 0}
        self.predictor_ = predictor.fit(X.assign(**{LABEL: y}), **options)
        self.predictor_.persist()
        return self

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        return self.classes_[np.argmax(self.predict_proba(X), axis=1)]

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        return self.predictor_.predict_proba(X)[list(self.classes_)].to_numpy(dtype=np.float64)


class Flaml(ClassifierMixin, BaseEstimator):
    """FLAML's search by the log loss within a limit of time; what CatBoost writes there goes to a temporary folder."""

    def __init__(self, seconds: float = 60.0, random_state: int = 0) -> None:
        self.seconds = seconds
        self.random_state = random_state

    def fit(self, X: pd.DataFrame, y: np.ndarray) -> Self:
        from flaml import AutoML

        logging.getLogger("flaml").setLevel(logging.ERROR)
        self.classes_ = np.unique(y)
        self.search_ = AutoML()
        with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            warnings.simplefilter("ignore")
            self.search_.fit(
                X, y, task="classification", metric="log_loss", time_budget=self.seconds, n_jobs=1, verbose=0,
                seed=self.random_state % 2**31,
            )  # fmt: skip
        return self

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        return np.asarray(self.search_.predict(X)).ravel()

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        return np.asarray(self.search_.predict_proba(X), dtype=np.float64)


class TabularNetwork(ClassifierMixin, BaseEstimator):
    """A network of pytabkit at its defaults; missing numbers become means, as it takes none, and are marked."""

    def __init__(self, kind: str = "RealMLP_TD_Classifier", random_state: int = 0) -> None:
        self.kind = kind
        self.random_state = random_state

    def fit(self, X: pd.DataFrame, y: np.ndarray) -> Self:
        import pytabkit

        for name in ("lightning.pytorch", "pytorch_lightning", "lightning.fabric"):
            logging.getLogger(name).setLevel(logging.ERROR)
        self.classes_ = np.unique(y)
        self._means = X.mean(numeric_only=True).fillna(0.0)
        self._marked = [name for name in self._means.index if X[name].isna().any()]
        self._folder = tempfile.mkdtemp(prefix="pytabkit-")
        seed = self.random_state % 2**31
        network = getattr(pytabkit, self.kind)(device="cpu", n_threads=1, random_state=seed, tmp_folder=self._folder)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.network_ = network.fit(self._fill(X), y)
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)
        return self

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        return self.classes_[np.argmax(self.predict_proba(X), axis=1)]

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        return np.asarray(self.network_.predict_proba(self._fill(X)), dtype=np.float64)

    def _fill(self, X: pd.DataFrame) -> pd.DataFrame:
        marks = {f"{name} is missing": X[name].isna().astype(float) for name in self._marked}
        nominal = X.select_dtypes("category").astype(object).fillna("missing").astype("category")
        return X.fillna(dict(self._means)).assign(**{name: nominal[name] for name in nominal}, **marks)


class TunedByOptuna(ClassifierMixin, BaseEstimator):
    """A peer tuned by Optuna's TPE in `seconds` of CPU time: the mean log loss of five folds; the defaults come first.

    The space is that of the random search. A trial that the limit cuts off counts for nothing; the last fit, with the
    best parameters on all rows, is outside of the limit.
    """

    def __init__(self, peer: str = "LightGBM", seconds: float = 60.0, random_state: int = 0) -> None:
        self.peer = peer
        self.seconds = seconds
        self.random_state = random_state

    def fit(self, X: Any, y: np.ndarray) -> Self:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        recipe, until = list_contenders()[self.peer], time.process_time() + self.seconds
        folds = list(make_splitter(y, self.random_state).split(np.zeros(len(y)), y))

        def objective(trial: Any) -> float:
            parameters = {} if trial.number == 0 else suggest(trial, SPACES[self.peer])
            losses = []
            for train, test in folds:
                if time.process_time() > until:
                    trial.study.stop()
                    raise optuna.TrialPruned
                model = recipe.build(parameters, self.random_state).fit(take_rows(X, train), y[train])
                losses.append(log_loss(model, take_rows(X, test), y[test]))
            trial.set_user_attr("parameters", parameters)
            return float(np.mean(losses))

        study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=self.random_state % 2**31))
        study.optimize(objective)
        finished = study.get_trials(states=[optuna.trial.TrialState.COMPLETE])
        best = study.best_trial.user_attrs["parameters"] if finished else {}
        self.n_candidates_ = len(finished)
        self.estimator_ = clone(recipe.build(best, self.random_state)).fit(X, y)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> np.ndarray:
        return np.asarray(self.estimator_.predict(X))

    def predict_proba(self, X: Any) -> np.ndarray:
        return np.asarray(self.estimator_.predict_proba(X))


def suggest(trial: Any, space: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters from a space of SciPy's distributions and lists."""
    return {name: _suggest_one(trial, name, of) for name, of in space.items()}


def _suggest_one(trial: Any, name: str, of: Any) -> Any:
    if isinstance(of, list):
        return trial.suggest_categorical(name, of)
    low, high = of.support()
    if of.dist.name == "randint":
        return trial.suggest_int(name, int(low), int(high))
    return trial.suggest_float(name, low, high, log=of.dist.name in ("loguniform", "reciprocal"))


def _recipe(name: str, class_name: str, parameters: Mapping[str, Any]) -> Recipe:
    return Recipe(name, "peer", f"{__name__}:{class_name}", parameters, prepare=CategoryColumns, adapt=CodedLabels)


_RECIPES = {
    "autogluon.tabular": [
        _recipe("AutoGluon, 10 s", "AutoGluon", {"seconds": 10.0}),
        _recipe("AutoGluon, 60 s", "AutoGluon", {"seconds": 60.0}),
    ],
    "flaml": [_recipe("FLAML, 60 s", "Flaml", {"seconds": 60.0})],
    "pytabkit": [
        _recipe("RealMLP", "TabularNetwork", {"kind": "RealMLP_TD_Classifier"}),
        _recipe("TabM", "TabularNetwork", {"kind": "TabM_D_Classifier"}),
    ],
    "optuna": [
        _recipe("LightGBM, Optuna 60 s", "TunedByOptuna", {"peer": "LightGBM", "seconds": 60.0}),
        _recipe("CatBoost, Optuna 60 s", "TunedByOptuna", {"peer": "CatBoost", "seconds": 60.0}),
    ],
}
"""By the package that each needs."""


def list_automl() -> dict[str, Recipe]:
    """All of them by name."""
    return {recipe.name: recipe for recipes in _RECIPES.values() for recipe in recipes}


def find_package(method: str) -> str:
    """What one of them needs."""
    return next(package for package, recipes in _RECIPES.items() for one in recipes if one.name == method)


def list_installed_automl() -> dict[str, Recipe]:
    """Those whose package, and whose peer if they tune one, can be imported here."""
    return {
        recipe.name: recipe
        for package, recipes in _RECIPES.items()
        for recipe in recipes
        if _is_installed(package) and list_contenders().get(recipe.parameters.get("peer"), recipe).is_installed
    }


def _is_installed(package: str) -> bool:
    """Without importing it: of AutoGluon that would take seconds."""
    return find_spec(package.partition(".")[0]) is not None
