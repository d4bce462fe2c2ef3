"""Write small model files of the present format to tests/data/models, with what they predict.

Run it once for every new format, never again for an old one: later versions must read these files as they are.
"""

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from emphatic import (
    ClassTreeClassifier,
    EmphaticClassifier,
    FusionClassifier,
    FuzzyBoostClassifier,
    MLPNetworkClassifier,
    MultiViewForestClassifier,
    ParallelPerceptronClassifier,
    RBFNetworkClassifier,
    RealAdaBoostClassifier,
)
from emphatic.emphasis import Mixed, PatternType
from emphatic.persistence import save
from emphatic.persistence.file import FORMAT
from emphatic.tables import TableTransformer

FOLDER = Path("tests/data/models") / f"format-{FORMAT}"
VIEWS = {"sepal": [0, 1], "petal": [2, 3]}


def list_models() -> dict[str, object]:
    perceptrons = ParallelPerceptronClassifier(n_epochs=20)
    return {
        "rbf": RBFNetworkClassifier(random_state=0),
        "mlp": MLPNetworkClassifier(3, max_epochs=20, random_state=0),
        "perceptrons": perceptrons.set_params(random_state=0),
        "boosted_rbf": RealAdaBoostClassifier(emphasis=Mixed(0.3), n_estimators=3, random_state=0),
        "boosted_trees": RealAdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=3, random_state=0),
        "boosted_perceptrons": RealAdaBoostClassifier(perceptrons, PatternType(), n_estimators=2, random_state=0),
        "fuzzy_boost": FuzzyBoostClassifier(n_estimators=4, n_deflections=1, random_state=0),
        "class_tree": ClassTreeClassifier(views=VIEWS, random_state=0),
        "forest": MultiViewForestClassifier(VIEWS, view_sets="all", random_state=0),
        "fusion": FusionClassifier([("a", GaussianNB(), [0, 1]), ("b", LogisticRegression(), [2, 3])]),
        "pipeline": make_pipeline(TableTransformer(), StandardScaler(), RBFNetworkClassifier(random_state=0)),
        "emphatic": EmphaticClassifier(random_state=0),
        "emphatic_text": EmphaticClassifier(random_state=0),
    }


def make_table(name: str) -> tuple[object, np.ndarray]:
    X, y = load_iris(return_X_y=True)
    X, y = X[::3], np.array(["setosa", "versicolor", "virginica"])[y[::3]]
    if name == "boosted_perceptrons":
        return X, np.where(y == "setosa", "setosa", "other")
    if name == "emphatic_text":
        table = pd.DataFrame({"length": X[:, 2], "width": np.where(X[:, 3] > 1, "wide", "narrow")})
        table.loc[::7, "length"] = np.nan
        table.loc[::5, "width"] = None
        return table, y
    return X, y


def main() -> None:
    if FOLDER.exists():
        sys.exit(f"{FOLDER} exists: files of a format are written once")
    FOLDER.mkdir(parents=True)
    expected = {}
    for name, model in list_models().items():
        X, y = make_table(name)
        fitted = model.fit(X, y)
        save(fitted, FOLDER / f"{name}.emphatic", training={"rows": len(y)})
        expected[name] = fitted.predict_proba(X).tolist()
    (FOLDER / "expected.json").write_text(json.dumps(expected))


if __name__ == "__main__":
    main()
