"""Paper 002: its problems, its methods, readings of what it leaves open, and how its ensembles are built."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import numpy as np

from emphatic.check import FloatArray
from emphatic.papers.published import lookup
from emphatic.study.results import results_of
from emphatic.study.runner import Study
from emphatic.study.store import Store
from emphatic.study.tasks import Method, Setting, canonical, table_transformer

PAPER = "002"
N_ESTIMATORS = 10
LEARNING_RATE, THYROID_LEARNING_RATE = 1e-2, 1e-3  # as printed

PROBLEMS = {
    "ionosphere": "Ionosphere",
    "diabetes": "Diabetes",
    "breast": "Cancer",
    "vehicle": "Vehicle",
    "glass": "Glass",
    "vowel": "Vowel",
    "thyroid": "Thyroid",
}
"""Names here and in the paper, in its order."""

POLICIES = {
    "standard": "std. boostPP",
    "negative": "neg. boostPP",
    "positive": "pos. boostPP",
    "balanced": "bal. boostPP",
}
"""The variants of boosted parallel perceptrons, here and in the paper."""

NETWORKS = "std. boostMLP"
N_HIDDEN = 5  # the paper names no architecture; this is the default of the library
TOGETHER = 50  # ensembles of networks that are trained in step

FIGURES = {"a": "accuracy_%", "a+": "a+_%", "a-": "a-_%", "g": "g_%"}
"""Accuracy, of all and of each class, and the geometric mean of the latter two, here and in the published numbers."""


def unit_range() -> Any:
    """Every column from 0 to 1."""
    from emphatic.tables import TableTransformer

    return TableTransformer(nominal="ordinal", scale="minmax")


def symmetric_range() -> Any:
    """Every column from -1 to 1."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler

    return make_pipeline(unit_range(), MinMaxScaler((-1, 1)))


def unit_length() -> Any:
    """Standardised columns, divided by the root of their number: the mean square length of a row is 1."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer

    return make_pipeline(table_transformer(), FunctionTransformer(_over_root_of_columns))


def _over_root_of_columns(X: FloatArray) -> FloatArray:
    return X / np.sqrt(X.shape[1])


SCALES: dict[str, Callable[[], Any]] = {
    "[0, 1]": unit_range,
    "[-1, 1]": symmetric_range,
    "standardised": table_transformer,
    "length 1": unit_length,
}


@dataclass(frozen=True)
class Reading:
    """What the paper leaves open: the scale of the inputs, how weights enter the training, which machine is kept."""

    scale: str
    gamma_step: str = "mean"
    resample: bool = False
    updates: str = "batch"
    keep: str = "last"

    def method(self, problem: str, policies: Sequence[str]) -> Method:
        """Boosted parallel perceptrons by these policies."""
        rate = THYROID_LEARNING_RATE if problem == "thyroid" else LEARNING_RATE
        settings = [self.setting(policy, rate) for policy in policies]
        return Method(f"boosted PP, inputs {self.scale}", build_perceptrons, settings, SCALES[self.scale])

    def setting(self, policy: str, learning_rate: float) -> dict[str, Any]:
        choices = {name: value for name, value in asdict(self).items() if name != "scale"}  # that is the method's
        return {"policy": policy, "learning_rate": learning_rate, **choices}

    def __str__(self) -> str:
        parts = [f"inputs {self.scale}", f"γ step {self.gamma_step}"]
        parts += ["resampled"] if self.resample else []
        parts += ["online"] if self.updates == "online" else []
        parts += ["best kept"] if self.keep == "best" else []
        return ", ".join(parts)


def build_perceptrons(setting: Setting, random_state: int) -> Any:
    """The paper's ensemble: 3 perceptrons, a first margin of 0.05, 250 epochs."""
    from emphatic import RealAdaBoostClassifier
    from emphatic.emphasis.pattern_type import PatternType
    from emphatic.learners.parallel_perceptron import ParallelPerceptronClassifier

    names = ("learning_rate", "gamma_step", "updates", "keep")
    machine = ParallelPerceptronClassifier(3, 0.05, n_epochs=250, **{name: setting[name] for name in names})
    return RealAdaBoostClassifier(
        machine, PatternType(setting["policy"]), N_ESTIMATORS, resample=setting["resample"], random_state=random_state
    )


