"""The ensembles of paper 002: boosted networks, and boosted parallel perceptrons in several readings of the paper."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from emphatic.check import FloatArray
from emphatic.study.tasks import Method, Setting, table_transformer

N_ESTIMATORS = 10
LEARNING_RATE, THYROID_LEARNING_RATE = 1e-2, 1e-3  # as printed

POLICIES = {
    "standard": "std. boostPP",
    "negative": "neg. boostPP",
    "positive": "pos. boostPP",
    "balanced": "bal. boostPP",
}
"""The variants of boosted parallel perceptrons: names here and in the paper."""

N_HIDDEN = 5  # the paper names no architecture; this is the default of the library
TOGETHER = 50  # ensembles of networks trained in lockstep


def make_scaler(scale: str) -> Any:
    """An unfitted transformer to one of `SCALES`; with "length 1" the mean squared length of a row is 1."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer, MinMaxScaler

    from emphatic.tables import TableTransformer

    standard, unit = table_transformer(), TableTransformer(nominal="ordinal", scale="minmax")
    scalers = {
        "[0, 1]": unit,
        "[-1, 1]": make_pipeline(unit, MinMaxScaler((-1, 1))),
        "standardised": standard,
        "length 1": make_pipeline(standard, FunctionTransformer(_divide_by_root)),
    }
    return scalers[scale]


def _divide_by_root(X: FloatArray) -> FloatArray:
    return X / np.sqrt(X.shape[1])


SCALES = ("[0, 1]", "[-1, 1]", "standardised", "length 1")


@dataclass(frozen=True)
class Reading:
    """One choice of what the paper leaves open, or of another way to read what it says.

    Scale of the inputs, use of the weights, which machine is kept, when a negative sample is near noisy, and the
    learning rate of all problems but Thyroid.
    """

    scale: str
    gamma_step: str = "mean"
    resample: bool = False
    updates: str = "batch"
    keep: str = "last"
    near_noisy: str = "all"
    learning_rate: float = LEARNING_RATE

    def method(self, problem: str, policies: Sequence[str]) -> Method:
        """Parallel perceptrons boosted with these policies."""
        choices = {name: value for name, value in asdict(self).items() if name != "scale"}  # named by the method
        if problem == "thyroid":
            choices["learning_rate"] = THYROID_LEARNING_RATE
        settings = [{"policy": policy, **choices} for policy in policies]
        scaler = partial(make_scaler, self.scale)
        return Method(f"boosted PP, inputs {self.scale}", build_perceptrons, settings, scaler)

    def __str__(self) -> str:
        marks = {
            "resampled": self.resample,
            "online": self.updates == "online",
            "best kept": self.keep == "best",
            "nB- by majority": self.near_noisy == "majority",
            f"η {self.learning_rate:g}": self.learning_rate != LEARNING_RATE,
        }
        marked = [mark for mark, holds in marks.items() if holds]
        return ", ".join([f"inputs {self.scale}", f"γ step {self.gamma_step}", *marked])


ONLINE = Reading("length 1", "sum", resample=True, updates="online", near_noisy="majority")
"""Not the paper's wording: updates after every sample, and negatives that the majority gets wrong are near noisy."""

READINGS = (
    *(Reading(scale, gamma_step) for scale in SCALES for gamma_step in ("mean", "sum")),
    *(Reading(scale, gamma_step, resample=True) for scale in SCALES for gamma_step in ("mean", "sum")),
    *(Reading(scale, updates="online") for scale in SCALES),
    *(Reading(scale, keep="best") for scale in SCALES),
    *(replace(ONLINE, scale=scale) for scale in SCALES),
    *(replace(ONLINE, scale=scale, learning_rate=1e-3) for scale in SCALES),
    replace(ONLINE, updates="batch"),
    replace(ONLINE, near_noisy="all"),
    replace(ONLINE, resample=False),
    *(replace(ONLINE, gamma_step=gamma_step) for gamma_step in ("mean", "unweighted")),
    replace(ONLINE, gamma_step="unweighted", resample=False),
    Reading("length 1", "unweighted"),
    Reading("length 1", "unweighted", near_noisy="majority"),
)
"""All that were compared."""


def build_perceptrons(setting: Setting, random_state: int) -> Any:
    """The paper's ensemble: 3 perceptrons, a first margin of 0.05, 250 epochs."""
    from emphatic import RealAdaBoostClassifier
    from emphatic.emphasis.pattern_type import PatternType
    from emphatic.learners.parallel_perceptron import ParallelPerceptronClassifier

    names = ("learning_rate", "gamma_step", "updates", "keep")
    machine = ParallelPerceptronClassifier(3, 0.05, n_epochs=250, **{name: setting[name] for name in names})
    emphasis = PatternType(setting["policy"], setting["near_noisy"])
    return RealAdaBoostClassifier(
        machine, emphasis, N_ESTIMATORS, resample=setting["resample"], random_state=random_state
    )


def network_method() -> Method:
    """Boosted networks with one hidden layer, which the paper compares with."""
    return Method("boosted MLP", build_networks, [{"n_hidden": N_HIDDEN}], together=TOGETHER)


def build_networks(setting: Setting, random_state: int) -> Any:
    """Real AdaBoost of networks."""
    from emphatic import MLPNetworkClassifier, RealAdaBoostClassifier
    from emphatic.emphasis import Exponential

    network = MLPNetworkClassifier(setting["n_hidden"])
    return RealAdaBoostClassifier(network, Exponential(), N_ESTIMATORS, random_state=random_state)
