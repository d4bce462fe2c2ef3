"""Good models of every family, as files in memory, and what is asked of a model that came out of a damaged one."""

import contextlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from safetensors.numpy import load as load_tensors
from sklearn.datasets import make_moons
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from emphatic import (
    ClassTreeClassifier,
    EmphaticClassifier,
    FusionClassifier,
    FuzzyBoostClassifier,
    FuzzyCMeans,
    MLPNetworkClassifier,
    MultiViewForestClassifier,
    ParallelPerceptronClassifier,
    RBFNetworkClassifier,
    RealAdaBoostClassifier,
)
from emphatic.clustering import (
    EntropyCMeans,
    EvidentialCMeans,
    FuzzyKMedoids,
    GustafsonKessel,
    NoiseCMeans,
    PossibilisticCMeans,
)
from emphatic.emphasis import FuzzyEntropy, Mixed, Neighbour, PatternType
from emphatic.learners import ClassKMeans
from emphatic.persistence import save
from emphatic.persistence.file import CHECKSUM, TREE, pack_arrays
from emphatic.tables import TableTransformer, decide_columns
from emphatic.tables.profile import Differences, Profile

TREES = DecisionTreeClassifier(max_depth=3, random_state=0)
MEMBERS = [("a", GaussianNB(), [0]), ("b", RBFNetworkClassifier(), None), ("c", TREES, slice(0, 2))]

MODELS = {
    "networks": RealAdaBoostClassifier(emphasis=Mixed(0.3), n_estimators=3, keep_weights=True, random_state=0),
    "trees": RealAdaBoostClassifier(TREES, Neighbour(Mixed()), n_estimators=3, random_state=0),
    "perceptrons": RealAdaBoostClassifier(
        ParallelPerceptronClassifier(n_epochs=5), PatternType(), n_estimators=2, random_state=0
    ),
    "small networks": RealAdaBoostClassifier(
        MLPNetworkClassifier(2, max_epochs=5), FuzzyEntropy(), n_estimators=2, random_state=0
    ),
    "prototypes": RBFNetworkClassifier(ClassKMeans(3), random_state=0),
    "fuzzy": FuzzyBoostClassifier(n_estimators=4, n_deflections=1, keep_weights=True, random_state=0),
    "fusion": FusionClassifier(MEMBERS, cv=2, random_state=0),
    "robust fusion": FusionClassifier(MEMBERS, reliability="robust", cv=2, random_state=0),
    "fusion of names": FusionClassifier(
        [("a", LogisticRegression(), ["width"]), ("b", TREES, ["height", "width"])], cv=2, random_state=0
    ),
    "class tree": ClassTreeClassifier(GaussianNB(), {"a": [0], "b": slice(0, 2)}, random_state=0),
    "forest of class trees": MultiViewForestClassifier({"a": [0], "b": [1]}, view_sets="all", random_state=0),
    "clusters": FuzzyCMeans(3, random_state=0),
    "ellipsoids": GustafsonKessel(3, random_state=0),
    "clusters and noise": NoiseCMeans(3, random_state=0),
    "clusters by entropy": EntropyCMeans(3, random_state=0),
    "typical clusters": PossibilisticCMeans(3, random_state=0),
    "medoids": FuzzyKMedoids(3),
    "evidence of clusters": EvidentialCMeans(3, random_state=0),
    "blend": EmphaticClassifier(random_state=0),
    "blend of kernels": EmphaticClassifier(label_noise="correct", decision="f1", random_state=0),
    "blend of trees": EmphaticClassifier(costs=[[0, 1], [5, 0]], class_weight={True: 2.0}, random_state=0),
    "scaled": make_pipeline(MinMaxScaler(), StandardScaler(), RBFNetworkClassifier(random_state=0)),
    "table": make_pipeline(TableTransformer(columns="useful"), LogisticRegression()),
    "forest": RandomForestClassifier(4, max_depth=3, random_state=0),
}
RAW = ("blend", "table", "fusion of names")
"""Models of tables with names; those of some also hold text and gaps."""


