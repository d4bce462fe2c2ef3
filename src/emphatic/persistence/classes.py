"""The classes that a model file may hold, by name: this table, and nothing in a file, decides what is built.

Ours declare their fields themselves (`emphatic.fields`). Those of scikit-learn are declared here, by their public
attributes; its trees become `StoredTrees`.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

from emphatic import emphasis, votes
from emphatic.auto.candidates.gradient import GradientEnsemble, GradientModel, GradientTrees
from emphatic.auto.candidates.kernels import KernelModel, KernelRidge
from emphatic.auto.candidates.linear import NaiveBayes, SparseLinearModel, SparseLogistic
from emphatic.auto.candidates.logistic import LinearModel, Logistic
from emphatic.auto.candidates.networks import Network, NetworkModel
from emphatic.auto.candidates.trees import BaggedTrees, BoostedTrees, ForestModel
from emphatic.auto.classifier import EmphaticClassifier
from emphatic.auto.decisions.conformal import Calibration, Quantiles
from emphatic.auto.decisions.decision import DecisionRule
from emphatic.auto.encoding import TableEncoder
from emphatic.auto.partitioned.trees import AllRowsTrees
from emphatic.auto.searching.blend import Blend, Member
from emphatic.auto.sparse import SparseEncoder
from emphatic.base import Emphasis, Vote
from emphatic.boosting.fuzzy_boost import FuzzyBoostClassifier
from emphatic.boosting.real_adaboost import RealAdaBoostClassifier
from emphatic.clustering import (
    EntropyCMeans,
    EvidentialCMeans,
    FuzzyCMeans,
    FuzzyKMedoids,
    GustafsonKessel,
    NoiseCMeans,
    PossibilisticCMeans,
)
from emphatic.fields import Array, IfSet, Kind, Labels, Maybe, Names, Size, is_fitted
from emphatic.fusion.classifier import FusionClassifier
from emphatic.importance import Importances
from emphatic.kernels.random_trees import Trees
from emphatic.kernels.softmax_mlp import Layers
from emphatic.learners import MLPNetworkClassifier, ParallelPerceptronClassifier, RBFNetworkClassifier
from emphatic.learners.prototypes import ClassKMeans, Prototypes
from emphatic.learners.random_tree import RandomTree, Shape
from emphatic.learners.rbf_design import Design, SampledCentres
from emphatic.learners.stored_trees import StoredTrees
from emphatic.multiview.class_tree import ClassTreeClassifier
from emphatic.multiview.forest import MultiViewForestClassifier
from emphatic.tables import TableTransformer
from emphatic.tables.decision import Decision
from emphatic.tables.encodings import DateEncoding, ManyCategories, TextEncoding
from emphatic.tables.profile import Profile
from emphatic.tables.profile.categories import CategoryProfile
from emphatic.tables.profile.known_texts import KnownTexts
from emphatic.tables.profile.numbers import NumberProfile
from emphatic.tables.profile.texts import TextProfile
from emphatic.tables.scale import Scale
from emphatic.tables.spelling import DateSpelling, NumberSpelling

OURS = (
    *(EmphaticClassifier, TableEncoder, TableTransformer, Scale, Blend, Member, Importances),
    *(SparseEncoder, SparseLogistic, NaiveBayes, SparseLinearModel),
    *(DecisionRule, Calibration, Quantiles),
    *(Decision, NumberSpelling, DateSpelling, DateEncoding, TextEncoding, ManyCategories),
    *(KernelRidge, KernelModel, Network, NetworkModel, Layers, Logistic, LinearModel),
    *(BaggedTrees, BoostedTrees, ForestModel, Trees, Shape, GradientTrees, GradientModel, GradientEnsemble),
    AllRowsTrees,
    *(RealAdaBoostClassifier, FuzzyBoostClassifier, FusionClassifier, ClassTreeClassifier, MultiViewForestClassifier),
    *(RBFNetworkClassifier, MLPNetworkClassifier, ParallelPerceptronClassifier, RandomTree, StoredTrees, FuzzyCMeans),
    *(EntropyCMeans, EvidentialCMeans, FuzzyKMedoids, GustafsonKessel, NoiseCMeans, PossibilisticCMeans),
    *(SampledCentres, ClassKMeans, Prototypes),
    *(Profile, NumberProfile, CategoryProfile, TextProfile, KnownTexts),
    *(getattr(emphasis, name) for name in emphasis.__all__),
    *(getattr(votes, name) for name in votes.__all__),
)

OTHER_NAMES: dict[type, str] = {emphasis.Logistic: "LogisticEmphasis"}
"""Names in files of classes whose own name is that of another class, a candidate of `EmphaticClassifier`."""

SMALLEST_SCALE = 1e-150
"""Of a scaler of scikit-learn, which clips nothing: ordinary numbers over it, times a coefficient, do not overflow."""

FITTED: dict[str, Kind] = {
    "n_features_in_": Size(low=1, name="features"),
    "feature_names_in_": IfSet(Names("features")),
}


@dataclass(frozen=True)
class Foreign:
    """How a class of another library is saved: the fields and parameters that are kept, and what must hold of them.

    `example` are arguments without which it cannot be built.
    """

    fields: Mapping[str, Kind] = field(default_factory=dict)
    parameters: tuple[str, ...] = ()
    example: Mapping[str, Any] = field(default_factory=dict)
    check: Callable[[Any], None] | None = None


def check_logistic(model: LogisticRegression) -> None:
    """Raise ValueError unless there is one row of coefficients for two classes, and one per class for more."""
    n_classes = len(model.classes_)
    if n_classes < 2 or len(model.coef_) != (1 if n_classes == 2 else n_classes):
        raise ValueError(f"{len(model.coef_)} rows of coefficients for {n_classes} classes")
    probe(model)


def check_pipeline(pipeline: Pipeline) -> None:
    """Raise ValueError unless the steps are fitted parts: transformers, then a classifier."""
    steps = pipeline.steps
    if not isinstance(steps, list) or not steps or not all(isinstance(one, tuple) and len(one) == 2 for one in steps):
        raise ValueError("steps must be a list of (name, part)")
    if not all(isinstance(name, str) and name and "__" not in name for name, _ in steps):
        raise ValueError("steps must have names")
    *before, (_, last) = steps
    if not all(hasattr(one, "transform") for _, one in before) or not hasattr(last, "predict"):
        raise ValueError("steps must be transformers, and a classifier at the end")
    if not is_fitted(pipeline):
        return
    for (_, one), (name, following) in pairwise(steps):
        if count_outputs(one) != following.n_features_in_:
            raise ValueError(f"{name} gets {count_outputs(one)} columns, and {following.n_features_in_} are expected")
    if not any(isinstance(one, TableTransformer) for _, one in steps):  # which may need text
        probe(pipeline)


def count_outputs(transformer: Any) -> int:
    """The columns that a fitted transformer makes."""
    return int(getattr(transformer, "n_outputs", transformer.n_features_in_))


def probe(model: Any) -> None:
    """Raise ValueError unless scikit-learn accepts the model: a few rows, most ordinary ones, are predicted."""
    predict = model.predict_proba if hasattr(model, "predict_proba") else model.transform
    rows = np.outer([0.0, 1.0, -1.0, 9.0], np.ones(model.n_features_in_))
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # such as about a table without the names of its columns
            found = predict(rows)
    except Exception as error:  # of whatever type: scikit-learn expects what it has fitted itself
        raise ValueError(f"scikit-learn cannot use it ({error})") from error
    if not np.isfinite(found).all():
        raise ValueError("predictions are not finite")


def _list_parameters(known: type, *without: str) -> tuple[str, ...]:
    return tuple(name for name in inspect.signature(known).parameters if name not in without)


FOREIGN: dict[type, Foreign] = {
    Pipeline: Foreign(parameters=("steps",), example={"steps": [("none", None)]}, check=check_pipeline),
    LogisticRegression: Foreign(
        {
            **FITTED,
            "classes_": Labels(),
            "coef_": Array(np.float64, "rows", "features"),
            "intercept_": Array(np.float64, "rows"),
        },
        _list_parameters(LogisticRegression, "multi_class"),
        check=check_logistic,
    ),
    GaussianNB: Foreign(
        {
            **FITTED,
            "classes_": Labels(),
            "theta_": Array(np.float64, "classes", "features"),
            "var_": Array(np.float64, "classes", "features", above=0.0),
            "class_prior_": Array(np.float64, "classes", above=0.0, high=1.0),
        },
        _list_parameters(GaussianNB),
        check=probe,
    ),
    StandardScaler: Foreign(
        {
            **FITTED,
            "mean_": Maybe(Array(np.float64, "features")),
            "var_": Maybe(Array(np.float64, "features", low=0.0)),
            "scale_": Maybe(Array(np.float64, "features", low=SMALLEST_SCALE)),
        },
        _list_parameters(StandardScaler),
        check=probe,
    ),
    MinMaxScaler: Foreign(
        {
            **FITTED,
            "min_": Array(np.float64, "features"),
            "scale_": Array(np.float64, "features", above=0.0),
            "data_min_": Array(np.float64, "features"),
            "data_max_": Array(np.float64, "features"),
            "data_range_": Array(np.float64, "features", low=0.0),
        },
        _list_parameters(MinMaxScaler),
        check=probe,
    ),
    **{
        known: Foreign(parameters=_list_parameters(known))  # unfitted ones; for fitted ones see STORED_AS
        for known in (DecisionTreeClassifier, ExtraTreeClassifier, RandomForestClassifier, ExtraTreesClassifier)
    },
}


def name_in_files(known: type) -> str:
    """The name of a class in a file."""
    return OTHER_NAMES.get(known, known.__name__)


CLASSES: dict[str, type] = {name_in_files(known): known for known in (*OURS, *FOREIGN)}
"""By the name that stands in a file."""

STORED_AS: dict[type, Callable[[Any], Any]] = {
    DecisionTreeClassifier: StoredTrees.of,
    RandomForestClassifier: StoredTrees.of,
    ExtraTreesClassifier: StoredTrees.of,
}
"""What is kept of fitted models that are not their own form."""


def explain_refusal(part: Any) -> str:
    """Why an object cannot be saved, and what to do."""
    name = type(part).__name__
    if hasattr(part, "best_estimator_"):
        return f"is a {name}, which cannot be saved: save its best_estimator_"
    if isinstance(part, Emphasis | Vote | Design):
        none = "None" if isinstance(part, Emphasis | Design) else "'auto'"
        return (
            f"is of the class {name}, which is not one of ours, and only training needs it: save a copy of the model "
            f"in which this parameter is {none}"
        )
    allowed = ", ".join(sorted(known.__name__ for known in FOREIGN))
    return (
        f"is of the class {name}, which cannot be saved as data: use learners of emphatic, or of scikit-learn "
        f"{allowed}; or keep the model with joblib, whose files must only be loaded if you trust their source"
    )