def networks() -> Method:
    """Boosted perceptrons with one hidden layer, what the paper compares with."""
    return Method("boosted MLP", build_networks, [{"n_hidden": N_HIDDEN}], together=TOGETHER)


def build_networks(setting: Setting, random_state: int) -> Any:
    """AdaBoost of networks with real outputs."""
    from emphatic import MLPNetworkClassifier, RealAdaBoostClassifier
    from emphatic.emphasis import Exponential

    network = MLPNetworkClassifier(setting["n_hidden"])
    return RealAdaBoostClassifier(network, Exponential(), N_ESTIMATORS, random_state=random_state)


@cache
def load_problem(name: str) -> Any:
    """The problem with the two classes of paper 002: +1 is the smaller one."""
    from emphatic.datasets import load

    return load(name, paper=PAPER)


def published(problem: str, method: str, figure: str) -> tuple[float, float | None]:
    """Mean and standard deviation as printed.

    >>> published("breast", "bal. boostPP", "g")
    (96.3, 0.38)
    """
    if method == NETWORKS:
        table = "2"
    else:
        table = "4" if figure == "g" else "3"
    return lookup(PAPER, table, PROBLEMS[problem], method, FIGURES[figure])


Measured = Mapping[str, Sequence[float]]  # figure -> its value in every repetition, in %


def measured(study: Study, store: Store) -> dict[str, Measured]:
    """Every figure of the finished settings of a study with one method and one problem.

    A repetition's accuracies are the averages over its folds, and its g is that of these averages.
    """
    parts = {
        "a": results_of(study, store, lambda metrics: 1 - metrics["error"]).errors,
        "a+": results_of(study, store, lambda metrics: metrics["class_accuracies"]["1"]).errors,
        "a-": results_of(study, store, lambda metrics: metrics["class_accuracies"]["-1"]).errors,
    }
    found = {}
    for setting in parts["a"]:
        figures = {figure: _by_repetition(values[setting]) for figure, values in parts.items()}
        found[setting] = {**figures, "g": np.sqrt(figures["a+"] * figures["a-"])}
    return {setting: {name: list(values) for name, values in figures.items()} for setting, figures in found.items()}


def measured_policies(reading: Reading, study: Study, store: Store) -> dict[str, Measured]:
    """`measured` by the paper's names, of the policies that are finished."""
    found = measured(study, store)
    [problem] = study.problems
    settings = reading.method(problem.name, tuple(POLICIES)).settings
    by_policy = {POLICIES[setting["policy"]]: canonical(setting) for setting in settings}
    return {method: found[setting] for method, setting in by_policy.items() if setting in found}


def _by_repetition(values: Mapping[Any, float]) -> FloatArray:
    """In %: means over the folds of each repetition, "repeat-2" with folds "repeat-2-fold-0", ..."""
    repetitions: dict[tuple[str, int], list[float]] = {}
    for (split, seed, _), value in values.items():
        repetitions.setdefault((split.partition("-fold-")[0], seed), []).append(value)
    return np.array([100 * np.mean(each) for each in repetitions.values()])


def differences(found: Mapping[tuple[str, str], Measured]) -> dict[tuple[str, str], list[float]]:
    """Absolute differences to the published a, a+, a- and g, by problem and method."""
    return {
        (problem, method): [
            abs(float(np.mean(figures[figure])) - published(problem, method, figure)[0]) for figure in FIGURES
        ]
        for (problem, method), figures in found.items()
    }


def order_of_policies(found: Mapping[tuple[str, str], Measured]) -> dict[str, dict[str, bool]]:
    """What the paper claims of its variants, by claim and problem, so far as they are measured."""
    held: dict[str, dict[str, bool]] = {"a+: positive > balanced > standard": {}, "g: balanced > standard": {}}
    for problem in dict.fromkeys(name for name, _ in found):
        if not all((problem, POLICIES[policy]) in found for policy in ("standard", "positive", "balanced")):
            continue
        means = {
            policy: {figure: float(np.mean(found[problem, POLICIES[policy]][figure])) for figure in ("a+", "g")}
            for policy in ("standard", "positive", "balanced")
        }
        first, second = held.values()
        first[problem] = means["positive"]["a+"] > means["balanced"]["a+"] > means["standard"]["a+"]
        second[problem] = means["balanced"]["g"] > means["standard"]["g"]
    return held