@cache
def training_table(name: str) -> tuple[Any, np.ndarray]:
    rng = np.random.default_rng(0)
    n = 45
    y = np.arange(n) % (2 if name == "perceptrons" else 3)
    X = rng.normal(size=(n, 2)) + y[:, None]
    if name == "blend of kernels":
        return make_moons(80, noise=0.15, random_state=0)
    if name == "blend of trees":  # from a thousand rows on gradient-boosted trees are tried, and sharp edges suit them
        X = rng.random((1000, 4))
        return X, (X[:, 0] > 0.3) ^ (X[:, 1] > 0.6)
    if name not in RAW:
        return X, y
    frame = pd.DataFrame(X, columns=["width", "height"])
    if name == "fusion of names":
        return frame, y
    frame["colour"] = np.array(["red", "blue", "green", None], dtype=object)[(np.arange(n) // 2) % 4]
    frame.loc[3, "width"] = np.nan
    return frame, np.array(["no", "maybe", "yes"])[y]


@cache
def good_file(name: str) -> bytes:
    """The file of a good model."""
    import tempfile

    X, y = training_table(name)
    columns = {"width": "numbers", "height": "numbers", "colour": "text"} if name in ("blend", "table") else {}
    profile = Profile.learn(X, decide_columns(X, columns={"colour": "text"})) if name == "table" else None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model")
        training = {"rows": len(y), "method": name}
        save(MODELS[name].fit(X, y), path, columns=columns, training=training, profile=profile)
        return path.read_bytes()


def open_file(data: bytes) -> tuple[dict[str, Any], list[np.ndarray]]:
    """The tree and the arrays of a file."""
    tensors = load_tensors(data)
    tree = json.loads(tensors.pop(TREE).tobytes())
    del tensors[CHECKSUM]
    return tree, [tensors[str(number)] for number in range(len(tensors))]


def close_file(tree: Any, arrays: list[np.ndarray]) -> bytes:
    """A file of any tree and arrays, with the right checksum: only the checks behind it can refuse it."""
    text = tree if isinstance(tree, bytes) else json.dumps(tree, ensure_ascii=False).encode()
    named = {str(number): array for number, array in enumerate(arrays)}
    return pack_arrays({TREE: np.frombuffer(text, dtype=np.uint8), **named})


def rows_for(model: Any, name: str) -> list[Any]:
    """Tables that the model, which may have become another one, must be able to predict."""
    X = training_table(name)[0][:45]
    names = getattr(model, "feature_names_in_", None)
    width = getattr(model, "n_features_in_", X.shape[1])
    if width != X.shape[1]:
        X = np.zeros((3, width)) if names is None else pd.DataFrame(np.zeros((3, width)), columns=names)
    elif names is not None:
        X = pd.DataFrame(X).set_axis(names, axis=1)
    elif isinstance(X, pd.DataFrame) and not hasattr(model, "steps"):
        X = X.to_numpy()
    return [X, X[:1]]


def assert_predicts(model: Any, name: str) -> None:
    """Everything that the model says is finite and consistent; numbers may be so large that sums overflow."""
    for X in rows_for(model, name):
        if not hasattr(model, "predict_proba"):
            assert np.isfinite(model.predict_membership(X)).all()
            continue
        probabilities, labels = model.predict_proba(X), model.predict(X)
        assert probabilities.shape == (len(X), len(model.classes_))
        assert np.isfinite(probabilities).all() and probabilities.min() >= 0
        np.testing.assert_allclose(probabilities.sum(axis=1), 1, atol=1e-6)
        assert np.isin(labels, model.classes_).all()
        if hasattr(model, "decision_function"):
            assert np.isfinite(model.decision_function(X)).all()


def assert_compares(profile: Profile | None, name: str) -> None:
    """The differences from a profile, which may have become another one, can be said; or its cells cannot be read."""
    if profile is not None:
        differences = Differences(profile)
        with contextlib.suppress(ValueError):
            differences.add(training_table(name)[0])
        assert all(isinstance(line, str) for line in differences.list_remarks())
