"""The ensembles of paper 002: boosted networks and boosted parallel perceptrons, and what is kept of the latter."""

from collections import Counter
from typing import Any

import numpy as np

from emphatic.check import FloatArray
from emphatic.study.fit import score
from emphatic.study.tasks import Method, Setting, table_transformer

N_ESTIMATORS = 10
N_EPOCHS = 250
SHOWN_EPOCHS = (0, 10, 50, 100, N_EPOCHS)
"""Epochs after which the training error is kept."""

N_HIDDEN = 5  # the paper names no architecture; this is the default of the library
TOGETHER = 50  # ensembles of networks trained in lockstep

SCALES = ("[0, 1]", "[-1, 1]", "standardised", "length 1")


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


def build_machine(setting: Setting) -> Any:
    """The paper's machine: 3 perceptrons, a first margin of 0.05, 250 epochs."""
    from emphatic.learners.parallel_perceptron import ParallelPerceptronClassifier

    names = ("learning_rate", "gamma_step", "updates", "keep")
    return ParallelPerceptronClassifier(3, 0.05, n_epochs=N_EPOCHS, **{name: setting[name] for name in names})


def build_perceptrons(setting: Setting, random_state: int) -> Any:
    """The paper's ensemble: ten machines, boosted with one of its policies."""
    from emphatic import RealAdaBoostClassifier
    from emphatic.emphasis import PatternType

    emphasis = PatternType(setting["policy"], setting["near_noisy"])
    return RealAdaBoostClassifier(
        build_machine(setting), emphasis, N_ESTIMATORS, resample=setting["resample"], random_state=random_state
    )


def measure_perceptrons(ensemble: Any, X: Any, y: np.ndarray) -> dict[str, Any]:
    """Error, accuracies and curve; also, of the training: shares of the types of samples, and errors over the epochs.

    `type_shares` are means over rounds and training samples; `epoch_errors` are weighted training errors of the
    machines, on average, after some of their epochs.
    """
    found = score(ensemble, X, y)
    if not ensemble.estimators_:
        return found
    counts, n = Counter(ensemble.pattern_types_.ravel().tolist()), ensemble.pattern_types_.size
    errors = np.mean([machine.training_errors_[0] for machine in ensemble.estimators_], axis=0)
    return {
        **found,
        "type_shares": {name: counts[name] / n for name in sorted(counts)},
        "epoch_errors": [[epoch, float(errors[epoch])] for epoch in SHOWN_EPOCHS],
    }


def network_method() -> Method:
    """Boosted networks with one hidden layer, which the paper compares with."""
    return Method("boosted MLP", build_networks, [{"n_hidden": N_HIDDEN}], together=TOGETHER)


def build_networks(setting: Setting, random_state: int) -> Any:
    """Real AdaBoost of networks."""
    from emphatic import MLPNetworkClassifier, RealAdaBoostClassifier
    from emphatic.emphasis import Exponential

    network = MLPNetworkClassifier(setting["n_hidden"])
    return RealAdaBoostClassifier(network, Exponential(), N_ESTIMATORS, random_state=random_state)
